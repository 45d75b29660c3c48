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

pub(crate) const DEMO_PHONES: [&str; 3] =
    [demo::VISITOR_PHONE, demo::MERCHANT_PHONE, demo::ADMIN_PHONE];

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
