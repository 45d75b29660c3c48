//! A MariaDB whose queries and connections are killed at random while people check in: what was answered is there, once.
//!
//! `TANDIAN_KILL_SECS=25 TANDIAN_KILL_PEOPLE=3000` for the long form.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use domain::{OrderId, UserId};
use storage::flash_sales::{self, SaleOrder};
use storage::{Db, Error};

use crate::selling::{LEASE, PAY_WITHIN, assert_stock_conserved, open_sale, order};
use crate::support::TestDb;

fn wanted(name: &str, otherwise: u64) -> u64 {
    let wanted = std::env::var(name).ok();
    wanted
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// Kills whatever runs in this database, the killer's own connection excepted.
async fn kill_at_random(test: Arc<TestDb>, is_over: Arc<AtomicBool>) -> u64 {
    let killer = test.raw_connection().await;
    let mut kills = 0;
    while !is_over.load(Ordering::Relaxed) {
        let list = "SELECT ID FROM information_schema.PROCESSLIST \
            WHERE DB = DATABASE() AND ID <> CONNECTION_ID()";
        let statement = sea_orm::Statement::from_string(sea_orm::DbBackend::MySql, list);
        let rows = sea_orm::ConnectionTrait::query_all_raw(&killer, statement).await;
        for row in rows.unwrap() {
            let id: i64 = row.try_get_by_index(0).unwrap();
            let what = match rand::random_range(0..10) {
                0..5 => "QUERY",
                5..7 => "CONNECTION",
                _ => continue,
            };
            // It may have ended by itself.
            let kill = format!("KILL {what} {id}");
            let killed = sea_orm::ConnectionTrait::execute_unprepared(&killer, &kill).await;
            kills += u64::from(killed.is_ok());
        }
        tokio::task::yield_now().await;
    }
    kills
}

/// Writes the order until it is answered, as the drain worker does.
async fn write_until_answered(db: &Db, order: SaleOrder) -> (OrderId, u64) {
    let mut outages = 0;
    loop {
        match flash_sales::write_orders(db, LEASE, &[order], PAY_WITHIN).await {
            Ok(written) => {
                assert_eq!(written.unwrap().len(), 1);
                return (order.id, outages);
            }
            Err(error) => {
                assert!(
                    error.is_unavailable(),
                    "a killed query is an outage: {error:?}"
                );
                outages += 1;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_queries_and_connections_lose_no_order_and_write_none_twice() {
    let test = Arc::new(TestDb::empty_mariadb().await);
    test.db.migrate().await.unwrap();
    let people = i64::try_from(wanted("TANDIAN_KILL_PEOPLE", 60)).unwrap();
    let sale = open_sale(&test.db, u32::try_from(people).unwrap()).await;
    let ends_at = Instant::now() + Duration::from_secs(wanted("TANDIAN_KILL_SECS", 0));
    let is_over = Arc::new(AtomicBool::new(false));
    let killer = tokio::spawn(kill_at_random(test.clone(), is_over.clone()));
    let writers = (0..8).map(|writer| {
        let test = test.clone();
        tokio::spawn(async move {
            let (mut answered, mut outages) = (BTreeSet::new(), 0);
            loop {
                for n in (1..=people).filter(|n| n % 8 == writer) {
                    let wrote = write_until_answered(&test.db, order(n, sale, n)).await;
                    answered.insert(wrote.0);
                    outages += wrote.1;
                }
                if Instant::now() >= ends_at {
                    return (answered, outages);
                }
            }
        })
    });
    let (mut answered, mut outages) = (BTreeSet::new(), 0);
    for writer in writers.collect::<Vec<_>>() {
        let (theirs, failed) = writer.await.unwrap();
        answered.extend(theirs);
        outages += failed;
    }
    is_over.store(true, Ordering::Relaxed);
    let kills = killer.await.unwrap();
    println!("{people} people, {kills} kills, {outages} outages");
    assert_eq!(answered.len(), usize::try_from(people).unwrap());
    assert_eq!(test.count("tb_voucher_order").await, people);
    // Past the pool, whose resting connections were killed as well.
    let left = "SELECT CONCAT('', stock) FROM tb_seckill_voucher";
    assert_eq!(test.texts(left).await, ["0"]);
    assert_stock_conserved(&test).await;
}

/// `Error` is what callers see of a kill; it must say that asking again is sensible.
#[tokio::test]
async fn an_interrupted_query_is_an_outage() {
    let test = TestDb::empty_mariadb().await;
    test.db.migrate().await.unwrap();
    test.db.faults().arm(storage::Fault::Interrupted, 1);
    let day = jiff::civil::date(2026, 11, 15);
    let error = storage::check_ins::check_in(&test.db, UserId::new(1), day).await;
    let error = error.unwrap_err();
    assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
}
