//! What the outbox says of a changed person: running sessions are to show what SQL says now.

use domain::UserId;
use sea_orm::{ConnectionTrait, DbErr};
use serde::{Deserialize, Serialize};

use crate::outbox;

/// Names, role and block are read from the row: an effect that comes late or twice must not bring back an older state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserChanged {
    pub id: UserId,
}

impl UserChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "user_changed";
}

/// To be called in the transaction that changes the person.
pub(super) async fn announce(transaction: &impl ConnectionTrait, id: UserId) -> Result<(), DbErr> {
    let key = format!("user:{id}");
    outbox::append(transaction, UserChanged::KIND, &key, &UserChanged { id }).await
}
