//! The record of what operators and merchants did. Rows are added, never changed, and removed by age alone
//! (`retention`), except those of [`KEPT`].

use domain::UserId;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

use crate::entity::audit::{ActiveModel, Column, Entity};
use crate::{Db, Error, time};

/// Money came that nobody asked for. It has no other row.
pub const PAYMENT_DISPUTED: &str = "payment_disputed";

/// A seed of demo data came to its end; the next one looks for it.
pub const SEED: &str = "seed";

/// Actions whose lines stay however old they are: somebody asks for them ([`is_recorded`]).
pub(crate) const KEPT: [&str; 2] = [PAYMENT_DISPUTED, SEED];

/// Writes one line. `actor` is `None` for the operator at the command line.
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

/// Whether there is a line of this action and subject.
pub async fn is_recorded(db: &Db, action: &str, subject: &str) -> Result<bool, Error> {
    let find = Entity::find()
        .filter(Column::Action.eq(action))
        .filter(Column::Subject.eq(subject))
        .one(db.reader());
    Ok(db.run("read audit", find).await?.is_some())
}

/// For functions that write the line in the transaction of the deed itself.
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
    // One statement: read back by a second, a line could be kept although its writer was told that it was not.
    Entity::insert(line)
        .exec_without_returning(connection)
        .await?;
    Ok(())
}
