//! The trial balance: whether the books add up. Anything but zeroes is a fault of ours.

use sea_orm::ConnectionTrait;

use crate::sql::statement;
use crate::{Db, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialBalance {
    /// The sum of all entries.
    pub total_cents: i64,
    /// People whose balance is not the sum of their entries.
    pub wrong_balances: i64,
    /// What escrow has beyond the payments that are paid for unused orders, or on their way back.
    pub escrow_excess_cents: i64,
}

/// Reads all entries: for tests, and for an operator's doubts.
pub async fn trial_balance(db: &Db) -> Result<TrialBalance, Error> {
    let read = async {
        let number = async |sql: &str| -> Result<i64, sea_orm::DbErr> {
            let row = db.reader().query_one_raw(statement(db.reader(), sql, []));
            row.await?.map_or(Ok(0), |row| row.try_get("", "number"))
        };
        Ok(TrialBalance {
            total_cents: number(TOTAL).await?,
            wrong_balances: number(WRONG_BALANCES).await?,
            escrow_excess_cents: number(ESCROW).await? - number(HELD).await?,
        })
    };
    db.run("read trial balance", read).await
}

const TOTAL: &str =
    "SELECT CAST(COALESCE(SUM(amount_cents), 0) AS SIGNED) AS number FROM tb_ledger_entry";

const WRONG_BALANCES: &str = "SELECT COUNT(*) AS number FROM tb_account a WHERE a.balance_cents <> \
    (SELECT COALESCE(SUM(e.amount_cents), 0) FROM tb_ledger_entry e \
     WHERE e.account LIKE 'user:%' AND SUBSTR(e.account, 6) = a.user_id)";

const ESCROW: &str = "SELECT CAST(COALESCE(SUM(amount_cents), 0) AS SIGNED) AS number \
    FROM tb_ledger_entry WHERE account = 'escrow'";

/// Paid and not used, refunding, or late: what has come in and not gone out.
const HELD: &str = "SELECT CAST(COALESCE(SUM(p.amount_cents), 0) AS SIGNED) AS number \
    FROM tb_payment p JOIN tb_voucher_order o ON o.id = p.order_id \
    WHERE p.state IN (3, 5) OR (p.state = 1 AND o.status = 2)";
