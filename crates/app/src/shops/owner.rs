//! Gives shops to their owners, for the operator at the command line.

use domain::{Role, ShopId};
use storage::shops::{self, OwnedShop, OwnerRefusal, Shop};
use storage::users::{User, UserStatus};

use super::edit::apply_now;
use crate::{App, Error};

/// Why a shop was not given to a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignRefusal {
    Shop(OwnerRefusal),
    /// The user can manage no shop: neither a merchant nor an admin.
    NotMerchant,
    Blocked,
}

/// Gives the shop to the user, who must be a merchant or an admin.
pub async fn assign_owner(
    app: &App,
    id: ShopId,
    owner: &User,
    owned: OwnedShop,
) -> Result<Result<Shop, AssignRefusal>, Error> {
    if owner.status != UserStatus::Active {
        return Ok(Err(AssignRefusal::Blocked));
    }
    if owner.role == Role::User {
        return Ok(Err(AssignRefusal::NotMerchant));
    }
    let assigned = shops::set_owner(app.db(), id, owner.id, owned, None).await?;
    let shop = match assigned {
        Ok(shop) => shop,
        Err(refusal) => return Ok(Err(AssignRefusal::Shop(refusal))),
    };
    apply_now(app, &shop, None).await;
    Ok(Ok(shop))
}

/// The next `limit` shops without an owner above `after`; begin with 0.
pub async fn list_without_owner(app: &App, after: ShopId, limit: u64) -> Result<Vec<Shop>, Error> {
    Ok(shops::list_without_owner(app.db(), after, limit).await?)
}

pub async fn count_without_owner(app: &App) -> Result<u64, Error> {
    Ok(shops::count_without_owner(app.db()).await?)
}
