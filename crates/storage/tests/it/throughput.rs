//! How fast orders are recorded and ended, beside what the database does at best. It prints and never judges: levels
//! drift on a busy machine, so what is compared takes turns.
//!
//! `TANDIAN_THROUGHPUT_BATCHES` makes it longer.

use std::time::{Duration, Instant};

use domain::VoucherId;
use jiff::SignedDuration;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, TransactionTrait, Value};
use storage::orders;

use crate::selling::{GRANTED_AT, open_sale, orders as sale_orders, write};
use crate::support::{TestDb, on_both};

const BATCH: i64 = 1_000;
const BATCHES: i64 = 5;

fn batches() -> i64 {
    let asked = std::env::var("TANDIAN_THROUGHPUT_BATCHES").ok();
    asked.map_or(BATCHES, |batches| batches.parse().unwrap())
}

/// The same rows into the same table, in one statement and one transaction.
async fn insert_raw(connection: &DatabaseConnection, sale: VoucherId, first: i64) {
    let rows = vec!["(?, ?, ?, 1, 1, ?, ?, ?)"; usize::try_from(BATCH).unwrap()].join(", ");
    let sql = format!(
        "INSERT INTO tb_voucher_order \
         (id, user_id, voucher_id, shop_id, slot, pay_deadline, create_time, update_time) VALUES {rows}"
    );
    // Far off, so that they do not end with ours.
    let at = "2030-01-01 00:00:00";
    let values = (first..first + BATCH).flat_map(|n| -> [Value; 6] {
        [
            n.into(),
            n.into(),
            sale.get().into(),
            at.into(),
            at.into(),
            at.into(),
        ]
    });
    let backend = connection.get_database_backend();
    let statement = Statement::from_sql_and_values(backend, sql, values);
    let transaction = connection.begin().await.unwrap();
    transaction.execute_raw(statement).await.unwrap();
    transaction.commit().await.unwrap();
}

fn rate(spent: Duration) -> f64 {
    let orders = f64::from(u32::try_from(batches() * BATCH).unwrap());
    orders / spent.as_secs_f64()
}

async fn measure(test: &TestDb) {
    let name = test.db.backend();
    let sale = open_sale(&test.db, 1_000_000).await;
    let raw_sale = VoucherId::new(sale.get() + 1);
    let connection = test.raw_connection().await;
    let (mut ours, mut raw) = (Duration::ZERO, Duration::ZERO);
    for n in 0..batches() {
        let batch = sale_orders(sale, n * BATCH..(n + 1) * BATCH);
        let begun = Instant::now();
        write(&test.db, &batch).await;
        ours += begun.elapsed();
        let begun = Instant::now();
        insert_raw(&connection, raw_sale, 1_000_000_000 + n * BATCH).await;
        raw += begun.elapsed();
    }
    connection.close().await.unwrap();
    let (ours, raw) = (rate(ours), rate(raw));
    eprintln!(
        "{name}: {ours:.0} orders/s recorded, {raw:.0} rows/s inserted bare: {:.2}",
        ours / raw
    );

    let late = GRANTED_AT + SignedDuration::from_hours(1);
    let begun = Instant::now();
    while !orders::expire_due(&test.db, late, orders::EXPIRE_LIMIT)
        .await
        .unwrap()
        .is_empty()
    {}
    eprintln!(
        "{name}: {:.0} orders/s ended for want of payment",
        rate(begun.elapsed())
    );
}

#[tokio::test]
async fn recording_is_measured_beside_a_bare_insert() {
    on_both(async |test| measure(&test).await).await;
}
