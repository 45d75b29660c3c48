//! A transfer: two entries that sum to zero. The table's unique key allows each transfer kind once per payment, so a
//! repeated call cannot book twice.

use std::fmt;

use domain::{OrderId, ShopId, UserId};
use sea_orm::{DbErr, Value};

use crate::db::DatabaseTransaction;
use crate::sql::execute;
use crate::time;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Account {
    User(UserId),
    Shop(ShopId),
    /// Money of orders that are paid and neither used nor refunded.
    Escrow,
    /// An external provider: the money it sent in is booked here as a negative balance.
    Provider(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransferKind {
    TopUp,
    Pay,
    Refund,
    Redeem,
}

#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    pub(crate) payment: i64,
    pub(crate) order: Option<OrderId>,
    pub(crate) kind: TransferKind,
    pub(crate) from: Account,
    pub(crate) to: Account,
    pub(crate) amount_cents: i64,
}

pub(crate) async fn transfer(
    transaction: &DatabaseTransaction,
    transfer: &Transfer,
) -> Result<(), DbErr> {
    let now = time::now();
    let sql = "INSERT INTO tb_ledger_entry \
        (payment_id, kind, account, amount_cents, order_id, create_time) \
        VALUES (?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?)";
    let sides = [
        (&transfer.from, -transfer.amount_cents),
        (&transfer.to, transfer.amount_cents),
    ];
    let values = sides
        .into_iter()
        .flat_map(|(account, cents)| -> [Value; 6] {
            [
                transfer.payment.into(),
                transfer.kind.as_str().into(),
                account.to_string().into(),
                cents.into(),
                transfer.order.map(OrderId::get).into(),
                now.into(),
            ]
        });
    execute(transaction, sql, values).await?;
    Ok(())
}

impl TransferKind {
    const ALL: [Self; 4] = [Self::TopUp, Self::Pay, Self::Refund, Self::Redeem];

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::TopUp => "top_up",
            Self::Pay => "pay",
            Self::Refund => "refund",
            Self::Redeem => "redeem",
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => write!(f, "user:{id}"),
            Self::Shop(id) => write!(f, "shop:{id}"),
            Self::Escrow => f.write_str("escrow"),
            Self::Provider(name) => write!(f, "provider:{name}"),
        }
    }
}
