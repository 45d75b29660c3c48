//! HTTP: the only place that names axum.
//!
//! A handler has four steps: extract, call one use case, map, return. What every request shares (ids, limits, logs,
//! headers, the wording of failures) is in `shell.rs`; which error means which status and code is in `failure.rs`.

mod account;
mod admission;
mod api;
mod body;
mod check_in;
mod comment;
mod cookie;
mod encoding;
mod envelope;
mod extract;
mod failure;
mod feed;
mod figures;
mod follow;
mod health;
mod lab;
mod language;
mod note;
mod notice;
pub mod openapi;
mod order;
mod origin;
mod payment;
mod per_address;
mod pictures;
mod rendered;
mod revalidation;
mod serve;
mod shell;
mod shop;
mod site;
mod state;
mod streams;
mod upload;
mod visits;
mod voucher;
mod web;

use axum::Router;
use axum::routing::get;
use utoipa_swagger_ui::SwaggerUi;

pub use body::MinimumPace;
pub use failure::Code;
pub use serve::{ConnectionLimits, Patience, listen, serve};
pub use state::HttpState;

use failure::Failure;
use shell::Shell;

/// Everything served on the main address.
pub fn router(state: HttpState) -> Router {
    let api = openapi::api();
    let shell = Shell::new(state.clone(), api.callbacks());
    let (api, _) = api.into_parts();
    // The viewer would otherwise send the description's address to a validator on the internet.
    let viewer = utoipa_swagger_ui::Config::default().validator_url("none");
    let docs = SwaggerUi::new("/docs")
        .url("/openapi.json", openapi::document())
        .config(viewer);
    Router::new()
        .merge(api)
        .merge(docs)
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .nest("/imgs", pictures::routes(&state))
        .merge(payment::pages())
        .fallback(web::serve_asset)
        .method_not_allowed_fallback(method_not_allowed)
        // One layer instead of several: each is felt by the shortest requests.
        .layer(shell)
        .with_state(state)
}

async fn method_not_allowed() -> Failure {
    Failure::new(Code::MethodNotAllowed)
}
