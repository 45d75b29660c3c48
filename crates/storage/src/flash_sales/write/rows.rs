//! Inserts new orders and takes their units from the stock.
//!
//! SQLite compiles a statement of [`COMPILED_ROWS`] rows once and takes their values as arguments: parsing literals and
//! compiling them would cost it as much as inserting the rows. The rows that do not fill such a statement, and all rows
//! on MySQL, are literals: they are numbers and times of our own, and preparing a statement of thousands of parameters
//! for every batch size would cost more than parsing them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use chrono::NaiveDateTime;
use domain::{OrderStatus, PayType, VoucherId};
use sea_orm::sqlx::Arguments as _;
use sea_orm::sqlx::sqlite::SqliteArguments;
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::OrderOfShop;
use crate::Backend;
use crate::db::DatabaseTransaction;
use crate::sql::execute;
use crate::time;

/// Rows per statement of literals: half a megabyte, far below the longest that a server takes (16 MiB).
const ROWS_PER_STATEMENT: usize = 4_000;
/// About what a row of literals takes.
const ROW_BYTES: usize = 160;

/// Rows of the statement that SQLite compiles once: enough that passing it on is negligible, and few enough that it fits
/// into 200 KiB of the one writing connection.
const COMPILED_ROWS: usize = 256;

const INSERT: &str = "INSERT INTO tb_voucher_order \
    (id, user_id, voucher_id, shop_id, slot, pay_deadline, create_time, update_time, pay_type, status, \
    claim_key)";

static COMPILED_INSERT: LazyLock<String> = LazyLock::new(|| {
    let row = format!("(?, ?, ?, ?, ?, ?, ?, ?, {PAY_TYPE}, {STATUS}, ?)");
    format!("{INSERT} VALUES {}", vec![row; COMPILED_ROWS].join(", "))
});
/// Arguments of a row in it.
const ARGUMENTS: usize = 9;

/// By balance until the buyer chooses another way.
const PAY_TYPE: i16 = PayType::Balance.code();
const STATUS: i16 = OrderStatus::Unpaid.code();

pub(super) async fn insert(
    transaction: &DatabaseTransaction,
    orders: &[OrderOfShop],
    pay_within: Duration,
) -> Result<(), DbErr> {
    let clock = RecordingClock {
        now: time::now(),
        pay_within,
    };
    let (compiled, literal): (&[[OrderOfShop; COMPILED_ROWS]], _) = match Backend::of(transaction) {
        Backend::Sqlite => orders.as_chunks(),
        Backend::MySql => (&[], orders),
    };
    for chunk in compiled {
        let arguments = clock.arguments(chunk)?;
        transaction
            .execute_sqlite(&COMPILED_INSERT, arguments)
            .await?;
    }
    for chunk in literal.chunks(ROWS_PER_STATEMENT) {
        let sql = clock.literal_insert(chunk);
        transaction.execute_unprepared(&sql).await?;
    }
    Ok(())
}

/// Takes the units of new orders from their sales; returns the first sale with too few.
pub(super) async fn take_stock(
    transaction: &DatabaseTransaction,
    orders: &[OrderOfShop],
) -> Result<Option<VoucherId>, DbErr> {
    let mut wanted: BTreeMap<VoucherId, i32> = BTreeMap::new();
    for (order, _) in orders {
        *wanted.entry(order.voucher_id).or_default() += 1;
    }
    for (id, units) in wanted {
        let sql = "UPDATE tb_seckill_voucher SET stock = stock - ?, update_time = ? \
            WHERE voucher_id = ? AND stock >= ?";
        let values: [Value; 4] = [
            units.into(),
            time::now().into(),
            id.get().into(),
            units.into(),
        ];
        if execute(transaction, sql, values).await? == 0 {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// When orders are recorded, and how long they may then be unpaid.
struct RecordingClock {
    now: NaiveDateTime,
    pay_within: Duration,
}

/// The times of orders that were granted together, as text.
struct OrderTimes {
    created: String,
    deadline: String,
}

impl RecordingClock {
    /// An order cannot be paid before it is recorded: the payment period starts then at the earliest.
    fn times_of(&self, (order, _): &OrderOfShop) -> OrderTimes {
        let granted_at = time::to_sql(order.granted_at);
        let payable_at = granted_at.max(self.now);
        OrderTimes {
            created: time::to_text(granted_at),
            deadline: time::to_text(payable_at + self.pay_within),
        }
    }

    fn arguments(&self, orders: &[OrderOfShop]) -> Result<SqliteArguments, DbErr> {
        let mut arguments = SqliteArguments::default();
        arguments.reserve(orders.len() * ARGUMENTS, 0);
        let recorded: Arc<str> = time::to_text(self.now).into();
        for of_moment in orders.chunk_by(is_same_moment) {
            let times = self.times_of(&of_moment[0]);
            let texts = [
                times.deadline.into(),
                times.created.into(),
                recorded.clone(),
            ];
            for order in of_moment {
                add_row(&mut arguments, order, &texts)
                    .map_err(|error| DbErr::Custom(error.to_string()))?;
            }
        }
        Ok(arguments)
    }

    fn literal_insert(&self, orders: &[OrderOfShop]) -> String {
        let mut sql = String::with_capacity((orders.len() + 1) * ROW_BYTES);
        sql.push_str(INSERT);
        let recorded = time::to_text(self.now);
        let mut separator = " VALUES ";
        for of_moment in orders.chunk_by(is_same_moment) {
            let OrderTimes { created, deadline } = self.times_of(&of_moment[0]);
            for (order, shop) in of_moment {
                let (id, user) = (order.id.get(), order.user_id.get());
                let (sale, slot) = (order.voucher_id.get(), order.slot);
                let key = order
                    .key
                    .map_or("NULL".to_owned(), |key| key.cast_signed().to_string());
                write!(
                    sql,
                    "{separator}({id},{user},{sale},{shop},{slot},'{deadline}','{created}','{recorded}',{PAY_TYPE},{STATUS},{key})"
                )
                .expect("a string takes whatever is written to it");
                separator = ",";
            }
        }
        sql
    }
}

fn is_same_moment((left, _): &OrderOfShop, (right, _): &OrderOfShop) -> bool {
    left.granted_at == right.granted_at
}

/// In the order of the columns: numbers, the three times, the key.
fn add_row(
    arguments: &mut SqliteArguments,
    (order, shop): &OrderOfShop,
    times: &[Arc<str>; 3],
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let (id, user) = (order.id.get(), order.user_id.get());
    let (sale, slot) = (order.voucher_id.get(), i64::from(order.slot));
    for number in [id, user, sale, *shop, slot] {
        arguments.add(number)?;
    }
    for time in times {
        arguments.add(Arc::clone(time))?;
    }
    arguments.add(order.key.map(u64::cast_signed))
}
