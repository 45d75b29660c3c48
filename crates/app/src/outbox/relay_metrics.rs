//! Metrics of the relay: backlog, age and outcomes.
//!
//! Only the relaying process sets the gauges: elsewhere they keep their last value.

use std::time::Duration;

use jiff::Timestamp;
use storage::outbox::{self, Backlog, Lane};
use tokio::time::Instant;

use super::effect;
use crate::App;

/// Counting the backlog costs a query; metrics are not scraped more often than this.
const EVERY: Duration = Duration::from_secs(1);

/// As long as there were no rows: only a command of an operator changes the figures then.
const EVERY_AT_REST: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub(super) struct RelayMetrics {
    refreshed: Option<Instant>,
    /// Whether the figures shown, or rows seen since, are other than those of an empty outbox.
    had_rows: bool,
}

impl RelayMetrics {
    pub(super) async fn refresh(&mut self, app: &App, has_rows: bool) {
        self.had_rows |= has_rows;
        let every = match self.had_rows {
            true => EVERY,
            false => EVERY_AT_REST,
        };
        if self.refreshed.is_some_and(|at| at.elapsed() < every) {
            return;
        }
        self.refreshed = Some(Instant::now());
        self.had_rows = has_rows;
        // The relay itself logs an SQL outage.
        if let Ok(lanes) = outbox::backlog_by_lane(app.db(), Timestamp::now()).await {
            for lane in Lane::ALL {
                let of_lane = lanes.iter().find(|it| it.lane == lane);
                show(lane, of_lane.map(|it| it.backlog).unwrap_or_default());
            }
        }
    }
}

fn show(lane: Lane, backlog: Backlog) {
    let lane = lane.as_str();
    metrics::gauge!("tandian_outbox_backlog", "lane" => lane).set(backlog.count as f64);
    metrics::gauge!("tandian_outbox_failing", "lane" => lane).set(backlog.failing as f64);
    metrics::gauge!("tandian_outbox_dead_letters", "lane" => lane).set(backlog.dead as f64);
    metrics::gauge!("tandian_outbox_most_attempts", "lane" => lane)
        .set(backlog.most_attempts as f64);
    metrics::gauge!("tandian_outbox_oldest_age_seconds", "lane" => lane).set(backlog.oldest_age);
}

pub(super) fn count(kind: &str, outcome: &'static str) {
    let labels = [("kind", effect::label(kind)), ("outcome", outcome)];
    metrics::counter!("tandian_outbox_effects_total", &labels).increment(1);
}
