//! Many orders that run out at the same moment, while people go on claiming.

use std::time::{Duration, Instant};

use domain::VoucherId;
use futures_util::stream::{self, StreamExt as _};
use storage::flash_sales;
use testkit::{Redis, unique_prefix, wait_until};

use super::sites::Sql;
use super::{assert_books, assert_pieces, hasty};
use crate::chaos::record;
use crate::flash::{Market, sale_state, win};
use crate::shops::hold_outbox;

/// Unpaid orders that are due at once, unless `CHAOS_DUE` says how many.
const DUE: u32 = 5_000;

fn crowd() -> u32 {
    let set = std::env::var("CHAOS_DUE").ok();
    set.map_or(DUE, |text| text.parse().expect("a number of orders"))
}

/// Far above what any of this takes, so that only a hang or a loss reaches it.
const PATIENCE: Duration = Duration::from_secs(900);

/// Counting a hundred thousand rows takes a while itself.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Nobody's time ends before it is made to.
const A_DAY_SECS: u64 = 86_400;

/// What cancelling may take, however many there are: some batches, and caches that fill.
const ROOM_MIB: u64 = 128;

/// Claims that are open at a time.
const SIDE_BY_SIDE: usize = 64;

/// So many people claim a unit each, some at a time.
async fn fill(market: &Market, voucher: i64) {
    let people = market.people(crowd()).await;
    let claims = stream::iter(&people).map(async |person| win(person, voucher).await);
    let won = claims.buffer_unordered(SIDE_BY_SIDE).count().await;
    assert_eq!(won, people.len());
    wait_until("the orders are in SQL", PATIENCE, async || {
        live(market, voucher).await == u64::from(crowd())
    })
    .await;
}

async fn live(market: &Market, voucher: i64) -> u64 {
    let id = VoucherId::new(voucher);
    let audit = flash_sales::audit(market.app.core().db(), id).await;
    audit.unwrap().unwrap().live_orders
}

/// What this process has in memory, the people included.
#[track_caller]
fn rss_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1));
    kib.unwrap().parse::<u64>().unwrap() / 1024
}

/// Looks on until no order of the sale is live, and tells the most memory that was in use meanwhile.
async fn look_on(market: &Market, voucher: i64) -> u64 {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    let mut most_mib = 0;
    let looking = async {
        loop {
            looks.tick().await;
            most_mib = most_mib.max(rss_mib());
            if live(market, voucher).await == 0 {
                return most_mib;
            }
        }
    };
    let looked = tokio::time::timeout(PATIENCE, looking).await;
    looked.expect("the runner cancels what is due")
}

/// A hundred people claim one after the other; the longest that one of them waited.
async fn claim_meanwhile(market: &Market, voucher: i64) -> Duration {
    let mut slowest = Duration::ZERO;
    for person in market.people(100).await {
        let asked = Instant::now();
        win(&person, voucher).await;
        slowest = slowest.max(asked.elapsed());
    }
    slowest
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_that_run_out_at_once_are_cancelled_while_claims_go_on() {
    let sql = Sql::mariadb().await;
    let builder = hasty(A_DAY_SECS)
        .sql_url(sql.url())
        .setting("flash.claims_per_address_per_minute", 0);
    let market = Market::on(builder.spawn().await).await;
    let (full, busy) = (market.sell(crowd()).await, market.sell(1_000).await);
    fill(&market, full).await;
    let before_mib = rss_mib();
    sql.let_time_run_out().await;
    record::fault("all unpaid orders of a sale expired at once");
    let begun = Instant::now();
    let closing = async { (look_on(&market, full).await, begun.elapsed()) };
    let claiming = claim_meanwhile(&market, busy);
    let ((most_mib, closed_in), slowest) = tokio::join!(closing, claiming);
    wait_until("every unit is for sale", PATIENCE, async || {
        sale_state(&market.merchant, full).await["stock"] == crowd()
    })
    .await;
    record::held(
        "an expired order's unit is for sale again",
        crowd() as usize,
    );
    println!(
        "{} orders cancelled in {closed_in:?}, units back in {:?}, slowest claim {slowest:?}, \
         {before_mib} MiB before and {most_mib} MiB at most",
        crowd(),
        begun.elapsed()
    );
    // In the short form other tests grow in the same process.
    if crowd() > DUE {
        assert!(most_mib < before_mib + ROOM_MIB, "{before_mib} {most_mib}");
    }
    assert_pieces(&market.app, full).await;
    assert_books(&market.app).await;
}

/// Orders that come back together in the test of what that costs.
const TOGETHER: u32 = 400;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pieces_that_come_back_together_share_their_calls() {
    let (redis, sql, prefix) = (Redis::start().await, Sql::sqlite(), unique_prefix());
    let held = hold_outbox(&redis, &prefix).await;
    let builder = hasty(A_DAY_SECS)
        .sql_url(sql.url())
        .redis_url(redis.url())
        .setting("redis.prefix", &prefix)
        .setting("flash.claims_per_address_per_minute", 0);
    let market = Market::on(builder.spawn().await).await;
    let voucher = market.sell(TOGETHER).await;
    for person in market.people(TOGETHER).await {
        win(&person, voucher).await;
    }
    market.wait_for_orders(voucher, TOGETHER as usize).await;
    sql.let_time_run_out().await;
    wait_until("all are cancelled", PATIENCE, async || {
        live(&market, voucher).await == 0
    })
    .await;
    let before = redis.commands().await;
    held.release().await.unwrap();
    wait_until("every unit is for sale", PATIENCE, async || {
        sale_state(&market.merchant, voucher).await["stock"] == TOGETHER
    })
    .await;
    // A call raises the stock once and the epoch once, whatever it brings.
    let spent = redis.commands().await.since(&before).of("HINCRBY");
    assert!(spent <= 8, "{spent} steps for {TOGETHER} units");
    assert_pieces(&market.app, voucher).await;
}
