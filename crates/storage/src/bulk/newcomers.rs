//! Users identified by phone number only: the database assigns their ids, as on a first login.

use domain::{Phone, UserId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, Value};

use super::insert::{BulkRow, insert};
use crate::time::to_sql;
use crate::{Db, Error, sql};

#[derive(Clone, Debug)]
pub struct NewcomerRow {
    pub phone: Phone,
    pub nick_name: String,
    pub created_at: Timestamp,
}

pub async fn insert_newcomers(db: &Db, rows: &[NewcomerRow]) -> Result<u64, Error> {
    insert(db, rows).await
}

/// The users with a number from `first` to `last`, by number. The caller bounds the range.
pub async fn list_ids_by_phone(db: &Db, first: &Phone, last: &Phone) -> Result<Vec<UserId>, Error> {
    let sql = "SELECT id FROM tb_user WHERE phone BETWEEN ? AND ? ORDER BY phone";
    let values: [Value; 2] = [first.as_str().into(), last.as_str().into()];
    let statement = sql::statement(db.reader(), sql, values);
    let list = async {
        let rows = db.reader().query_all_raw(statement).await?;
        let ids = rows.iter().map(|row| row.try_get("", "id"));
        ids.map(|id| id.map(UserId::new)).collect()
    };
    db.run("list people by phone", list).await
}

impl BulkRow for NewcomerRow {
    const OPERATION: &'static str = "insert newcomers";
    const TABLE: &'static str = "tb_user";
    const COLUMNS: &'static [&'static str] = &["phone", "nick_name", "create_time", "update_time"];

    fn values(&self) -> Vec<Value> {
        let created_at = to_sql(self.created_at);
        vec![
            self.phone.as_str().into(),
            self.nick_name.as_str().into(),
            created_at.into(),
            created_at.into(),
        ]
    }
}
