//! What bulk notes recommend, and the recount of how many people recommend each dish.

use std::collections::HashSet;

use domain::Dish;
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::insert::{BulkRow, insert};
use super::notes::NoteRow;
use crate::notes::HIDDEN;
use crate::sql::{IDS_PER_QUERY, placeholders, statement};
use crate::{Backend, Db, Error};

/// Shops per transaction: each has some hundred dishes.
const SHOPS_PER_RANGE: i64 = 200;

/// A dish of a note.
struct DishRow<'n> {
    note: &'n NoteRow,
    dish: &'n Dish,
}

/// What these notes recommend. One that was there before may say something else, and is left out.
pub(super) async fn insert_dishes(db: &Db, notes: &[NoteRow]) -> Result<(), Error> {
    let recommending: Vec<&NoteRow> = notes
        .iter()
        .filter(|note| !note.opinion.dishes.is_empty())
        .collect();
    for notes in recommending.chunks(IDS_PER_QUERY) {
        let own = db.run("find dishes", ids_with_dishes(db, notes)).await?;
        let own = notes.iter().filter(|note| own.contains(&note.id.get()));
        let rows: Vec<DishRow<'_>> = own
            .flat_map(|note| {
                let dishes = note.opinion.dishes.iter();
                dishes.map(|dish| DishRow { note, dish })
            })
            .collect();
        insert(db, &rows).await?;
    }
    Ok(())
}

async fn ids_with_dishes(db: &Db, notes: &[&NoteRow]) -> Result<HashSet<i64>, DbErr> {
    let sql = format!(
        "SELECT id FROM tb_blog WHERE dishes <> '' AND id IN ({})",
        placeholders(notes.len())
    );
    let ids = notes.iter().map(|note| note.id.get().into());
    let rows = db
        .writer()
        .query_all_raw(statement(db.writer(), sql, ids))
        .await?;
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

impl BulkRow for DishRow<'_> {
    const OPERATION: &'static str = "insert dishes";
    const TABLE: &'static str = "tb_blog_dish";
    const COLUMNS: &'static [&'static str] = &["shop_id", "dish", "blog_id", "user_id", "name"];

    fn values(&self) -> Vec<Value> {
        vec![
            self.note.shop_id.get().into(),
            self.dish.key().into(),
            self.note.id.get().into(),
            self.note.user_id.get().into(),
            self.dish.name().into(),
        ]
    }
}

/// Counts who recommends what, at every shop, and forgets what gone and hidden notes recommend.
pub(super) async fn recount(db: &Db) -> Result<(), Error> {
    let mut after = 0;
    while let Some(last) = db.run("recount dishes", last_of_range(db, after)).await? {
        let work = recount_range(db, after, last);
        db.run("recount dishes", work).await?;
        after = last;
    }
    Ok(())
}

async fn last_of_range(db: &Db, after: i64) -> Result<Option<i64>, DbErr> {
    let sql = format!(
        "SELECT MAX(id) AS last FROM (SELECT id FROM tb_shop WHERE id > {after} \
         ORDER BY id LIMIT {SHOPS_PER_RANGE}) AS next"
    );
    let row = db.reader().query_one_raw(db.statement(&sql)).await?;
    row.map_or(Ok(None), |row| row.try_get("", "last"))
}

/// Whoever writes a note has locked its shop, so nothing of it changes here.
async fn recount_range(db: &Db, after: i64, last: i64) -> Result<(), DbErr> {
    let shops = format!("shop_id > {after} AND shop_id <= {last}");
    let transaction = db.begin().await?;
    if db.backend() == Backend::MySql {
        let lock = format!(
            "SELECT id FROM tb_shop FORCE INDEX (PRIMARY) WHERE id > {after} AND id <= {last} \
             ORDER BY id FOR UPDATE"
        );
        transaction.query_all_raw(db.statement(&lock)).await?;
    }
    for sql in [
        format!(
            "DELETE FROM tb_blog_dish WHERE {shops} AND NOT EXISTS (SELECT 1 FROM tb_blog b \
             WHERE b.id = tb_blog_dish.blog_id AND b.status <> {HIDDEN})"
        ),
        format!("DELETE FROM tb_shop_dish WHERE {shops}"),
        format!(
            "INSERT INTO tb_shop_dish (shop_id, dish, people) \
             SELECT shop_id, dish, COUNT(DISTINCT user_id) FROM tb_blog_dish WHERE {shops} \
             GROUP BY shop_id, dish"
        ),
    ] {
        transaction.execute_unprepared(&sql).await?;
    }
    transaction.commit().await
}
