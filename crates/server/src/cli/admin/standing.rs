//! `tandian admin block | unblock | sign-out`: shuts a person out, lets them in again, or ends their sessions.
//!
//! All processes of the site apply it at once: sessions are refused and open pages end within a second.

use std::process::ExitCode;

use anyhow::bail;
use app::{App, account};
use storage::users::User;

use super::Person;
use crate::cli::print::print;
use crate::cli::site::OpenSite;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct AccountArgs {
    /// The person's phone number or e-mail address, or user: and the number of their page for who has neither
    #[arg(value_name = "PHONE|EMAIL|user:NUMBER", value_parser = Person::parse)]
    person: Person,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum AccountChange {
    Block,
    Unblock,
    SignOut,
}

impl AccountChange {
    fn outcome(self) -> &'static str {
        match self {
            Self::Block => "is blocked and signed out everywhere",
            Self::Unblock => "may sign in again",
            Self::SignOut => "is signed out everywhere",
        }
    }
}

pub(super) async fn run(
    settings: Settings,
    args: AccountArgs,
    change: AccountChange,
) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let changed = apply(&site.app, &args.person, change).await;
    let user = site.close(changed).await?;
    let (who, outcome) = (args.person.masked(), change.outcome());
    print(&format!("{who} (user {}) {outcome}.\n", user.id))?;
    Ok(ExitCode::SUCCESS)
}

async fn apply(app: &App, person: &Person, change: AccountChange) -> anyhow::Result<User> {
    let user = person.find(app).await?;
    match change {
        AccountChange::Block => known(account::block(app, None, user.id).await?)?,
        AccountChange::Unblock => known(account::unblock(app, None, user.id).await?)?,
        AccountChange::SignOut => account::sign_out_everywhere(app, user.id).await?,
    }
    Ok(user)
}

fn known(changed: Option<User>) -> anyhow::Result<()> {
    if changed.is_none() {
        bail!(
            "the account is closed and about to be erased: nobody can sign in to it, and there is nothing to change"
        );
    }
    Ok(())
}
