//! What people recommend at a shop: `tb_blog_dish` has what each visible note recommends, `tb_shop_dish` how many people
//! recommend each dish.
//!
//! Invariant: `people` is the number of different authors in `tb_blog_dish`; a dish of nobody has no row. Both tables change
//! under the lock of the shop's row, in the transaction of the note. So a page reads as many rows as it shows, however many
//! notes there are.

use std::collections::HashSet;

use domain::harmless::shown_name;
use domain::{Dish, NoteId, ShopId, UserId};
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::HIDDEN;
use super::lists::ListedNote;
use crate::blocks::not_blocked;
use crate::db::DatabaseTransaction;
use crate::entity::blog::Model;
use crate::sql::{self, Merge, execute, placeholders, statement, upsert};
use crate::{Backend, Db, Error};

/// A dish and how many people recommend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecommendedDish {
    /// As the first of the notes spells it.
    pub name: String,
    pub people: u32,
}

/// The most recommended dishes of the shop.
pub async fn list_dishes(db: &Db, shop: ShopId, limit: u32) -> Result<Vec<RecommendedDish>, Error> {
    let sql = "SELECT s.people AS people, COALESCE((SELECT d.name FROM tb_blog_dish d \
            WHERE d.shop_id = s.shop_id AND d.dish = s.dish ORDER BY d.blog_id LIMIT 1), s.dish) AS name \
         FROM tb_shop_dish s WHERE s.shop_id = ? ORDER BY s.people DESC, s.dish DESC LIMIT ?";
    let asked = statement(db.reader(), sql, [shop.get().into(), limit.into()]);
    let list = async {
        let rows = db.reader().query_all_raw(asked).await?;
        let dishes = rows.iter().map(|row| {
            let (name, people): (String, i32) =
                (row.try_get("", "name")?, row.try_get("", "people")?);
            Ok(RecommendedDish {
                name: shown_name(name),
                people: u32::try_from(people).unwrap_or(0),
            })
        });
        dishes.collect()
    };
    db.run("list dishes", list).await
}

/// One page of the notes that recommend the dish, newest first, without those of people whom the reader blocks; `page` counts
/// from 1.
pub async fn list_of_dish(
    db: &Db,
    reader: Option<UserId>,
    shop: ShopId,
    dish: &Dish,
    page: u32,
    size: u32,
) -> Result<Vec<ListedNote>, Error> {
    let wanted = reader.map(|_| format!("AND {}", not_blocked("b.user_id")));
    let sql = format!(
        "SELECT b.id AS id, b.liked AS liked, b.comments AS comments \
         FROM tb_blog_dish d JOIN tb_blog b ON b.id = d.blog_id \
         WHERE d.shop_id = ? AND d.dish = ? AND b.status <> {HIDDEN} {} \
         ORDER BY d.blog_id DESC LIMIT ? OFFSET ?",
        wanted.unwrap_or_default()
    );
    let found: [Value; 2] = [shop.get().into(), dish.key().into()];
    let reader = reader.map(|reader| Value::from(reader.get()));
    let place: [Value; 2] = [size.into(), sql::offset(page, size).into()];
    let values = found.into_iter().chain(reader).chain(place);
    let asked = statement(db.reader(), sql, values);
    let list = async {
        let rows = db.reader().query_all_raw(asked).await?;
        let notes = rows.iter().map(|row| {
            let count = |column| {
                let counter: i32 = row.try_get("", column)?;
                Ok::<u32, DbErr>(u32::try_from(counter).unwrap_or(0))
            };
            Ok(ListedNote {
                id: NoteId::new(row.try_get("", "id")?),
                likes: count("liked")?,
                comments: count("comments")?,
            })
        });
        notes.collect()
    };
    db.run("list notes of dish", list).await
}

/// Counts what a note recommends that begins to be seen. The caller has locked the shop.
pub(super) async fn add(
    transaction: &DatabaseTransaction,
    note: &Model,
    dishes: &[Dish],
) -> Result<(), DbErr> {
    if dishes.is_empty() {
        return Ok(());
    }
    let keys: Vec<String> = dishes.iter().map(Dish::key).collect();
    let known = recommended(transaction, note, &keys).await?;
    let backend = Backend::of(transaction);
    let rows = vec!["(?, ?, ?, ?, ?)"; dishes.len()].join(", ");
    let again = [("user_id", Merge::Replace), ("name", Merge::Replace)];
    let insert = format!(
        "INSERT INTO tb_blog_dish (shop_id, dish, blog_id, user_id, name) VALUES {rows} {}",
        upsert(backend, "shop_id, dish, blog_id", &again)
    );
    let values = dishes
        .iter()
        .zip(&keys)
        .flat_map(|(dish, key)| -> [Value; 5] {
            [
                note.shop_id.into(),
                key.as_str().into(),
                note.id.into(),
                note.user_id.into(),
                dish.name().into(),
            ]
        });
    execute(transaction, insert, values).await?;
    let new: Vec<&String> = keys.iter().filter(|key| !known.contains(*key)).collect();
    if new.is_empty() {
        return Ok(());
    }
    let count = format!(
        "INSERT INTO tb_shop_dish (shop_id, dish, people) VALUES {} {}",
        vec!["(?, ?, 1)"; new.len()].join(", "),
        upsert(backend, "shop_id, dish", &[("people", Merge::Add)])
    );
    let values = new
        .into_iter()
        .flat_map(|key| -> [Value; 2] { [note.shop_id.into(), key.as_str().into()] });
    execute(transaction, count, values).await?;
    Ok(())
}

/// Takes back what [`add`] counted. The caller has locked the shop, if it is there.
pub(super) async fn remove(
    transaction: &DatabaseTransaction,
    note: &Model,
    dishes: &[Dish],
) -> Result<(), DbErr> {
    if dishes.is_empty() {
        return Ok(());
    }
    let keys: Vec<String> = dishes.iter().map(Dish::key).collect();
    let delete = format!(
        "DELETE FROM tb_blog_dish WHERE shop_id = ? AND blog_id = ? AND dish IN ({})",
        placeholders(keys.len())
    );
    let values = ids_and(&[note.shop_id, note.id], &keys);
    execute(transaction, delete, values).await?;
    let left = recommended(transaction, note, &keys).await?;
    let gone: Vec<String> = keys.into_iter().filter(|key| !left.contains(key)).collect();
    if gone.is_empty() {
        return Ok(());
    }
    let these = format!("shop_id = ? AND dish IN ({})", placeholders(gone.len()));
    for sql in [
        format!("UPDATE tb_shop_dish SET people = people - 1 WHERE {these}"),
        format!("DELETE FROM tb_shop_dish WHERE {these} AND people <= 0"),
    ] {
        execute(transaction, sql, ids_and(&[note.shop_id], &gone)).await?;
    }
    Ok(())
}

/// Which of the dishes the author recommends at the shop, in whatever note.
async fn recommended(
    transaction: &DatabaseTransaction,
    note: &Model,
    keys: &[String],
) -> Result<HashSet<String>, DbErr> {
    let sql = format!(
        "SELECT DISTINCT dish FROM tb_blog_dish WHERE shop_id = ? AND user_id = ? AND dish IN ({})",
        placeholders(keys.len())
    );
    let values = ids_and(&[note.shop_id, note.user_id], keys);
    let rows = transaction
        .query_all_raw(statement(transaction, sql, values))
        .await?;
    rows.iter().map(|row| row.try_get("", "dish")).collect()
}

fn ids_and(ids: &[i64], keys: &[String]) -> Vec<Value> {
    let ids = ids.iter().map(|id| Value::from(*id));
    ids.chain(keys.iter().map(|key| key.as_str().into()))
        .collect()
}
