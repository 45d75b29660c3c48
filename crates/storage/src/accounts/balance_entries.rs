//! The statement of a balance: its ledger entries, newest first, each with the balance after it.
//!
//! A page is one statement, so it has one snapshot of the balance, the entries and their archive: an entry that is booked or
//! archived meanwhile is on the page once or not at all. The balance after an entry is the balance less all newer entries,
//! so the newest entry shows the balance itself. Whoever books on a balance holds the lock of its row first
//! ([`super::credit`], [`super::debit`]), so the ids of a balance's entries are in the order in which they were booked, and no
//! entry ever appears below a cursor.

use domain::{OrderId, UserId};
use jiff::Timestamp;
use sea_orm::{DbErr, FromQueryResult, Value};

use super::entry::{Account, TransferKind};
use crate::payments::BALANCE;
use crate::sql::statement;
use crate::{Db, Error, MAX_PAGE_ROWS, time};

/// An entry on a user's balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceEntry {
    /// Of the next page.
    pub cursor: i64,
    pub kind: BalanceEntryKind,
    /// Negative for what was paid.
    pub amount_cents: i64,
    /// The balance once this entry was booked.
    pub balance_cents: i64,
    /// Absent when a balance was topped up.
    pub order: Option<OrderId>,
    pub booked_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BalanceEntryKind {
    /// Money that came in through the provider of this name.
    TopUp {
        provider: String,
    },
    Payment,
    Refund,
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) entries of a user's balance below `before`, newest first. Includes archived
/// entries.
pub async fn list_entries(
    db: &Db,
    user: UserId,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<BalanceEntry>, Error> {
    let account = Value::from(Account::User(user).to_string());
    let (before, limit) = (before.unwrap_or(i64::MAX), limit.min(MAX_PAGE_ROWS));
    let newer = [account.clone(), before.into()];
    let page = [account, before.into(), limit.into()];
    let values = [Value::from(user.get())]
        .into_iter()
        .chain(newer.clone())
        .chain(newer)
        .chain(page.clone())
        .chain(page)
        .chain([limit.into()]);
    let statement = statement(db.reader(), page_query(), values);
    let list = async {
        let rows = EntryRow::find_by_statement(statement).all(db.reader());
        with_balances(rows.await?)
    };
    db.run("list balance entries", list).await
}

/// Its parameters: the user; account and cursor, twice; account, cursor and limit, twice; the limit.
fn page_query() -> String {
    let newer = |table: &str| {
        format!(
            "COALESCE((SELECT CAST(SUM(amount_cents) AS SIGNED) FROM {table} \
                WHERE account = ? AND id >= ?), 0)"
        )
    };
    let newest = |entries: &str, payments: &str, name: &str| {
        format!(
            "SELECT * FROM (SELECT e.id, e.kind, e.amount_cents, e.order_id, e.create_time, p.provider \
                FROM {entries} e LEFT JOIN {payments} p ON p.id = e.payment_id \
                WHERE e.account = ? AND e.id < ? ORDER BY e.id DESC LIMIT ?) {name}"
        )
    };
    format!(
        "SELECT page.*, before_page.cents AS balance_cents FROM \
            (SELECT COALESCE((SELECT balance_cents FROM tb_account WHERE user_id = ?), 0) - {} - {} AS cents) \
            before_page, ({} UNION ALL {}) page ORDER BY page.id DESC LIMIT ?",
        newer("tb_ledger_entry"),
        newer("tb_ledger_entry_archive"),
        newest("tb_ledger_entry", "tb_payment", "hot"),
        newest("tb_ledger_entry_archive", "tb_payment_archive", "archived"),
    )
}

#[derive(FromQueryResult)]
struct EntryRow {
    id: i64,
    kind: String,
    amount_cents: i64,
    order_id: Option<i64>,
    create_time: chrono::NaiveDateTime,
    /// Absent if the payment is gone, which is a bug.
    provider: Option<String>,
    /// The balance after the newest entry of the page.
    balance_cents: i64,
}

fn with_balances(rows: Vec<EntryRow>) -> Result<Vec<BalanceEntry>, DbErr> {
    let mut balance_cents = rows.first().map_or(0, |row| row.balance_cents);
    let mut entries = Vec::with_capacity(rows.len());
    for row in rows {
        let amount_cents = row.amount_cents;
        entries.push(BalanceEntry {
            cursor: row.id,
            amount_cents,
            balance_cents,
            order: row.order_id.map(OrderId::new),
            booked_at: time::from_sql(row.create_time),
            kind: kind_of(row)?,
        });
        balance_cents -= amount_cents;
    }
    Ok(entries)
}

fn kind_of(row: EntryRow) -> Result<BalanceEntryKind, DbErr> {
    let EntryRow { id, kind, .. } = row;
    Ok(match TransferKind::from_name(&kind) {
        Some(TransferKind::TopUp) => BalanceEntryKind::TopUp {
            provider: row.provider.unwrap_or_else(|| BALANCE.to_owned()),
        },
        Some(TransferKind::Pay) => BalanceEntryKind::Payment,
        Some(TransferKind::Refund) => BalanceEntryKind::Refund,
        // Redeeming moves money to a shop, past every balance.
        Some(TransferKind::Redeem) | None => {
            let wrong = format!("ledger entry {id} of a balance: there is no kind {kind}");
            return Err(DbErr::Type(wrong));
        }
    })
}

#[cfg(test)]
mod tests {
    use sea_orm::ConnectionTrait as _;

    use super::*;
    use crate::DbOptions;

    /// Otherwise a page would read every entry of the balance, or of the site. What MariaDB reads is counted in
    /// `tests/it/reading_cost.rs`.
    #[tokio::test]
    async fn a_page_is_read_newest_first_from_the_key_by_account() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("plan.db").display());
        let db = Db::connect(&DbOptions::new(&url)).await.unwrap();
        db.migrate().await.unwrap();
        let sql = format!("EXPLAIN QUERY PLAN {}", page_query());
        let parameters = [1, 1, 1, 1, 1, 1, 1, 10, 1, 1, 10, 10].map(Value::from);
        let explain = statement(db.reader(), sql, parameters);
        let rows = db.reader().query_all_raw(explain).await.unwrap();
        let steps: Vec<String> = rows
            .iter()
            .map(|row| row.try_get("", "detail").unwrap())
            .collect();
        let reads = |key: &str| steps.iter().filter(|step| step.contains(key)).count();
        for key in ["ix_ledger_entry_account", "ix_ledger_entry_archive_account"] {
            assert_eq!(
                reads(&format!("{key} (account=? AND id<?)")),
                1,
                "{steps:#?}"
            );
            // Once for each half of the union.
            assert_eq!(
                reads(&format!("{key} (account=? AND id>?)")),
                2,
                "{steps:#?}"
            );
        }
        let scans = steps.iter().filter(|step| step.starts_with("SCAN tb_"));
        assert_eq!(scans.count(), 0, "{steps:#?}");
    }
}
