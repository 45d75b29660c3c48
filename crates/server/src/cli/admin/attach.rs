//! `tandian admin attach`: gives an account a contact, such as one whose number went to somebody else.

use std::process::ExitCode;

use anyhow::bail;
use app::{App, account};
use domain::{Contact, UserId};
use storage::users::{ContactRefusal, User};

use super::parse_contact;
use crate::cli::print::print;
use crate::cli::site::OpenSite;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct AttachArgs {
    /// The number of the account, as in the address of the person's page
    user: i64,
    /// The phone number or e-mail address; it replaces the account's own of the same kind
    #[arg(value_name = "PHONE|EMAIL", value_parser = parse_contact)]
    contact: Contact,
}

pub(super) async fn run(settings: Settings, args: AttachArgs) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let attached = attach(&site.app, &args).await;
    let user = site.close(attached).await?;
    let who = args.contact.masked();
    print(&format!("User {} signs in with {who}.\n", user.id))?;
    Ok(ExitCode::SUCCESS)
}

async fn attach(app: &App, args: &AttachArgs) -> anyhow::Result<User> {
    let id = UserId::new(args.user);
    match account::attach_contact(app, id, &args.contact).await? {
        Some(Ok(user)) => Ok(user),
        Some(Err(ContactRefusal::Taken)) => bail!(
            "{} is another account's: remove it there first",
            args.contact.masked()
        ),
        Some(Err(ContactRefusal::Stale | ContactRefusal::Last)) => {
            bail!("user {id} is blocked or closed: unblock the account first")
        }
        None => bail!("there is no user {id}"),
    }
}
