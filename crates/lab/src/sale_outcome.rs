//! The outcome of a sale, by SQL and by the replies to the buyers: [`SaleOutcome`].

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

/// A sale of N must sell N, one per buyer, and every order that a buyer got must exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleOutcome {
    /// The stock of the sale.
    pub stock: usize,
    /// Orders in SQL.
    pub sold: usize,
    /// Orders beyond the stock.
    pub oversold: usize,
    /// Orders of people who had one already.
    pub duplicates: usize,
    /// Orders that a buyer got and SQL does not have.
    pub lost: usize,
    /// Units that were not sold although buyers were refused.
    pub stranded: usize,
}

impl SaleOutcome {
    /// The outcome of a sale with more buyers than stock: `orders` are ids and buyers in SQL, `replied_orders` the ids in
    /// replies to buyers.
    pub(crate) fn of(stock: usize, orders: &[(i64, i64)], replied_orders: &[i64]) -> Self {
        let ids: HashSet<i64> = orders.iter().map(|(id, _)| *id).collect();
        let buyers: HashSet<i64> = orders.iter().map(|(_, buyer)| *buyer).collect();
        let sold = orders.len();
        Self {
            stock,
            sold,
            oversold: sold.saturating_sub(stock),
            duplicates: sold - buyers.len(),
            lost: replied_orders.iter().filter(|id| !ids.contains(id)).count(),
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
