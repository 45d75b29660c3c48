//! The differences that two surveys both found: any other may have been a change in progress.

use super::Drift;
use crate::OrderId;

pub(super) fn found_by_both(first: &[Drift], second: &[Drift]) -> Vec<Drift> {
    let both = second.iter().filter_map(|drift| {
        let matching = first.iter().map(|earlier| common(earlier, drift));
        matching.flatten().next()
    });
    both.collect()
}

fn common(first: &Drift, second: &Drift) -> Option<Drift> {
    match (first, second) {
        (Drift::Forgotten { orders }, Drift::Forgotten { orders: others }) => {
            shared(orders, others).map(|orders| Drift::Forgotten { orders })
        }
        (Drift::Ended { orders }, Drift::Ended { orders: others }) => {
            shared(orders, others).map(|orders| Drift::Ended { orders })
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
        let one = [Drift::Units { difference: 1 }];
        let two = [Drift::Units { difference: 2 }];
        assert_eq!(found_by_both(&one, &one), one);
        assert_eq!(found_by_both(&one, &two), []);
    }

    #[test]
    fn only_orders_that_both_have_found_count() {
        assert_eq!(
            found_by_both(&[forgotten(&[1, 2])], &[forgotten(&[2, 3])]),
            [forgotten(&[2])]
        );
        assert_eq!(found_by_both(&[forgotten(&[1])], &[forgotten(&[2])]), []);
    }

    #[test]
    fn orders_of_different_kinds_are_not_mixed() {
        let orphaned = Drift::Orphaned {
            orders: vec![OrderId(1)],
        };
        assert_eq!(found_by_both(&[forgotten(&[1])], &[orphaned]), []);
    }
}
