//! Money: balances of people (`tb_account`) and the entries behind all money that moves (`tb_ledger_entry`).
//!
//! Every transfer is two entries that sum to zero, in the transaction that causes it. Money comes from a provider or
//! from a balance into escrow when an order is paid; from there it goes to the shop when the order is used, or back to
//! where it came from. So the sum of all entries is always zero, escrow holds what is paid and neither used nor
//! returned, and a person's balance is the sum of that person's entries. Sums of old entries are kept (`tb_ledger_sum`), so
//! that nobody reads the whole history.

mod entry;
mod running;
mod trial;

use domain::UserId;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Value};

pub(crate) use entry::{Account, Transfer, TransferKind, transfer};
pub(crate) use running::{MARK, lock_mark};
pub use running::{check_running_sums, fold_entries};
pub use trial::{TrialBalance, trial_balance};

use crate::db::DatabaseTransaction;
use crate::sql::{execute, statement};
use crate::{Db, Error, time};

/// What a person has on the site, in cents. Nothing, for whoever never had any.
pub async fn balance_cents(db: &Db, user: UserId) -> Result<i64, Error> {
    let sql = "SELECT balance_cents FROM tb_account WHERE user_id = ?";
    let statement = statement(db.reader(), sql, [user.get().into()]);
    let read = async {
        let row = db.reader().query_one_raw(statement).await?;
        row.map_or(Ok(0), |row| row.try_get("", "balance_cents"))
    };
    db.run("read balance", read).await
}

/// Adds to a balance; the entries are the caller's.
pub(crate) async fn give(
    transaction: &DatabaseTransaction,
    user: UserId,
    amount_cents: i64,
) -> Result<(), DbErr> {
    // One statement: opening an account and then adding to it would let two who do both wait in a circle on MySQL.
    let add = match transaction.get_database_backend() {
        DbBackend::MySql => {
            "ON DUPLICATE KEY UPDATE balance_cents = balance_cents + VALUES(balance_cents), \
             update_time = VALUES(update_time)"
        }
        _ => {
            "ON CONFLICT (user_id) DO UPDATE SET balance_cents = balance_cents + \
             excluded.balance_cents, update_time = excluded.update_time"
        }
    };
    let sql = format!(
        "INSERT INTO tb_account (user_id, balance_cents, update_time) VALUES (?, ?, ?) {add}"
    );
    let values: [Value; 3] = [user.get().into(), amount_cents.into(), time::now().into()];
    execute(transaction, sql, values).await?;
    Ok(())
}

/// Takes from a balance that is large enough, and tells whether it was; the entries are the caller's.
pub(crate) async fn take(
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
