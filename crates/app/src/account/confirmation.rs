//! Proof that the owner of an account is at the other end, for what a stolen session must not do: a code to the account's own
//! contact, or a sign-in of a moment ago.

use domain::{Contact, LoginCode};
use jiff::Timestamp;
use kv::Session;
use storage::users;

use super::login::{CodeSent, check_code, device_of, send_code};
use crate::{App, Caller, Error, Refusal};

/// The reply to a request for a confirmation code.
#[derive(Debug)]
pub struct ConfirmationSent {
    /// Masked: enough for its owner to recognise.
    pub sent_to: String,
    pub code: CodeSent,
}

/// Sends a code to the caller's own contact, within the limits of login codes.
pub async fn send_confirmation(
    app: &App,
    caller: &Caller,
    session: &Session,
) -> Result<ConfirmationSent, Error> {
    let contact = own_contact(app, session).await?;
    let code = send_code(app, caller, &contact).await?;
    Ok(ConfirmationSent {
        sent_to: contact.masked(),
        code,
    })
}

/// Consumes a code that was sent to the caller's own contact.
pub(super) async fn confirm(
    app: &App,
    caller: &Caller,
    session: &Session,
    code: &LoginCode,
) -> Result<(), Error> {
    let contact = own_contact(app, session).await?;
    check_code(app, caller, &contact, code, &device_of(caller)).await
}

/// As [`confirm`]; a session that was opened a moment ago needs no code.
pub(super) async fn confirm_unless_recent(
    app: &App,
    caller: &Caller,
    session: &Session,
    code: Option<&LoginCode>,
) -> Result<(), Error> {
    match code {
        Some(code) => confirm(app, caller, session, code).await,
        None if is_recent(app, session).await? => Ok(()),
        None => Err(Refusal::ConfirmationNeeded.into()),
    }
}

/// By which a code reaches the user, the phone first.
async fn own_contact(app: &App, session: &Session) -> Result<Contact, Error> {
    let user = users::get(app.db(), session.profile.user_id).await?;
    let user = user.ok_or(Refusal::UserNotFound)?;
    let contacts = [user.phone.map(Contact::from), user.email.map(Contact::from)];
    let mut contacts = contacts.into_iter().flatten();
    let reached = contacts.find(|contact| app.sender().reaches(contact));
    Ok(reached.ok_or(Refusal::PhoneUnsupported)?)
}

async fn is_recent(app: &App, session: &Session) -> Result<bool, Error> {
    let since = Timestamp::now() - app.rules().account.recent_sign_in;
    let sessions = app.kv().list_sessions(session.profile.user_id).await?;
    let mut sessions = sessions.iter();
    let own = sessions.find(|seen| seen.number == session.number);
    Ok(own.is_some_and(|own| own.created_at > since))
}
