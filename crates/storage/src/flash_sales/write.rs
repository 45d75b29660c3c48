//! Recording granted orders: a batch is one transaction and a handful of statements, however many orders it has.
//!
//! Duplicates are normal: orders come at least once. Which are there already is read, not guessed from the count of an
//! insert that ignores them, and the stock goes down by those that are really new. The unique keys and the condition on
//! the stock remain as the last defence: should one of them speak up, nothing of the batch is recorded.
//!
//! Nobody else records orders of the same buyers meanwhile: a buyer's orders of a sale come through one partition,
//! whose seat is held. So what was read stays true until the commit.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use domain::{OrderId, UserId, VoucherId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Value};
use thiserror::Error;

use super::seats::{Fenced, Seat, hold};
use crate::sql::{execute, marks, settle, statement};
use crate::{Db, Error, time};

/// An order that the gate has granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaleOrder {
    pub id: OrderId,
    pub voucher_id: VoucherId,
    pub user_id: UserId,
    /// Which of the buyer's pieces this is, from 1 to the sale's limit.
    pub slot: u8,
    pub granted_at: Timestamp,
}

/// What became of one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    New,
    /// The same order was recorded before, whatever became of it since.
    AlreadyThere,
    /// It was buried before: its piece may be sold again, so it must not come back to life.
    Buried,
    Refused(Refused),
}

/// Why an order can never be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    #[error("there is no such sale")]
    NoSuchSale,
    #[error("the buyer's place is taken by order {0}")]
    SlotTaken(OrderId),
}

/// Why nothing was recorded at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WriteRefusal {
    #[error(transparent)]
    Fenced(#[from] Fenced),
    /// The sale has fewer pieces than these orders want.
    #[error("sale {0} has too few pieces left")]
    Short(VoucherId),
}

/// Values per statement: below SQLite's 32,766 and MySQL's 65,535 parameters, and quick to parse.
const VALUES_PER_STATEMENT: usize = 8_000;
/// Sales per query: each is a term of an `OR`, which SQLite nests at most a thousand deep.
const SALES_PER_QUERY: usize = 100;

const INSERT: &str = "INSERT INTO tb_voucher_order \
    (id, user_id, voucher_id, shop_id, slot, pay_deadline, create_time, update_time, pay_type, status) \
    VALUES ";
/// Unpaid, and by balance until another way is chosen.
const INSERT_ROW: &str = "(?, ?, ?, ?, ?, ?, ?, ?, 1, 1)";
const INSERT_VALUES: usize = 8;

/// Records orders and takes their pieces from the stock: all that can be recorded, or nothing. One answer per order, in
/// order. Each is to be paid within `pay_within` of its grant.
pub async fn write_orders(
    db: &Db,
    seat: Seat,
    orders: &[SaleOrder],
    pay_within: Duration,
) -> Result<Result<Vec<Written>, WriteRefusal>, Error> {
    let write = async {
        let transaction = db.begin().await?;
        let written = write(&transaction, seat, orders, pay_within).await?;
        settle(transaction, written).await
    };
    db.run("write orders", write).await
}

async fn write(
    transaction: &DatabaseTransaction,
    seat: Seat,
    orders: &[SaleOrder],
    pay_within: Duration,
) -> Result<Result<Vec<Written>, WriteRefusal>, DbErr> {
    if let Err(fenced) = hold(transaction, seat).await? {
        return Ok(Err(fenced.into()));
    }
    let mut known = Known::read(transaction, orders).await?;
    let written: Vec<Written> = orders.iter().map(|order| known.judge(order)).collect();
    let is_new = |(order, written): (&SaleOrder, &Written)| {
        (*written == Written::New).then(|| (*order, known.shops[&order.voucher_id]))
    };
    let new: Vec<NewOrder> = orders.iter().zip(&written).filter_map(is_new).collect();
    insert(transaction, &new, pay_within).await?;
    Ok(match take_pieces(transaction, &new).await? {
        Some(short) => Err(WriteRefusal::Short(short)),
        None => Ok(written),
    })
}

/// With the id of the voucher's shop.
type NewOrder = (SaleOrder, i64);

/// What SQL knows of a batch, and, as orders are judged, what the batch itself adds to it.
struct Known {
    /// The sales that exist, with their shops.
    shops: HashMap<VoucherId, i64>,
    recorded: HashSet<OrderId>,
    buried: HashSet<OrderId>,
    taken: HashMap<(VoucherId, UserId, u8), OrderId>,
}

impl Known {
    async fn read(transaction: &DatabaseTransaction, orders: &[SaleOrder]) -> Result<Self, DbErr> {
        let mut buyers: BTreeMap<VoucherId, Vec<UserId>> = BTreeMap::new();
        for order in orders {
            buyers
                .entry(order.voucher_id)
                .or_default()
                .push(order.user_id);
        }
        let buyers: Vec<(VoucherId, Vec<UserId>)> = buyers.into_iter().collect();
        let mut known = Self {
            shops: HashMap::with_capacity(buyers.len()),
            recorded: HashSet::with_capacity(orders.len()),
            buried: HashSet::new(),
            taken: HashMap::with_capacity(orders.len()),
        };
        for chunk in buyers.chunks(SALES_PER_QUERY) {
            known.read_shops(transaction, chunk).await?;
            known.read_orders(transaction, chunk).await?;
        }
        for chunk in orders.chunks(VALUES_PER_STATEMENT) {
            known.read_buried(transaction, chunk).await?;
        }
        Ok(known)
    }

    async fn read_shops(
        &mut self,
        transaction: &DatabaseTransaction,
        buyers: &[(VoucherId, Vec<UserId>)],
    ) -> Result<(), DbErr> {
        let marks = marks(buyers.len());
        let sql = format!(
            "SELECT v.id, v.shop_id FROM tb_voucher v \
             JOIN tb_seckill_voucher s ON s.voucher_id = v.id WHERE v.id IN ({marks})"
        );
        let values = buyers.iter().map(|(id, _)| id.get().into());
        for row in transaction
            .query_all_raw(statement(transaction, sql, values))
            .await?
        {
            let id = VoucherId::new(row.try_get("", "id")?);
            self.shops.insert(id, row.try_get("", "shop_id")?);
        }
        Ok(())
    }

    /// All orders of these buyers for these sales, given back or not: few, and found through the key that also guards
    /// the slots.
    async fn read_orders(
        &mut self,
        transaction: &DatabaseTransaction,
        buyers: &[(VoucherId, Vec<UserId>)],
    ) -> Result<(), DbErr> {
        let of_sale = |(_, users): &(VoucherId, Vec<UserId>)| {
            format!("(voucher_id = ? AND user_id IN ({}))", marks(users.len()))
        };
        let conditions: Vec<String> = buyers.iter().map(of_sale).collect();
        let conditions = conditions.join(" OR ");
        // Left to choose, MariaDB walks all orders that these buyers ever made.
        let index = match transaction.get_database_backend() {
            DbBackend::MySql => "FORCE INDEX (uk_voucher_order_slot)",
            _ => "",
        };
        let sql = format!(
            "SELECT id, voucher_id, user_id, slot FROM tb_voucher_order {index} WHERE {conditions}"
        );
        let values = buyers.iter().flat_map(|(id, users)| {
            let users = users.iter().map(|user| user.get().into());
            std::iter::once(id.get().into()).chain(users)
        });
        for row in transaction
            .query_all_raw(statement(transaction, sql, values))
            .await?
        {
            let id = OrderId::new(row.try_get("", "id")?);
            self.recorded.insert(id);
            let slot: Option<i16> = row.try_get("", "slot")?;
            if let Some(slot) = slot.and_then(|slot| u8::try_from(slot).ok()) {
                let voucher_id = VoucherId::new(row.try_get("", "voucher_id")?);
                let user_id = UserId::new(row.try_get("", "user_id")?);
                self.taken.insert((voucher_id, user_id, slot), id);
            }
        }
        Ok(())
    }

    async fn read_buried(
        &mut self,
        transaction: &DatabaseTransaction,
        orders: &[SaleOrder],
    ) -> Result<(), DbErr> {
        let marks = marks(orders.len());
        let sql = format!("SELECT order_id FROM tb_dead_order WHERE order_id IN ({marks})");
        let values = orders.iter().map(|order| order.id.get().into());
        for row in transaction
            .query_all_raw(statement(transaction, sql, values))
            .await?
        {
            self.buried
                .insert(OrderId::new(row.try_get("", "order_id")?));
        }
        Ok(())
    }

    fn judge(&mut self, order: &SaleOrder) -> Written {
        let place = (order.voucher_id, order.user_id, order.slot);
        if self.recorded.contains(&order.id) {
            Written::AlreadyThere
        } else if self.buried.contains(&order.id) {
            Written::Buried
        } else if !self.shops.contains_key(&order.voucher_id) {
            Written::Refused(Refused::NoSuchSale)
        } else if let Some(holder) = self.taken.get(&place) {
            Written::Refused(Refused::SlotTaken(*holder))
        } else {
            self.recorded.insert(order.id);
            self.taken.insert(place, order.id);
            Written::New
        }
    }
}

async fn insert(
    transaction: &DatabaseTransaction,
    orders: &[NewOrder],
    pay_within: Duration,
) -> Result<(), DbErr> {
    let now = time::now();
    for chunk in orders.chunks(VALUES_PER_STATEMENT / INSERT_VALUES) {
        let sql = format!("{INSERT}{}", vec![INSERT_ROW; chunk.len()].join(", "));
        let values = chunk
            .iter()
            .flat_map(|(order, shop_id)| -> [Value; INSERT_VALUES] {
                let granted_at = time::to_sql(order.granted_at);
                [
                    order.id.get().into(),
                    order.user_id.get().into(),
                    order.voucher_id.get().into(),
                    (*shop_id).into(),
                    i16::from(order.slot).into(),
                    (granted_at + pay_within).into(),
                    granted_at.into(),
                    now.into(),
                ]
            });
        execute(transaction, sql, values).await?;
    }
    Ok(())
}

/// Takes the pieces of new orders from their sales, or tells which sale has too few.
async fn take_pieces(
    transaction: &DatabaseTransaction,
    orders: &[NewOrder],
) -> Result<Option<VoucherId>, DbErr> {
    let mut wanted: BTreeMap<VoucherId, i32> = BTreeMap::new();
    for (order, _) in orders {
        *wanted.entry(order.voucher_id).or_default() += 1;
    }
    for (id, pieces) in wanted {
        let sql = "UPDATE tb_seckill_voucher SET stock = stock - ?, update_time = ? \
            WHERE voucher_id = ? AND stock >= ?";
        let values: [Value; 4] = [
            pieces.into(),
            time::now().into(),
            id.get().into(),
            pieces.into(),
        ];
        if execute(transaction, sql, values).await? == 0 {
            return Ok(Some(id));
        }
    }
    Ok(None)
}
