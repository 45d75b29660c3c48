//! Rows for what the original kept in Redis alone: likes, check-ins, orders on their way, and a mark that they are here.
//!
//! Every write may be repeated: it adds what is missing and changes nothing else.

mod likes;
mod orders;

use std::collections::HashSet;

use domain::{NoteId, UserId};
use jiff::civil::Date;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, Value};

pub use likes::{add_likes, list_likers};
pub use orders::{
    AdoptedOrder, OrderObstacle, add_order, find_obstacle, list_buyers, list_known_orders,
};

use crate::entity::{blog, user};
use crate::sql::{IDS_PER_QUERY, execute, insert_missing, placeholders, statement};
use crate::{Db, Error, time};

/// The mark of a completed import from the original's Redis; its value is the moment.
const REDIS_IMPORTED: &str = "adopted_redis";

/// Which of these users exist.
pub async fn known_users(db: &Db, ids: &[UserId]) -> Result<HashSet<UserId>, Error> {
    let mut known = HashSet::new();
    for chunk in ids.chunks(IDS_PER_QUERY) {
        let find = user::Entity::find()
            .select_only()
            .column(user::Column::Id)
            .filter(user::Column::Id.is_in(chunk.iter().map(|id| id.get())))
            .into_tuple::<i64>()
            .all(db.reader());
        let found = db.run("find users", find).await?;
        known.extend(found.into_iter().map(UserId::new));
    }
    Ok(known)
}

/// Whether the note exists, hidden or not.
pub async fn is_note(db: &Db, id: NoteId) -> Result<bool, Error> {
    let find = blog::Entity::find_by_id(id.get()).one(db.reader());
    Ok(db.run("find note", find).await?.is_some())
}

/// Adds check-ins of one month that are missing and returns their number.
pub async fn add_check_ins(db: &Db, user: UserId, days: &[Date]) -> Result<u64, Error> {
    if days.is_empty() {
        return Ok(0);
    }
    let (verb, tail) = insert_missing(db.backend());
    let row = format!("({})", placeholders(6));
    let rows = vec![row.as_str(); days.len()].join(", ");
    let sql = format!(
        "{verb} tb_sign (user_id, year, month, date, is_backup, create_time) VALUES {rows}{tail}"
    );
    let values = days.iter().flat_map(|day| -> [Value; 6] {
        let date = time::date_to_sql(*day);
        [
            user.get().into(),
            day.year().into(),
            i16::from(day.month()).into(),
            date.into(),
            0_i16.into(),
            date.and_time(chrono::NaiveTime::MIN).into(),
        ]
    });
    let values: Vec<Value> = values.collect();
    db.run("add check-ins", execute(db.writer(), sql, values))
        .await
}

/// When the original's Redis was brought along, if it was.
pub async fn redis_imported_at(db: &Db) -> Result<Option<String>, Error> {
    let sql = "SELECT value FROM tb_site_mark WHERE name = ?";
    let statement = statement(db.reader(), sql, [REDIS_IMPORTED.into()]);
    let read = async {
        let row = db.writer().query_one_raw(statement).await?;
        row.map(|row| row.try_get("", "value")).transpose()
    };
    db.run("read mark of adoption", read).await
}

/// Records that the original's Redis was brought along, with an entry in the audit log.
pub async fn mark_redis_imported(db: &Db, detail: &str) -> Result<(), Error> {
    let mark = async {
        let transaction = db.begin().await?;
        let sql = "REPLACE INTO tb_site_mark (name, value) VALUES (?, ?)";
        let values: [Value; 2] = [REDIS_IMPORTED.into(), time::to_text(time::now()).into()];
        execute(&transaction, sql, values).await?;
        crate::audit::insert(&transaction, None, "adopt_redis", "site", detail).await?;
        transaction.commit().await?;
        Ok(())
    };
    db.run("mark adoption", mark).await
}
