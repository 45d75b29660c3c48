//! What of a batch of rows happens in one go.
//!
//! Rows of one batch have different keys, so nothing is said about their order: those of the same kind may be joined.
//! That pays where thousands come at once, which pieces of a great sale do when its unpaid orders run out.

use std::collections::HashMap;

use domain::VoucherId;
use storage::orders::PieceReturned;
use storage::outbox::OutboxRow;

use super::effect::{Effect, EffectError};

/// Rows that are done together or not at all.
pub(super) struct Task {
    pub(super) rows: Vec<OutboxRow>,
    pub(super) effect: Result<Effect, EffectError>,
}

/// A row that cannot be read is a task of its own, so it holds back no other.
pub(super) fn of(rows: Vec<OutboxRow>) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut returns: HashMap<VoucherId, (Vec<OutboxRow>, Vec<PieceReturned>)> = HashMap::new();
    for row in rows {
        match Effect::parse(&row) {
            Ok(Effect::PiecesReturned { sale, pieces }) => {
                let (rows, together) = returns.entry(sale).or_default();
                rows.push(row);
                together.extend(pieces);
            }
            effect => tasks.push(Task {
                rows: vec![row],
                effect,
            }),
        }
    }
    let returns = returns.into_iter().map(|(sale, (rows, pieces))| Task {
        rows,
        effect: Ok(Effect::PiecesReturned { sale, pieces }),
    });
    tasks.extend(returns);
    tasks
}
