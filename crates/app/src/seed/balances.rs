//! Something to pay with: the people a newcomer signs in as have a balance from the start.

use domain::Phone;
use storage::users;

use super::SeedError;
use crate::site::DEMO_PHONES;
use crate::{App, payments};

/// Enough for a shopping spree, and easy to recognise.
const STARTING_CENTS: i64 = 100_000;

/// The account that the money comes from.
const FROM: &str = "demo";

/// Gives each of them the same sum once, by an entry of the ledger like any other.
pub(super) async fn grant(app: &App) -> Result<(), SeedError> {
    for phone in DEMO_PHONES {
        let contact = Phone::parse(phone).expect("demo numbers are valid").into();
        if let Some(user) = users::find_by_contact(app.db(), &contact).await? {
            let reference = format!("seed_{}", user.id);
            payments::add(app, user.id, STARTING_CENTS, FROM, &reference).await?;
        }
    }
    Ok(())
}
