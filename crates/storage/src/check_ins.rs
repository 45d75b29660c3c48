//! Check-ins: `tb_sign`, one row per person and day.

use domain::UserId;
use jiff::civil::Date;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value};
use serde::{Deserialize, Serialize};

use crate::db::DatabaseTransaction;
use crate::entity::sign::{Column, Entity};
use crate::{Db, Error, outbox, sql, time};

/// Outbox payload: the day must be set in the Redis bitmap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedIn {
    pub user: UserId,
    pub date: Date,
}

impl CheckedIn {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "checked_in";
}

/// Records a check-in and returns whether it was the first of the day. Idempotent.
pub async fn check_in(db: &Db, user: UserId, date: Date) -> Result<bool, Error> {
    let check_in = async {
        let transaction = db.begin().await?;
        let is_first = insert(&transaction, user, date).await?;
        if is_first {
            let key = format!("sign:{user}:{date}");
            outbox::append(
                &transaction,
                CheckedIn::KIND,
                &key,
                &CheckedIn { user, date },
            )
            .await?;
        }
        transaction.commit().await?;
        Ok(is_first)
    };
    db.run("check in", check_in).await
}

/// The days in `from..=to` on which the user checked in, ascending. Reads the primary.
pub async fn list_days(db: &Db, user: UserId, from: Date, to: Date) -> Result<Vec<Date>, Error> {
    let find = Entity::find()
        .select_only()
        .column(Column::Date)
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::Date.between(time::date_to_sql(from), time::date_to_sql(to)))
        .order_by_asc(Column::Date)
        .into_tuple::<chrono::NaiveDate>()
        .all(db.reader());
    let days = db.run("list check-ins", find).await?;
    Ok(days.into_iter().filter_map(time::date_from_sql).collect())
}

/// At most `limit` users above `after` who ever checked in, by id.
pub async fn list_people(db: &Db, after: UserId, limit: u64) -> Result<Vec<UserId>, Error> {
    let find = Entity::find()
        .select_only()
        .column(Column::UserId)
        .filter(Column::UserId.gt(after.get()))
        .distinct()
        .order_by_asc(Column::UserId)
        .limit(limit)
        .into_tuple::<i64>()
        .all(db.reader());
    let ids = db.run("list people who checked in", find).await?;
    Ok(ids.into_iter().map(UserId::new).collect())
}

async fn insert(
    transaction: &DatabaseTransaction,
    user: UserId,
    date: Date,
) -> Result<bool, DbErr> {
    let insert = format!(
        "{} tb_sign (user_id, year, month, date, is_backup, create_time) VALUES (?, ?, ?, ?, 0, ?)",
        sql::insert_ignore(transaction)
    );
    let values: [Value; 5] = [
        user.get().into(),
        date.year().into(),
        i16::from(date.month()).into(),
        time::date_to_sql(date).into(),
        time::now().into(),
    ];
    Ok(sql::execute(transaction, insert, values).await? == 1)
}
