//! Dead-lettered orders, as admins handle them. Dead-lettering returned the units that they held to the gate, through the
//! outbox.

use std::time::Duration;

use domain::OrderId;
use flash::{BuyerId, Claim, SaleId};
use kv::Session;
use storage::orders::{self, DeadLetterState, DeadLetteredOrder, Remedy};

use crate::flash_sales;
use crate::permission::require_admin;
use crate::{App, Error, Page, PageSize, Refusal};

const DEAD_LETTERS_PER_PAGE: PageSize = PageSize::new(50);

/// One page, newest first.
pub async fn list_dead_lettered(
    app: &App,
    session: &Session,
    before: Option<OrderId>,
) -> Result<Page<DeadLetteredOrder, OrderId>, Error> {
    require_admin(session)?;
    let rows = DEAD_LETTERS_PER_PAGE.rows();
    let orders = orders::list_dead_lettered(app.db(), before, rows).await?;
    Ok(Page::new(orders, DEAD_LETTERS_PER_PAGE, |order| order.id))
}

/// Claims again on behalf of the buyer, on the sale's own terms, and returns the new order.
///
/// The gate decides, as for every claim: it alone knows whether a unit is free. Repeating a redrive whose reply was
/// lost returns the same order. From its start until it certainly failed, nobody can compensate for the same order.
pub async fn redrive(app: &App, session: &Session, id: OrderId) -> Result<OrderId, Error> {
    require_admin(session)?;
    // One at a time: a redrive that failed must not unlock the order while another one is claiming.
    let _guard = app
        .locks()
        .mutex(&format!("order:redrive:{id}"))
        .lock()
        .await?;
    let dead = find_waiting(app, id).await?;
    if !orders::begin_redrive(app.db(), id).await? {
        return Err(Refusal::OrderNotFound.into());
    }
    let claim = Claim {
        sale: SaleId(dead.voucher_id.get()),
        buyer: BuyerId(dead.user_id.get()),
        key: Some(flash_sales::key_of_redrive(id)),
    };
    match flash_sales::claim_at_gate(app, claim).await {
        Ok(order) => {
            let detail = format!("order {order} instead");
            settle(app, session, id, Remedy::Redriven, &detail).await?;
            Ok(order)
        }
        Err(refused @ Error::Refused(_)) => {
            orders::abandon_redrive(app.db(), id).await?;
            Err(refused)
        }
        // The gate may have granted it: another redrive finds out.
        Err(unknown) => Err(unknown),
    }
}

/// Records that the buyer was compensated in another way.
pub async fn compensate(
    app: &App,
    session: &Session,
    id: OrderId,
    note: &str,
) -> Result<(), Error> {
    require_admin(session)?;
    find_waiting(app, id).await?;
    let note: String = note.trim().chars().take(NOTE_MAX_CHARS).collect();
    if settle(app, session, id, Remedy::Compensated, &note).await? {
        return Ok(());
    }
    // Another admin settled it first or is redriving it.
    find_waiting(app, id).await?;
    Err(Error::InProgress {
        retry_after: REDRIVE_WAIT,
    })
}

/// How long a redrive may take.
const REDRIVE_WAIT: Duration = Duration::from_secs(1);

/// The length of an admin's note.
const NOTE_MAX_CHARS: usize = 500;

async fn find_waiting(app: &App, id: OrderId) -> Result<DeadLetteredOrder, Error> {
    let found = orders::get_dead_lettered(app.db(), id).await?;
    let waits = |order: &DeadLetteredOrder| order.state == DeadLetterState::Waiting;
    found.filter(waits).ok_or(Refusal::OrderNotFound.into())
}

async fn settle(
    app: &App,
    session: &Session,
    id: OrderId,
    remedy: Remedy,
    detail: &str,
) -> Result<bool, Error> {
    let actor = session.profile.user_id;
    Ok(orders::settle_dead_lettered(app.db(), actor, id, remedy, detail).await?)
}
