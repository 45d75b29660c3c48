//! Who may do what, as far as the role decides. Whose shop it is decides SQL, on the row itself.

use domain::Role;
use kv::Session;
use storage::shops::Principal;

use crate::Refusal;

/// On whose word something of a shop is changed, if they are in the trade at all.
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
