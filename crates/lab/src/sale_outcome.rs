//! The outcome of a sale, by SQL and by the replies to the buyers: [`SaleOutcome`].

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

/// A sale of N must sell N, one to a person, and every order that somebody was told of must be there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleOutcome {
    /// Pieces there were.
    pub stock: usize,
    /// Orders in SQL.
    pub sold: usize,
    /// Orders beyond the stock.
    pub oversold: usize,
    /// Orders of people who had one already.
    pub duplicates: usize,
    /// Orders that a buyer was told of and SQL does not have.
    pub lost: usize,
    /// Pieces that nobody got although people were sent away.
    pub stranded: usize,
}

impl SaleOutcome {
    /// Judges a sale that everybody wanted: `orders` are ids and buyers in SQL, `told` the ids that buyers heard.
    pub(crate) fn of(stock: usize, orders: &[(i64, i64)], told: &[i64]) -> Self {
        let ids: HashSet<i64> = orders.iter().map(|(id, _)| *id).collect();
        let buyers: HashSet<i64> = orders.iter().map(|(_, buyer)| *buyer).collect();
        let sold = orders.len();
        Self {
            stock,
            sold,
            oversold: sold.saturating_sub(stock),
            duplicates: sold - buyers.len(),
            lost: told.iter().filter(|id| !ids.contains(id)).count(),
            stranded: stock.saturating_sub(sold),
        }
    }

    #[must_use]
    pub fn is_right(&self) -> bool {
        self.oversold + self.duplicates + self.lost + self.stranded == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sale_that_sold_all_once_and_kept_its_word_is_right() {
        let verdict = SaleOutcome::of(2, &[(11, 1), (12, 2)], &[11, 12]);
        assert!(verdict.is_right(), "{verdict:?}");
    }

    #[test]
    fn every_kind_of_harm_is_counted() {
        let oversold = SaleOutcome::of(1, &[(11, 1), (12, 2)], &[11, 12]);
        assert_eq!((oversold.oversold, oversold.duplicates), (1, 0));
        let double = SaleOutcome::of(2, &[(11, 1), (12, 1)], &[11, 12]);
        assert_eq!((double.oversold, double.duplicates), (0, 1));
        let lost = SaleOutcome::of(2, &[(11, 1)], &[11, 12]);
        assert_eq!((lost.lost, lost.stranded), (1, 1));
        let stranded = SaleOutcome::of(2, &[(11, 1)], &[11]);
        assert_eq!((stranded.lost, stranded.stranded), (0, 1));
        for verdict in [oversold, double, lost, stranded] {
            assert!(!verdict.is_right(), "{verdict:?}");
        }
    }
}
