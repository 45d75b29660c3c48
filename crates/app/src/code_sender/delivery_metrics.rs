//! Counts deliveries by sender and outcome: `tandian_code_deliveries_total`.

use super::{Delivery, SenderError, SenderName};

pub(super) fn count(sender: SenderName, delivery: &Result<Delivery, SenderError>) {
    let outcome = match delivery {
        Ok(Delivery::Sent) => "sent",
        Ok(Delivery::Refused(_)) => "refused",
        Err(error) if error.is_in_doubt() => "unknown",
        Err(_) => "failed",
    };
    let provider = sender.label();
    metrics::counter!("tandian_code_deliveries_total", "provider" => provider, "outcome" => outcome)
        .increment(1);
}
