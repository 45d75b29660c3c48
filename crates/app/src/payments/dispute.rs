//! Money that came and that nobody asked for: another amount, another's number, no payment of ours. It is a row in the
//! record of deeds, once for each number of a provider, until a person has compared the provider's books with ours.

use storage::audit;

use crate::{App, Error};

/// The width of the column.
const SUBJECT_MAX_CHARS: usize = 255;

/// Keeps what a provider said. On an error nothing is kept, and the provider is to say it again.
pub(super) async fn record(
    app: &App,
    number: &str,
    provider_ref: &str,
    amount_cents: u64,
    problem: &str,
) -> Result<(), Error> {
    metrics::counter!("tandian_payments_disputed_total").increment(1);
    tracing::error!(
        number,
        amount_cents,
        problem,
        "money came that was not asked for"
    );
    let subject: String = format!("payment:{number}:{provider_ref}");
    let subject: String = subject.chars().take(SUBJECT_MAX_CHARS).collect();
    // Providers repeat themselves; two rows for one would be harmless.
    if !audit::is_recorded(app.db(), audit::PAYMENT_DISPUTED, &subject).await? {
        let detail = format!("{amount_cents} cents came: {problem}");
        audit::record(app.db(), None, audit::PAYMENT_DISPUTED, &subject, &detail).await?;
    }
    Ok(())
}
