//! The audit log of what operators and merchants did. Rows are only appended; retention deletes them by age, except
//! the actions in [`KEPT`].

use domain::UserId;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

use crate::entity::audit::{ActiveModel, Column, Entity};
use crate::{Db, Error, time};

/// A payment that matches no request. It has no other row.
pub const PAYMENT_DISPUTED: &str = "payment_disputed";

/// A seed of demo data completed; the next seed looks for this entry.
pub const SEED: &str = "seed";

/// Actions that retention never deletes, because [`is_recorded`] reads them.
pub(crate) const KEPT: [&str; 2] = [PAYMENT_DISPUTED, SEED];

/// Appends one entry. `actor` is `None` for the operator at the command line.
pub async fn record(
    db: &Db,
    actor: Option<UserId>,
    action: &str,
    subject: &str,
    detail: &str,
) -> Result<(), Error> {
    let insert = insert(db.writer(), actor, action, subject, detail);
    db.run("record audit", insert).await
}

/// Whether an entry with this action and subject exists.
pub async fn is_recorded(db: &Db, action: &str, subject: &str) -> Result<bool, Error> {
    let find = Entity::find()
        .filter(Column::Action.eq(action))
        .filter(Column::Subject.eq(subject))
        .one(db.reader());
    Ok(db.run("read audit", find).await?.is_some())
}

/// For functions that append the entry in the transaction of the audited change.
pub(crate) async fn insert(
    connection: &impl ConnectionTrait,
    actor: Option<UserId>,
    action: &str,
    subject: &str,
    detail: &str,
) -> Result<(), DbErr> {
    let line = ActiveModel {
        actor_id: Set(actor.map(UserId::get)),
        action: Set(action.to_owned()),
        subject: Set(subject.to_owned()),
        detail: Set(detail.to_owned()),
        create_time: Set(time::now()),
        ..Default::default()
    };
    // One statement: with a second one that reads the row back, a failure there would report an error for a stored
    // row.
    Entity::insert(line)
        .exec_without_returning(connection)
        .await?;
    Ok(())
}
