//! Refunds a paid, unused order. The outbox relay calls the provider; the unit returns to stock with the money.

use domain::OrderId;
use kv::Session;
use storage::payments::{self, RefundRefusal};

use super::{recorded_order, to_refusal};
use crate::{App, Error, Refusal, fail_point};

pub async fn refund(app: &App, session: &Session, id: OrderId) -> Result<(), Error> {
    recorded_order(app, session, id).await?;
    let owner = session.profile.user_id;
    fail_point::pass("before_refund");
    let begun = payments::begin_refund(app.db(), owner, id).await?;
    fail_point::pass("after_refund");
    begun.map_err(|refusal| match refusal {
        RefundRefusal::Order(refusal) => to_refusal(refusal),
        RefundRefusal::NothingPaid => Refusal::NothingPaid,
    })?;
    app.outbox().wake();
    Ok(())
}
