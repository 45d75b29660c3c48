//! From Redis to SQL: whether draining keeps up with full load, and how fast it is with nothing else to do.

mod fsyncs;
mod visible;

use std::time::Duration;

use anyhow::{Result, ensure};
use tokio::time::Instant;

use super::CONNECTIONS;
use crate::market::{Market, MarketPlan, MarketRole};
use crate::pairs::Summary;
use crate::progress;
use crate::report::{Figure, Findings, Goal};
use crate::settings::{DRAIN_ORDERS, DRAIN_SECS};
use crate::sql::{Bare, DatabaseKind};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "One process accepts claims at full load and drains them to SQL at once; then a worker alone finds a heap of orders, \
     against bare inserts of 1,000 rows a statement: into a twin of the table of orders, with all its indexes, and into \
     a lean table of numbers with one key. How often the disk is waited for per order; and how long it takes from a claim \
     until its order is visible in SQL, at 10 % and 80 % of what one process accepted and drained. On SQLite and on MariaDB.",
);
const NAME: &str = "drain";
/// More than one process accepts while it drains: for so many there are sales.
const CLAIMS_PER_SEC: u64 = 60_000;
/// Rows of one window of bare inserts.
const BARE_ROWS: i64 = 100_000;
const POLL: Duration = Duration::from_millis(5);

pub(crate) async fn run() -> Result<Findings> {
    let mut figures = Vec::new();
    for sql in [DatabaseKind::Sqlite, DatabaseKind::MariaDb] {
        let (kept_up, capacity) = keep_up(sql).await?;
        figures.extend(kept_up);
        figures.extend(alone(sql).await?);
        figures.extend(fsyncs::count(sql).await?);
        figures.extend(visible::measure(sql, capacity).await?);
    }
    Ok(figures.into())
}

/// One process does everything while the crowd claims as fast as it can. Also returns orders per second.
async fn keep_up(sql: DatabaseKind) -> Result<(Vec<Figure>, f64)> {
    progress::step(NAME, format!("full load on {}", sql.name()));
    let plan = MarketPlan {
        sql,
        role: MarketRole::All,
        ..MarketPlan::default()
    };
    let mut market = Market::open(plan).await?;
    let seconds = DRAIN_SECS.get();
    let people = market.tokens.len();
    let enough = (seconds * CLAIMS_PER_SEC).div_ceil(people as u64);
    let vouchers = market.publish_many(enough as usize, people).await?;
    let since = Instant::now();
    let (mut accepted, mut backlogs) = (0, Vec::new());
    for voucher in vouchers {
        accepted += market
            .sell_to_all(voucher, CONNECTIONS)
            .await?
            .answers
            .len();
        backlogs.push(market.backlog().await? as f64);
        if since.elapsed() > Duration::from_secs(seconds) {
            break;
        }
    }
    let took = since.elapsed().as_secs_f64();
    let accepted = accepted as f64;
    let persisted = accepted - backlogs.last().copied().unwrap_or_default();
    market.check().await?;
    let only = |value| Summary::of([value]);
    let name = sql.name();
    let figures = vec![
        Figure::new(
            NAME,
            format!("persisted / accepted over {took:.0} s, {name}"),
            only(persisted / accepted),
            Some(Goal::AtLeast(0.95)),
        ),
        Figure::new(
            NAME,
            format!("backlog of orders, {name}"),
            Summary::of(backlogs),
            None,
        ),
        Figure::new(
            NAME,
            format!("orders per second, {name}"),
            only(persisted / took),
            None,
        ),
    ];
    Ok((figures, persisted / took))
}

/// A worker finds a heap of orders; bare inserts before and after it.
async fn alone(sql: DatabaseKind) -> Result<Vec<Figure>> {
    progress::step(NAME, format!("draining alone to {}", sql.name()));
    let mut market = Market::open(MarketPlan {
        sql,
        ..MarketPlan::default()
    })
    .await?;
    let people = market.tokens.len();
    let wanted = DRAIN_ORDERS.get() as usize;
    let vouchers = market.publish_many(wanted.div_ceil(people), people).await?;
    market.send_worker_away().await?;
    for voucher in vouchers {
        market.sell_to_all(voucher, CONNECTIONS).await?;
    }
    let before = bare_rates(&market).await?;
    let rate = drain_rate(&mut market).await?;
    let after = bare_rates(&market).await?;
    market.check().await?;
    let name = sql.name();
    let ratios = |n: usize| {
        let (before, after) = (before[n], after[n]);
        Summary::of([rate / before, rate / after, rate * 2.0 / (before + after)])
    };
    Ok(vec![
        Figure::new(
            NAME,
            format!("drained alone / bare insert into a twin, {name}"),
            ratios(0),
            Some(Goal::AtLeast(0.3)),
        ),
        Figure::new(
            NAME,
            format!("drained alone / bare insert into a lean table, {name}"),
            ratios(1),
            (sql == DatabaseKind::Sqlite).then_some(Goal::AtLeast(0.35)),
        ),
        Figure::new(
            NAME,
            format!("drained alone, orders per second, {name}"),
            Summary::of([rate]),
            None,
        ),
    ])
}

/// Into the twin, then into the lean table.
async fn bare_rates(market: &Market) -> Result<[f64; 2]> {
    let sql = &market.sql;
    Ok([
        sql.bare_inserts_per_sec(Bare::Twin, BARE_ROWS).await?,
        sql.bare_inserts_per_sec(Bare::Lean, BARE_ROWS).await?,
    ])
}

/// Orders a second, from the first progress to the end.
async fn drain_rate(market: &mut Market) -> Result<f64> {
    let all = market.backlog().await?;
    market.start_worker()?;
    let limit = Instant::now() + Duration::from_secs(300);
    let mut begun: Option<(Instant, u64)> = None;
    loop {
        let left = market.backlog().await?;
        ensure!(Instant::now() < limit, "{left} orders are stuck");
        match begun {
            None if left < all => begun = Some((Instant::now(), left)),
            Some((since, first)) if left == 0 => {
                return Ok(first as f64 / since.elapsed().as_secs_f64());
            }
            _ => {}
        }
        tokio::time::sleep(POLL).await;
    }
}
