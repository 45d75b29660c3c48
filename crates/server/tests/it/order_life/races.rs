//! Two who want different things of one order at the same moment: one of them gets it, money and units stay consistent.

use futures_util::future::join3;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::{
    ALIPAY, BALANCE, assert_books, assert_pieces, balance, claimed, fund, order, pay, redeem, step,
};
use crate::chaos::{first_seed, number, record};
use crate::flash::Market;

/// Races on each database, unless `CHAOS_RACES` says how many.
const RACES: u64 = 25;

/// A person claims at most once a second by the site's limits; races go faster.
const RACES_PER_BUYER: u32 = 10;

/// Pay from both purses, cancel, refund, redeem: three at once, chosen at random, round after round.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_any_order_of_events_money_and_stock_are_conserved() {
    let mut random = StdRng::seed_from_u64(first_seed());
    for market in Market::on_both().await {
        let races = number("CHAOS_RACES").unwrap_or(RACES);
        let races = u32::try_from(races).expect("a small number");
        let buyers = market.people(races.div_ceil(RACES_PER_BUYER)).await;
        let mut vouchers = Vec::new();
        for buyer in &buyers {
            fund(&market.app, buyer, 1_000_000).await;
        }
        for race in 0..races as usize {
            let buyer = &buyers[race % buyers.len()];
            let voucher = market.sell(1).await;
            let id = claimed(buyer, voucher).await;
            play(&market, buyer, &id, &mut random).await;
            vouchers.push(voucher);
        }
        for voucher in vouchers {
            assert_pieces(&market.app, voucher).await;
        }
        assert_books(&market.app).await;
        for buyer in &buyers {
            assert!(balance(buyer).await >= 0);
        }
    }
}

async fn play(market: &Market, buyer: &testkit::Client, id: &str, random: &mut StdRng) {
    let code = match random.random_range(0..2) {
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
    record::fault(match &code {
        None => "race of two payments and a cancellation for one order",
        Some(_) => "race of two redemptions and a refund for one order",
    });
    let (one, two, three) = join3(one, two, three).await;
    let succeeded = [&one, &two, &three]
        .iter()
        .filter(|answer| answer.json()["success"] == true)
        .count();
    assert_eq!(succeeded, 1, "{one:?} {two:?} {three:?}");
    record::held("of racing steps exactly one succeeds", 1);
}
