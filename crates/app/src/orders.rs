//! Orders as their owners see them, from the grant on.
//!
//! Every status change of an order is one transaction of `storage`, which alone decides between concurrent ones.
//! Effects outside SQL (the gate, a provider's refund, open pages) go through the outbox or are best effort.

mod cancel;
mod dead_letters;
mod expire;
mod pay;
mod purchase;
mod redeem;
mod refund;

use std::time::{Duration, Instant};

use domain::{OrderId, OrderStatus, UserId};
use flash::{BuyerId, OrderIds};
use kv::Session;
use storage::orders::{self, BuyTerms, Order, OrderRefusal};

pub use cancel::cancel;
pub use dead_letters::{compensate, list_dead_lettered, redrive};
pub use expire::{expire_due, run_expiry, run_reminders};
pub use pay::pay;
pub use purchase::purchase;
pub use redeem::{RedeemedOrder, redeem};
pub use refund::refund;

use crate::flash_sales::SqlLedger;
use crate::local_limit::{LocalLimit, RetryAfter};
use crate::{App, Error, Page, PageSize, Refusal};

/// Per-process state of orders.
#[derive(Debug)]
pub struct Orders {
    ids: OrderIds<SqlLedger>,
    rules: OrderRules,
    /// Limits lookups of orders that SQL does not have: each may query every running sale.
    searches: LocalLimit<UserId>,
}

/// A page polls its order about once a second; twenty times that is more than any client needs.
const SEARCHES_PER_MINUTE: u32 = 1_200;
const MINUTE: Duration = Duration::from_secs(60);
/// Users remembered: some megabytes when all of them search at once.
const SEARCHERS: usize = 100_000;

/// What a site chooses about orders, checked by the settings.
#[derive(Clone, Copy, Debug)]
pub struct OrderRules {
    /// The payment period of an order.
    pub pay_within: Duration,
    /// The most unpaid orders of ordinary vouchers per user.
    pub max_unpaid_per_user: u32,
    /// How long before its deadline the owner of an unpaid order is reminded, if at all.
    pub remind_before: Option<Duration>,
}

impl Orders {
    pub fn new(ids: OrderIds<SqlLedger>, rules: OrderRules) -> Self {
        let searches = LocalLimit::new(SEARCHES_PER_MINUTE, MINUTE, SEARCHERS);
        Self {
            ids,
            rules,
            searches,
        }
    }

    fn buy_terms(&self) -> BuyTerms {
        BuyTerms {
            pay_within: self.rules.pay_within,
            max_unpaid: self.rules.max_unpaid_per_user,
        }
    }

    fn remind_before(&self) -> Option<Duration> {
        self.rules.remind_before
    }
}

/// The result of looking up an order.
#[derive(Clone, Debug)]
pub enum OrderLookup {
    /// Granted by the gate and not yet recorded in SQL.
    Pending(OrderId),
    Recorded(Box<Order>),
}

/// An order of the caller; another user's counts as missing.
pub async fn get(app: &App, session: &Session, id: OrderId) -> Result<OrderLookup, Error> {
    let owner = session.profile.user_id;
    if let Some(order) = orders::get(app.db(), owner, id).await? {
        return Ok(OrderLookup::Recorded(Box::new(order)));
    }
    if orders::is_dead_lettered(app.db(), owner, id).await? {
        return Err(Refusal::OrderFailed.into());
    }
    if is_pending(app, owner, id).await? {
        return Ok(OrderLookup::Pending(id));
    }
    // It may have been recorded, and even ended, between the two lookups.
    let order = orders::get(app.db(), owner, id).await?;
    let order = order.ok_or(Refusal::OrderNotFound)?;
    Ok(OrderLookup::Recorded(Box::new(order)))
}

/// An order of the caller that allows transitions: a pending one does not.
async fn recorded_order(app: &App, session: &Session, id: OrderId) -> Result<Order, Error> {
    match get(app, session, id).await? {
        OrderLookup::Recorded(order) => Ok(*order),
        OrderLookup::Pending(id) => Err(Error::Processing(id)),
    }
}

/// Maps a refused transition to a refusal for its owner.
pub(crate) fn to_refusal(refusal: OrderRefusal) -> Refusal {
    match refusal {
        OrderRefusal::NoSuchOrder => Refusal::OrderNotFound,
        OrderRefusal::WrongStatus(status) => Refusal::OrderStatus(status),
    }
}

async fn is_pending(app: &App, owner: UserId, id: OrderId) -> Result<bool, Error> {
    let taken = app.orders().searches.take(owner, Instant::now());
    taken.map_err(|RetryAfter(retry_after)| Error::TooMany { retry_after })?;
    let (buyer, order) = (BuyerId(owner.get()), flash::OrderId(id.get()));
    let found = app.flash_sales().engine().find_order(buyer, order).await?;
    Ok(found.is_some())
}

/// Orders of the caller below `before`, newest first.
pub async fn list_mine(
    app: &App,
    session: &Session,
    status: Option<OrderStatus>,
    before: Option<OrderId>,
    size: PageSize,
) -> Result<Page<Order, OrderId>, Error> {
    let owner = session.profile.user_id;
    let orders = orders::list_of_user(app.db(), owner, status, before, size.rows()).await?;
    Ok(Page::new(orders, size, |order| order.id))
}
