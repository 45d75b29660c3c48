//! Turns a demo site into a real one: deletes demo data and load-test users, keeps what real users did.
//!
//! Production refuses to start while any of them exists: their phone numbers are public, and one is an admin's. The
//! purge runs in small steps and can be repeated after a crash.

use std::time::Duration;

use domain::{ShopId, UserId};
use flash::{BarrierError, SaleId};
use jiff::Timestamp;
use storage::bulk::Surplus;
use storage::demo_site::purge::{self, Group, Numbers};
use storage::{Db, audit, demo_site, shops};
use thiserror::Error;

pub use storage::demo_site::purge::{Extent, Traces};

use crate::flash_sales::while_draining;
use crate::rebuild::{RebuildTarget, rebuild};
use crate::site::DEMO_PHONE_BASE;
use crate::{App, OnProgress, Progress, load_test};

/// The time for granted orders to be recorded in SQL before demo sales are deleted.
const DRAIN_LIMIT: Duration = Duration::from_secs(60);

/// Shops whose cached rows are dropped by one batch.
const BATCH: u64 = 1_000;

const AUDIT_ACTION: &str = "demo_purge";

#[derive(Debug, Error)]
pub enum PurgeError {
    #[error(
        "{0} people have ids that are reserved for demo data and are none of it: nothing was deleted"
    )]
    Strangers(u64),
    #[error(
        "{count} open order(s) of real people are for demo vouchers (the first: {}): have them used, cancelled or \
         refunded, or say --abandon-orders to leave them without a voucher",
        list(first)
    )]
    OpenOrders { count: u64, first: Vec<i64> },
    #[error("orders of flash sales did not reach SQL in time: nothing was deleted; try again")]
    Undrained(#[source] BarrierError),
    #[error("SQL failed; repeating the command goes on")]
    Storage(#[from] storage::Error),
    #[error("the site failed; repeating the command goes on")]
    App(#[from] crate::Error),
    #[error("Redis failed; repeating the command goes on")]
    Kv(#[from] kv::Error),
}

/// What to do with open orders of real users for deleted vouchers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenOrders {
    Respect,
    /// Keep them without a voucher.
    Abandon,
}

/// Counts users that are not real.
pub async fn traces(db: &Db) -> Result<Traces, storage::Error> {
    purge::traces(db, &numbers()).await
}

/// What a purge would do. Changes nothing.
pub async fn extent(db: &Db) -> Result<Extent, storage::Error> {
    purge::extent(db, &numbers()).await
}

/// Deletes everything and returns the number of rows. Servers should be stopped, or they may show deleted data for a
/// while.
pub async fn purge_demo(
    app: &App,
    orders: OpenOrders,
    progress: OnProgress<'_>,
) -> Result<u64, PurgeError> {
    let (db, numbers) = (app.db(), numbers());
    let traces = purge::traces(db, &numbers).await?;
    if traces.strangers > 0 {
        return Err(PurgeError::Strangers(traces.strangers));
    }
    let mut rows = 0;
    if traces.demo_people > 0 {
        close_sales(app).await?;
        respect(db, &numbers, orders).await?;
    }
    let groups = [
        (Group::LoadTest, traces.load_test_people),
        (Group::Demo, traces.demo_people),
    ];
    for (group, people) in groups {
        if people > 0 {
            end_sessions(app, &numbers, group, people, progress).await?;
            rows += purge_group(app, &numbers, group, progress).await?;
        }
    }
    if rows > 0 {
        rebuild(app, RebuildTarget::All, Surplus::Drop, progress).await?;
        audit::record(db, None, AUDIT_ACTION, "site", &format!("{rows} rows")).await?;
    }
    Ok(rows)
}

/// Ends the sales of demo shops, also in their gates, and drains granted orders while the rows still exist.
async fn close_sales(app: &App) -> Result<(), PurgeError> {
    let engine = app.flash_sales().engine();
    let close = async {
        loop {
            let ended = purge::end_sales(app.db(), Timestamp::now()).await?;
            if ended.is_empty() {
                return Ok(engine.wait_until_drained(DRAIN_LIMIT).await);
            }
            for voucher in ended {
                engine.amend(SaleId(voucher.get())).await?;
            }
        }
    };
    let drained = while_draining(app, close).await?;
    drained.map_err(PurgeError::Undrained)
}

async fn respect(db: &Db, numbers: &Numbers, orders: OpenOrders) -> Result<(), PurgeError> {
    let extent = purge::extent(db, numbers).await?;
    if extent.open_orders > 0 && orders == OpenOrders::Respect {
        return Err(PurgeError::OpenOrders {
            count: extent.open_orders,
            first: extent.named_orders.iter().map(|id| id.get()).collect(),
        });
    }
    Ok(())
}

/// Sessions end before the users' rows are deleted.
async fn end_sessions(
    app: &App,
    numbers: &Numbers,
    group: Group,
    total: u64,
    progress: OnProgress<'_>,
) -> Result<(), PurgeError> {
    let (mut after, mut done) = (UserId::new(0), 0);
    loop {
        let people = purge::list_people(app.db(), numbers, group, after).await?;
        let Some(last) = people.last() else {
            return Ok(());
        };
        after = *last;
        for person in &people {
            app.sessions().end_all(*person).await?;
        }
        done += people.len() as u64;
        progress(Progress {
            what: "sessions",
            done,
            total,
        });
    }
}

async fn purge_group(
    app: &App,
    numbers: &Numbers,
    group: Group,
    progress: OnProgress<'_>,
) -> Result<u64, PurgeError> {
    let cached = match group {
        Group::LoadTest => Vec::new(),
        Group::Demo => demo_shops(app.db()).await?,
    };
    let mut rows = 0;
    for step in purge::steps(numbers, group) {
        let mut done = 0;
        loop {
            let gone = step.take(app.db()).await?;
            if gone == 0 {
                break;
            }
            done += gone;
            rows += gone;
            progress(Progress {
                what: step.what,
                done,
                total: done,
            });
        }
    }
    for ids in cached.chunks(BATCH as usize) {
        crate::shops::invalidate(app, ids).await?;
    }
    Ok(rows)
}

async fn demo_shops(db: &Db) -> Result<Vec<ShopId>, PurgeError> {
    let (mut after, mut found) = (ShopId::new(0), Vec::new());
    loop {
        let ids = shops::list_ids(db, after, BATCH).await?;
        let demo = |id: &&ShopId| id.get() <= demo_site::LAST_RESERVED_ID;
        let before = found.len();
        found.extend(ids.iter().filter(demo));
        match ids.last() {
            Some(last) if found.len() > before => after = *last,
            _ => return Ok(found),
        }
    }
}

fn numbers() -> Numbers {
    Numbers {
        demo_base: DEMO_PHONE_BASE,
        load_test: load_test::numbers(),
        load_test_name: load_test::NAME,
    }
}

fn list(ids: &[i64]) -> String {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    ids.join(", ")
}
