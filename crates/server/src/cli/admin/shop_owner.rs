//! `tandian admin shops` and `tandian admin shop-owner`: which shops nobody manages, and who manages them from now on.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::bail;
use app::shops::{self, AssignRefusal};
use app::{App, account};
use domain::{Contact, Role, ShopId};
use storage::shops::{OwnedShop, OwnerRefusal, Shop};
use storage::users::User;

use super::parse_contact;
use crate::cli::print::print;
use crate::cli::site::OpenSite;
use crate::settings::Settings;

/// A screen or two; the next ones begin where these end.
const LISTED_DEFAULT: u64 = 100;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ShopsArgs {
    /// Begin after the shop of this id
    #[arg(long, value_name = "ID", default_value_t = 0)]
    after: i64,
    /// How many to list
    #[arg(long, default_value_t = LISTED_DEFAULT, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    limit: u64,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ShopOwnerArgs {
    /// The id of the shop, or several separated by commas
    #[arg(
        value_name = "SHOP",
        required = true,
        num_args = 1,
        value_delimiter = ',',
        value_parser = clap::value_parser!(i64).range(1..)
    )]
    shops: Vec<i64>,
    /// The new owner's phone number or e-mail address
    #[arg(value_name = "PHONE|EMAIL", value_parser = parse_contact)]
    contact: Contact,
    /// Make the new owner a merchant, if they are not one
    #[arg(long)]
    grant: bool,
    /// Take shops from their present owners as well
    #[arg(long)]
    replace: bool,
}

pub(super) async fn list(settings: Settings, args: ShopsArgs) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let listed = describe(&site.app, &args).await;
    print(&site.close(listed).await?)?;
    Ok(ExitCode::SUCCESS)
}

async fn describe(app: &App, args: &ShopsArgs) -> anyhow::Result<String> {
    let count = shops::count_without_owner(app).await?;
    if count == 0 {
        return Ok("Every shop has an owner.\n".to_owned());
    }
    let mut text = format!("{count} shop(s) without an owner:\n");
    let listed = shops::list_without_owner(app, ShopId::new(args.after), args.limit).await?;
    for shop in &listed {
        let _ = writeln!(text, "  {}  {}  {}", shop.id, shop.name, shop.address);
    }
    if let Some(last) = listed.last().filter(|_| listed.len() as u64 == args.limit) {
        let _ = writeln!(text, "More: tandian admin shops --after {}", last.id);
    }
    text.push_str("Give one to its owner: tandian admin shop-owner <shop> <phone or e-mail>\n");
    Ok(text)
}

pub(super) async fn run(settings: Settings, args: ShopOwnerArgs) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let assigned = assign(&site.app, &args).await;
    let (owner, shops) = site.close(assigned).await?;
    let mut text = String::new();
    for shop in shops {
        let _ = writeln!(
            text,
            "Shop {} ({}) belongs to user {}.",
            shop.id, shop.name, owner.id
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Shop by shop: those before a refusal keep their new owner, and the same command again changes nothing about them.
async fn assign(app: &App, args: &ShopOwnerArgs) -> anyhow::Result<(User, Vec<Shop>)> {
    let owner = find_owner(app, args).await?;
    let owned = match args.replace {
        true => OwnedShop::Replace,
        false => OwnedShop::Refuse,
    };
    let mut assigned = Vec::new();
    for id in &args.shops {
        match shops::assign_owner(app, ShopId::new(*id), &owner, owned).await? {
            Ok(shop) => assigned.push(shop),
            Err(refusal) => bail!("{}", words(*id, refusal, assigned.len())),
        }
    }
    Ok((owner, assigned))
}

async fn find_owner(app: &App, args: &ShopOwnerArgs) -> anyhow::Result<User> {
    let who = args.contact.masked();
    let Some(user) = account::find_by_contact(app, &args.contact).await? else {
        bail!("nobody has signed in with {who} yet: sign in once, then assign the shop");
    };
    if user.role != Role::User {
        return Ok(user);
    }
    if !args.grant {
        bail!(
            "{who} (user {}) is not a merchant: repeat with --grant to make them one, \
             or run `tandian admin grant` first",
            user.id
        );
    }
    let granted = account::grant_role(app, &args.contact, Role::Merchant).await?;
    granted.ok_or_else(|| anyhow::anyhow!("{who} was deleted meanwhile"))
}

fn words(id: i64, refusal: AssignRefusal, done: usize) -> String {
    let reason = match refusal {
        AssignRefusal::Shop(OwnerRefusal::NoSuchShop) => {
            "there is no such shop: `tandian admin shops` lists those without an owner".to_owned()
        }
        AssignRefusal::Shop(OwnerRefusal::Owned(user)) => {
            format!("it belongs to user {user}: repeat with --replace to take it from them")
        }
        AssignRefusal::NotMerchant => "the new owner is not a merchant any more".to_owned(),
        AssignRefusal::Blocked => {
            "the new owner is blocked: `tandian admin unblock` first".to_owned()
        }
    };
    format!("shop {id} was not assigned, {done} before it were: {reason}")
}
