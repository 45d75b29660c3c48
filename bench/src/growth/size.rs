//! How large a site is, in each of the things that it can have many of.

/// Something that a site collects over the years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Collected {
    People,
    Orders,
    Vouchers,
    Notes,
}

/// How many of each; the smallest site has the numbers of [`SMALLEST`].
#[derive(Clone, Copy, Debug)]
pub(super) struct SiteSize {
    /// Who are signed in, each with an order.
    pub(super) people: usize,
    /// Orders of sales that are over.
    pub(super) orders: u64,
    /// Ordinary vouchers, and as many sales that are over.
    pub(super) vouchers: u64,
    pub(super) notes: u64,
}

/// A thousand times as many orders are ten million.
pub(super) const SMALLEST: SiteSize = SiteSize {
    people: 1_000,
    orders: 10_000,
    vouchers: 100,
    notes: 1_000,
};

impl Collected {
    pub(super) const ALL: [Self; 4] = [Self::People, Self::Orders, Self::Vouchers, Self::Notes];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::People => "people",
            Self::Orders => "orders",
            Self::Vouchers => "vouchers",
            Self::Notes => "notes",
        }
    }
}

impl SiteSize {
    /// So many times the smallest site, in everything.
    pub(super) fn in_everything(times: usize) -> Self {
        let each = Collected::ALL.into_iter();
        each.fold(SMALLEST, |size, what| size.grow(what, times))
    }

    /// So many times the smallest site, in one thing.
    pub(super) fn in_one_thing(what: Collected, times: usize) -> Self {
        SMALLEST.grow(what, times)
    }

    fn grow(mut self, what: Collected, times: usize) -> Self {
        let more = times as u64;
        match what {
            Collected::People => self.people *= times,
            Collected::Orders => self.orders *= more,
            Collected::Vouchers => self.vouchers *= more,
            Collected::Notes => self.notes *= more,
        }
        self
    }
}
