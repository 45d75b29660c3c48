//! Flash sales as people meet them: looked at, followed live, claimed, and watched over behind the counter.
//!
//! The engine is `flash`, a library that knows SQL only as a ledger; here it gets ours, and its words get the meaning
//! they have on this site. A sale's id is its voucher's, a buyer's the user's.

mod claim;
mod follow;
mod ledger;
mod limits;
mod monitor;
mod request_key;
mod state;
mod watch;
mod work;

use std::num::NonZeroU16;
use std::time::Duration;

use domain::VoucherId;
use flash::{ClaimTokens, Flash};
use lock::Mutex;

pub(crate) use claim::decide;
pub use claim::{Claimant, claim};
pub(crate) use follow::{follow_burial, follow_change, follow_returns};
pub use ledger::SqlLedger;
pub use limits::ClaimRates;
pub(crate) use monitor::rebuild;
pub use monitor::{Look, compare, list_current, look, name_of, reconcile, while_draining};
pub(crate) use request_key::key_of_redrive;
pub use request_key::{InvalidKey, KEY_MAX_CHARS, RequestKey};
pub use state::{Page, page};
pub use watch::{Watch, watch};
pub use work::{run_drain, run_listening, run_rebalance, run_reconcile};

use limits::ClaimLimits;
use request_key::UsedKeys;
use watch::Watches;

use crate::App;

/// Changes of one sale take turns: each takes pieces out of the gate, tells SQL and then confirms it to the gate.
pub(crate) fn change_lock(app: &App, voucher: VoucherId) -> Mutex {
    app.locks().mutex(&format!("sale:change:{voucher}"))
}

/// The engine with our ledger.
pub type Engine = Flash<SqlLedger>;

/// What a site chooses about its flash sales, checked by the settings.
#[derive(Debug)]
pub struct SaleRules {
    pub rates: ClaimRates,
    /// The key of claim tokens, on sites that ask for them.
    pub token_secret: Option<Vec<u8>>,
    /// Over how many partitions a sale is spread when its merchant does not say.
    pub usual_spread: NonZeroU16,
    /// How often gates and SQL are compared.
    pub reconcile_every: Duration,
    /// Pages that may follow sales live, in this process.
    pub max_watchers: usize,
}

/// What a process has for flash sales.
#[derive(Debug)]
pub struct FlashSales {
    engine: Engine,
    limits: ClaimLimits,
    tokens: Option<ClaimTokens>,
    used_keys: UsedKeys,
    watches: Watches,
    usual_spread: NonZeroU16,
    reconcile_every: Duration,
}

impl FlashSales {
    pub fn new(engine: Engine, rules: SaleRules) -> Self {
        let secret = rules.token_secret.as_deref();
        Self {
            engine,
            limits: ClaimLimits::new(rules.rates),
            tokens: secret.map(ClaimTokens::new),
            used_keys: UsedKeys::new(),
            watches: Watches::new(rules.max_watchers),
            usual_spread: rules.usual_spread,
            reconcile_every: rules.reconcile_every,
        }
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn usual_spread(&self) -> u16 {
        self.usual_spread.get()
    }
}
