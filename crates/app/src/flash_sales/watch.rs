//! Following a sale live.
//!
//! However many pages look at a sale, this process asks its gate twice a second, and not at all when nobody looks. Who
//! looks gets the newest state and never a queue of older ones, so a slow reader costs nothing. The number of those who
//! look has a bound.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::VoucherId;
use flash::SaleState;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::state::stand;
use crate::{App, Error};

/// Often enough for a number to look alive.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How soon somebody may try again who found all places taken.
const FULL_RETRY_AFTER: Duration = Duration::from_secs(10);

type Sender = Arc<watch::Sender<SaleState>>;

#[derive(Debug)]
pub(super) struct Watches {
    places: Arc<Semaphore>,
    sales: Mutex<HashMap<VoucherId, Sender>>,
}

/// Somebody who looks at a sale.
#[derive(Debug)]
pub struct Watch {
    states: watch::Receiver<SaleState>,
    is_new: bool,
    _place: OwnedSemaphorePermit,
}

impl Watches {
    pub(super) fn new(places: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places)),
            sales: Mutex::default(),
        }
    }

    fn sales(&self) -> MutexGuard<'_, HashMap<VoucherId, Sender>> {
        // The map is whole between any two statements.
        self.sales.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Begins to look at a sale.
pub async fn watch(app: &App, voucher: VoucherId) -> Result<Watch, Error> {
    let watches = &app.flash_sales().watches;
    let place = watches.places.clone().try_acquire_owned();
    let place = place.map_err(|_| Error::SaleBusy {
        retry_after: FULL_RETRY_AFTER,
    })?;
    let known = watches
        .sales()
        .get(&voucher)
        .map(|sender| sender.subscribe());
    let states = match known {
        Some(states) => states,
        None => begin(app, voucher).await?,
    };
    Ok(Watch {
        states,
        is_new: true,
        _place: place,
    })
}

async fn begin(app: &App, voucher: VoucherId) -> Result<watch::Receiver<SaleState>, Error> {
    let first = stand(app, voucher).await?;
    let mut sales = app.flash_sales().watches.sales();
    if let Some(sender) = sales.get(&voucher) {
        return Ok(sender.subscribe());
    }
    let (sender, states) = watch::channel(first);
    let sender = Arc::new(sender);
    sales.insert(voucher, sender.clone());
    let app = app.clone();
    supervise::spawn("sale watch", move || {
        look(app.clone(), voucher, sender.clone())
    });
    Ok(states)
}

/// Tells what changes, for as long as anybody looks.
async fn look(app: App, voucher: VoucherId, sender: Sender) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        if is_left(&app, voucher, &sender) {
            return;
        }
        // A look that fails shows nothing; the next one may.
        if let Ok(now) = stand(&app, voucher).await {
            sender.send_if_modified(|before| replace(before, now));
        }
    }
}

/// Whether nobody looks any more; then whoever comes next begins anew.
fn is_left(app: &App, voucher: VoucherId, sender: &Sender) -> bool {
    let mut sales = app.flash_sales().watches.sales();
    let is_left = sender.receiver_count() == 0;
    if is_left {
        sales.remove(&voucher);
    }
    is_left
}

/// Whether there is anything new, apart from the time.
fn replace(before: &mut SaleState, now: SaleState) -> bool {
    let is_new = before.phase != now.phase
        || before.stock != now.stock
        || (before.begin_ms, before.end_ms) != (now.begin_ms, now.end_ms);
    *before = now;
    is_new
}

impl Watch {
    /// How the sale stands, as soon as that is news; at once the first time.
    pub async fn next(&mut self) -> Option<SaleState> {
        if !std::mem::take(&mut self.is_new) {
            self.states.changed().await.ok()?;
        }
        Some(self.states.borrow_and_update().clone())
    }
}
