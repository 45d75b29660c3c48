//! A phone number that somebody else may have been given: signing in by it does not open the account unasked.
//!
//! Operators give a number that is out of use to another person after some months. So an account whose number was not proven
//! for that long is in question: the code proves the number, not the account. The caller gets a ticket for the proven number and
//! says whose the account is. *Mine*: an account with a second proof (an address, or a password) takes that proof; another one opens.
//! *New*: the number goes to a new account, and the former one stays without it.

use domain::profile::{default_nick_name, masked_nick_name};
use domain::{Contact, DeviceToken, Phone, Role, Ticket, UserId};
use jiff::{SignedDuration, Timestamp};
use storage::users::{self, User, UserStatus};
use storage::{phone_proofs, site_marks};

use super::deletion::is_demo;
use super::login::{SignedIn, admit_login, device_of, open_current_session, random_below};
use super::ticket::{self, TicketUse, phone_hash};
use crate::{App, Caller, Error, Refusal, notices};

/// What a caller who proved a number is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberQuestion {
    /// For the answer; it stands for the code.
    pub ticket: Ticket,
    /// Of the account, masked.
    pub nick_name: String,
    /// How the account's owner proves it; empty if their word must do.
    pub proofs: Vec<SecondProof>,
}

/// What shows that an account is the caller's, besides its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondProof {
    Email,
    Password,
}

/// The caller's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberClaim {
    Mine,
    New,
}

/// The owner of the number that was proven is recorded once in so long.
const RECORDED_EVERY: SignedDuration = SignedDuration::from_hours(24);

/// Refuses with the question if the account was not proven by its number for long; else records the proof. Call it after
/// the code was accepted.
pub(super) async fn question_or_record(
    app: &App,
    user: &User,
    contact: &Contact,
    device: &DeviceToken,
) -> Result<(), Error> {
    let Contact::Phone(phone) = contact else {
        return Ok(());
    };
    let now = Timestamp::now();
    let proven_at = phone_proofs::get(app.db(), user.id).await?;
    if is_in_question(app, user, proven_at, now).await? {
        // It proved a number, and is no device of the account: it gets no share of the guesses that are kept for those.
        app.kv().forget_device(contact, device).await?;
        let question = question(app, user, phone).await?;
        return Err(Refusal::NumberInQuestion(Box::new(question)).into());
    }
    if proven_at.is_none_or(|proven_at| proven_at < now - RECORDED_EVERY) {
        record(app, user.id, now).await;
    }
    Ok(())
}

/// A database that takes no writes, as on a full disk, keeps nobody out: the next sign-in records the proof.
async fn record(app: &App, user: UserId, now: Timestamp) {
    if let Err(error) = phone_proofs::record(app.db(), user, now).await {
        tracing::debug!(%user, %error, "phone proof not recorded");
    }
}

/// Signs the holder of a proven number in by their answer.
pub async fn answer_number_question(
    app: &App,
    caller: &Caller,
    phone: &Phone,
    ticket: &Ticket,
    claim: NumberClaim,
) -> Result<SignedIn, Error> {
    admit_login(app, caller).await?;
    let id = asked_about(app, ticket, phone).await?;
    let id = id.ok_or(Refusal::TicketExpired)?;
    let contact = Contact::from(phone.clone());
    let user = match claim {
        NumberClaim::Mine => keep(app, id, phone, ticket).await?,
        NumberClaim::New => start_anew(app, id, phone, ticket).await?,
    };
    let token = open_current_session(app, caller, user, &contact).await?;
    let device = device_of(caller);
    Ok(SignedIn { token, device })
}

/// Records that a user who signed in by a second proof holds the number that the ticket is about.
pub(super) async fn settle_question(app: &App, user: &User, ticket: Option<&Ticket>) {
    let (Some(ticket), Some(phone)) = (ticket, &user.phone) else {
        return;
    };
    let settle = async {
        let asked = asked_about(app, ticket, phone).await?;
        if asked == Some(user.id) && app.kv().end_ticket(ticket).await? {
            record(app, user.id, Timestamp::now()).await;
        }
        Ok::<(), Error>(())
    };
    if let Err(error) = settle.await {
        tracing::debug!(user = %user.id, %error, "question about a number not settled");
    }
}

/// Refuses a ticket that is of another account than the one that was proven by an address: its number would stay in question,
/// and whoever mistyped the address would be in another account.
pub(super) async fn check_asked(
    app: &App,
    ticket: Option<&Ticket>,
    user: Option<&User>,
) -> Result<(), Error> {
    let Some(ticket) = ticket else {
        return Ok(());
    };
    match ticket::read(app, ticket).await? {
        Some(TicketUse::NumberQuestion { user: asked, .. }) => {
            let is_theirs = user.is_some_and(|user| user.id == asked);
            is_theirs
                .then_some(())
                .ok_or_else(|| Refusal::NotThatAccount.into())
        }
        _ => Err(Refusal::TicketExpired.into()),
    }
}

/// Demo accounts are everybody's; they are never in question.
async fn is_in_question(
    app: &App,
    user: &User,
    proven_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<bool, Error> {
    let Some(unproven_for) = app.rules().account.recycled_after else {
        return Ok(false);
    };
    let since = match proven_at {
        Some(proven_at) => proven_at,
        None => match site_marks::phone_proofs_since(app.db(), now).await {
            Ok(kept_since) => kept_since.max(user.created_at),
            // A database that takes no writes, as on a full disk, has not begun to keep proofs. One that cannot be read is
            // another matter.
            Err(storage::Error::CannotWrite { .. }) => return Ok(false),
            Err(error) => return Err(error.into()),
        },
    };
    Ok(since + unproven_for < now && !is_demo(user))
}

async fn question(app: &App, user: &User, phone: &Phone) -> Result<NumberQuestion, Error> {
    let asked = TicketUse::NumberQuestion {
        user: user.id,
        phone: phone_hash(phone),
    };
    Ok(NumberQuestion {
        proofs: second_proofs(app, user).await?,
        ticket: ticket::issue(app, &asked).await?,
        nick_name: masked_nick_name(&user.nick_name),
    })
}

async fn second_proofs(app: &App, user: &User) -> Result<Vec<SecondProof>, Error> {
    let mut proofs = Vec::new();
    if user.email.is_some() && app.sender().reaches_email() {
        proofs.push(SecondProof::Email);
    }
    let allows_passwords = app.rules().passwords.are_allowed;
    if allows_passwords && users::get_password(app.db(), user.id).await?.is_some() {
        proofs.push(SecondProof::Password);
    }
    Ok(proofs)
}

/// The account that the ticket is about, if it was given for this number.
async fn asked_about(app: &App, ticket: &Ticket, phone: &Phone) -> Result<Option<UserId>, Error> {
    Ok(match ticket::read(app, ticket).await? {
        Some(TicketUse::NumberQuestion { user, phone: hash }) if hash == phone_hash(phone) => {
            Some(user)
        }
        _ => None,
    })
}

/// Whether a caller's word is enough: the account has no other proof, also none that the site cannot check at present, and can do
/// no more than buy.
async fn takes_a_word(app: &App, user: &User) -> Result<bool, Error> {
    if user.role != Role::User || user.email.is_some() {
        return Ok(false);
    }
    Ok(users::get_password(app.db(), user.id).await?.is_none())
}

/// Whether the question is still to be answered: another answer may have been faster.
async fn is_still_in_question(app: &App, user: &User) -> Result<bool, Error> {
    let proven_at = phone_proofs::get(app.db(), user.id).await?;
    is_in_question(app, user, proven_at, Timestamp::now()).await
}

/// The account is the caller's by their word, which does only where there is no better proof.
async fn keep(app: &App, id: UserId, phone: &Phone, ticket: &Ticket) -> Result<User, Error> {
    let user = users::get(app.db(), id).await?;
    let user = user.filter(|user| user.phone.as_ref() == Some(phone));
    let user = user.ok_or(Refusal::TicketExpired)?;
    if user.status != UserStatus::Active {
        return Err(Refusal::UserBlocked.into());
    }
    if !second_proofs(app, &user).await?.is_empty() {
        return Err(Refusal::ConfirmationNeeded.into());
    }
    if !takes_a_word(app, &user).await? {
        return Err(Refusal::OperatorNeeded.into());
    }
    if !is_still_in_question(app, &user).await? {
        return Err(Refusal::TicketExpired.into());
    }
    end(app, ticket).await?;
    record(app, id, Timestamp::now()).await;
    Ok(user)
}

async fn start_anew(app: &App, id: UserId, phone: &Phone, ticket: &Ticket) -> Result<User, Error> {
    let former = users::get(app.db(), id).await?;
    let former = former.filter(|user| user.phone.as_ref() == Some(phone));
    let former = former.ok_or(Refusal::TicketExpired)?;
    if !is_still_in_question(app, &former).await? {
        return Err(Refusal::TicketExpired.into());
    }
    end(app, ticket).await?;
    // The devices are those of the former owner.
    let contact = Contact::from(phone.clone());
    app.kv().forget_devices(&contact).await?;
    let nick_name = default_nick_name(random_below);
    let user = users::start_anew(app.db(), id, phone, &nick_name).await?;
    let user = user.ok_or(Refusal::TicketExpired)?;
    app.outbox().wake();
    notices::notify(app, &[id]).await;
    Ok(user)
}

/// Of two answers by one ticket one counts.
async fn end(app: &App, ticket: &Ticket) -> Result<(), Error> {
    match app.kv().end_ticket(ticket).await? {
        true => Ok(()),
        false => Err(Refusal::TicketExpired.into()),
    }
}
