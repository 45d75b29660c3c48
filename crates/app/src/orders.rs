//! Orders as their owners see them, from the moment of the grant on.

mod dead;

use domain::{OrderId, OrderStatus, UserId};
use flash::BuyerId;
use kv::Session;
use storage::dead_orders;
use storage::orders::{self, Order};

pub use dead::{DeadPage, compensate, list_dead, redrive};

use crate::{App, Error, Refusal};

/// The longest page.
pub const PAGE_MAX: u32 = orders::LIST_LIMIT;

/// An order, as far as it has come.
#[derive(Clone, Debug)]
pub enum Found {
    /// Granted by the gate and not in SQL yet.
    OnItsWay(OrderId),
    Recorded(Box<Order>),
}

/// One page of a list, newest first.
#[derive(Clone, Debug)]
pub struct Page {
    pub orders: Vec<Order>,
    /// Where the next page begins; absent on the last one.
    pub next: Option<OrderId>,
}

/// An order of the asker. Somebody else's is as good as none.
pub async fn get(app: &App, session: &Session, id: OrderId) -> Result<Found, Error> {
    let owner = session.profile.user_id;
    if let Some(order) = orders::get(app.db(), owner, id).await? {
        return Ok(Found::Recorded(Box::new(order)));
    }
    if dead_orders::is_of(app.db(), owner, id).await? {
        return Err(Refusal::OrderFailed.into());
    }
    if is_on_its_way(app, owner, id).await? {
        return Ok(Found::OnItsWay(id));
    }
    // It may have arrived between the two looks, and have been given back since.
    let order = orders::get(app.db(), owner, id).await?;
    let order = order.ok_or(Refusal::OrderNotFound)?;
    Ok(Found::Recorded(Box::new(order)))
}

async fn is_on_its_way(app: &App, owner: UserId, id: OrderId) -> Result<bool, Error> {
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
) -> Result<Page, Error> {
    let owner = session.profile.user_id;
    let size = size.clamp(1, PAGE_MAX);
    let orders = orders::list_of_user(app.db(), owner, status, before, size).await?;
    let is_full = orders.len() == size as usize;
    let next = orders.last().map(|order| order.id).filter(|_| is_full);
    Ok(Page { orders, next })
}
