//! Use cases: one module per feature, one function per thing a person can do.
//!
//! Every function takes the [`App`] first and the caller second, and returns domain terms. Nothing here knows HTTP;
//! an expected "no" is a [`Refusal`], everything else that can go wrong is an [`Error`].

pub mod account;
pub mod adoption;
pub mod blocks;
pub mod check_ins;
mod code_sender;
pub mod comments;
pub mod data_uses;
pub mod demo_purge;
pub mod disk;
mod error;
pub mod favourites;
pub mod feed;
pub mod flash_sales;
pub mod follows;
mod gathered_reads;
pub mod idempotency;
mod lease;
pub mod load_test;
mod local_limit;
mod mentions;
pub mod notes;
pub mod notices;
pub mod orders;
pub mod outbox;
mod page;
pub mod payments;
mod permission;
pub mod pictures;
mod progress;
pub mod rebuild;
pub mod retention;
pub mod search;
#[cfg(feature = "demo")]
pub mod seed;
mod shared_reads;
pub mod shops;
pub mod site;
pub mod site_signals;
pub mod topics;
pub mod visits;
pub mod vouchers;
pub mod warm_up;
mod write_limits;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use domain::{CodeShape, DeviceToken, SiteZone};
use kv::{CodeLimits, Kv, SessionCache, SessionLifetimes};
use lock::Locks;
use storage::Db;

use crate::pictures::Pictures;
use account::PasswordHasher;
use blocks::Blocks;
use disk::Disk;
use feed::Feeds;
use flash_sales::FlashSales;
use notes::Notes;
use notices::Notices;
use orders::Orders;
use outbox::OutboxWakeup;
use payments::Payments;
use retention::RetentionRules;
use search::SearchWords;
use shops::Shops;
use vouchers::Vouchers;

pub use code_sender::{
    Aliyun, AliyunSettings, CodeSender, ContactSenders, EmailSender, GatewayFault, GatewayRefusal,
    ItemState, NumberRefusal, PhoneGateway, PhoneGateways, Review, ReviewedItem, SenderError,
    SenderName, SenderReview, Smtp, Tencent, TencentParam, TencentSettings, Webhook,
};
pub use error::{Error, Refusal};
pub use page::{Page, PageSize};
pub use progress::{OnProgress, Progress};
pub use write_limits::WriteLimits;

use supervise::fail_point;

/// Everything a use case needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct App {
    state: Arc<AppState>,
}

#[derive(Debug)]
struct AppState {
    parts: AppParts,
    vouchers: Vouchers,
    search_words: SearchWords,
    password_hasher: PasswordHasher,
}

/// The dependencies of an [`App`].
#[derive(Debug)]
pub struct AppParts {
    pub db: Db,
    pub kv: Kv,
    pub sessions: SessionCache,
    pub sender: CodeSender,
    /// Locks that all processes of the site share.
    pub locks: Locks,
    pub shops: Shops,
    pub notes: Notes,
    pub blocks: Blocks,
    pub flash_sales: FlashSales,
    pub orders: Orders,
    pub payments: Payments,
    pub notices: Notices,
    pub feeds: Feeds,
    pub pictures: Pictures,
    pub disk: Disk,
    pub outbox: OutboxWakeup,
    pub retention: RetentionRules,
    pub rules: Rules,
}

/// The site's own choices, checked by the settings.
#[derive(Clone, Debug)]
pub struct Rules {
    pub site_name: String,
    pub zone: SiteZone,
    pub code_shape: CodeShape,
    pub code_limits: CodeLimits,
    pub codes_per_address_per_hour: u32,
    pub codes_total_per_minute: u32,
    pub logins_per_address_per_hour: u32,
    pub passwords: PasswordRules,
    pub account: AccountRules,
    pub session_lifetimes: SessionLifetimes,
    /// The number of failures from which an outbox effect is dead-lettered, or reported as stuck where it may not be.
    pub outbox_max_attempts: u32,
    pub write_limits: WriteLimits,
}

#[derive(Clone, Copy, Debug)]
pub struct AccountRules {
    /// How long a user can take back the wish to have the account deleted.
    pub deletion_grace: Duration,
    /// How long an account is closed before it is erased: until then everything in flight is in SQL.
    pub deletion_settle: Duration,
    /// How long after signing in a user needs no code for what needs a confirmation.
    pub recent_sign_in: Duration,
    /// Exports of personal data per user.
    pub exports_per_day: u32,
    /// How long a number must not have been proven for its account to be in question; `None` for never.
    pub recycled_after: Option<Duration>,
}

#[derive(Clone, Copy, Debug)]
pub struct PasswordRules {
    /// Whether users may set a password and sign in with it.
    pub are_allowed: bool,
    pub per_address_per_hour: u32,
    /// How many passwords are hashed at the same time.
    pub max_parallel: usize,
}

/// The client of a request, as far as the connection identifies it.
#[derive(Clone, Debug)]
pub struct Caller {
    pub address: IpAddr,
    pub user_agent: String,
    /// Identifies the browser if it logged in before.
    pub device: Option<DeviceToken>,
    pub language: Language,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    Chinese,
    English,
}

impl App {
    pub fn new(parts: AppParts) -> Self {
        let state = AppState {
            password_hasher: PasswordHasher::new(parts.rules.passwords.max_parallel),
            parts,
            vouchers: Vouchers::new(),
            search_words: SearchWords::new(),
        };
        Self {
            state: Arc::new(state),
        }
    }

    pub fn disk(&self) -> &Disk {
        &self.state.parts.disk
    }

    pub fn db(&self) -> &Db {
        &self.state.parts.db
    }

    pub fn kv(&self) -> &Kv {
        &self.state.parts.kv
    }

    pub fn sessions(&self) -> &SessionCache {
        &self.state.parts.sessions
    }

    pub fn sender(&self) -> &CodeSender {
        &self.state.parts.sender
    }

    /// Locks that all processes of the site share.
    pub fn locks(&self) -> &Locks {
        &self.state.parts.locks
    }

    pub fn shops(&self) -> &Shops {
        &self.state.parts.shops
    }

    pub fn vouchers(&self) -> &Vouchers {
        &self.state.vouchers
    }

    pub(crate) fn search_words(&self) -> &SearchWords {
        &self.state.search_words
    }

    pub fn notes(&self) -> &Notes {
        &self.state.parts.notes
    }

    pub fn blocks(&self) -> &Blocks {
        &self.state.parts.blocks
    }

    pub fn flash_sales(&self) -> &FlashSales {
        &self.state.parts.flash_sales
    }

    pub fn orders(&self) -> &Orders {
        &self.state.parts.orders
    }

    pub fn payments(&self) -> &Payments {
        &self.state.parts.payments
    }

    pub fn feeds(&self) -> &Feeds {
        &self.state.parts.feeds
    }

    pub fn notices(&self) -> &Notices {
        &self.state.parts.notices
    }

    pub fn pictures(&self) -> &Pictures {
        &self.state.parts.pictures
    }

    /// The retention periods.
    pub fn retention(&self) -> &RetentionRules {
        &self.state.parts.retention
    }

    /// To be woken after a commit with an outbox row.
    pub fn outbox(&self) -> &OutboxWakeup {
        &self.state.parts.outbox
    }

    pub(crate) fn password_hasher(&self) -> &PasswordHasher {
        &self.state.password_hasher
    }

    pub fn rules(&self) -> &Rules {
        &self.state.parts.rules
    }
}
