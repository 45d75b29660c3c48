//! Flash sales: viewed, followed live, claimed, monitored and reconciled.
//!
//! The engine is `flash`, a library that knows SQL only as a `Ledger`; this module provides ours and maps its ids: a
//! sale's id is its voucher's, a buyer's the user's.

mod claim;
mod claim_key;
mod effects;
mod ledger;
mod limits;
mod monitor;
mod state;
mod subscribe;
mod workers;

use std::num::NonZeroU16;
use std::time::Duration;

use domain::VoucherId;
use flash::{ClaimTokens, Flash};
use lock::Mutex;
use secrecy::{ExposeSecret as _, SecretString};

pub(crate) use claim::claim_at_gate;
pub use claim::{Claimant, claim};
pub(crate) use claim_key::key_of_redrive;
pub(crate) use effects::{apply_change, apply_dead_letter, apply_returns};
pub use ledger::SqlLedger;
pub use limits::ClaimRates;
pub(crate) use monitor::rebuild;
pub use monitor::{
    SaleFigures, compare, drift_name, get_figures, list_current, reconcile, while_draining,
};
pub use state::{SalePage, get_sale_page};
pub use subscribe::{SaleSubscription, subscribe};
pub use workers::{run_drain, run_rebalance, run_reconcile, run_restock_listener};

use claim_key::UsedKeys;
use limits::ClaimLimits;
use subscribe::SaleSubscriptions;

use crate::App;

/// What claim tokens are signed for: the secret of the site signs other messages too.
const TOKEN_PURPOSE: &str = "tandian claim token v1";

/// Serialises changes of one sale: each withdraws units from the gate, updates SQL and confirms to the gate.
pub(crate) fn change_lock(app: &App, voucher: VoucherId) -> Mutex {
    app.locks().mutex(&format!("sale:change:{voucher}"))
}

/// The engine on our ledger.
pub type Engine = Flash<SqlLedger>;

/// What a site chooses about its flash sales, checked by the settings.
#[derive(Debug)]
pub struct SaleRules {
    pub rates: ClaimRates,
    /// The secret of claim tokens, on sites that require them.
    pub token_secret: Option<SecretString>,
    /// The default number of partitions of a sale.
    pub usual_spread: NonZeroU16,
    /// How often gates are reconciled with SQL.
    pub reconcile_every: Duration,
    /// The most live subscriptions in this process.
    pub max_watchers: usize,
}

/// Per-process state of flash sales.
#[derive(Debug)]
pub struct FlashSales {
    engine: Engine,
    limits: ClaimLimits,
    tokens: Option<ClaimTokens>,
    used_keys: UsedKeys,
    subscriptions: SaleSubscriptions,
    usual_spread: NonZeroU16,
    reconcile_every: Duration,
}

impl FlashSales {
    pub fn new(engine: Engine, rules: SaleRules) -> Self {
        let tokens = |secret: &SecretString| {
            ClaimTokens::with_purpose(secret.expose_secret().as_bytes(), TOKEN_PURPOSE)
        };
        Self {
            engine,
            limits: ClaimLimits::new(rules.rates),
            tokens: rules.token_secret.as_ref().map(tokens),
            used_keys: UsedKeys::new(),
            subscriptions: SaleSubscriptions::new(rules.max_watchers),
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
