//! Claiming: what stands between a request and the gate, and what the gate's word means to a person.
//!
//! Nothing here reads SQL or Redis. This process counts the limits and verifies the token by arithmetic. A caller may
//! disconnect at any moment: the engine decides the claim anyway, and a retry returns the same outcome.

use std::net::IpAddr;
use std::time::Instant;

use domain::{OrderId, UserId, VoucherId};
use flash::{BuyerId, Claim, ClaimError, ClaimOutcome, SaleId};
use jiff::Timestamp;

use crate::idempotency::IdempotencyKey;
use crate::{App, Error, Refusal, disk};

/// The user who claims, with the address of the request.
#[derive(Clone, Copy, Debug)]
pub struct Claimant {
    pub user_id: UserId,
    pub address: IpAddr,
}

/// The order that the claimant gets. A retry with the same key, or after an unknown outcome, is the same claim.
pub async fn claim(
    app: &App,
    claimant: Claimant,
    voucher: VoucherId,
    key: Option<IdempotencyKey>,
    token: Option<&str>,
) -> Result<OrderId, Error> {
    disk::admit_claim(app)?;
    let sales = app.flash_sales();
    sales.limits.take(claimant, Instant::now())?;
    let (sale, buyer) = (SaleId(voucher.get()), BuyerId(claimant.user_id.get()));
    if let Some(tokens) = &sales.tokens {
        let now_ms = Timestamp::now().as_millisecond();
        let is_good = token.is_some_and(|token| tokens.check(token, buyer, sale, now_ms));
        if !is_good {
            return Err(Refusal::ClaimTokenInvalid.into());
        }
    }
    let key = match key {
        Some(key) => Some(sales.used_keys.take(&key, claimant.user_id, voucher)?),
        None => None,
    };
    claim_at_gate(app, Claim { sale, buyer, key }).await
}

/// The gate's word on a claim, in terms that people know.
pub(crate) async fn claim_at_gate(app: &App, claim: Claim) -> Result<OrderId, Error> {
    let refusal = match app.flash_sales().engine.claim(claim).await {
        Ok(ClaimOutcome::Granted(order)) => return Ok(OrderId::new(order.0)),
        Ok(ClaimOutcome::SoldOut) => Refusal::SoldOut,
        Ok(ClaimOutcome::AlreadyBought(order)) => Refusal::AlreadyBought(OrderId::new(order.0)),
        Ok(ClaimOutcome::NotStarted) => Refusal::NotStarted,
        Ok(ClaimOutcome::Ended) => Refusal::Ended,
        Err(ClaimError::NoSuchSale) => Refusal::VoucherNotFound,
        Err(ClaimError::Busy { retry_after }) => return Err(Error::SaleBusy { retry_after }),
        Err(ClaimError::Unknown(order)) => return Err(Error::Processing(OrderId::new(order.0))),
    };
    Err(refusal.into())
}
