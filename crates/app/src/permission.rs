//! Role checks. SQL checks on the row whose shop it is.

use domain::Role;
use kv::Session;
use storage::shops::Principal;

use crate::Refusal;

/// The principal for changes of a shop: an admin or a merchant.
pub(crate) fn shop_principal(session: &Session) -> Result<Principal, Refusal> {
    let profile = &session.profile;
    match profile.role {
        Role::Admin => Ok(Principal::Admin),
        Role::Merchant => Ok(Principal::Owner(profile.user_id)),
        Role::User => Err(Refusal::Forbidden),
    }
}

pub(crate) fn require_admin(session: &Session) -> Result<(), Refusal> {
    match session.profile.role {
        Role::Admin => Ok(()),
        Role::Merchant | Role::User => Err(Refusal::Forbidden),
    }
}
