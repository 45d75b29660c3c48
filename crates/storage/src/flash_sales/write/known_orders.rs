//! What SQL already has of a batch of orders, extended by the batch itself as its orders are classified.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{OrderId, UserId, VoucherId};
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::{Refused, SaleOrder, WriteOutcome};
use crate::Backend;
use crate::db::DatabaseTransaction;
use crate::sql::{placeholders, statement};

/// Sales per query: each is a term of an `OR`, which SQLite nests at most a thousand deep.
const SALES_PER_QUERY: usize = 100;
/// Values per query: below SQLite's 32,766 and MySQL's 65,535 parameters, and quick to parse.
const VALUES_PER_QUERY: usize = 8_000;
/// Dead-lettered orders are first read by the id range of the batch, which costs one index lookup where there are
/// none. If the range has more than this, each order is looked up by id.
const DEAD_LETTERED_IN_RANGE: usize = 100;

/// Whether to read which orders were recorded before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplayCheck {
    Check,
    /// Assume none was; the unique keys catch the exception.
    Skip,
}

pub(super) struct KnownOrders {
    /// Existing sales with their shops.
    shops: HashMap<VoucherId, i64>,
    recorded: HashSet<OrderId>,
    dead_lettered: HashSet<OrderId>,
    taken: HashMap<(VoucherId, UserId, u8), OrderId>,
}

type Buyers = (VoucherId, Vec<UserId>);

impl KnownOrders {
    pub(super) async fn read(
        transaction: &DatabaseTransaction,
        orders: &[SaleOrder],
        replays: ReplayCheck,
    ) -> Result<Self, DbErr> {
        let buyers = buyers_of(orders);
        let mut known = Self {
            shops: HashMap::with_capacity(buyers.len()),
            recorded: HashSet::with_capacity(orders.len()),
            dead_lettered: HashSet::new(),
            taken: HashMap::with_capacity(orders.len()),
        };
        for chunk in buyers.chunks(SALES_PER_QUERY) {
            known.read_shops(transaction, chunk).await?;
            if replays == ReplayCheck::Check {
                known.read_orders(transaction, chunk).await?;
            }
        }
        known.read_dead_lettered(transaction, orders).await?;
        Ok(known)
    }

    /// Only for sales of orders classified as new.
    pub(super) fn shop_of(&self, sale: VoucherId) -> i64 {
        self.shops[&sale]
    }

    pub(super) fn classify(&mut self, order: &SaleOrder) -> WriteOutcome {
        let place = (order.voucher_id, order.user_id, order.slot);
        if self.recorded.contains(&order.id) {
            WriteOutcome::AlreadyRecorded
        } else if self.dead_lettered.contains(&order.id) {
            WriteOutcome::DeadLettered
        } else if !self.shops.contains_key(&order.voucher_id) {
            WriteOutcome::Refused(Refused::NoSuchSale)
        } else if let Some(holder) = self.taken.get(&place) {
            WriteOutcome::Refused(Refused::SlotTaken(*holder))
        } else {
            self.recorded.insert(order.id);
            self.taken.insert(place, order.id);
            WriteOutcome::New
        }
    }

    async fn read_shops(
        &mut self,
        transaction: &DatabaseTransaction,
        buyers: &[Buyers],
    ) -> Result<(), DbErr> {
        let placeholders = placeholders(buyers.len());
        let sql = format!(
            "SELECT v.id, v.shop_id FROM tb_voucher v \
             JOIN tb_seckill_voucher s ON s.voucher_id = v.id WHERE v.id IN ({placeholders})"
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

    /// All orders of these buyers for these sales, ended or not: few, and found through the unique key on slots.
    async fn read_orders(
        &mut self,
        transaction: &DatabaseTransaction,
        buyers: &[Buyers],
    ) -> Result<(), DbErr> {
        let of_sale = |(_, users): &Buyers| {
            format!(
                "(voucher_id = ? AND user_id IN ({}))",
                placeholders(users.len())
            )
        };
        let conditions: Vec<String> = buyers.iter().map(of_sale).collect();
        let conditions = conditions.join(" OR ");
        // Without the hint MariaDB scans every order these buyers ever made.
        let index = match Backend::of(transaction) {
            Backend::MySql => "FORCE INDEX (uk_voucher_order_slot)",
            Backend::Sqlite => "",
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

    async fn read_dead_lettered(
        &mut self,
        transaction: &DatabaseTransaction,
        orders: &[SaleOrder],
    ) -> Result<(), DbErr> {
        let ids = || orders.iter().map(|order| order.id.get());
        let (Some(first), Some(last)) = (ids().min(), ids().max()) else {
            return Ok(());
        };
        let condition = format!("order_id BETWEEN ? AND ? LIMIT {DEAD_LETTERED_IN_RANGE}");
        let range = [first.into(), last.into()];
        if self
            .find_dead_lettered(transaction, &condition, range)
            .await?
            < DEAD_LETTERED_IN_RANGE
        {
            return Ok(());
        }
        for chunk in orders.chunks(VALUES_PER_QUERY) {
            let condition = format!("order_id IN ({})", placeholders(chunk.len()));
            let ids = chunk.iter().map(|order| order.id.get().into());
            self.find_dead_lettered(transaction, &condition, ids)
                .await?;
        }
        Ok(())
    }

    /// Adds the dead-lettered orders that match and returns their number.
    async fn find_dead_lettered(
        &mut self,
        transaction: &DatabaseTransaction,
        condition: &str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<usize, DbErr> {
        let sql = format!("SELECT order_id FROM tb_dead_order WHERE {condition}");
        let found = transaction.query_all_raw(statement(transaction, sql, values));
        let found = found.await?;
        for row in &found {
            let id = OrderId::new(row.try_get("", "order_id")?);
            self.dead_lettered.insert(id);
        }
        Ok(found.len())
    }
}

fn buyers_of(orders: &[SaleOrder]) -> Vec<Buyers> {
    let mut buyers: BTreeMap<VoucherId, Vec<UserId>> = BTreeMap::new();
    for order in orders {
        let of_sale = buyers.entry(order.voucher_id).or_default();
        of_sale.push(order.user_id);
    }
    buyers.into_iter().collect()
}
