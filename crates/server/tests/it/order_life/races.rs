//! Two who want different things of one order at the same moment: one of them gets it, money and pieces stay whole.

use futures_util::future::join3;
use rand::RngExt as _;

use super::{
    ALIPAY, BALANCE, assert_books, assert_pieces, balance, claimed, fund, order, pay, redeem, step,
};
use crate::flash::Market;

/// Rounds on each database; `make chaos` plays more.
fn rounds() -> usize {
    let set = std::env::var("CHAOS_SCALE").ok();
    25 * set.and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Pay from both purses, cancel, refund, redeem: three at once, chosen at random, round after round.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_comes_first_money_and_pieces_are_conserved() {
    for market in Market::on_both().await {
        let buyer = market.people(1).await.remove(0);
        fund(&market.app, &buyer, 1_000_000).await;
        let mut vouchers = Vec::new();
        for _ in 0..rounds() {
            let voucher = market.sell(1).await;
            let id = claimed(&buyer, voucher).await;
            play(&market, &buyer, &id).await;
            vouchers.push(voucher);
        }
        for voucher in vouchers {
            assert_pieces(&market.app, voucher).await;
        }
        assert_books(&market.app).await;
        assert!(balance(&buyer).await >= 0);
    }
}

async fn play(market: &Market, buyer: &testkit::Client, id: &str) {
    let code = match rand::rng().random_range(0..2) {
        0 => None,
        _ => {
            pay(buyer, id, ALIPAY).await.data();
            let code = order(buyer, id).await["redeemQr"].clone();
            code.as_str().map(str::to_owned)
        }
    };
    let one = async {
        match &code {
            None => pay(buyer, id, BALANCE).await,
            Some(code) => redeem(&market.merchant, code).await,
        }
    };
    let two = async {
        match &code {
            None => step(buyer, id, "cancel").await,
            Some(_) => step(buyer, id, "refund").await,
        }
    };
    let three = async {
        match &code {
            None => pay(buyer, id, ALIPAY).await,
            Some(code) => redeem(&market.merchant, code).await,
        }
    };
    let (one, two, three) = join3(one, two, three).await;
    let succeeded = [&one, &two, &three]
        .iter()
        .filter(|answer| answer.json()["success"] == true)
        .count();
    assert_eq!(succeeded, 1, "{one:?} {two:?} {three:?}");
}
