//! When the owner of an account last proved their phone number by a code: `tb_phone_proof`.
//!
//! Operators give numbers that are out of use to other people. A number that was not proven for long may be somebody else's.

use domain::UserId;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, Value};

use crate::db::DatabaseTransaction;
use crate::entity::phone_proof;
use crate::sql::execute;
use crate::{Db, Error, time};

/// `None` for an account whose number was not proven since the site keeps proofs.
pub async fn get(db: &Db, user: UserId) -> Result<Option<Timestamp>, Error> {
    let find = phone_proof::Entity::find_by_id(user.get()).one(db.reader());
    let row = db.run("get phone proof", find).await?;
    Ok(row.map(|row| time::from_sql(row.proven_at)))
}

pub async fn record(db: &Db, user: UserId, at: Timestamp) -> Result<(), Error> {
    db.run("record phone proof", replace(db.writer(), user, at))
        .await
}

pub(crate) async fn write(
    transaction: &DatabaseTransaction,
    user: UserId,
    at: Timestamp,
) -> Result<(), DbErr> {
    replace(transaction, user, at).await
}

pub(crate) async fn delete(transaction: &DatabaseTransaction, user: UserId) -> Result<(), DbErr> {
    let sql = "DELETE FROM tb_phone_proof WHERE user_id = ?";
    execute(transaction, sql, [user.get().into()]).await?;
    Ok(())
}

async fn replace(
    connection: &impl ConnectionTrait,
    user: UserId,
    at: Timestamp,
) -> Result<(), DbErr> {
    let sql = "REPLACE INTO tb_phone_proof (user_id, proven_at) VALUES (?, ?)";
    let values: [Value; 2] = [user.get().into(), time::to_sql(at).into()];
    execute(connection, sql, values).await?;
    Ok(())
}
