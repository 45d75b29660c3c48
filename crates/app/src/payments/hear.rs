//! What becomes of a provider's word, whether it came by itself or was asked for. Hearing it twice is hearing it once.

use domain::RedeemCode;
use pay::{Notice, NoticeOutcome};
use rand::RngExt as _;
use storage::payments::{self, ConfirmRefusal, Confirmed, PaymentId};

use super::{PaymentError, dispute, payment_of};
use crate::{App, Error, fail_point, notices};

/// Takes a notice whose signature was checked. `None` if there is nothing to take: it may be acknowledged all the same,
/// unless this is an error.
pub async fn hear(app: &App, notice: &Notice) -> Result<Option<Confirmed>, Error> {
    let Some(payment) = payment_of(&notice.out_trade_no) else {
        if notice.outcome == NoticeOutcome::Paid {
            let (number, reference) = (notice.out_trade_no.as_str(), &notice.provider_ref);
            let problem = "its number is none of ours";
            dispute::record(app, number, reference, notice.amount_cents, problem).await?;
        }
        return Ok(None);
    };
    match &notice.outcome {
        NoticeOutcome::Paid => {
            let (reference, cents) = (&notice.provider_ref, notice.amount_cents);
            take_money(app, payment, reference, cents).await
        }
        NoticeOutcome::Closed => {
            payments::close(app.db(), payment).await?;
            Ok(None)
        }
        // What goes back is asked for by the outbox, which hears it first.
        NoticeOutcome::Waiting | NoticeOutcome::Refunded { .. } => Ok(None),
    }
}

/// Money is there. It pays its order, or goes back.
pub(super) async fn take_money(
    app: &App,
    payment: PaymentId,
    provider_ref: &str,
    amount_cents: u64,
) -> Result<Option<Confirmed>, Error> {
    let cents = i64::try_from(amount_cents).map_err(|_| PaymentError::Amount(amount_cents))?;
    fail_point::pass("before_money_is_taken");
    let code = new_code();
    let taken = payments::confirm(app.db(), payment, provider_ref, cents, &code).await?;
    let taken = match taken {
        Err(ConfirmRefusal::OtherRef { .. }) => {
            payments::confirm_second(app.db(), payment, provider_ref, cents).await?
        }
        taken => taken,
    };
    fail_point::pass("after_money_is_taken");
    match taken {
        Ok(confirmed) => {
            follow(app, confirmed).await;
            Ok(Some(confirmed))
        }
        Err(problem) => {
            // Nobody's mistake can be mended here: a person compares the provider's books with ours.
            let (number, text) = (payment.to_string(), problem.to_string());
            dispute::record(app, &number, provider_ref, amount_cents, &text).await?;
            Err(PaymentError::Disputed(problem).into())
        }
    }
}

/// What the buyer will show at the counter, from the thread's cryptographic generator.
pub(crate) fn new_code() -> RedeemCode {
    RedeemCode::generate(|limit| rand::rng().random_range(0..limit))
}

async fn follow(app: &App, confirmed: Confirmed) {
    match confirmed {
        Confirmed::Paid { user_id, .. } => notices::tell(app, &[user_id]).await,
        Confirmed::Late { user_id, .. } => {
            app.outbox().wake();
            notices::tell(app, &[user_id]).await;
        }
        Confirmed::Repeated => {}
    }
}
