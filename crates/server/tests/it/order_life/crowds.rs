//! Many orders that run out at the same moment, while people go on claiming.

use std::time::Instant;

use domain::VoucherId;
use futures_util::stream::{self, StreamExt as _};
use jiff::{SignedDuration, Timestamp};
use storage::{flash_sales, orders};
use testkit::wait_until;

use super::{assert_books, assert_pieces};
use crate::flash::{Market, sale_state, win};

/// Unpaid orders that are due at once. `make chaos` has twenty times as many.
fn crowd() -> u32 {
    let set = std::env::var("CHAOS_SCALE").ok();
    let scale: u32 = set.and_then(|text| text.parse().ok()).unwrap_or(1);
    5_000 * scale.min(20)
}

/// Far above what any of this takes, so that only a hang or a loss reaches it.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(600);

/// Claims that are open at a time.
const SIDE_BY_SIDE: usize = 64;

/// So many people claim a piece each, some at a time.
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_that_run_out_at_once_are_cancelled_while_claims_go_on() {
    let market = Market::open().await;
    let (full, busy) = (market.sell(crowd()).await, market.sell(1_000).await);
    fill(&market, full).await;
    let db = market.app.core().db();
    // What the runner does when their time has come, without waiting for it.
    let then = Timestamp::now() + SignedDuration::from_secs(4_000);
    let begun = Instant::now();
    let closing = async {
        while !orders::expire_due(db, then, 500).await.unwrap().is_empty() {
            market.app.core().outbox().wake();
        }
        begun.elapsed()
    };
    let claiming = async {
        let mut slowest = std::time::Duration::ZERO;
        for person in market.people(100).await {
            let asked = Instant::now();
            win(&person, busy).await;
            slowest = slowest.max(asked.elapsed());
        }
        slowest
    };
    let (closed_in, slowest) = tokio::join!(closing, claiming);
    assert_eq!(live(&market, full).await, 0);
    wait_until("every piece is for sale", PATIENCE, async || {
        let left = storage::outbox::backlog(db, Timestamp::now()).await;
        left.unwrap().count == 0
    })
    .await;
    let back_in = begun.elapsed();
    println!(
        "{} orders closed in {closed_in:?}, pieces back in {back_in:?}, slowest claim {slowest:?}",
        crowd()
    );
    assert_eq!(
        sale_state(&market.merchant, full).await["stock"],
        crowd(),
        "all pieces are for sale"
    );
    assert_pieces(&market.app, full).await;
    assert_books(&market.app).await;
}
