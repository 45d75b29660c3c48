//! The record of what operators and merchants did. Rows are only ever added.

use domain::UserId;
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbErr, EntityTrait};

use crate::entity::audit::{ActiveModel, Entity};
use crate::{Db, Error, time};

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
