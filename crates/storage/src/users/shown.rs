//! Which private profile fields a user shows: `tb_profile_shown`. Without a row, none.

use domain::{Shown, ShownChange, UserId};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use crate::db::DatabaseTransaction;
use crate::sql::{execute, statement};
use crate::{Db, Error, time};

pub async fn get_shown(db: &Db, id: UserId) -> Result<Shown, Error> {
    db.run("get shown fields", read(db.reader(), id)).await
}

/// The update before locked the user's row, so concurrent changes of one profile serialise.
pub(super) async fn write(
    transaction: &DatabaseTransaction,
    id: UserId,
    change: ShownChange,
) -> Result<(), DbErr> {
    if change == ShownChange::default() {
        return Ok(());
    }
    let shown = read(transaction, id).await?.changed(change);
    let sql = "REPLACE INTO tb_profile_shown (user_id, city, gender, birthday, update_time) \
        VALUES (?, ?, ?, ?, ?)";
    let flag = |is_shown: bool| Value::from(i16::from(is_shown));
    let values: [Value; 5] = [
        id.get().into(),
        flag(shown.city),
        flag(shown.gender),
        flag(shown.birthday),
        time::now().into(),
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}

async fn read(connection: &impl ConnectionTrait, id: UserId) -> Result<Shown, DbErr> {
    let sql = "SELECT city, gender, birthday FROM tb_profile_shown WHERE user_id = ?";
    let statement = statement(connection, sql, [id.get().into()]);
    let row = ShownRow::find_by_statement(statement)
        .one(connection)
        .await?;
    Ok(row.map_or_else(Shown::default, |row| Shown {
        city: row.city != 0,
        gender: row.gender != 0,
        birthday: row.birthday != 0,
    }))
}

#[derive(FromQueryResult)]
struct ShownRow {
    city: i16,
    gender: i16,
    birthday: i16,
}
