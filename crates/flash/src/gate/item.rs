//! What a buyer holds: one item per order, in the form `slot:order:key`, joined by commas.
//!
//! An order that was given back keeps its item, in slot 0, so that a request that is repeated late gets the same answer
//! again instead of a second piece.

use crate::OrderId;

/// An order in a buyer's hands, or one that was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Which of the buyer's pieces, from 1; 0 for one that was given back.
    pub(crate) slot: u8,
    pub(crate) order: OrderId,
}

impl Item {
    pub(crate) fn is_live(self) -> bool {
        self.slot > 0
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        Some(Self {
            slot: parts.next()?.parse().ok()?,
            order: OrderId(parts.next()?.parse().ok()?),
        })
    }
}

/// The items of a buyer. What cannot be read is left out.
pub(crate) fn items(value: &str) -> impl Iterator<Item = Item> {
    value.split(',').filter_map(Item::read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_with_and_without_a_key() {
        let read: Vec<Item> = items("1:77:00ff,0:78:,2:79:").collect();
        let slots = read.iter().map(|item| (item.slot, item.order.0));
        assert_eq!(slots.collect::<Vec<_>>(), [(1, 77), (0, 78), (2, 79)]);
        assert!(read[0].is_live() && !read[1].is_live());
    }

    #[test]
    fn what_is_no_item_is_left_out() {
        assert_eq!(items("").count(), 0);
        assert_eq!(items("x,1:,1:2:").count(), 1);
    }
}
