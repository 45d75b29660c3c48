//! Orders in the original's stream that SQL does not have.
//!
//! The original replied with an order id and wrote the order later, so an entry that nobody finished is a promise to a
//! buyer. It becomes an unpaid order with that id, if the sale has a unit left and the buyer has no order of it. An entry
//! that the original acknowledged without an order is one that it dropped; what its buyer was told is not known here, so
//! those are listed for the operator.

use std::collections::{HashMap, HashSet};

use domain::{OrderId, UserId, VoucherId};
use jiff::Timestamp;
use kv::{Delivery, FoundKey, StreamEntry, StreamGroups};
use storage::redis_import::{self, AdoptedOrder, OrderObstacle};

use super::{Import, RedisImportError};

/// Orders that are listed one by one; more are counted.
const LISTED_ORDERS: usize = 1_000;

#[derive(Clone, Debug, Default)]
pub struct OrdersReport {
    /// Entries of the stream.
    pub entries: u64,
    /// Entries without the fields of an order.
    pub unreadable: u64,
    /// In SQL before.
    pub known: u64,
    /// Written, or to be written by a run that is not dry.
    pub added: u64,
    /// Accepted, and not in SQL: the first of them, with the reason.
    pub unwritten: Vec<UnwrittenOrder>,
    /// How many of those there are, listed or not.
    pub unwritten_count: u64,
    /// Members of `seckill:order:*` without an order, other than those of the stream.
    pub buyers_without_order: u64,
}

/// An order that the original accepted and that is not in SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnwrittenOrder {
    pub id: OrderId,
    pub user: UserId,
    pub voucher: VoucherId,
    pub accepted_at: Timestamp,
    pub reason: String,
}

/// Orders of the stream that SQL did not have, as far as the import has come.
#[derive(Debug, Default)]
pub(super) struct OpenOrders {
    buyers: HashSet<(VoucherId, UserId)>,
    /// What a dry run would have written.
    planned: HashMap<(VoucherId, UserId), OrderId>,
    /// The units that it would have taken.
    taken: HashMap<VoucherId, u32>,
}

impl Import<'_> {
    pub(super) async fn take_orders(&mut self, key: &FoundKey) -> Result<(), RedisImportError> {
        let groups = self.original.stream_groups(key).await?;
        let mut after = String::new();
        loop {
            let entries = self.original.read_stream(key, &after).await?;
            let Some(last) = entries.last() else {
                return Ok(());
            };
            after.clone_from(&last.id);
            self.take_entries(key, &groups, &entries).await?;
            self.show("orders", self.report.orders.entries, 0);
        }
    }

    async fn take_entries(
        &mut self,
        key: &FoundKey,
        groups: &StreamGroups,
        entries: &[StreamEntry],
    ) -> Result<(), RedisImportError> {
        let ids = entries.iter().filter_map(|entry| entry.order);
        let ids: Vec<OrderId> = ids.map(|order| OrderId::new(order.order)).collect();
        let known = redis_import::list_known_orders(self.app.db(), &ids).await?;
        let known: HashSet<OrderId> = known.into_iter().collect();
        self.report.orders.entries += entries.len() as u64;
        self.report.orders.unreadable += (entries.len() - ids.len()) as u64;
        for entry in entries {
            let Some(order) = entry.order else { continue };
            if known.contains(&OrderId::new(order.order)) {
                self.report.orders.known += 1;
                continue;
            }
            let accepted_at = Timestamp::from_millisecond(entry.added_at_ms());
            let order = AdoptedOrder {
                id: OrderId::new(order.order),
                user: UserId::new(order.user),
                voucher: VoucherId::new(order.voucher),
                accepted_at: accepted_at.unwrap_or_else(|_| Timestamp::now()),
            };
            self.open_orders.buyers.insert((order.voucher, order.user));
            let delivery = self.original.delivery(key, groups, &entry.id).await?;
            self.take_order(&order, delivery).await?;
        }
        Ok(())
    }

    async fn take_order(
        &mut self,
        order: &AdoptedOrder,
        delivery: Delivery,
    ) -> Result<(), RedisImportError> {
        if delivery == Delivery::Acknowledged {
            let reason = "the original acknowledged it and wrote no order".to_owned();
            self.report.orders.list(order, reason);
            return Ok(());
        }
        let obstacle = if self.writes {
            redis_import::add_order(self.app.db(), order).await?.err()
        } else {
            self.plan_order(order).await?
        };
        match obstacle {
            None => self.report.orders.added += 1,
            Some(obstacle) => self.report.orders.list(order, obstacle.to_string()),
        }
        Ok(())
    }

    /// As a run that writes would decide, with what it would have written before.
    async fn plan_order(
        &mut self,
        order: &AdoptedOrder,
    ) -> Result<Option<OrderObstacle>, RedisImportError> {
        let OpenOrders { planned, taken, .. } = &mut self.open_orders;
        let buyer = (order.voucher, order.user);
        if let Some(earlier) = planned.get(&buyer) {
            return Ok(Some(OrderObstacle::AlreadyBought(*earlier)));
        }
        let units = taken.entry(order.voucher).or_default();
        let obstacle = redis_import::find_obstacle(self.app.db(), order, *units).await?;
        if obstacle.is_none() {
            planned.insert(buyer, order.id);
            *units += 1;
        }
        Ok(obstacle)
    }

    pub(super) async fn take_buyers(
        &mut self,
        key: &FoundKey,
        voucher: VoucherId,
    ) -> Result<(), RedisImportError> {
        let mut cursor = Some(0);
        while let Some(from) = cursor {
            let part = self.original.scan_members(key, from).await?;
            cursor = part.next;
            let buyers = part.items.iter().filter_map(|member| member.id);
            let buyers: Vec<UserId> = buyers.map(UserId::new).collect();
            let with_order = redis_import::list_buyers(self.app.db(), voucher, &buyers).await?;
            let is_explained = |user: &UserId| {
                with_order.contains(user) || self.open_orders.buyers.contains(&(voucher, *user))
            };
            let unexplained = buyers.iter().filter(|user| !is_explained(user)).count();
            self.report.orders.buyers_without_order += unexplained as u64;
        }
        Ok(())
    }
}

impl OrdersReport {
    fn list(&mut self, order: &AdoptedOrder, reason: String) {
        self.unwritten_count += 1;
        if self.unwritten.len() < LISTED_ORDERS {
            self.unwritten.push(UnwrittenOrder {
                id: order.id,
                user: order.user,
                voucher: order.voucher,
                accepted_at: order.accepted_at,
                reason,
            });
        }
    }
}
