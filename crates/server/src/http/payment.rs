//! Payments: what providers tell us, what a person has, and the page that plays the cashier.

mod cashier;
mod notify;
mod outside;

use app::payments;
use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::api::Api;
use super::envelope::{Envelope, Reply};
use super::extract::Signed;
use super::failure::Failure;
use super::state::HttpState;

/// Callbacks are not described: they are between a provider and us, in the provider's words.
pub(super) fn routes() -> Api {
    Api::new()
        .routes(routes!(get_balance))
        .merge(outside::routes())
        .callback("/payment/notify/{provider}", post(notify::notify))
}

/// Beside `/api`: a page for people.
pub(super) fn pages() -> Router<HttpState> {
    let page = get(cashier::show).post(cashier::act);
    Router::new().route("/cashier/{payment}", page)
}

#[derive(Debug, Serialize, ToSchema)]
struct BalanceView {
    /// In cents.
    balance: i64,
}

/// What I have on this site.
#[utoipa::path(
    get, path = "/user/balance", tag = "account",
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<BalanceView>)),
)]
async fn get_balance(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<BalanceView>, Failure> {
    let balance = payments::balance_cents(state.app(), &signed.session).await?;
    Ok(Reply::new(BalanceView { balance }))
}
