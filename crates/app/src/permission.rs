//! Who may do what, as far as the role decides. Whose shop it is decides SQL, on the row itself.

use domain::Role;
use kv::Session;
use storage::shops::Asker;

use crate::Refusal;

/// On whose word something of a shop is changed, if they are in the trade at all.
pub(crate) fn in_the_trade(session: &Session) -> Result<Asker, Refusal> {
    let profile = &session.profile;
    match profile.role {
        Role::Admin => Ok(Asker::Admin),
        Role::Merchant => Ok(Asker::Owner(profile.user_id)),
        Role::User => Err(Refusal::Forbidden),
    }
}

pub(crate) fn admin(session: &Session) -> Result<(), Refusal> {
    match session.profile.role {
        Role::Admin => Ok(()),
        Role::Merchant | Role::User => Err(Refusal::Forbidden),
    }
}
