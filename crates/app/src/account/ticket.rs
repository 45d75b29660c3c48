//! Tickets of accounts: what a code proved a moment ago, so that the next step takes no second code.
//!
//! A ticket names the contacts of the moment by a hash. Whatever changed them since makes it void, so it is good for one change
//! even where two requests use it at once.

use std::time::Duration;

use domain::{Phone, Ticket, UserId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use storage::users::Contacts;

use crate::{App, Error};

/// Time enough to read a question, or to receive a code at another contact.
pub(super) const TICKET_LIFETIME: Duration = Duration::from_secs(600);

/// What a ticket is good for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum TicketUse {
    /// A session changes the contacts of its account.
    ContactChange {
        user: UserId,
        session: u32,
        /// [`contacts_hash`]
        contacts: String,
    },
    /// Somebody proved a number and was asked whose account it is.
    NumberQuestion {
        user: UserId,
        /// [`phone_hash`]
        phone: String,
    },
}

pub(super) async fn issue(app: &App, ticket_use: &TicketUse) -> Result<Ticket, Error> {
    let ticket = Ticket::from_random(rand::random());
    let content = serde_json::to_string(ticket_use).expect("numbers and text are JSON");
    app.kv()
        .issue_ticket(&ticket, &content, TICKET_LIFETIME)
        .await?;
    Ok(ticket)
}

/// `None` for a ticket that is unknown, used or out of date.
pub(super) async fn read(app: &App, ticket: &Ticket) -> Result<Option<TicketUse>, Error> {
    let content = app.kv().read_ticket(ticket).await?;
    Ok(content.and_then(|content| serde_json::from_str(&content).ok()))
}

pub(super) fn contacts_hash(contacts: &Contacts) -> String {
    let phone = contacts.phone.as_ref().map_or("", Phone::as_str);
    let email = contacts.email.as_ref().map_or("", domain::Email::as_str);
    hash(&[phone, email])
}

pub(super) fn phone_hash(phone: &Phone) -> String {
    hash(&[phone.as_str()])
}

fn hash(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
        hasher.update([0]);
    }
    let digest = hasher.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
