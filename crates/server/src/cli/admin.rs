//! `tandian admin …`: what only the operator at the command line may do.

mod attach;
mod credit;
mod grant;
mod shop_owner;
mod standing;

use std::process::ExitCode;

use anyhow::anyhow;
use app::{App, account};
use clap::Subcommand;
use domain::{Contact, Email, Phone, UserId};
use storage::users::User;

use crate::settings::Settings;
use standing::AccountChange;

#[derive(Debug, Subcommand)]
pub(super) enum AdminCommand {
    /// Give a person a role; sessions opened with another one end
    Grant(grant::GrantArgs),
    /// Shut a person out: sessions and open pages end at once, and no code signs them in
    Block(standing::AccountArgs),
    /// Let a blocked person sign in again
    Unblock(standing::AccountArgs),
    /// End all sessions of a person
    SignOut(standing::AccountArgs),
    /// List the shops that have no owner
    Shops(shop_owner::ShopsArgs),
    /// Give shops to the person who manages them
    ShopOwner(shop_owner::ShopOwnerArgs),
    /// Add to a person's balance
    Credit(credit::CreditArgs),
    /// Give a person's account a phone number or an e-mail address, such as one that lost its own
    Attach(attach::AttachArgs),
}

pub(super) async fn run(settings: Settings, admin: AdminCommand) -> anyhow::Result<ExitCode> {
    match admin {
        AdminCommand::Grant(args) => grant::run(settings, args).await,
        AdminCommand::Block(args) => standing::run(settings, args, AccountChange::Block).await,
        AdminCommand::Unblock(args) => standing::run(settings, args, AccountChange::Unblock).await,
        AdminCommand::SignOut(args) => standing::run(settings, args, AccountChange::SignOut).await,
        AdminCommand::Shops(args) => shop_owner::list(settings, args).await,
        AdminCommand::ShopOwner(args) => shop_owner::run(settings, args).await,
        AdminCommand::Credit(args) => credit::run(settings, args).await,
        AdminCommand::Attach(args) => attach::run(settings, args).await,
    }
}

/// Whom a command is about.
#[derive(Clone, Debug)]
enum Person {
    Contact(Contact),
    /// Of an account without a contact, such as one whose number went to somebody else.
    Id(UserId),
}

impl Person {
    fn parse(text: &str) -> Result<Self, String> {
        let Some(number) = text.strip_prefix("user:") else {
            return parse_contact(text).map(Self::Contact);
        };
        let id = number.parse().map(|id| Self::Id(UserId::new(id)));
        id.map_err(|_| "after user: comes the number of the person's page".to_owned())
    }

    /// For the terminal.
    fn masked(&self) -> String {
        match self {
            Self::Contact(contact) => contact.masked(),
            Self::Id(id) => format!("user:{id}"),
        }
    }

    async fn find(&self, app: &App) -> anyhow::Result<User> {
        let (found, check) = match self {
            Self::Contact(contact) => (
                account::find_by_contact(app, contact).await?,
                "check the phone number or e-mail address",
            ),
            Self::Id(id) => (account::find(app, *id).await?, "check the number"),
        };
        let who = self.masked();
        found.ok_or_else(|| anyhow!("nobody has signed in with {who} yet: {check}"))
    }
}

fn parse_contact(text: &str) -> Result<Contact, String> {
    if text.contains('@') {
        let email = Email::parse(text).map_err(|error| error.to_string());
        return email.map(Contact::from);
    }
    let phone = Phone::parse(text).map_err(|error| error.to_string());
    phone.map(Contact::from)
}
