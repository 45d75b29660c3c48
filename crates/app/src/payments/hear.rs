//! What becomes of a provider's word, whether it came by itself or was asked for. Hearing it twice is hearing it once.

use domain::RedeemCode;
use pay::{Notice, NoticeOutcome, OutTradeNo};
use rand::RngExt as _;
use storage::payments::{self, ConfirmRefusal, Confirmed, Payment, PaymentId};

use super::{PaymentError, dispute, is_refund_of_ours, outside, payment_of, trade_no};
use crate::{App, Error, fail_point, notices};

/// Takes a notice of the provider of this name, whose signature was checked. `None` if there is nothing to take: it may
/// be acknowledged all the same, unless this is an error.
pub async fn hear(app: &App, provider: &str, notice: &Notice) -> Result<Option<Confirmed>, Error> {
    let Some(payment) = find_named(app, provider, &notice.out_trade_no).await? else {
        return not_ours(app, notice).await;
    };
    let (reference, cents) = (&notice.provider_ref, notice.amount_cents);
    match &notice.outcome {
        NoticeOutcome::Paid => take_money(app, payment.id, reference, cents).await,
        NoticeOutcome::Closed => {
            payments::close(app.db(), payment.id).await?;
            Ok(None)
        }
        // What this site asked for is followed by the outbox, which hears it first.
        NoticeOutcome::Refunded { refund_no, .. }
            if refund_no.as_ref().is_some_and(is_refund_of_ours) =>
        {
            Ok(None)
        }
        NoticeOutcome::Refunded { total_cents, .. } => {
            outside::follow(app, &payment, reference, cents, *total_cents).await?;
            Ok(None)
        }
        NoticeOutcome::Waiting => Ok(None),
    }
}

/// The payment that goes by exactly this number at this provider. Another site may use the same merchant's account, and
/// a database that was restored may count its payments anew: the end of a number is not the number.
async fn find_named(
    app: &App,
    provider: &str,
    number: &OutTradeNo,
) -> Result<Option<Payment>, Error> {
    let Some(id) = payment_of(number) else {
        return Ok(None);
    };
    let found = payments::get(app.db(), id).await?;
    Ok(found.filter(|payment| payment.provider == provider && trade_no(payment) == *number))
}

/// Money that nobody here asked for is kept in sight of whoever compares the books.
async fn not_ours(app: &App, notice: &Notice) -> Result<Option<Confirmed>, Error> {
    if notice.outcome == NoticeOutcome::Paid {
        let (number, reference) = (notice.out_trade_no.as_str(), &notice.provider_ref);
        let problem = "its number is none of ours";
        dispute::record(app, number, reference, notice.amount_cents, problem).await?;
    }
    Ok(None)
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
