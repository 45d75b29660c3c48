//! Proof that the owner of an account is at the other end, for what a stolen session must not do: a code to the account's own
//! contact, or a sign-in of a moment ago.

use domain::{Contact, ContactKind, LoginCode};
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

/// Sends a code to the caller's own contact, within the limits of login codes: to that of `kind`, or else to the first by
/// which a code reaches the user, the phone before the address.
pub async fn send_confirmation(
    app: &App,
    caller: &Caller,
    session: &Session,
    kind: Option<ContactKind>,
) -> Result<ConfirmationSent, Error> {
    let contacts = own_contacts(app, session).await?;
    let contact = match kind {
        Some(kind) => {
            let mut contacts = contacts.into_iter();
            let wanted = contacts.find(|contact| contact.kind() == kind);
            wanted.ok_or(Refusal::ContactChanged)?
        }
        None => {
            let mut contacts = contacts.into_iter();
            let reached = contacts.find(|contact| app.sender().reaches(contact));
            reached.ok_or(Refusal::PhoneUnsupported)?
        }
    };
    let code = send_code(app, caller, &contact).await?;
    Ok(ConfirmationSent {
        sent_to: contact.masked(),
        code,
    })
}

/// Consumes a code that was sent to one of the caller's own contacts.
///
/// A contact that no code was sent to costs no try.
pub(super) async fn confirm(
    app: &App,
    caller: &Caller,
    session: &Session,
    code: &LoginCode,
) -> Result<(), Error> {
    let device = device_of(caller);
    let mut refused = Error::from(Refusal::CodeExpired);
    for contact in own_contacts(app, session).await? {
        match check_code(app, caller, &contact, code, &device).await {
            Ok(()) => return Ok(()),
            Err(Error::Refused(Refusal::CodeExpired)) => {}
            Err(error @ Error::Refused(_)) => refused = error,
            Err(error) => return Err(error),
        }
    }
    Err(refused)
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

/// The phone first.
async fn own_contacts(app: &App, session: &Session) -> Result<Vec<Contact>, Error> {
    let user = users::get(app.db(), session.profile.user_id).await?;
    let contacts = user.ok_or(Refusal::UserNotFound)?.contacts();
    let kinds = ContactKind::ALL.into_iter();
    Ok(kinds.filter_map(|kind| contacts.get(kind)).collect())
}

async fn is_recent(app: &App, session: &Session) -> Result<bool, Error> {
    let since = Timestamp::now() - app.rules().account.recent_sign_in;
    let sessions = app.kv().list_sessions(session.profile.user_id).await?;
    let mut sessions = sessions.iter();
    let own = sessions.find(|seen| seen.number == session.number);
    Ok(own.is_some_and(|own| own.created_at > since))
}
