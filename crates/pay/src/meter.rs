//! The metrics: how often, how long, how it ended. Labels are closed sets; no number of a payment is ever one.

use std::time::Instant;

pub(crate) fn called(
    provider: &'static str,
    call: &'static str,
    outcome: &'static str,
    since: Instant,
) {
    metrics::counter!("pay_calls_total", "provider" => provider, "call" => call, "outcome" => outcome)
        .increment(1);
    metrics::histogram!("pay_call_seconds", "provider" => provider, "call" => call)
        .record(since.elapsed());
}

pub(crate) fn callback(provider: &'static str, outcome: &'static str) {
    metrics::counter!("pay_callbacks_total", "provider" => provider, "outcome" => outcome)
        .increment(1);
}
