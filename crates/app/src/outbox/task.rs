//! Groups the rows of a batch that are applied together.
//!
//! Rows of one batch have different keys, so their order is free and rows of one kind may be merged. That pays where
//! thousands come at once, as when the unpaid orders of a large sale expire.

use std::collections::HashMap;

use domain::VoucherId;
use storage::orders::UnitReturned;
use storage::outbox::OutboxRow;

use super::effect::{Effect, EffectError};

/// Rows that are applied together or not at all.
pub(super) struct Task {
    pub(super) rows: Vec<OutboxRow>,
    pub(super) effect: Result<Effect, EffectError>,
}

/// An unreadable row is a task of its own, so it blocks no other.
pub(super) fn of(rows: Vec<OutboxRow>) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut returns: HashMap<VoucherId, (Vec<OutboxRow>, Vec<UnitReturned>)> = HashMap::new();
    for row in rows {
        match Effect::parse(&row) {
            Ok(Effect::UnitsReturned { sale, units }) => {
                let (rows, together) = returns.entry(sale).or_default();
                rows.push(row);
                together.extend(units);
            }
            effect => tasks.push(Task {
                rows: vec![row],
                effect,
            }),
        }
    }
    let returns = returns.into_iter().map(|(sale, (rows, units))| Task {
        rows,
        effect: Ok(Effect::UnitsReturned { sale, units }),
    });
    tasks.extend(returns);
    tasks
}
