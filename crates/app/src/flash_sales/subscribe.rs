//! Live subscriptions to a sale.
//!
//! However many pages show a sale, this process polls its gate twice a second, and not at all without subscribers. A
//! subscriber gets the newest state and never a backlog, so a slow reader costs nothing. The number of subscribers is
//! bounded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::VoucherId;
use flash::SaleState;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::state::sale_state;
use crate::{App, Error};

/// Often enough for the stock to look live.
const POLL_EVERY: Duration = Duration::from_millis(500);

/// When a client may retry after all slots were taken.
const FULL_RETRY_AFTER: Duration = Duration::from_secs(10);

type Sender = Arc<watch::Sender<SaleState>>;

#[derive(Debug)]
pub(super) struct SaleSubscriptions {
    slots: Arc<Semaphore>,
    sales: Mutex<HashMap<VoucherId, Sender>>,
}

/// One subscription to a sale.
#[derive(Debug)]
pub struct SaleSubscription {
    states: watch::Receiver<SaleState>,
    is_new: bool,
    _slot: OwnedSemaphorePermit,
}

impl SaleSubscriptions {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(slots)),
            sales: Mutex::default(),
        }
    }

    fn sales(&self) -> MutexGuard<'_, HashMap<VoucherId, Sender>> {
        // The map is consistent between any two statements.
        self.sales.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Subscribes to a sale.
pub async fn subscribe(app: &App, voucher: VoucherId) -> Result<SaleSubscription, Error> {
    let subscriptions = &app.flash_sales().subscriptions;
    let slot = subscriptions.slots.clone().try_acquire_owned();
    let slot = slot.map_err(|_| Error::SaleBusy {
        retry_after: FULL_RETRY_AFTER,
    })?;
    let known = subscriptions
        .sales()
        .get(&voucher)
        .map(|sender| sender.subscribe());
    let states = match known {
        Some(states) => states,
        None => begin(app, voucher).await?,
    };
    Ok(SaleSubscription {
        states,
        is_new: true,
        _slot: slot,
    })
}

async fn begin(app: &App, voucher: VoucherId) -> Result<watch::Receiver<SaleState>, Error> {
    let first = sale_state(app, voucher).await?;
    let mut sales = app.flash_sales().subscriptions.sales();
    if let Some(sender) = sales.get(&voucher) {
        return Ok(sender.subscribe());
    }
    let (sender, states) = watch::channel(first);
    let sender = Arc::new(sender);
    sales.insert(voucher, sender.clone());
    let app = app.clone();
    supervise::spawn("sale watch", move || {
        poll_gate(app.clone(), voucher, sender.clone())
    });
    Ok(states)
}

/// Publishes changes while there are subscribers.
async fn poll_gate(app: App, voucher: VoucherId, sender: Sender) {
    loop {
        tokio::time::sleep(POLL_EVERY).await;
        if is_unused(&app, voucher, &sender) {
            return;
        }
        // A poll that fails shows nothing; the next one may.
        if let Ok(now) = sale_state(&app, voucher).await {
            sender.send_if_modified(|before| replace(before, now));
        }
    }
}

/// Removes a sale without subscribers; the next subscriber starts a new poll.
fn is_unused(app: &App, voucher: VoucherId, sender: &Sender) -> bool {
    let mut sales = app.flash_sales().subscriptions.sales();
    let is_unused = sender.receiver_count() == 0;
    if is_unused {
        sales.remove(&voucher);
    }
    is_unused
}

/// Replaces the state; returns whether anything but the time changed.
fn replace(before: &mut SaleState, now: SaleState) -> bool {
    let is_new = before.phase != now.phase
        || before.stock != now.stock
        || (before.begin_ms, before.end_ms) != (now.begin_ms, now.end_ms);
    *before = now;
    is_new
}

impl SaleSubscription {
    /// The next state; the first call returns the present one at once.
    pub async fn next(&mut self) -> Option<SaleState> {
        if !std::mem::take(&mut self.is_new) {
            self.states.changed().await.ok()?;
        }
        Some(self.states.borrow_and_update().clone())
    }
}
