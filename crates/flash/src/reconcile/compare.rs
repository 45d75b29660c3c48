//! What two surveys have both found: everything else may have been a change on its way.

use super::Drift;
use crate::OrderId;

pub(super) fn agree(first: &[Drift], second: &[Drift]) -> Vec<Drift> {
    let both = second.iter().filter_map(|drift| {
        let agreed = first.iter().map(|earlier| common(earlier, drift));
        agreed.flatten().next()
    });
    both.collect()
}

fn common(first: &Drift, second: &Drift) -> Option<Drift> {
    match (first, second) {
        (Drift::Forgotten { orders }, Drift::Forgotten { orders: others }) => {
            shared(orders, others).map(|orders| Drift::Forgotten { orders })
        }
        (Drift::Buried { orders }, Drift::Buried { orders: others }) => {
            shared(orders, others).map(|orders| Drift::Buried { orders })
        }
        (Drift::Orphaned { orders }, Drift::Orphaned { orders: others }) => {
            shared(orders, others).map(|orders| Drift::Orphaned { orders })
        }
        (first, second) => (first == second).then(|| second.clone()),
    }
}

/// Both are sorted.
fn shared(first: &[OrderId], second: &[OrderId]) -> Option<Vec<OrderId>> {
    let both = second
        .iter()
        .filter(|order| first.binary_search(order).is_ok());
    let both: Vec<OrderId> = both.copied().collect();
    (!both.is_empty()).then_some(both)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forgotten(orders: &[i64]) -> Drift {
        Drift::Forgotten {
            orders: orders.iter().copied().map(OrderId).collect(),
        }
    }

    #[test]
    fn figures_must_be_the_same() {
        let one = [Drift::Pieces { difference: 1 }];
        let two = [Drift::Pieces { difference: 2 }];
        assert_eq!(agree(&one, &one), one);
        assert_eq!(agree(&one, &two), []);
    }

    #[test]
    fn only_orders_that_both_have_found_count() {
        assert_eq!(
            agree(&[forgotten(&[1, 2])], &[forgotten(&[2, 3])]),
            [forgotten(&[2])]
        );
        assert_eq!(agree(&[forgotten(&[1])], &[forgotten(&[2])]), []);
    }

    #[test]
    fn orders_of_different_kinds_are_not_mixed() {
        let orphaned = Drift::Orphaned {
            orders: vec![OrderId(1)],
        };
        assert_eq!(agree(&[forgotten(&[1])], &[orphaned]), []);
    }
}
