//! Lanes of the outbox: what one thing that is sick delays is what needs it, and nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use jiff::Timestamp;
use storage::outbox;
use testkit::{Client, Redis, RedisCluster, TestApp, wait_until};
use tokio::net::TcpListener;

use crate::flash::{Market, PATIENCE, claim};
use crate::order_life::{
    ALIPAY, BALANCE, REFUNDED, assert_books, buy, claimed, fund, order, ordinary, pay, step,
    wait_for_status,
};
use crate::payments::{ALIPAY_KEY, callback, number_in, tell, with_alipay_at};

const REFUNDING: i64 = 5;

/// Longer than the test may take: whatever waits for an answer of the gateway fails it.
const GATEWAY_TIMEOUT_MS: u64 = 60_000;

/// Fewer than one batch, more than are asked for at once.
const REFUNDS: usize = 50;

/// A payment provider that takes every connection and never says a word.
struct HangingGateway {
    url: String,
    held: Arc<AtomicUsize>,
}

impl HangingGateway {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/gateway.do", listener.local_addr().unwrap());
        let held = Arc::new(AtomicUsize::new(0));
        let count = held.clone();
        tokio::spawn(async move {
            let mut connections = Vec::new();
            while let Ok((connection, _)) = listener.accept().await {
                connections.push(connection);
                count.store(connections.len(), Ordering::Relaxed);
            }
        });
        Self { url, held }
    }

    fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }
}

/// An order that was paid through the provider and whose money is to go back.
async fn refunding(app: &TestApp, buyer: &Client, voucher: i64, reference: &str) -> String {
    let id = buy(buyer, voucher).await;
    let paying = pay(buyer, &id, ALIPAY).await.data();
    let number = number_in(paying["redirect"].as_str().unwrap());
    let paid = callback(&number, reference, "45.00", ALIPAY_KEY);
    assert_eq!(tell(app, paid).await, "success");
    step(buyer, &id, "refund").await.data();
    id
}

#[tokio::test]
async fn a_provider_that_hangs_delays_neither_units_nor_balances() {
    let gateway = HangingGateway::open().await;
    let site = with_alipay_at(&gateway.url)
        .setting("payment.alipay.timeout_ms", GATEWAY_TIMEOUT_MS)
        .spawn();
    let market = Market::on(site.await).await;
    let people = market.people(12).await;
    let voucher = ordinary(&market).await;
    let share = REFUNDS.div_ceil(10);
    let refunds = people[..10].iter().enumerate().map(async |(nth, buyer)| {
        let mut orders = Vec::new();
        for round in 0..share {
            let reference = format!("R{nth}x{round}");
            orders.push((
                buyer,
                refunding(&market.app, buyer, voucher, &reference).await,
            ));
        }
        orders
    });
    let refunds: Vec<_> = join_all(refunds).await.into_iter().flatten().collect();
    wait_until("the gateway is asked", PATIENCE, async || {
        gateway.held() > 0
    })
    .await;

    let (one, other) = (&people[10], &people[11]);
    let sale = market.sell(1).await;
    let unit = claimed(one, sale).await;
    assert_eq!(claim(other, sale).await.code(), "sold_out");
    step(one, &unit, "cancel").await.data();
    wait_until("the unit is for sale again", PATIENCE, async || {
        claim(other, sale).await.json()["success"] == true
    })
    .await;

    fund(&market.app, one, 10_000).await;
    let from_balance = buy(one, voucher).await;
    pay(one, &from_balance, BALANCE).await.data();
    step(one, &from_balance, "refund").await.data();
    wait_for_status(one, &from_balance, REFUNDED).await;

    for (buyer, refund) in &refunds {
        assert_eq!(order(buyer, refund).await["status"], REFUNDING);
    }
    assert_books(&market.app).await;
}

/// Hundreds of effects that fail one by one on a busy machine.
const LONG_PATIENCE: Duration = Duration::from_secs(90);

/// More than one batch.
const SICK: usize = 600;
const WELL: usize = 20;

/// A cluster whose other masters serve when one is gone.
async fn cluster_of_independent_masters() -> RedisCluster {
    let cluster = RedisCluster::start().await;
    for node in cluster.nodes() {
        let _: String = ask(
            node,
            &["CONFIG", "SET", "cluster-require-full-coverage", "no"],
        )
        .await;
    }
    cluster
}

async fn ask<T: redis::FromRedisValue>(node: &Redis, command: &[&str]) -> T {
    let mut connection = node.connection().await;
    let mut asked = redis::cmd(command[0]);
    asked.arg(&command[1..]);
    asked.query_async(&mut connection).await.unwrap()
}

/// A master that holds nothing of the relay's lease.
async fn victim(cluster: &RedisCluster, prefix: &str) -> usize {
    for (nth, node) in cluster.nodes().iter().enumerate() {
        let pattern = format!("{prefix}lock:*outbox*");
        let keys: Vec<String> = ask(node, &["KEYS", &pattern]).await;
        if keys.is_empty() {
            return nth;
        }
    }
    unreachable!("one lease is on one master")
}

/// People whose follows are kept by this master (or not), so many of each.
async fn people_of(app: &TestApp, cluster: &RedisCluster, nth: usize) -> (Vec<i64>, Vec<i64>) {
    let node = &cluster.nodes()[nth];
    let slots = 16_384 / 3 + 1;
    let (mut on_it, mut elsewhere) = (Vec::new(), Vec::new());
    let mut connection = node.connection().await;
    for user in 1_000_000.. {
        let key = format!("{}follows:{{{user}}}", app.prefix());
        let mut keyslot = redis::cmd("CLUSTER");
        keyslot.arg("KEYSLOT").arg(key);
        let slot: usize = keyslot.query_async(&mut connection).await.unwrap();
        // The borders between masters are left out.
        match slot.abs_diff(nth * slots + slots / 2) {
            near if near < slots / 2 - 4 && on_it.len() < SICK => on_it.push(user),
            far if far > slots / 2 + 4 && elsewhere.len() < WELL => elsewhere.push(user),
            _ => {}
        }
        if (on_it.len(), elsewhere.len()) == (SICK, WELL) {
            break;
        }
    }
    (on_it, elsewhere)
}

/// The outbox row of a follow, without the users.
async fn append(sql: &str, users: &[i64]) {
    use sea_orm::{ConnectionTrait as _, Database};
    let row = |user: &i64| {
        format!(
            "('follow_changed', 'follow:{user}:1', '{{\"user\":{user},\"author\":1}}', {})",
            outbox::Lane::Social as i16
        )
    };
    let rows: Vec<String> = users.iter().map(row).collect();
    let connection = Database::connect(sql).await.unwrap();
    let insert = format!(
        "INSERT INTO tb_outbox (kind, `key`, payload, lane) VALUES {}",
        rows.join(", ")
    );
    connection.execute_unprepared(&insert).await.unwrap();
    connection.close().await.unwrap();
}

async fn waiting(app: &TestApp) -> u64 {
    let backlog = outbox::backlog(app.core().db(), Timestamp::now()).await;
    backlog.unwrap().count
}

#[tokio::test]
async fn one_failing_shard_delays_no_other_and_its_effects_are_applied_after_recovery() {
    let cluster = cluster_of_independent_masters().await;
    let folder = tempfile::tempdir().unwrap();
    let sql = format!("sqlite://{}/tandian.db", folder.path().display());
    let app = TestApp::builder()
        .sql_url(&sql)
        .on_cluster(&cluster)
        .spawn()
        .await;
    wait_until("a process relays", PATIENCE, async || {
        let mut leases = 0;
        for node in cluster.nodes() {
            let pattern = format!("{}lock:*outbox*", app.prefix());
            let keys: Vec<String> = ask(node, &["KEYS", &pattern]).await;
            leases += keys.len();
        }
        leases > 0
    })
    .await;
    let sick = victim(&cluster, app.prefix()).await;
    let (on_it, elsewhere) = people_of(&app, &cluster, sick).await;
    cluster.stop_hard(sick);

    append(&sql, &on_it).await;
    append(&sql, &elsewhere).await;
    let sick_rows = SICK as u64;
    wait_until("the younger ones are through", LONG_PATIENCE, async || {
        waiting(&app).await <= sick_rows
    })
    .await;
    let troubled = outbox::list_problems(app.core().db(), None, outbox::LIST_LIMIT).await;
    let troubled = troubled.unwrap();
    assert!(
        troubled.iter().all(|row| row.attempts == 0 && !row.is_dead),
        "an outage is counted against nobody"
    );

    cluster.start_again(sick).await;
    cluster.wait_until_ok().await;
    wait_until("all are through", LONG_PATIENCE, async || {
        waiting(&app).await == 0
    })
    .await;
}
