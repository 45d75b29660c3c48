//! The trial balance: whether the ledger adds up. Any value other than zero is a bug.
//!
//! It reads the running sums and the entries above the mark, so its cost does not grow with the age of the site.
//! [`super::check_running_sums`] verifies the running sums themselves.

use domain::OrderStatus;
use sea_orm::ConnectionTrait;

use super::running_sums::MARK;
use crate::payments::PaymentState;
use crate::sql::{codes, statement};
use crate::{Backend, Db, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialBalance {
    /// The sum of all entries.
    pub total_cents: i64,
    /// Users whose balance differs from the sum of their entries.
    pub wrong_balances: i64,
    /// Escrow's balance minus the payments that are paid for unused orders or being refunded.
    pub escrow_excess_cents: i64,
}

pub async fn trial_balance(db: &Db) -> Result<TrialBalance, Error> {
    let read = async {
        let number = async |sql: String| -> Result<i64, sea_orm::DbErr> {
            let row = db.reader().query_one_raw(statement(db.reader(), sql, []));
            row.await?.map_or(Ok(0), |row| row.try_get("", "number"))
        };
        Ok(TrialBalance {
            total_cents: number(sum_of("")).await?,
            wrong_balances: number(wrong_balances(db.backend())).await?,
            escrow_excess_cents: number(sum_of("AND account = 'escrow'")).await?
                - number(held()).await?,
        })
    };
    db.run("read trial balance", read).await
}

/// The sum of all entries, or of those that match the condition, in one snapshot.
fn sum_of(condition: &str) -> String {
    format!(
        "SELECT CAST(COALESCE(SUM(amount_cents), 0) AS SIGNED) AS number FROM (\
            SELECT amount_cents FROM tb_ledger_sum WHERE 1 = 1 {condition} \
            UNION ALL SELECT amount_cents FROM tb_ledger_entry WHERE id > {MARK} {condition}) AS entries"
    )
}

fn wrong_balances(backend: Backend) -> String {
    let account = match backend {
        Backend::Sqlite => "'user:' || a.user_id",
        Backend::MySql => "CONCAT('user:', a.user_id) COLLATE utf8mb4_bin",
    };
    format!(
        "SELECT COUNT(*) AS number FROM tb_account a WHERE a.balance_cents <> \
            COALESCE((SELECT s.amount_cents FROM tb_ledger_sum s WHERE s.account = {account}), 0) + \
            COALESCE((SELECT SUM(e.amount_cents) FROM tb_ledger_entry e \
                WHERE e.account = {account} AND e.id > {MARK}), 0)"
    )
}

/// Paid and not used, refunding, or late: money that came in and has not left. Archived payments have left.
fn held() -> String {
    let returning = codes([PaymentState::Refunding, PaymentState::Late].map(PaymentState::code));
    let (payment_paid, order_paid) = (PaymentState::Paid.code(), OrderStatus::Paid.code());
    format!(
        "SELECT CAST(COALESCE(SUM(p.amount_cents), 0) AS SIGNED) AS number \
         FROM tb_payment p JOIN tb_voucher_order o ON o.id = p.order_id \
         WHERE p.state IN ({returning}) OR (p.state = {payment_paid} AND o.status = {order_paid})"
    )
}
