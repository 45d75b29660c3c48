//! Money: balances of people (`tb_account`) and the entries behind all money that moves (`tb_ledger_entry`).
//!
//! Every transfer is two entries that sum to zero, in the transaction that causes it. Paying an order moves money
//! from a provider or a balance into escrow; redeeming the order moves it to the shop, refunding it moves it back to
//! the payer. So the sum of all entries is always zero, escrow holds the money of orders that are paid and neither
//! used nor refunded, and a user's balance is the sum of that user's entries. Sums of old entries are stored in
//! `tb_ledger_sum`, so no query reads the whole history.

mod balance_entries;
mod entry;
mod running_sums;
mod trial_balance;

use domain::UserId;
use sea_orm::{ConnectionTrait, DbErr, Value};

pub use balance_entries::{BalanceEntry, BalanceEntryKind, list_entries};
pub(crate) use entry::{Account, Transfer, TransferKind, transfer};
pub(crate) use running_sums::{MARK, lock_mark};
pub use running_sums::{check_running_sums, fold_entries};
pub use trial_balance::{TrialBalance, trial_balance};

use crate::db::DatabaseTransaction;
use crate::sql::{Merge, execute, statement, upsert};
use crate::{Backend, Db, Error, time};

/// A user's balance in cents; 0 for a user without an account row.
pub async fn balance_cents(db: &Db, user: UserId) -> Result<i64, Error> {
    let sql = "SELECT balance_cents FROM tb_account WHERE user_id = ?";
    let statement = statement(db.reader(), sql, [user.get().into()]);
    let read = async {
        let row = db.reader().query_one_raw(statement).await?;
        row.map_or(Ok(0), |row| row.try_get("", "balance_cents"))
    };
    db.run("read balance", read).await
}

/// Adds to a balance. The caller writes the ledger entries.
pub(crate) async fn credit(
    transaction: &DatabaseTransaction,
    user: UserId,
    amount_cents: i64,
) -> Result<(), DbErr> {
    // One upsert: a separate insert and update in two concurrent transactions would deadlock on MySQL.
    let columns = [
        ("balance_cents", Merge::Add),
        ("update_time", Merge::Replace),
    ];
    let add = upsert(Backend::of(transaction), "user_id", &columns);
    let sql = format!(
        "INSERT INTO tb_account (user_id, balance_cents, update_time) VALUES (?, ?, ?) {add}"
    );
    let values: [Value; 3] = [user.get().into(), amount_cents.into(), time::now().into()];
    execute(transaction, sql, values).await?;
    Ok(())
}

/// Subtracts from a balance if it is large enough; returns whether it was. The caller writes the ledger entries.
pub(crate) async fn debit(
    transaction: &DatabaseTransaction,
    user: UserId,
    amount_cents: i64,
) -> Result<bool, DbErr> {
    let sql = "UPDATE tb_account SET balance_cents = balance_cents - ?, update_time = ? \
        WHERE user_id = ? AND balance_cents >= ?";
    let values: [Value; 4] = [
        amount_cents.into(),
        time::now().into(),
        user.get().into(),
        amount_cents.into(),
    ];
    Ok(execute(transaction, sql, values).await? == 1)
}
