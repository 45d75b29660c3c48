//! `tandian admin credit`: adds to a person's balance, by an entry of the ledger and a line of the audit.

use std::process::ExitCode;

use anyhow::bail;
use app::{App, payments};
use domain::Contact;
use storage::users::User;

use super::parse_contact;
use crate::cli::print::print;
use crate::cli::site::OpenSite;
use crate::settings::Settings;

/// A million yuan; a larger amount is a typing error.
const MAX_CENTS: i64 = 100_000_000;

/// What the ledger keeps of a reference.
const REFERENCE_MAX_CHARS: usize = 64;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct CreditArgs {
    /// The person's phone number or e-mail address
    #[arg(value_name = "PHONE|EMAIL", value_parser = parse_contact)]
    contact: Contact,
    /// How much to add, in cents
    #[arg(value_parser = clap::value_parser!(i64).range(1..=MAX_CENTS))]
    cents: i64,
    /// Names this credit, such as the number of a receipt: the same one again adds nothing
    #[arg(long, value_parser = parse_reference)]
    reference: Option<String>,
}

pub(super) async fn run(settings: Settings, args: CreditArgs) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let credited = credit(&site.app, &args).await;
    let (user, balance) = site.close(credited).await?;
    let (who, id) = (args.contact.masked(), user.id);
    print(&format!(
        "{who} (user {id}) has a balance of {balance} cents.\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

async fn credit(app: &App, args: &CreditArgs) -> anyhow::Result<(User, i64)> {
    let given = args.reference.clone();
    let reference = given.unwrap_or_else(|| format!("{:032x}", rand::random::<u128>()));
    let credited = payments::credit(app, &args.contact, args.cents, &reference);
    match credited.await? {
        Some(credited) => Ok(credited),
        None => bail!(
            "nobody has signed in with {} yet: sign in once, then add to the balance",
            args.contact.masked()
        ),
    }
}

fn parse_reference(text: &str) -> Result<String, String> {
    let fits = (1..=REFERENCE_MAX_CHARS).contains(&text.len());
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    if fits && is_plain {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "must have 1 to {REFERENCE_MAX_CHARS} visible ASCII characters"
        ))
    }
}
