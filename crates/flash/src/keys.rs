//! Every key this crate uses. All keys of a partition share its hash tag, so that one script touches one slot.

use std::sync::Arc;

use crate::{Partition, SaleId};

/// Builds keys behind a prefix, so that tests and several deployments can share a server.
#[derive(Clone, Debug)]
pub struct Keys {
    prefix: Arc<str>,
    id_prefix: Arc<str>,
}

impl Keys {
    /// Keys that begin with this prefix; the counters of order ids begin with `<prefix>ids:`.
    pub fn new(prefix: &str) -> Self {
        Self {
            prefix: prefix.into(),
            id_prefix: format!("{prefix}ids:").into(),
        }
    }

    /// The same keys, with another prefix for the counters of order ids.
    #[must_use]
    pub fn with_id_prefix(mut self, id_prefix: &str) -> Self {
        self.id_prefix = id_prefix.into();
        self
    }

    /// Hash: stock and terms of a sale.
    pub(crate) fn sale(&self, partition: Partition, sale: SaleId) -> String {
        self.of(partition, format_args!("sale:{sale}"))
    }

    /// Hash: the orders of every buyer of a sale.
    pub(crate) fn buyers(&self, partition: Partition, sale: SaleId) -> String {
        self.of(partition, format_args!("buyers:{sale}"))
    }

    /// Stream: orders that the ledger does not have yet.
    pub(crate) fn orders(&self, partition: Partition) -> String {
        self.of(partition, format_args!("orders"))
    }

    /// Counter: how many orders were granted and are not in the ledger yet. An entry of the stream holds several.
    pub(crate) fn backlog(&self, partition: Partition) -> String {
        self.of(partition, format_args!("backlog"))
    }

    /// Stream: dead-lettered entries.
    pub(crate) fn dead_letters(&self, partition: Partition) -> String {
        self.of(partition, format_args!("dead"))
    }

    /// List: gets an element when a barrier is passed.
    pub(crate) fn barrier(&self, partition: Partition, nonce: &str) -> String {
        self.of(partition, format_args!("barrier:{nonce}"))
    }

    /// String: exists while somebody waits for a barrier of the partition.
    pub(crate) fn barrier_waiter(&self, partition: Partition) -> String {
        self.of(partition, format_args!("barrier_waiter"))
    }

    /// Hash: the journal of transfers that left a bucket.
    pub(crate) fn moved(&self, partition: Partition, sale: SaleId) -> String {
        self.of(partition, format_args!("moved:{sale}"))
    }

    /// Hash: the last transfer that a bucket received from each other bucket.
    pub(crate) fn received(&self, partition: Partition, sale: SaleId) -> String {
        self.of(partition, format_args!("received:{sale}"))
    }

    /// String: written before `WAIT`, which counts from the last write of its connection.
    pub(crate) fn mark(&self, partition: Partition) -> String {
        self.of(partition, format_args!("mark"))
    }

    /// Channel: new epochs of sales.
    pub(crate) fn epochs(&self, partition: Partition) -> String {
        self.of(partition, format_args!("epochs"))
    }

    /// Counter: ids of a kind that were given out on a day, written as `2026:11:15`.
    pub(crate) fn counter(&self, what: &str, day: &str) -> String {
        format!("{}{what}:{day}", self.id_prefix)
    }

    fn of(&self, partition: Partition, what: std::fmt::Arguments<'_>) -> String {
        format!("{}{{{partition}}}:{what}", self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_begin_with_the_prefix_and_nothing_else() {
        let keys = Keys::new("flash:");
        assert_eq!(keys.sale(Partition(3), SaleId(7)), "flash:{3}:sale:7");
        assert_eq!(
            keys.counter("order", "2026:11:15"),
            "flash:ids:order:2026:11:15"
        );
    }

    /// A deployment that has data under other names keeps them.
    #[test]
    fn counters_of_ids_may_have_a_prefix_of_their_own() {
        let keys = Keys::new("a:gate:").with_id_prefix("a:counter:");
        assert_eq!(keys.orders(Partition(0)), "a:gate:{0}:orders");
        assert_eq!(
            keys.counter("order", "2026:11:15"),
            "a:counter:order:2026:11:15"
        );
    }
}
