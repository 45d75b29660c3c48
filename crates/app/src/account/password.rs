//! Passwords beside codes, where the site allows them: login, and what a signed-in user does with their own.
//!
//! An unknown contact, a user without a password, a blocked one and a wrong password cost the same work, count against the same
//! limits and get the same reply. A login by password never creates an account: nothing proves that the contact is the caller's.

use domain::{Contact, LoginCode, Password, PasswordHash, Ticket};
use jiff::Timestamp;
use kv::{Limit, PasswordCaller, PasswordLocked, PasswordTry, Session, SessionHash};
use secrecy::SecretString;
use storage::users::{self, PasswordChanged, User, UserStatus};

use super::confirmation::{confirm, confirm_unless_recent};
use super::login::{HOUR, SignedIn, admit, admit_login, device_of, open_current_session};
use super::number_claim::settle_question;
use super::sessions::end_other_sessions;
use crate::{App, Caller, Error, Refusal};

/// What a user shows to change or remove a password: the password itself, or, if they forgot it, a code that was sent to
/// them.
#[derive(Debug)]
pub enum PasswordProof {
    Password(Password),
    Code(LoginCode),
}

/// Logs the holder of `contact` in by password.
///
/// With the ticket of a [`NumberQuestion`](super::NumberQuestion) it answers that question, too.
///
/// What cannot be a password is wrong without being compared, so it costs no try. SQL is queried before the try is counted:
/// during a database outage no try is lost.
pub async fn login_by_password(
    app: &App,
    caller: &Caller,
    contact: &Contact,
    typed: &SecretString,
    ticket: Option<&Ticket>,
) -> Result<SignedIn, Error> {
    require_passwords(app)?;
    let password = Password::parse(typed).map_err(|_| Refusal::PasswordWrong)?;
    admit_login(app, caller).await?;
    admit_password(app, caller).await?;
    let user = users::find_by_contact(app.db(), contact).await?;
    let user = user.filter(|user| user.status == UserStatus::Active);
    let stored = users::find_password(app.db(), contact).await?;
    let typed_by = PasswordCaller::Visitor(caller.device.as_ref());
    let is_right = compare(app, contact, typed_by, password, stored.clone()).await?;
    let (taken, user, stored) = match (is_right, user, stored) {
        (Comparison::Right(taken), Some(user), Some(stored)) => (taken, user, stored),
        (comparison, ..) => return Err(comparison.refuse(Refusal::PasswordWrong).into()),
    };
    let device = device_of(caller);
    app.kv()
        .accept_password(contact, &taken, Some(&device))
        .await?;
    let id = user.id;
    let signed_in = user.clone();
    let token = open_current_session(app, caller, user, contact).await?;
    // A change during the login ended the sessions that it found. This one is listed by now: a later change ends it,
    // an earlier one is noticed here.
    if users::get_password(app.db(), id).await?.as_ref() != Some(&stored) {
        let hash = SessionHash::of(&token);
        app.sessions().end(id, &hash).await?;
        return Err(Refusal::PasswordWrong.into());
    }
    settle_question(app, &signed_in, ticket).await;
    Ok(SignedIn { token, device })
}

/// Whether the caller has a password.
pub async fn has_password(app: &App, session: &Session) -> Result<bool, Error> {
    require_passwords(app)?;
    let stored = users::get_password(app.db(), session.profile.user_id).await?;
    Ok(stored.is_some())
}

/// Sets the caller's first password, which takes a code unless they signed in a moment ago, because a stolen session must not
/// outlive itself; or changes it, which takes a proof and ends their other sessions.
pub async fn set_password(
    app: &App,
    caller: &Caller,
    session: &Session,
    new: Password,
    proof: Option<PasswordProof>,
) -> Result<(), Error> {
    require_passwords(app)?;
    admit_password(app, caller).await?;
    let known = users::get_password(app.db(), session.profile.user_id).await?;
    match (&known, proof) {
        (Some(known), proof) => prove(app, caller, session, known, proof).await?,
        (None, Some(PasswordProof::Code(code))) => {
            confirm(app, caller, session, &code).await?;
        }
        (None, _) => confirm_unless_recent(app, caller, session, None).await?,
    }
    let new = app.password_hasher().reserve().await?.hash(new).await;
    write(app, session, known.as_ref(), Some(&new)).await
}

/// Removes the caller's password and ends their other sessions. Without a password there is nothing to do.
pub async fn remove_password(
    app: &App,
    caller: &Caller,
    session: &Session,
    proof: Option<PasswordProof>,
) -> Result<(), Error> {
    require_passwords(app)?;
    admit_password(app, caller).await?;
    let Some(known) = users::get_password(app.db(), session.profile.user_id).await? else {
        return Ok(());
    };
    prove(app, caller, session, &known, proof).await?;
    write(app, session, Some(&known), None).await
}

/// Ends the sessions that were opened before a change, except the one that made it.
pub(crate) async fn apply_password_change(
    app: &App,
    change: &PasswordChanged,
) -> Result<(), Error> {
    let changed_at = Timestamp::from_millisecond(change.changed_at_ms).unwrap_or(Timestamp::MAX);
    end_other_sessions(app, change.id, change.kept_session, changed_at).await
}

fn require_passwords(app: &App) -> Result<(), Refusal> {
    match app.rules().passwords.are_allowed {
        true => Ok(()),
        false => Err(Refusal::PasswordLoginOff),
    }
}

/// Guessed over many accounts, a common password is found sooner than a code: passwords have a limit of their own per
/// address.
async fn admit_password(app: &App, caller: &Caller) -> Result<(), Error> {
    let per_address = Limit {
        what: "password",
        burst: app.rules().passwords.per_address_per_hour,
        period: HOUR,
    };
    admit(app.kv().take_for(&per_address, caller.address).await?)
}

/// That the caller is who has the password `known`.
async fn prove(
    app: &App,
    caller: &Caller,
    session: &Session,
    known: &PasswordHash,
    proof: Option<PasswordProof>,
) -> Result<(), Error> {
    let user = users::get(app.db(), session.profile.user_id).await?;
    let contact = user.and_then(contact_of).ok_or(Refusal::UserNotFound)?;
    match proof.ok_or(Refusal::PasswordNeeded)? {
        PasswordProof::Code(code) => {
            confirm(app, caller, session, &code).await?;
        }
        PasswordProof::Password(password) => {
            let typed_by = PasswordCaller::SignedIn;
            let stored = Some(known.clone());
            match compare(app, &contact, typed_by, password, stored).await? {
                Comparison::Right(taken) => {
                    app.kv().accept_password(&contact, &taken, None).await?;
                }
                wrong => return Err(wrong.refuse(Refusal::OldPasswordWrong).into()),
            }
        }
    }
    Ok(())
}

/// By which a user signs in, and by which their tries are counted.
fn contact_of(user: User) -> Option<Contact> {
    let phone = user.phone.map(Contact::from);
    phone.or_else(|| user.email.map(Contact::from))
}

/// The outcome of a try that was counted.
enum Comparison {
    Right(PasswordTry),
    Wrong(PasswordTry),
}

impl Comparison {
    /// A lock, if it was the last try, else `wrong`. A right password of a user who may not sign in is refused alike.
    fn refuse(self, wrong: Refusal) -> Refusal {
        let (Self::Right(taken) | Self::Wrong(taken)) = self;
        match taken.lock {
            Some(retry_after) => Refusal::LoginLocked { retry_after },
            None => wrong,
        }
    }
}

/// Counts a try and compares. The slot comes first: a busy site costs nobody a try.
async fn compare(
    app: &App,
    contact: &Contact,
    typed_by: PasswordCaller<'_>,
    password: Password,
    stored: Option<PasswordHash>,
) -> Result<Comparison, Error> {
    let slot = app.password_hasher().reserve().await?;
    let limits = &app.rules().code_limits;
    let taken = app
        .kv()
        .take_password_try(contact, typed_by, limits)
        .await?
        .map_err(|PasswordLocked { retry_after }| Refusal::LoginLocked { retry_after })?;
    Ok(match slot.verify(password, stored).await {
        true => Comparison::Right(taken),
        false => Comparison::Wrong(taken),
    })
}

/// Writes the change; after one of an existing password the caller's other sessions end, at once here and again by the
/// outbox.
async fn write(
    app: &App,
    session: &Session,
    known: Option<&PasswordHash>,
    new: Option<&PasswordHash>,
) -> Result<(), Error> {
    let (id, kept) = (session.profile.user_id, session.number);
    if !users::set_password(app.db(), id, known, new, kept).await? {
        return Err(Refusal::OldPasswordWrong.into());
    }
    if known.is_some() {
        app.outbox().wake();
        end_other_sessions(app, id, kept, Timestamp::MAX).await?;
    }
    Ok(())
}
