//! Balances. Credited by the operator or a seed; a top-up through a provider would be one more caller of
//! `storage::payments::top_up`.

use domain::{Contact, PayType, UserId};
use kv::Session;
use storage::users::{self, User};
use storage::{accounts, audit, payments};

use crate::{App, Error};

/// The provider name of operator credits.
const OPERATOR: &str = "operator";

/// The audit action of a credit.
const AUDIT_ACTION: &str = "balance_credited";

pub async fn balance_cents(app: &App, session: &Session) -> Result<i64, Error> {
    let cents = accounts::balance_cents(app.db(), session.profile.user_id);
    Ok(cents.await?)
}

/// Credits a user's balance for the operator. Idempotent by reference. `None` if no user has this contact.
pub async fn credit(
    app: &App,
    contact: &Contact,
    amount_cents: i64,
    reference: &str,
) -> Result<Option<(User, i64)>, Error> {
    let db = app.db();
    let Some(user) = users::find_by_contact(db, contact).await? else {
        return Ok(None);
    };
    add(app, user.id, amount_cents, OPERATOR, reference).await?;
    let (subject, detail) = (
        format!("user:{}", user.id),
        format!("{amount_cents} cents, {reference}"),
    );
    audit::record(db, None, AUDIT_ACTION, &subject, &detail).await?;
    let balance = accounts::balance_cents(db, user.id).await?;
    Ok(Some((user, balance)))
}

/// Adds to a balance, once per reference.
pub(crate) async fn add(
    app: &App,
    user: UserId,
    amount_cents: i64,
    from: &str,
    reference: &str,
) -> Result<(), storage::Error> {
    let by = PayType::Balance;
    payments::top_up(app.db(), user, amount_cents, by, from, reference).await
}
