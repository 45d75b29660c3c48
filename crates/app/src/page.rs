//! Pages of lists, for every list of the crate.
//!
//! Lists that grow at their head are read by cursor: a [`Page`] names the cursor of the next one, so rows that come or go
//! between two pages neither repeat nor skip an item. Lists that the original numbers count their pages from 1
//! ([`items_before`]).

/// How many items a page shows: from one to [`PageSize::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize(u32);

impl PageSize {
    pub const MAX: u32 = storage::MAX_PAGE_ROWS - 1;

    /// Brings the size into the range.
    pub const fn new(items: u32) -> Self {
        match items {
            0 => Self(1),
            1..=Self::MAX => Self(items),
            _ => Self(Self::MAX),
        }
    }

    /// How many items a page shows.
    pub(crate) const fn items(self) -> u32 {
        self.0
    }

    /// How many rows to read: one more than the page shows, which proves that there is a next page.
    pub(crate) fn rows(self) -> u32 {
        self.0 + 1
    }
}

/// One page of a list that is read by cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T, C> {
    pub items: Vec<T>,
    /// The cursor of the next page; absent on the last one, except in the feed, where the page after the last is empty.
    pub next: Option<C>,
}

impl<T, C> Page<T, C> {
    /// From [`PageSize::rows`] rows, or fewer where the list ends. The extra row is not shown.
    pub(crate) fn new(mut rows: Vec<T>, size: PageSize, cursor: impl Fn(&T) -> C) -> Self {
        let has_more = rows.len() > size.0 as usize;
        rows.truncate(size.0 as usize);
        let next = rows.last().filter(|_| has_more).map(cursor);
        Self { items: rows, next }
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
    fn the_extra_row_proves_a_next_page_and_is_not_shown() {
        let size = PageSize::new(3);
        assert_eq!(size.rows(), 4);
        let page = |rows: usize| Page::new((0..rows).collect(), size, |item| *item);
        assert_eq!(page(4).items, [0, 1, 2]);
        assert_eq!(page(4).next, Some(2));
        assert_eq!(page(3).items, [0, 1, 2]);
        assert_eq!([3, 2, 0].map(|rows| page(rows).next), [None; 3]);
    }

    #[test]
    fn a_page_shows_at_least_one_item_and_storage_reads_a_row_more_than_the_longest() {
        assert_eq!(PageSize::new(0), PageSize::new(1));
        assert_ne!(PageSize::new(1), PageSize::new(2));
        assert_eq!(PageSize::new(u32::MAX), PageSize::new(PageSize::MAX));
        assert_eq!(PageSize::new(u32::MAX).rows(), storage::MAX_PAGE_ROWS);
    }

    #[test]
    fn numbered_pages_count_from_one() {
        assert_eq!([0, 1, 2].map(|page| items_before(page, 10)), [0, 0, 10]);
        let last = items_before(u32::MAX, u32::MAX);
        assert_eq!(last, u64::from(u32::MAX - 1) * u64::from(u32::MAX));
    }
}
