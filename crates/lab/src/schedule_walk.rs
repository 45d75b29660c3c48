//! A depth-first walk through all schedules: [`next_plan`].
//!
//! A schedule is the list of choices of which call or task to continue. The first one always takes the first that can
//! continue; the next schedule changes the last choice that has an alternative.

/// The call or task that was chosen, and out of how many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScheduleChoice {
    pub(crate) chosen: usize,
    pub(crate) of: usize,
}

/// The last choice that has an alternative takes the next one; `None` if there is none, and all were visited.
pub(crate) fn next_plan(mut choices: Vec<ScheduleChoice>) -> Option<Vec<usize>> {
    while let Some(last) = choices.pop() {
        if last.chosen + 1 < last.of {
            let mut plan: Vec<usize> = choices.iter().map(|choice| choice.chosen).collect();
            plan.push(last.chosen + 1);
            return Some(plan);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_visits_every_order_once() {
        // Two callers of two moves each: six orders.
        let mut seen = Vec::new();
        let mut plan = Some(Vec::new());
        while let Some(present) = plan {
            let (mut left, mut choices, mut order) = ([2, 2], Vec::new(), Vec::new());
            loop {
                let movable: Vec<usize> = (0..2).filter(|who| left[*who] > 0).collect();
                if movable.is_empty() {
                    break;
                }
                let chosen = present.get(choices.len()).copied().unwrap_or_default();
                let of = movable.len();
                choices.push(ScheduleChoice { chosen, of });
                left[movable[chosen]] -= 1;
                order.push(movable[chosen]);
            }
            assert!(!seen.contains(&order), "{order:?} came twice");
            seen.push(order);
            plan = next_plan(choices);
        }
        assert_eq!(seen.len(), 6);
    }
}
