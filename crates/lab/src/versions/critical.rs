//! The critical section of the versions with a lock, and how those on plain Redis wait for the lock.
//!
//! One lock guards the whole sale, so nothing in here is guarded by itself: it is as correct as the lock around it.

use std::time::Duration;

use anyhow::Result;
use link::Link;
use lock::{Locks, Options};
use tokio::time::{Instant, sleep};

use crate::sale_tables::{self, SaleTables};
use crate::step_control::StepControl;
use crate::version::{self, Endpoints, Order, PurchaseReply, PurchaseRequest};

/// How long a buyer waits for the lock before the reply is "busy".
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// How often a waiting buyer tries again.
const RETRY: Duration = Duration::from_millis(2);

/// Sells a unit to a buyer who has none. Call it with the lock held.
pub(super) async fn sell(
    tables: &SaleTables,
    request: PurchaseRequest,
    steps: &StepControl,
) -> Result<PurchaseReply> {
    if tables.has_order(request).await? {
        return Ok(PurchaseReply::AlreadyBought);
    }
    let stock = tables.stock(request.sale).await?;
    if stock < 1 {
        return Ok(PurchaseReply::SoldOut);
    }
    steps.step("stock is read").await;

    let order = Order::of(request);
    let mut transaction = tables.pool.begin().await?;
    sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ?")
        .bind(request.sale)
        .execute(&mut *transaction)
        .await?;
    sale_tables::insert(&mut transaction, order).await?;
    transaction.commit().await?;
    Ok(PurchaseReply::Ordered(order.id))
}

/// Repeats `SET key value NX PX lease` until it succeeds; `false` if it never did.
pub(super) async fn set_nx(
    link: &Link,
    key: &str,
    value: &str,
    lease: Duration,
    steps: &StepControl,
) -> Result<bool> {
    let mut command = redis::cmd("SET");
    let lease_ms = u64::try_from(lease.as_millis())?;
    command
        .arg(key)
        .arg(value)
        .arg("NX")
        .arg("PX")
        .arg(lease_ms);
    let until = Instant::now() + PATIENCE;
    while link.run::<Option<String>>(&command).await?.is_none() {
        if Instant::now() > until {
            return Ok(false);
        }
        steps.waits();
        sleep(RETRY).await;
    }
    steps.saw("SET NX", "OK");
    Ok(true)
}

/// The locks of three Redis that do not replicate each other, for a lock on several of them.
pub(super) async fn locks_of_all_nodes(places: &Endpoints) -> Result<Vec<Locks>> {
    let mut nodes = Vec::new();
    for url in [&places.redis].into_iter().chain(&places.other_nodes) {
        let options = Options {
            prefix: places.key("lock:"),
            ..Options::default()
        };
        nodes.push(Locks::with_options(version::connect(url).await?, options));
    }
    Ok(nodes)
}
