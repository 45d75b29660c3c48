//! `tandian admin …`: what only the operator at the command line may do.

mod credit;
mod grant;

use std::process::ExitCode;

use clap::Subcommand;
use domain::{Contact, Email, Phone};

use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(super) enum Admin {
    /// Give a person a role; running sessions show it at once
    Grant(grant::Args),
    /// Add to a person's balance
    Credit(credit::Args),
}

pub(super) async fn run(settings: Settings, admin: Admin) -> anyhow::Result<ExitCode> {
    match admin {
        Admin::Grant(args) => grant::run(settings, args).await,
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
