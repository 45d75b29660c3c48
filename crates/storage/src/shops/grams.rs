//! The index behind the search: `tb_shop_gram` has a row for every character and every pair of neighbouring characters
//! in a shop's name (both are called grams here).
//!
//! Invariant: every gram of a name has its row. An extra row is harmless, because the search checks the name itself;
//! a missing row would hide a shop. So grams are added in the transaction that writes the name, and [`index_names`]
//! adds those of names written by other means.
//!
//! Characters are stored in lower case, one by one: the two databases' own collations do not agree.

use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};

use crate::entity::{shop, shop_gram};
use crate::sql::{execute, insert_missing};
use crate::{Backend, Db, Error};

/// Two values each: SQLite allows 32,766 in a statement, and one of this size is quick to parse.
const ROWS_PER_STATEMENT: usize = 4_000;

/// About twenty rows of the index each: a transaction well below a second.
const NAMES_PER_TRANSACTION: u64 = 2_000;

/// Adds missing grams of every shop; for `rebuild`, and after rows were written by other means.
pub async fn index_names(db: &Db) -> Result<(), Error> {
    let mut after = 0;
    while let Some(last) = db.run("index shop names", index_next(db, after)).await? {
        after = last;
    }
    Ok(())
}

async fn index_next(db: &Db, after: i64) -> Result<Option<i64>, DbErr> {
    let transaction = db.begin().await?;
    let last = add_grams_above(&transaction, after).await?;
    transaction.commit().await?;
    Ok(last)
}

/// Adds the grams of the next batch of names above the id and returns the last id; `None` at the end.
pub(crate) async fn add_grams_above(
    transaction: &impl ConnectionTrait,
    after: i64,
) -> Result<Option<i64>, DbErr> {
    let names: Vec<(i64, String)> = shop::Entity::find()
        .select_only()
        .columns([shop::Column::Id, shop::Column::Name])
        .filter(shop::Column::Id.gt(after))
        .order_by_asc(shop::Column::Id)
        .limit(NAMES_PER_TRANSACTION)
        .into_tuple()
        .all(transaction)
        .await?;
    let names: Vec<(i64, &str)> = names
        .iter()
        .map(|(id, name)| (*id, name.as_str()))
        .collect();
    add_grams(transaction, &names).await?;
    Ok(names.last().map(|(id, _)| *id))
}

/// Existing rows are skipped.
pub(crate) async fn add_grams(
    transaction: &impl ConnectionTrait,
    names: &[(i64, &str)],
) -> Result<(), DbErr> {
    let grams_of = |&(id, name): &(i64, &str)| grams(name).into_iter().map(move |gram| (gram, id));
    let mut rows: Vec<(String, i64)> = names.iter().flat_map(grams_of).collect();
    // In the order of the index, neighbouring rows go to the same page of it.
    rows.sort_unstable();
    let backend = Backend::of(transaction);
    for chunk in rows.chunks(ROWS_PER_STATEMENT) {
        let values = chunk
            .iter()
            .flat_map(|(gram, id)| -> [Value; 2] { [gram.as_str().into(), (*id).into()] });
        let sql = insert_sql(backend, chunk.len());
        execute(transaction, sql, values).await?;
    }
    Ok(())
}

/// Deletes the grams of a shop's former name.
pub(super) async fn remove_grams(
    transaction: &impl ConnectionTrait,
    id: i64,
    name: &str,
) -> Result<(), DbErr> {
    shop_gram::Entity::delete_many()
        .filter(shop_gram::Column::Gram.is_in(grams(name)))
        .filter(shop_gram::Column::ShopId.eq(id))
        .exec(transaction)
        .await?;
    Ok(())
}

fn insert_sql(backend: Backend, rows: usize) -> String {
    let (verb, tail) = insert_missing(backend);
    let values = vec!["(?, ?)"; rows].join(", ");
    format!("{verb} tb_shop_gram (gram, shop_id) VALUES {values}{tail}")
}

/// The fewest grams that identify names containing `text`: its pairs, or its only character.
pub(super) fn query_grams(text: &str) -> Vec<String> {
    let folded = fold(text);
    distinct(folded.windows(folded.len().clamp(1, 2)))
}

fn grams(name: &str) -> Vec<String> {
    let folded = fold(name);
    distinct(folded.windows(1).chain(folded.windows(2)))
}

fn fold(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

fn distinct<'c>(windows: impl Iterator<Item = &'c [char]>) -> Vec<String> {
    let mut grams: Vec<String> = windows.map(String::from_iter).collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_its_characters_and_pairs_in_lower_case() {
        assert_eq!(grams("KF店"), ["f", "f店", "k", "kf", "店"]);
        assert_eq!(grams("哈哈哈"), ["哈", "哈哈"]);
        assert!(grams("").is_empty());
    }

    #[test]
    fn a_needle_is_told_by_its_pairs_or_its_only_character() {
        assert_eq!(query_grams("KF店"), ["f店", "kf"]);
        assert_eq!(query_grams("K"), ["k"]);
        assert!(query_grams("").is_empty());
    }

    #[test]
    fn whatever_tells_a_needle_is_in_every_name_around_it() {
        let name = grams("海底捞火锅(水晶城店)");
        for needle in ["火", "火锅", "捞火锅(", "城店)"] {
            assert!(query_grams(needle).iter().all(|gram| name.contains(gram)));
        }
    }
}
