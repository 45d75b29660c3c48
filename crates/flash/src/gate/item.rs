//! The orders of a buyer in the gate: one item per order, `slot:order:key`, joined by commas.
//!
//! A returned order keeps its item, in slot 0, so that a late repetition of its request gets the same reply instead of a
//! second unit.

use crate::OrderId;

/// An order that a buyer holds or held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Which of the buyer's units, from 1; 0 for a returned one.
    pub(crate) slot: u8,
    pub(crate) order: OrderId,
}

impl Item {
    pub(crate) fn is_live(self) -> bool {
        self.slot > 0
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        Some(Self {
            slot: parts.next()?.parse().ok()?,
            order: OrderId(parts.next()?.parse().ok()?),
        })
    }
}

/// The items of a buyer. Malformed ones are skipped.
pub(crate) fn items(value: &str) -> impl Iterator<Item = Item> {
    value.split(',').filter_map(Item::parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_parsed_with_and_without_a_key() {
        let read: Vec<Item> = items("1:77:00ff,0:78:,2:79:").collect();
        let slots = read.iter().map(|item| (item.slot, item.order.0));
        assert_eq!(slots.collect::<Vec<_>>(), [(1, 77), (0, 78), (2, 79)]);
        assert!(read[0].is_live() && !read[1].is_live());
    }

    #[test]
    fn malformed_items_are_skipped() {
        assert_eq!(items("").count(), 0);
        assert_eq!(items("x,1:,1:2:").count(), 1);
    }
}
