//! Check-ins of the demo visitor: some past days, and every recent one.

use domain::UserId;
use jiff::{Timestamp, ToSpan as _};
use storage::check_ins;

use super::SeedError;
use crate::App;

/// The demo visitor is user 1.
const VISITOR: UserId = UserId::new(1);

/// Days before today. Today is left open for the visitor.
const DAYS_AGO: [i32; 16] = [1, 2, 3, 4, 5, 6, 9, 10, 12, 17, 18, 24, 25, 31, 33, 38];

/// Skipped if the visitor has any check-in.
pub(super) async fn insert(app: &App, now: Timestamp) -> Result<(), SeedError> {
    let today = app.rules().zone.date(now);
    let days = DAYS_AGO.map(|days| today.saturating_sub(days.days()));
    let first = days[days.len() - 1];
    if !check_ins::list_days(app.db(), VISITOR, first, today)
        .await?
        .is_empty()
    {
        return Ok(());
    }
    for day in days {
        check_ins::check_in(app.db(), VISITOR, day).await?;
    }
    app.outbox().wake();
    Ok(())
}
