//! The index behind the search: `tb_shop_gram` has a row for every pair of neighbouring characters in a shop's name.
//!
//! Invariant: every pair of a name has its row. A row too many does no harm, because the search checks the name itself;
//! a row too few would hide a shop. So pairs are added in the transaction that writes the name, and [`index_names`] adds
//! those of names that were written past this crate.
//!
//! Characters are kept in lower case, each by itself: both databases then agree on what is the same, which their own
//! rules of comparison do not.

use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Statement, Value,
};

use crate::entity::{shop, shop_gram};
use crate::{Db, Error};

/// Two values each: SQLite allows 32,766 in a statement, and one of this size is quick to parse.
const ROWS_PER_STATEMENT: usize = 4_000;

/// About ten rows of the index each: a transaction well below a second.
const NAMES_PER_TRANSACTION: u64 = 2_000;

/// Adds what is missing for every shop; for `rebuild`, and after rows were written by other means.
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

/// Adds the pairs of the next names above the id, and returns the last id; nothing when there are no more.
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

/// Passes over rows that are there.
pub(crate) async fn add_grams(
    transaction: &impl ConnectionTrait,
    names: &[(i64, &str)],
) -> Result<(), DbErr> {
    let pairs_of = |&(id, name): &(i64, &str)| pairs(name).into_iter().map(move |gram| (gram, id));
    let mut rows: Vec<(String, i64)> = names.iter().flat_map(pairs_of).collect();
    // In the order of the index, neighbouring rows go to the same page of it.
    rows.sort_unstable();
    let backend = transaction.get_database_backend();
    for chunk in rows.chunks(ROWS_PER_STATEMENT) {
        let values = chunk
            .iter()
            .flat_map(|(gram, id)| -> [Value; 2] { [gram.as_str().into(), (*id).into()] });
        let sql = insert_sql(backend, chunk.len());
        let statement = Statement::from_sql_and_values(backend, sql, values);
        transaction.execute_raw(statement).await?;
    }
    Ok(())
}

/// Takes the pairs of a name away that its shop no longer has.
pub(super) async fn remove_grams(
    transaction: &impl ConnectionTrait,
    id: i64,
    name: &str,
) -> Result<(), DbErr> {
    shop_gram::Entity::delete_many()
        .filter(shop_gram::Column::Gram.is_in(pairs(name)))
        .filter(shop_gram::Column::ShopId.eq(id))
        .exec(transaction)
        .await?;
    Ok(())
}

fn insert_sql(backend: DbBackend, rows: usize) -> String {
    let (verb, tail) = match backend {
        DbBackend::MySql => ("INSERT IGNORE INTO", ""),
        _ => ("INSERT INTO", " ON CONFLICT DO NOTHING"),
    };
    let values = vec!["(?, ?)"; rows].join(", ");
    format!("{verb} tb_shop_gram (gram, shop_id) VALUES {values}{tail}")
}

/// Every two neighbouring characters, in lower case, each pair once.
pub(super) fn pairs(text: &str) -> Vec<String> {
    let folded: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let mut pairs: Vec<String> = folded.windows(2).map(String::from_iter).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_overlap_and_are_in_lower_case() {
        assert_eq!(pairs("KFC店"), ["c店", "fc", "kf"]);
        assert_eq!(pairs("哈哈哈"), ["哈哈"]);
        assert!(pairs("店").is_empty());
        assert!(pairs("").is_empty());
    }
}
