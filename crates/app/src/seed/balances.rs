//! Starting balances of the demo accounts.

use domain::Phone;
use storage::users;

use super::SeedError;
use crate::site::DEMO_PHONES;
use crate::{App, payments};

/// Enough for many purchases.
const STARTING_CENTS: i64 = 100_000;

/// Credits each demo account once, by a ledger entry like any other.
pub(super) async fn grant(app: &App) -> Result<(), SeedError> {
    for phone in DEMO_PHONES {
        let contact = Phone::parse(phone).expect("demo numbers are valid").into();
        if let Some(user) = users::find_by_contact(app.db(), &contact).await? {
            let reference = format!("seed_{}", user.id);
            payments::add(app, user.id, STARTING_CENTS, payments::DEMO, &reference).await?;
        }
    }
    Ok(())
}
