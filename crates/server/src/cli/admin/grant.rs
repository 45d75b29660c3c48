//! `tandian admin grant`: gives a person a role.

use std::process::ExitCode;

use anyhow::bail;
use app::{App, account};
use domain::{Contact, Role};
use storage::users::User;

use super::parse_contact;
use crate::cli::print::print;
use crate::cli::site::OpenSite;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct GrantArgs {
    /// The person's phone number or e-mail address
    #[arg(value_name = "PHONE|EMAIL", value_parser = parse_contact)]
    contact: Contact,
    /// user, merchant or admin
    role: Role,
}

pub(super) async fn run(settings: Settings, args: GrantArgs) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let granted = grant(&site.app, &args).await;
    let user = site.close(granted).await?;
    let (who, role) = (args.contact.masked(), user.role);
    print(&format!(
        "{who} (user {}) has the role {role} and signs in again to use it.\n",
        user.id
    ))?;
    Ok(ExitCode::SUCCESS)
}

async fn grant(app: &App, args: &GrantArgs) -> anyhow::Result<User> {
    match account::grant_role(app, &args.contact, args.role).await? {
        Some(user) => Ok(user),
        None => bail!(
            "nobody has signed in with {} yet: sign in once, then grant the role",
            args.contact.masked()
        ),
    }
}
