//! Public information about the site.

use domain::{Phone, Role};
use storage::users;

use crate::{App, Error};

/// A demo account that visitors can log in as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoAccount {
    pub role: Role,
    pub phone: &'static str,
    pub nick_name: String,
    pub icon: String,
}

/// The visitor, the merchant and the admin. The purge of demo data needs them in every build, so they do not come from the
/// crate `demo`, which a build may lack; a test compares them.
pub(crate) const DEMO_PHONES: [&str; 3] = ["13800000001", "13800000002", "13800000003"];

/// The phone number before the first demo user's: demo users are numbered by id from here on.
pub(crate) const DEMO_PHONE_BASE: i64 = 13_800_000_000;

/// The existing demo accounts; none on a site that really sends codes.
pub async fn list_demo_accounts(app: &App) -> Result<Vec<DemoAccount>, Error> {
    if !app.sender().is_demo() {
        return Ok(Vec::new());
    }
    let mut accounts = Vec::new();
    for phone in DEMO_PHONES {
        let contact = Phone::parse(phone).expect("demo numbers are valid").into();
        let user = users::find_by_contact(app.db(), &contact).await?;
        accounts.extend(user.map(|user| DemoAccount {
            role: user.role,
            phone,
            nick_name: user.nick_name,
            icon: user.icon,
        }));
    }
    Ok(accounts)
}

#[cfg(all(test, feature = "demo"))]
mod tests {
    use super::*;

    #[test]
    fn demo_phones_are_those_of_the_demo_data() {
        let phones = [demo::VISITOR_PHONE, demo::MERCHANT_PHONE, demo::ADMIN_PHONE];
        assert_eq!(DEMO_PHONES, phones);
        let visitor: i64 = demo::VISITOR_PHONE.parse().unwrap();
        assert_eq!(visitor, DEMO_PHONE_BASE + 1);
    }
}
