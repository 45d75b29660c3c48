//! How long it takes from a claim until its order is in SQL, at a part of what the site can do.
//!
//! The stock in SQL and the orders change in one transaction, so one number tells how many orders everybody can see. Orders
//! reach SQL in about the order of their claims: the wait of the claim with number n ends when n orders are there.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::NAME;
use crate::flash::CONNECTIONS;
use crate::load::{Crowd, Requests, play};
use crate::market::{Defaults, Market, MarketPlan, MarketRole, order_of};
use crate::pairs::{Summary, percentile};
use crate::progress;
use crate::report::Figure;
use crate::sql::{DatabaseKind, Gauge};

const PEOPLE: usize = 40_000;
const ROUNDS: usize = 3;
const LOADS: [f64; 2] = [0.1, 0.8];
const WINDOW: Duration = Duration::from_secs(2);
/// Between two looks at the stock.
const LOOK: Duration = Duration::from_millis(2);
const LIMIT: Duration = Duration::from_secs(120);

/// `capacity` is in orders that are claimed and reach SQL in a second.
pub(super) async fn measure(sql: DatabaseKind, capacity: f64) -> Result<Vec<Figure>> {
    let name = sql.name();
    let mut market = Market::open(MarketPlan {
        people: PEOPLE,
        sql,
        role: MarketRole::All,
        defaults: Defaults::Kept,
        ..MarketPlan::default()
    })
    .await?;
    market.sql.flush_every_commit().await?;
    let mut figures = Vec::new();
    for load in LOADS {
        let percent = load * 100.0;
        progress::step(NAME, format!("from claim to {name} at {percent:.0} %"));
        let (mut half, mut most) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let mut waits = waits_ms(&mut market, capacity * load).await?;
            half.push(percentile(&mut waits, 0.5));
            most.push(percentile(&mut waits, 0.99));
        }
        for (part, values) in [("p50", half), ("p99", most)] {
            let metric =
                format!("claim until visible in SQL at {percent:.0} %, {part} in ms, {name}");
            figures.push(Figure::new(NAME, metric, Summary::of(values), None));
        }
    }
    Ok(figures)
}

/// How long each claim took until its order was there.
async fn waits_ms(market: &mut Market, per_sec: f64) -> Result<Vec<f64>> {
    let count = ((per_sec * WINDOW.as_secs_f64()) as usize).clamp(1, PEOPLE);
    let voucher = market.publish(PEOPLE).await?;
    market.arrive_some(count, CONNECTIONS).await?;
    let stock = format!("SELECT stock FROM tb_seckill_voucher WHERE voucher_id = {voucher}");
    let stock = market.sql.gauge(stock).await?;
    let due: Vec<Duration> = (0..count)
        .map(|place| Duration::from_secs_f64(place as f64 / per_sec))
        .collect();
    let claims = market.claims(voucher, 0..count);
    let address = market.address();
    let sending = tokio::task::spawn_blocking({
        let due = due.clone();
        move || send(address, &claims, &due)
    });
    let seen = watch(&stock, count).await?;
    let (began, orders) = sending.await??;
    ensure!(
        orders.len() == count,
        "a claim was refused below the capacity"
    );
    market.note(voucher, orders.into_iter());
    market.settle().await?;
    let mut looks = seen.iter().peekable();
    let mut waits = Vec::with_capacity(count);
    for (place, due) in due.iter().enumerate() {
        while looks.next_if(|(_, there)| *there <= place).is_some() {}
        let (at, _) = looks.peek().context("every order was seen")?;
        waits.push((*at - (began + *due)).as_secs_f64() * 1_000.0);
    }
    Ok(waits)
}

fn send(address: SocketAddr, claims: &Requests, due: &[Duration]) -> Result<(Instant, Vec<i64>)> {
    let mut crowd = Crowd::open(address, CONNECTIONS)?;
    let began = Instant::now();
    let replies = play(&mut crowd, claims, due)?;
    let orders = replies.iter().filter_map(|reply| order_of(&reply.answer));
    Ok((began, orders.collect()))
}

/// How many orders were there when, until all of them are.
async fn watch(stock: &Gauge, count: usize) -> Result<Vec<(Instant, usize)>> {
    let limit = Instant::now() + LIMIT;
    let mut seen = Vec::new();
    loop {
        let there = PEOPLE - stock.read().await? as usize;
        seen.push((Instant::now(), there));
        if there >= count {
            return Ok(seen);
        }
        ensure!(
            Instant::now() < limit,
            "{there} of {count} orders reached SQL within {} s",
            LIMIT.as_secs()
        );
        tokio::time::sleep(LOOK).await;
    }
}
