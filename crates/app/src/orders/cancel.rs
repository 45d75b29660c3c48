//! Cancels an unpaid order: its unit is for sale again at once, by this process if it can and by the outbox
//! otherwise.

use domain::OrderId;
use kv::Session;
use storage::orders;

use super::{recorded_order, to_refusal};
use crate::{App, Error, fail_point, notices};

pub async fn cancel(app: &App, session: &Session, id: OrderId) -> Result<(), Error> {
    recorded_order(app, session, id).await?;
    let owner = session.profile.user_id;
    fail_point::pass("before_cancel");
    let cancelled = orders::cancel(app.db(), owner, id).await?;
    fail_point::pass("after_cancel");
    cancelled.map_err(to_refusal)?;
    app.outbox().wake();
    notices::notify(app, &[owner]).await;
    Ok(())
}
