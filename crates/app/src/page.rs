//! Pages of lists, for every list of the crate.
//!
//! Lists that grow at their head are read by cursor: a [`Page`] names the cursor of the next one, so rows that come or go
//! between two pages neither repeat nor skip an item. Lists that the original numbers count their pages from 1
//! ([`items_before`]).

/// One page of a list that is read by cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T, C> {
    pub items: Vec<T>,
    /// The cursor of the next page; absent on the last one, except in the feed, where the page after the last is empty.
    pub next: Option<C>,
}

impl<T, C> Page<T, C> {
    /// A page read with `LIMIT size`: if it is full, there may be a next one after its last item.
    pub(crate) fn of_size(items: Vec<T>, size: usize, cursor: impl Fn(&T) -> C) -> Self {
        let is_full = items.len() == size;
        let next = items.last().filter(|_| is_full).map(cursor);
        Self { items, next }
    }

    /// A page read with `LIMIT size + 1`: the extra item proves that there is a next page, and is dropped.
    pub(crate) fn of_one_more(mut items: Vec<T>, size: usize, cursor: impl Fn(&T) -> C) -> Self {
        let has_more = items.len() > size;
        items.truncate(size);
        let next = items.last().filter(|_| has_more).map(cursor);
        Self { items, next }
    }

    /// The same page of other items.
    pub(crate) fn map_items<U>(self, items: Vec<U>) -> Page<U, C> {
        Page {
            items,
            next: self.next,
        }
    }
}

/// The number of items before a numbered page; page 0 counts as page 1.
pub(crate) fn items_before(page: u32, size: u32) -> u64 {
    u64::from(page.saturating_sub(1)) * u64::from(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_page_may_have_a_next_one_and_a_short_page_has_none() {
        let page = |count: usize| Page::of_size((0..count).collect(), 3, |item| *item);
        assert_eq!(page(3).next, Some(2));
        assert_eq!(page(2).next, None);
        assert_eq!(page(0).next, None);
    }

    #[test]
    fn the_extra_item_proves_a_next_page_and_is_not_shown() {
        let page = |count: usize| Page::of_one_more((0..count).collect(), 3, |item| *item);
        assert_eq!(page(4).items, [0, 1, 2]);
        assert_eq!(page(4).next, Some(2));
        assert_eq!(page(3).next, None);
    }

    #[test]
    fn numbered_pages_count_from_one() {
        assert_eq!([0, 1, 2].map(|page| items_before(page, 10)), [0, 0, 10]);
        let last = items_before(u32::MAX, u32::MAX);
        assert_eq!(last, u64::from(u32::MAX - 1) * u64::from(u32::MAX));
    }
}
