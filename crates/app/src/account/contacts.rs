//! The contacts of the caller's account: binding the one that is missing, changing or removing one.
//!
//! A code to a present contact buys a ticket, and the ticket with a code to the new contact buys the change. So both are proven,
//! and a wrong code costs only itself. Whether a contact is another account's is said to nobody who has not proven to hold it.

use std::time::Duration;

use domain::{Contact, ContactKind, LoginCode, Ticket, UserId};
use jiff::Timestamp;
use kv::Session;
use storage::users::{self, ContactChange, ContactChanged, ContactRefusal, Contacts, User};

use super::confirmation::confirm;
use super::deletion::is_demo;
use super::login::{check_code, device_of};
use super::sessions::end_other_sessions;
use super::ticket::{self, TICKET_LIFETIME, TicketUse, contacts_hash};
use crate::write_limits::{self, Write};
use crate::{App, Caller, Error, Refusal, notices};

/// Permission to change the contacts of an account once.
#[derive(Debug)]
pub struct ContactPermit {
    pub ticket: Ticket,
    pub lifetime: Duration,
}

pub async fn get_contacts(app: &App, session: &Session) -> Result<Contacts, Error> {
    Ok(get_own(app, session).await?.contacts())
}

/// Takes a code that was sent to a contact of the account.
pub async fn permit_contact_change(
    app: &App,
    caller: &Caller,
    session: &Session,
    code: &LoginCode,
) -> Result<ContactPermit, Error> {
    let user = get_own(app, session).await?;
    refuse_demo(&user)?;
    confirm(app, caller, session, code).await?;
    let permit = TicketUse::ContactChange {
        user: user.id,
        session: session.number,
        contacts: contacts_hash(&user.contacts()),
    };
    Ok(ContactPermit {
        ticket: ticket::issue(app, &permit).await?,
        lifetime: TICKET_LIFETIME,
    })
}

/// Binds `new`, or changes the contact of its kind, which ends the caller's other sessions. A repetition after a lost reply
/// changes nothing.
pub async fn set_contact(
    app: &App,
    caller: &Caller,
    session: &Session,
    ticket: &Ticket,
    new: &Contact,
    code: &LoginCode,
) -> Result<(), Error> {
    write_limits::take(app, session, Write::Contact).await?;
    let user = get_own(app, session).await?;
    let known = user.contacts();
    if known.has(new) {
        return Ok(());
    }
    require_permit(app, session, &user, ticket).await?;
    check_code(app, caller, new, code, &device_of(caller)).await?;
    let change = change_of(session, &known);
    let set = users::set_contact(app.db(), change, new).await?;
    set.map_err(refuse)?;
    finish(app, session, ticket, known.get(new.kind())).await
}

/// Removes the contact of this kind while the other one stays, and ends the caller's other sessions. One that is not there
/// is removed already.
pub async fn remove_contact(
    app: &App,
    session: &Session,
    ticket: &Ticket,
    kind: ContactKind,
) -> Result<(), Error> {
    write_limits::take(app, session, Write::Contact).await?;
    let user = get_own(app, session).await?;
    let known = user.contacts();
    let Some(former) = known.get(kind) else {
        return Ok(());
    };
    require_permit(app, session, &user, ticket).await?;
    let change = change_of(session, &known);
    let removed = users::remove_contact(app.db(), change, kind).await?;
    removed.map_err(refuse)?;
    finish(app, session, ticket, Some(former)).await
}

/// Gives an account that lost its contacts a new one, on behalf of the operator. `None` if there is no such account.
pub async fn attach_contact(
    app: &App,
    id: UserId,
    new: &Contact,
) -> Result<Option<Result<User, ContactRefusal>>, Error> {
    let Some(user) = users::get(app.db(), id).await? else {
        return Ok(None);
    };
    let known = user.contacts();
    let change = ContactChange {
        user: id,
        known: &known,
        actor: None,
        kept_session: 0,
    };
    let attached = users::set_contact(app.db(), change, new).await?;
    if attached.is_ok() {
        app.outbox().wake();
        if known.get(new.kind()).is_some() {
            app.sessions().end_all(id).await?;
        }
    }
    Ok(Some(attached))
}

/// Ends the sessions that were opened before a change, except the one that made it.
pub(crate) async fn apply_contact_change(app: &App, change: &ContactChanged) -> Result<(), Error> {
    let changed_at = Timestamp::from_millisecond(change.changed_at_ms).unwrap_or(Timestamp::MAX);
    end_other_sessions(app, change.id, change.kept_session, changed_at).await
}

async fn get_own(app: &App, session: &Session) -> Result<User, Error> {
    let user = users::get(app.db(), session.profile.user_id).await?;
    Ok(user.ok_or(Refusal::UserNotFound)?)
}

/// Everybody who tries the site out signs in to it.
fn refuse_demo(user: &User) -> Result<(), Refusal> {
    match is_demo(user) {
        true => Err(Refusal::DemoAccount),
        false => Ok(()),
    }
}

async fn require_permit(
    app: &App,
    session: &Session,
    user: &User,
    ticket: &Ticket,
) -> Result<(), Error> {
    let held = ticket::read(app, ticket).await?;
    let Some(TicketUse::ContactChange {
        user: id,
        session: number,
        contacts,
    }) = held
    else {
        return Err(Refusal::ConfirmationNeeded.into());
    };
    if id != user.id || number != session.number {
        return Err(Refusal::ConfirmationNeeded.into());
    }
    if contacts != contacts_hash(&user.contacts()) {
        return Err(Refusal::ContactChanged.into());
    }
    Ok(())
}

fn change_of<'a>(session: &Session, known: &'a Contacts) -> ContactChange<'a> {
    let user = session.profile.user_id;
    ContactChange {
        user,
        known,
        actor: Some(user),
        kept_session: session.number,
    }
}

fn refuse(refusal: ContactRefusal) -> Refusal {
    match refusal {
        ContactRefusal::Taken => Refusal::ContactTaken,
        ContactRefusal::Stale => Refusal::ContactChanged,
        ContactRefusal::Last => Refusal::LastContact,
    }
}

/// After the commit. What Redis fails to do at once the outbox does again, or time does.
async fn finish(
    app: &App,
    session: &Session,
    ticket: &Ticket,
    former: Option<Contact>,
) -> Result<(), Error> {
    let user = session.profile.user_id;
    app.outbox().wake();
    notices::notify(app, &[user]).await;
    if let Some(former) = former {
        end_other_sessions(app, user, session.number, Timestamp::MAX).await?;
        app.kv().forget_devices(&former).await?;
    }
    app.kv().end_ticket(ticket).await?;
    Ok(())
}
