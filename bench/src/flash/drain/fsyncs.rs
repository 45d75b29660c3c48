//! How often the disk is waited for, per order, while orders are brought to SQL: as fast as they can be claimed, and at the
//! pace of an ordinary hour.
//!
//! Calls of the process with SQLite in it are counted by `strace`, those of MariaDB by itself. Those of Redis are not among
//! them: `appendfsync` decides about them.

use std::time::Duration;

use anyhow::Result;

use super::NAME;
use crate::flash::CONNECTIONS;
use crate::load::offer;
use crate::market::{Defaults, Market, MarketPlan, MarketRole};
use crate::pairs::Summary;
use crate::program::Instrument;
use crate::progress;
use crate::report::Figure;
use crate::sql::DatabaseKind;

const PEOPLE: usize = 10_000;
const ROUNDS: usize = 3;
const SLOW_PER_SEC: f64 = 100.0;
const SLOW_WINDOW: Duration = Duration::from_secs(4);

pub(super) async fn count(sql: DatabaseKind) -> Result<Vec<Figure>> {
    let name = sql.name();
    progress::step(NAME, format!("counting flushes of {name}"));
    let mut market = Market::open(MarketPlan {
        people: PEOPLE,
        sql,
        role: MarketRole::All,
        defaults: Defaults::Kept,
        instrument: match sql {
            DatabaseKind::Sqlite => Instrument::Fsyncs,
            DatabaseKind::MariaDb => Instrument::None,
        },
        ..MarketPlan::default()
    })
    .await?;
    market.sql.flush_every_commit().await?;
    let (mut fast, mut slow) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        fast.push(at_full_rate(&mut market).await?);
        slow.push(at_a_slow_pace(&mut market).await?);
    }
    let figure = |pace: &str, values| {
        let metric = format!("flushes per order {pace}, {name}");
        Figure::new(NAME, metric, Summary::of(values), None)
    };
    Ok(vec![
        figure("at full rate", fast),
        figure("at 100 orders a second", slow),
    ])
}

async fn at_full_rate(market: &mut Market) -> Result<f64> {
    let voucher = market.publish(PEOPLE).await?;
    market.arrive(CONNECTIONS).await?;
    let before = flushes(market).await?;
    market.sell_to_all(voucher, CONNECTIONS).await?;
    market.settle().await?;
    Ok((flushes(market).await? - before) as f64 / PEOPLE as f64)
}

async fn at_a_slow_pace(market: &mut Market) -> Result<f64> {
    let voucher = market.publish(PEOPLE).await?;
    market.arrive(CONNECTIONS).await?;
    let before = flushes(market).await?;
    let claims = market.claims(voucher, 0..PEOPLE);
    let offered = offer(
        market.address(),
        CONNECTIONS,
        claims,
        SLOW_PER_SEC,
        SLOW_WINDOW,
    );
    let orders = offered.await?.orders;
    let count = orders.len() as f64;
    market.note(voucher, orders.into_iter());
    market.settle().await?;
    Ok((flushes(market).await? - before) as f64 / count)
}

async fn flushes(market: &Market) -> Result<i64> {
    match market.sql.kind() {
        DatabaseKind::Sqlite => Ok(market.fsyncs()? as i64),
        DatabaseKind::MariaDb => market.sql.mariadb_fsyncs().await,
    }
}
