//! `tandian admin …`: what only the operator at the command line may do.

mod attach;
mod credit;
mod grant;
mod shop_owner;
mod standing;

use std::process::ExitCode;

use clap::Subcommand;
use domain::{Contact, Email, Phone};

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

fn parse_contact(text: &str) -> Result<Contact, String> {
    if text.contains('@') {
        let email = Email::parse(text).map_err(|error| error.to_string());
        return email.map(Contact::from);
    }
    let phone = Phone::parse(text).map_err(|error| error.to_string());
    phone.map(Contact::from)
}
