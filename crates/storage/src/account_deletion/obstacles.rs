//! What keeps an account from being deleted: money that is not settled, and shops.

use domain::{OrderStatus, Role, UserId};
use sea_orm::{ConnectionTrait, DbErr, Value};

use crate::orders::DEAD_LETTER_OPEN;
use crate::payments::{OutsideState, PaymentState};
use crate::sql::{codes, statement};
use crate::{Db, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obstacle {
    pub kind: ObstacleKind,
    /// How many; cents for a balance.
    pub count: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObstacleKind {
    /// A demo account is everybody's who tries the site out; the callers know which those are.
    DemoAccount,
    /// A merchant or an admin.
    Role,
    /// Shops that the user owns.
    Shops,
    UnpaidOrders,
    /// Paid and not used.
    PaidOrders,
    /// Refunds under way, the site's own and those that a provider made.
    Refunds,
    /// Payments that were begun and are neither paid nor closed.
    Payments,
    /// Granted in a flash sale, not recordable, and waiting for an admin.
    OrdersInDoubt,
    Balance,
}

/// In the order in which they are best dealt with; empty if nothing is in the way.
pub async fn list_obstacles(db: &Db, user: UserId) -> Result<Vec<Obstacle>, Error> {
    db.run("list obstacles", list(db.reader(), user)).await
}

pub(super) async fn list(
    connection: &impl ConnectionTrait,
    user: UserId,
) -> Result<Vec<Obstacle>, DbErr> {
    let mut obstacles = Vec::new();
    for (kind, sql) in queries() {
        let values = vec![Value::from(user.get()); sql.matches('?').count()];
        let row = connection.query_one_raw(statement(connection, sql, values));
        let count: i64 = row.await?.map_or(Ok(0), |row| row.try_get("", "number"))?;
        if count > 0 {
            obstacles.push(Obstacle { kind, count });
        }
    }
    Ok(obstacles)
}

/// Every `?` is the user.
fn queries() -> [(ObstacleKind, String); 8] {
    let user = Role::User.code();
    [
        (
            ObstacleKind::Role,
            count(&format!("tb_user WHERE id = ? AND role <> {user}")),
        ),
        (ObstacleKind::Shops, count("tb_shop WHERE owner_id = ?")),
        (ObstacleKind::UnpaidOrders, orders(OrderStatus::Unpaid)),
        (ObstacleKind::PaidOrders, orders(OrderStatus::Paid)),
        (ObstacleKind::Refunds, refunds()),
        (ObstacleKind::Payments, payments(&[PaymentState::Begun])),
        (
            ObstacleKind::OrdersInDoubt,
            count(&format!(
                "tb_dead_order WHERE user_id = ? AND state IN ({})",
                codes(DEAD_LETTER_OPEN)
            )),
        ),
        (
            ObstacleKind::Balance,
            "SELECT balance_cents AS number FROM tb_account WHERE user_id = ?".to_owned(),
        ),
    ]
}

fn count(rows: &str) -> String {
    format!("SELECT COUNT(*) AS number FROM {rows}")
}

fn orders(status: OrderStatus) -> String {
    let status = status.code();
    count(&format!(
        "tb_voucher_order WHERE status = {status} AND user_id = ?"
    ))
}

fn payments(states: &[PaymentState]) -> String {
    let states = codes(states.iter().map(|state| state.code()));
    count(&format!(
        "tb_payment WHERE user_id = ? AND state IN ({states})"
    ))
}

/// An order that is being refunded has a payment that is, unless it was paid elsewhere.
fn refunds() -> String {
    let refunding = orders(OrderStatus::Refunding);
    let payments = payments(&[PaymentState::Refunding, PaymentState::Late]);
    let held = OutsideState::Settled as i16;
    format!(
        "SELECT CAST(({refunding}) + ({payments}) + \
            (SELECT COUNT(*) FROM tb_outside_refund o JOIN tb_payment p ON p.id = o.payment_id \
                WHERE p.user_id = ? AND o.state <> {held}) AS SIGNED) AS number"
    )
}
