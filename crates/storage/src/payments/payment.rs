//! One stored payment and its transfers.

use domain::{Id, OrderId, PayType, UserId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use super::BALANCE;
use crate::accounts::{Account, Transfer, TransferKind, transfer};
use crate::db::DatabaseTransaction;
use crate::sql::statement;
use crate::time;

pub type PaymentId = Id<Payment>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    pub id: PaymentId,
    /// Absent when a balance was topped up.
    pub order: Option<OrderId>,
    pub user_id: UserId,
    /// The receiving provider; [`BALANCE`] is this site.
    pub provider: String,
    pub pay_type: PayType,
    pub amount_cents: i64,
    pub state: PaymentState,
    /// The provider's reference, once known.
    pub provider_ref: Option<String>,
    pub created_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaymentState {
    Begun = 0,
    /// It paid its order.
    Paid = 1,
    /// Closed before any money arrived.
    Closed = 2,
    /// Its order is being refunded.
    Refunding = 3,
    /// The payer has the money back.
    Refunded = 4,
    /// Its order was not payable; to be refunded.
    Late = 5,
}

pub(super) async fn read(
    connection: &impl ConnectionTrait,
    id: PaymentId,
) -> Result<Option<Payment>, DbErr> {
    Ok(read_where(connection, "id = ?", [id.get().into()])
        .await?
        .pop())
}

pub(super) async fn read_where(
    connection: &impl ConnectionTrait,
    condition: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<Payment>, DbErr> {
    read_from(connection, "tb_payment", condition, values).await
}

/// As [`read_where`], from the archive.
pub(super) async fn read_archived(
    connection: &impl ConnectionTrait,
    condition: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<Payment>, DbErr> {
    read_from(connection, "tb_payment_archive", condition, values).await
}

async fn read_from(
    connection: &impl ConnectionTrait,
    table: &str,
    condition: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<Payment>, DbErr> {
    let sql = format!(
        "SELECT id, order_id, user_id, provider, pay_type, amount_cents, state, provider_ref, \
         create_time FROM {table} WHERE {condition}"
    );
    let statement = statement(connection, sql, values);
    let rows = PaymentRow::find_by_statement(statement)
        .all(connection)
        .await?;
    rows.into_iter().map(Payment::from_row).collect()
}

pub(super) struct NewPayment<'a> {
    pub(super) order: Option<OrderId>,
    pub(super) user_id: UserId,
    pub(super) provider: &'a str,
    pub(super) pay_type: PayType,
    pub(super) amount_cents: i64,
    pub(super) state: PaymentState,
    pub(super) provider_ref: Option<&'a str>,
}

impl NewPayment<'_> {
    pub(super) async fn insert(&self, transaction: &DatabaseTransaction) -> Result<Payment, DbErr> {
        let now = time::now();
        let sql = "INSERT INTO tb_payment (order_id, user_id, provider, pay_type, amount_cents, \
            state, provider_ref, create_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
        let values: [Value; 9] = [
            self.order.map(OrderId::get).into(),
            self.user_id.get().into(),
            self.provider.into(),
            self.pay_type.code().into(),
            self.amount_cents.into(),
            self.state.code().into(),
            self.provider_ref.map(str::to_owned).into(),
            now.into(),
            now.into(),
        ];
        let done = transaction
            .execute_raw(statement(transaction, sql, values))
            .await?;
        let id = i64::try_from(done.last_insert_id())
            .map_err(|_| DbErr::Type("a payment id beyond 63 bits".to_owned()))?;
        Ok(Payment {
            id: PaymentId::new(id),
            order: self.order,
            user_id: self.user_id,
            provider: self.provider.to_owned(),
            pay_type: self.pay_type,
            amount_cents: self.amount_cents,
            state: self.state,
            provider_ref: self.provider_ref.map(str::to_owned),
            created_at: time::from_sql(now),
        })
    }
}

#[derive(FromQueryResult)]
struct PaymentRow {
    id: i64,
    order_id: Option<i64>,
    user_id: i64,
    provider: String,
    pay_type: i16,
    amount_cents: i64,
    state: i16,
    provider_ref: Option<String>,
    create_time: chrono::NaiveDateTime,
}

impl Payment {
    fn from_row(row: PaymentRow) -> Result<Self, DbErr> {
        let unknown = |what: String| DbErr::Type(format!("payment {}: {what}", row.id));
        let state = PaymentState::from_code(row.state)
            .ok_or_else(|| unknown(format!("there is no state {}", row.state)))?;
        let pay_type =
            PayType::try_from(row.pay_type).map_err(|error| unknown(error.to_string()))?;
        Ok(Self {
            id: PaymentId::new(row.id),
            order: row.order_id.map(OrderId::new),
            user_id: UserId::new(row.user_id),
            provider: row.provider,
            pay_type,
            amount_cents: row.amount_cents,
            state,
            provider_ref: row.provider_ref,
            created_at: time::from_sql(row.create_time),
        })
    }

    /// The account that paid and that refunds go to.
    pub(super) fn payer(&self) -> Account {
        if self.provider == BALANCE {
            Account::User(self.user_id)
        } else {
            Account::Provider(self.provider.clone())
        }
    }

    pub(super) async fn pay_into_escrow(
        &self,
        transaction: &DatabaseTransaction,
    ) -> Result<(), DbErr> {
        let paid = self.transfer(TransferKind::Pay, self.payer(), Account::Escrow);
        transfer(transaction, &paid).await
    }

    pub(super) async fn return_from_escrow(
        &self,
        transaction: &DatabaseTransaction,
    ) -> Result<(), DbErr> {
        let back = self.transfer(TransferKind::Refund, Account::Escrow, self.payer());
        transfer(transaction, &back).await
    }

    pub(super) fn transfer(&self, kind: TransferKind, from: Account, to: Account) -> Transfer {
        Transfer {
            payment: self.id.get(),
            order: self.order,
            kind,
            from,
            to,
            amount_cents: self.amount_cents,
        }
    }
}

impl PaymentState {
    const ALL: [Self; 6] = [
        Self::Begun,
        Self::Paid,
        Self::Closed,
        Self::Refunding,
        Self::Refunded,
        Self::Late,
    ];

    pub(crate) const fn code(self) -> i16 {
        self as i16
    }

    fn from_code(code: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.code() == code)
    }
}
