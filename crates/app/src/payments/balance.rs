//! What people have on the site. It grows by the word of the operator, or by a seed; a top-up through a provider would be
//! one more caller of `storage::payments::top_up`.

use domain::{Contact, PayType, UserId};
use kv::Session;
use storage::users::{self, User};
use storage::{accounts, audit, payments};

use crate::{App, Error};

/// The account that an operator's credits come from.
const OPERATOR: &str = "operator";

/// How a credit is called in the record of deeds.
const AUDIT_ACTION: &str = "balance_credited";

pub async fn balance_cents(app: &App, session: &Session) -> Result<i64, Error> {
    let cents = accounts::balance_cents(app.db(), session.profile.user_id);
    Ok(cents.await?)
}

/// Adds to somebody's balance on the operator's word. The same reference again adds nothing. `None` if there is nobody
/// with this contact.
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
