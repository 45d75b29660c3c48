//! Many orders that run out at the same moment, while people go on claiming.

use std::time::Instant;

use domain::{OrderId, UserId, VoucherId};
use flash::Repair;
use jiff::{SignedDuration, Timestamp};
use storage::flash_sales::{self, SaleOrder, Seat};
use storage::orders;
use testkit::{TestApp, wait_until};

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

/// Orders per transaction while they are made up.
const BATCH: usize = 500;

/// Orders that nobody paid, written as a drainer does.
async fn fill(app: &TestApp, voucher: i64, count: u32) {
    // Nobody drains this partition, so nobody is fenced out by it.
    let seat = Seat {
        partition: 200,
        fence: 1,
    };
    let db = app.core().db();
    flash_sales::take_seat(db, seat).await.unwrap().unwrap();
    let order = |number: u32| SaleOrder {
        id: OrderId::new(i64::from(number)),
        voucher_id: VoucherId::new(voucher),
        user_id: UserId::new(1_000_000 + i64::from(number)),
        slot: 1,
        granted_at: Timestamp::now() - SignedDuration::from_hours(1),
    };
    let rows: Vec<SaleOrder> = (1..=count).map(order).collect();
    for rows in rows.chunks(BATCH) {
        let pay_within = std::time::Duration::from_secs(4_000);
        let written = flash_sales::write_orders(db, seat, rows, pay_within).await;
        written.unwrap().unwrap();
    }
    // The gate learns of them as it does when it forgot some.
    let id = VoucherId::new(voucher);
    let repaired = app::flash_sales::compare(app.core(), id, Repair::Safe).await;
    repaired.unwrap().unwrap();
    assert_eq!(sale_state(&app.visitor(), voucher).await["stock"], 0);
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
    fill(&market.app, full, crowd()).await;
    assert_eq!(live(&market, full).await, u64::from(crowd()));
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
