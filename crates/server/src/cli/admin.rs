//! `tandian admin …`: what only the operator at the command line may do.

mod credit;
mod grant;
mod standing;

use std::process::ExitCode;

use clap::Subcommand;
use domain::{Contact, Email, Phone};

use crate::settings::Settings;
use standing::Change;

#[derive(Debug, Subcommand)]
pub(super) enum Admin {
    /// Give a person a role; sessions opened with another one end
    Grant(grant::Args),
    /// Shut a person out: sessions and open pages end at once, and no code signs them in
    Block(standing::Args),
    /// Let a blocked person sign in again
    Unblock(standing::Args),
    /// End all sessions of a person
    SignOut(standing::Args),
    /// Add to a person's balance
    Credit(credit::Args),
}

pub(super) async fn run(settings: Settings, admin: Admin) -> anyhow::Result<ExitCode> {
    match admin {
        Admin::Grant(args) => grant::run(settings, args).await,
        Admin::Block(args) => standing::run(settings, args, Change::Block).await,
        Admin::Unblock(args) => standing::run(settings, args, Change::Unblock).await,
        Admin::SignOut(args) => standing::run(settings, args, Change::SignOut).await,
        Admin::Credit(args) => credit::run(settings, args).await,
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
