//! Outbox payload of a changed user: live sessions must be updated from SQL.

use domain::UserId;
use sea_orm::{ConnectionTrait, DbErr};
use serde::{Deserialize, Serialize};

use crate::outbox;

/// The effect reads name, role and status from the row: a late repetition must not restore an older state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserChanged {
    pub id: UserId,
}

impl UserChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "user_changed";
}

/// Call it in the transaction that changes the user.
pub(crate) async fn enqueue_change(
    transaction: &impl ConnectionTrait,
    id: UserId,
) -> Result<(), DbErr> {
    let key = format!("user:{id}");
    outbox::append(transaction, UserChanged::KIND, &key, &UserChanged { id }).await
}
