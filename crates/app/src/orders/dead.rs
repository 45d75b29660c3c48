//! Orders that SQL could not take, as admins deal with them. Their pieces were given back long before anybody looks here.

use domain::OrderId;
use flash::{BuyerId, Claim, SaleId};
use kv::Session;
use storage::dead_orders::{self, DeadOrder, DeadState, Remedy};

use crate::flash_sales;
use crate::permission::admin;
use crate::{App, Error, Refusal};

/// One page of a list, newest first.
#[derive(Clone, Debug)]
pub struct DeadPage {
    pub orders: Vec<DeadOrder>,
    /// Where the next page begins; absent on the last one.
    pub next: Option<OrderId>,
}

pub async fn list_dead(
    app: &App,
    session: &Session,
    before: Option<OrderId>,
    size: u32,
) -> Result<DeadPage, Error> {
    admin(session)?;
    let size = size.clamp(1, dead_orders::LIST_LIMIT);
    let orders = dead_orders::list(app.db(), before, size).await?;
    let is_full = orders.len() == size as usize;
    let next = orders.last().map(|order| order.id).filter(|_| is_full);
    Ok(DeadPage { orders, next })
}

/// Claims once more on behalf of the buyer, on the sale's own terms, and returns the new order.
///
/// The gate decides, as it does for everybody: it alone knows whether a piece is left that nobody else was promised. A
/// redrive that is repeated because its answer was lost gives the same order.
pub async fn redrive(app: &App, session: &Session, id: OrderId) -> Result<OrderId, Error> {
    admin(session)?;
    let dead = waiting(app, id).await?;
    let claim = Claim {
        sale: SaleId(dead.voucher_id.get()),
        buyer: BuyerId(dead.user_id.get()),
        key: Some(flash_sales::key_of_redrive(id)),
    };
    let order = flash_sales::decide(app, claim).await?;
    let detail = format!("order {order} instead");
    settle(app, session, id, Remedy::Redriven, &detail).await?;
    Ok(order)
}

/// Notes that the buyer was compensated in another way, and how.
pub async fn compensate(
    app: &App,
    session: &Session,
    id: OrderId,
    note: &str,
) -> Result<(), Error> {
    admin(session)?;
    waiting(app, id).await?;
    let note: String = note.trim().chars().take(NOTE_MAX_CHARS).collect();
    settle(app, session, id, Remedy::Compensated, &note).await
}

/// A line for the next admin to read.
const NOTE_MAX_CHARS: usize = 500;

async fn waiting(app: &App, id: OrderId) -> Result<DeadOrder, Error> {
    let found = dead_orders::get(app.db(), id).await?;
    let waits = |order: &DeadOrder| order.state == DeadState::Waiting;
    found.filter(waits).ok_or(Refusal::OrderNotFound.into())
}

async fn settle(
    app: &App,
    session: &Session,
    id: OrderId,
    remedy: Remedy,
    detail: &str,
) -> Result<(), Error> {
    let actor = session.profile.user_id;
    // Whoever came first has dealt with it, and said so.
    dead_orders::settle(app.db(), actor, id, remedy, detail).await?;
    Ok(())
}
