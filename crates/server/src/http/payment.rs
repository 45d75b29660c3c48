//! Payments: callbacks of providers, the user's balance, and the sandbox cashier page.

pub(super) mod cashier;
pub(super) mod notify;
pub(super) mod outside;
pub(super) mod statement;

use app::payments;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::envelope::{Envelope, Reply};
use super::extract::Signed;
use super::failure::Failure;
use super::routes::IN_TABLE;
use super::state::HttpState;

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BalanceView {
    /// In cents.
    balance: i64,
}

/// What I have on this site.
#[utoipa::path(
    get, path = IN_TABLE, tag = "account",
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<BalanceView>)),
)]
pub(super) async fn get_balance(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<BalanceView>, Failure> {
    let balance = payments::balance_cents(state.app(), &signed.session).await?;
    Ok(Reply::new(BalanceView { balance }))
}
