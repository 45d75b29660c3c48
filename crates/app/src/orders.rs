//! Orders as their owners see them, from the moment of the grant on.
//!
//! Every step in the life of an order is one transaction of `storage`, which alone decides who comes first. What follows
//! outside of SQL (the gate sells the piece again, a provider gives money back, open pages are told) goes through the
//! outbox or can be done without.

mod cancel;
mod dead_letters;
mod expire;
mod pay;
mod purchase;
mod redeem;
mod refund;

use std::time::{Duration, Instant};

use domain::{OrderId, OrderStatus, UserId};
use flash::{BuyerId, LocalLimit, OrderIds};
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
use crate::{App, Error, Page, Refusal};

/// What a process has for orders.
#[derive(Debug)]
pub struct Orders {
    ids: OrderIds<SqlLedger>,
    rules: OrderRules,
    /// Looks for orders that SQL does not have: each may ask every running sale.
    searches: LocalLimit<UserId>,
}

/// A page that follows its order looks about once a second; twenty times that is more than anybody needs.
const SEARCHES_PER_MINUTE: u32 = 1_200;
const MINUTE: Duration = Duration::from_secs(60);
/// People remembered: some megabytes when all of them search at once.
const SEARCHERS: usize = 100_000;

/// What a site chooses about orders, checked by the settings.
#[derive(Clone, Copy, Debug)]
pub struct OrderRules {
    /// How long an order waits for its payment.
    pub pay_within: Duration,
    /// How many unpaid orders of ordinary vouchers one person may have.
    pub max_unpaid_per_user: u32,
    /// How long before its end an unpaid order is reminded of, if at all.
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

/// The longest page.
pub const PAGE_MAX: u32 = orders::LIST_LIMIT;

/// An order, as far as it has come.
#[derive(Clone, Debug)]
pub enum OrderLookup {
    /// Granted by the gate and not in SQL yet.
    Pending(OrderId),
    Recorded(Box<Order>),
}

/// An order of the asker. Somebody else's is as good as none.
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
    // It may have arrived between the two looks, and have been given back since.
    let order = orders::get(app.db(), owner, id).await?;
    let order = order.ok_or(Refusal::OrderNotFound)?;
    Ok(OrderLookup::Recorded(Box::new(order)))
}

/// An order of the asker that can take a step: one that is on its way cannot yet.
async fn recorded_order(app: &App, session: &Session, id: OrderId) -> Result<Order, Error> {
    match get(app, session, id).await? {
        OrderLookup::Recorded(order) => Ok(*order),
        OrderLookup::Pending(id) => Err(Error::Processing(id)),
    }
}

/// What a step that an order does not take means to its owner.
pub(crate) fn to_refusal(refusal: OrderRefusal) -> Refusal {
    match refusal {
        OrderRefusal::NoSuchOrder => Refusal::OrderNotFound,
        OrderRefusal::WrongStatus(status) => Refusal::OrderStatus(status),
    }
}

async fn is_pending(app: &App, owner: UserId, id: OrderId) -> Result<bool, Error> {
    let taken = app.orders().searches.take(owner, Instant::now());
    taken.map_err(|flash::RetryAfter(retry_after)| Error::TooMany { retry_after })?;
    let (buyer, order) = (BuyerId(owner.get()), flash::OrderId(id.get()));
    let found = app.flash_sales().engine().find_order(buyer, order).await?;
    Ok(found.is_some())
}

/// Orders of the asker below `before`, newest first.
pub async fn list_mine(
    app: &App,
    session: &Session,
    status: Option<OrderStatus>,
    before: Option<OrderId>,
    size: u32,
) -> Result<Page<Order, OrderId>, Error> {
    let owner = session.profile.user_id;
    let size = size.clamp(1, PAGE_MAX);
    let orders = orders::list_of_user(app.db(), owner, status, before, size).await?;
    Ok(Page::of_size(orders, size as usize, |order| order.id))
}
