//! Running sums of the ledger: `tb_ledger_sum` holds, for each account, the sum of its entries up to a mark.
//!
//! A reader adds the few entries above the mark to the stored sum instead of reading the history. Entries below the
//! mark may move to the archive without changing any sum. [`check_running_sums`] recomputes everything, archive
//! included.
//!
//! Ids are assigned before their transactions commit, so an entry may appear below an existing one. Only entries
//! older than any transaction can last are folded: no new entry can appear below them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use crate::db::DatabaseTransaction;
use crate::sql::{Merge, execute, statement, upsert};
use crate::{Backend, Db, Error, time};

/// The name of the mark in `tb_id_mark`.
pub(crate) const FOLDED: &str = "ledger:folded";

/// The mark as an SQL expression.
pub(crate) const MARK: &str =
    "COALESCE((SELECT mark FROM tb_id_mark WHERE name = 'ledger:folded'), 0)";

/// Adds at most `limit` entries above the mark that are older than `before` to the running sums and raises the mark.
/// Returns the number of entries.
pub async fn fold_entries(db: &Db, before: Timestamp, limit: u32) -> Result<usize, Error> {
    let fold = async {
        let transaction = db.begin().await?;
        let mark = lock_mark(&transaction).await?;
        let entries = read_above(&transaction, mark, limit).await?;
        let before = time::to_sql(before);
        let old: Vec<LedgerEntry> = entries
            .into_iter()
            .take_while(|entry| entry.create_time < before)
            .collect();
        if let Some(last) = old.last() {
            add_to_sums(db, &transaction, &old).await?;
            raise_mark(&transaction, last.id).await?;
        }
        transaction.commit().await?;
        Ok(old.len())
    };
    db.run("fold ledger entries", fold).await
}

/// Counts the accounts whose running sum differs from the sum of their entries. Reads the whole history including the
/// archive; meant for an operator's check.
pub async fn check_running_sums(db: &Db) -> Result<i64, Error> {
    let sql = format!(
        "SELECT COUNT(*) AS number FROM (SELECT account FROM (\
            SELECT account, amount_cents FROM tb_ledger_sum \
            UNION ALL SELECT account, -amount_cents FROM tb_ledger_entry WHERE id <= {MARK} \
            UNION ALL SELECT account, -amount_cents FROM tb_ledger_entry_archive) AS both_sides \
         GROUP BY account HAVING SUM(amount_cents) <> 0) AS wrong"
    );
    let statement = statement(db.reader(), sql, []);
    let check = async {
        let row = db.reader().query_one_raw(statement).await?;
        row.map_or(Ok(0), |row| row.try_get("", "number"))
    };
    db.run("check running sums", check).await
}

/// Reads the mark and locks it until the end of the transaction.
pub(crate) async fn lock_mark(transaction: &DatabaseTransaction) -> Result<i64, DbErr> {
    // One upsert takes an exclusive lock. MySQL's INSERT IGNORE takes a shared one, and two transactions that both
    // upgrade it deadlock.
    let tail = upsert(Backend::of(transaction), "name", &[("mark", Merge::Keep)]);
    let sql = format!("INSERT INTO tb_id_mark (name, mark) VALUES (?, 0) {tail}");
    execute(transaction, sql, [FOLDED.into()]).await?;
    let read = statement(
        transaction,
        "SELECT mark FROM tb_id_mark WHERE name = ?",
        [FOLDED.into()],
    );
    let row = transaction.query_one_raw(read).await?;
    row.map_or(Ok(0), |row| row.try_get("", "mark"))
}

async fn raise_mark(transaction: &DatabaseTransaction, to: i64) -> Result<(), DbErr> {
    let sql = "UPDATE tb_id_mark SET mark = ? WHERE name = ?";
    execute(transaction, sql, [to.into(), FOLDED.into()]).await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct LedgerEntry {
    id: i64,
    account: String,
    amount_cents: i64,
    create_time: chrono::NaiveDateTime,
}

async fn read_above(
    transaction: &DatabaseTransaction,
    mark: i64,
    limit: u32,
) -> Result<Vec<LedgerEntry>, DbErr> {
    let sql = "SELECT id, account, amount_cents, create_time FROM tb_ledger_entry \
        WHERE id > ? ORDER BY id LIMIT ?";
    let values: [Value; 2] = [mark.into(), limit.into()];
    LedgerEntry::find_by_statement(statement(transaction, sql, values))
        .all(transaction)
        .await
}

/// In the order of the accounts, so that concurrent folds cannot deadlock.
async fn add_to_sums(
    db: &Db,
    transaction: &DatabaseTransaction,
    entries: &[LedgerEntry],
) -> Result<(), DbErr> {
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    for entry in entries {
        *sums.entry(&entry.account).or_default() += entry.amount_cents;
    }
    let tail = upsert(db.backend(), "account", &[("amount_cents", Merge::Add)]);
    for (account, cents) in sums {
        let sql = format!("INSERT INTO tb_ledger_sum (account, amount_cents) VALUES (?, ?) {tail}");
        execute(transaction, sql, [account.into(), cents.into()]).await?;
    }
    Ok(())
}
