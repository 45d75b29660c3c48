//! `tandian admin …`: what only the operator at the command line may do.

use std::process::ExitCode;

use anyhow::bail;
use app::{App, account};
use clap::Subcommand;
use domain::{Contact, Email, Phone, Role};
use storage::users::User;

use super::print::print;
use super::site::Site;
use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(super) enum Admin {
    /// Give a person a role; running sessions show it at once
    Grant(Grant),
}

#[derive(Debug, clap::Args)]
pub(super) struct Grant {
    /// The person's phone number or e-mail address
    #[arg(value_name = "PHONE|EMAIL", value_parser = parse_contact)]
    contact: Contact,
    /// user, merchant or admin
    role: Role,
}

pub(super) async fn run(settings: Settings, Admin::Grant(args): Admin) -> anyhow::Result<ExitCode> {
    let site = Site::open(&settings).await?;
    let granted = grant(&site.app, &args).await;
    let user = site.close(granted).await?;
    let (who, role) = (args.contact.masked(), user.role);
    print(&format!("{who} (user {}) has the role {role}.\n", user.id))?;
    Ok(ExitCode::SUCCESS)
}

async fn grant(app: &App, args: &Grant) -> anyhow::Result<User> {
    match account::grant_role(app, &args.contact, args.role).await? {
        Some(user) => Ok(user),
        None => bail!(
            "nobody has signed in with {} yet: sign in once, then grant the role",
            args.contact.masked()
        ),
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
