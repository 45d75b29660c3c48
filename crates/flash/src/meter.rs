//! The metrics, every name of them.
//!
//! Counters of the hot path are handles that are created once: a lookup by name and labels costs more than a claim that the
//! sold-out flag decides. So a recorder must be installed before the engine is created.

use std::time::Duration;

use metrics::{Counter, Histogram};

use crate::{ClaimError, ClaimOutcome, Partition};

#[derive(Debug)]
pub(crate) struct Meter {
    granted: Counter,
    sold_out: Counter,
    already_bought: Counter,
    not_started: Counter,
    ended: Counter,
    no_such_sale: Counter,
    busy: Counter,
    unknown: Counter,
    batch_size: Histogram,
    gate_seconds: Histogram,
}

impl Meter {
    pub(crate) fn new() -> Self {
        let claims = |outcome| metrics::counter!("flash_claims_total", "outcome" => outcome);
        Self {
            granted: claims("granted"),
            sold_out: claims("sold_out"),
            already_bought: claims("already_bought"),
            not_started: claims("not_started"),
            ended: claims("ended"),
            no_such_sale: claims("no_such_sale"),
            busy: claims("busy"),
            unknown: claims("unknown"),
            batch_size: metrics::histogram!("flash_batch_size"),
            gate_seconds: metrics::histogram!("flash_gate_seconds"),
        }
    }

    pub(crate) fn claimed(&self, outcome: &Result<ClaimOutcome, ClaimError>) {
        let counter = match outcome {
            Ok(ClaimOutcome::Granted(_)) => &self.granted,
            Ok(ClaimOutcome::SoldOut) => &self.sold_out,
            Ok(ClaimOutcome::AlreadyBought(_)) => &self.already_bought,
            Ok(ClaimOutcome::NotStarted) => &self.not_started,
            Ok(ClaimOutcome::Ended) => &self.ended,
            Err(ClaimError::NoSuchSale) => &self.no_such_sale,
            Err(ClaimError::Busy { .. }) => &self.busy,
            Err(ClaimError::Unknown(_)) => &self.unknown,
        };
        counter.increment(1);
    }

    pub(crate) fn called(&self, claims: usize, took: Duration) {
        let claims = u32::try_from(claims).unwrap_or(u32::MAX);
        self.batch_size.record(claims);
        self.gate_seconds.record(took);
    }
}

/// A claim was refused before it reached the gate.
pub(crate) fn refused(why: &'static str) {
    metrics::counter!("flash_refusals_total", "why" => why).increment(1);
}

/// Orders of a partition that the ledger does not have yet.
pub(crate) fn backlog(partition: Partition, orders: u64) {
    #[expect(clippy::cast_precision_loss, reason = "no backlog has 2^52 orders")]
    let orders = orders as f64;
    metrics::gauge!("flash_backlog_orders", "partition" => partition.to_string()).set(orders);
}

/// Orders were recorded in the ledger.
pub(crate) fn drained(orders: usize, took: Duration) {
    let orders = u64::try_from(orders).unwrap_or(u64::MAX);
    metrics::counter!("flash_drained_orders_total").increment(orders);
    metrics::histogram!("flash_drain_batch_seconds").record(took);
}

/// Orders of a partition that were not recorded and are retried.
pub(crate) fn parked(partition: Partition, orders: usize) {
    #[expect(clippy::cast_precision_loss, reason = "no process holds 2^52 orders")]
    let orders = orders as f64;
    metrics::gauge!("flash_parked_orders", "partition" => partition.to_string()).set(orders);
}

/// An order or a stream entry was dead-lettered.
pub(crate) fn dead_lettered(reason: &'static str) {
    metrics::counter!("flash_dead_total", "reason" => reason).increment(1);
}

/// An entry of a version that this process does not know stays pending.
pub(crate) fn unknown_version() {
    metrics::counter!("flash_unknown_version_entries_total").increment(1);
}

/// Stream entries were deleted before they were acknowledged.
pub(crate) fn lost_entries(entries: u64) {
    metrics::counter!("flash_lost_entries_total").increment(entries);
}

/// Orders disappeared from the stream before a consumer read their entries.
pub(crate) fn lost_orders(orders: u64) {
    metrics::counter!("flash_lost_orders_total").increment(orders);
}

/// The consumer group of a stream was gone.
pub(crate) fn group_gone() {
    metrics::counter!("flash_group_gone_total").increment(1);
}

/// A broker lost entries, and they were sent again.
pub(crate) fn transport_stalled() {
    metrics::counter!("flash_transport_stalls_total").increment(1);
}

/// The difference of the two sides of an equation, added up: every rise is an alarm. The log has the sale: a series per sale
/// would be unbounded.
pub(crate) fn drift(equation: &'static str, difference: i64) {
    let units = difference.unsigned_abs();
    metrics::counter!("flash_drift_pieces_total", "equation" => equation).increment(units);
}

pub(crate) fn repaired(kind: &'static str) {
    metrics::counter!("flash_repairs_total", "kind" => kind).increment(1);
}

#[cfg(test)]
mod tests {
    const README: &str = include_str!("../README.md");

    /// The text of a file before its tests.
    fn code(source: &'static str) -> &'static str {
        source.split("#[cfg(test)]").next().unwrap_or_default()
    }

    #[test]
    fn the_readme_has_every_metric_and_no_other() {
        let in_code = code(include_str!("meter.rs"))
            .split('"')
            .filter(|text| text.starts_with("flash_"));
        let rows = README
            .lines()
            .filter_map(|row| row.strip_prefix("| `flash_"));
        let rows = rows.map(|row| row.split(['`', '{']).next().unwrap_or_default());
        let mut described: Vec<String> = rows.map(|name| format!("flash_{name}")).collect();
        let mut counted: Vec<String> = in_code.map(str::to_owned).collect();
        described.sort_unstable();
        counted.sort_unstable();
        assert_eq!(described, counted);
    }

    #[test]
    fn the_readme_has_every_option() {
        let source = code(include_str!("options.rs"));
        let fields = source.lines().filter_map(|line| {
            let field = line.strip_prefix("    pub ")?;
            field.split(':').next()
        });
        let missing: Vec<&str> = fields
            .filter(|field| !README.contains(&format!("`{field}`")))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
