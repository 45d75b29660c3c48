//! What a claim costs on a site that has ten and a hundred times as many people and past orders.
//!
//! Three markets side by side, the same few people claim on each in turn, and a window ends when their orders are in SQL.

use anyhow::Result;
use tokio::time::Instant;

use super::market::{Market, Plan, Role};
use super::{CONNECTIONS, progress};
use crate::load::ask_all;
use crate::pairs::Summary;
use crate::report::{Figure, Goal};

const NAME: &str = "growth";
const ROUNDS: usize = 9;
/// People, and as many past orders, of the smallest market.
const PEOPLE: usize = 2_000;
const SIZES: [usize; 3] = [1, 10, 100];
/// Sales that a window consists of.
const SALES: usize = 4;

pub(crate) async fn run() -> Result<Vec<Figure>> {
    let mut markets = Vec::new();
    for size in SIZES {
        progress(&format!("opening a market with {} people", PEOPLE * size));
        markets.push(grown(size).await?);
    }
    let mut costs = vec![Vec::new(); SIZES.len()];
    for round in 0..=ROUNDS {
        progress(&format!("growth, round {round} of {ROUNDS}"));
        for (market, costs) in markets.iter_mut().zip(&mut costs) {
            let cost = secs_per_claim(market).await?;
            if round > 0 {
                costs.push(cost);
            }
        }
    }
    for market in &markets {
        market.check().await?;
    }
    let compared = SIZES.iter().zip(&costs).skip(1).map(|(size, grown)| {
        Figure::new(
            NAME,
            format!("cost of a claim with {size}x orders and people"),
            Summary::of_ratios(grown, &costs[0]),
            Some(Goal::AtMost(1.1)),
        )
    });
    Ok(compared.collect())
}

/// Everybody has bought something already.
async fn grown(size: usize) -> Result<Market> {
    let mut market = Market::open(Plan {
        people: PEOPLE * size,
        role: Role::All,
        ..Plan::default()
    })
    .await?;
    let voucher = market.publish(market.tokens.len()).await?;
    market.sell_to_all(voucher, CONNECTIONS).await?;
    market.wait_until_drained().await?;
    Ok(market)
}

async fn secs_per_claim(market: &mut Market) -> Result<f64> {
    let mut vouchers = Vec::new();
    for _ in 0..SALES {
        vouchers.push(market.publish(PEOPLE).await?);
    }
    market.arrive_some(PEOPLE, CONNECTIONS).await?;
    let since = Instant::now();
    for voucher in vouchers {
        let claims = market.claims(voucher, 0..PEOPLE);
        let sold = ask_all(market.address(), CONNECTIONS, claims).await?;
        let orders = sold.answers.iter().filter_map(super::market::order_of);
        let orders: Vec<i64> = orders.collect();
        anyhow::ensure!(orders.len() == PEOPLE, "a claim was refused");
        market.note(voucher, orders.into_iter());
    }
    market.wait_until_drained().await?;
    Ok(since.elapsed().as_secs_f64() / (SALES * PEOPLE) as f64)
}
