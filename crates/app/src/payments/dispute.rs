//! Disputed payments: a wrong amount, another payment's reference, or an unknown trade number. Each is recorded once
//! per provider reference in the audit log, for an admin to compare with the provider's books.

use storage::audit;

use crate::{App, Error};

/// The width of the column.
const SUBJECT_MAX_CHARS: usize = 255;

/// Records the provider's message. On an error nothing is recorded, and the provider repeats its callback.
pub(super) async fn record(
    app: &App,
    number: &str,
    provider_ref: &str,
    amount_cents: u64,
    problem: &str,
) -> Result<(), Error> {
    metrics::counter!("tandian_payments_disputed_total").increment(1);
    tracing::error!(number, amount_cents, problem, "payment disputed");
    let subject: String = format!("payment:{number}:{provider_ref}");
    let subject: String = subject.chars().take(SUBJECT_MAX_CHARS).collect();
    // Callbacks repeat; two concurrent rows for one would be harmless.
    if !audit::is_recorded(app.db(), audit::PAYMENT_DISPUTED, &subject).await? {
        let detail = format!("{amount_cents} cents came: {problem}");
        audit::record(app.db(), None, audit::PAYMENT_DISPUTED, &subject, &detail).await?;
    }
    Ok(())
}
