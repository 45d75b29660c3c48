//! HTTP: the only place that names axum.
//!
//! A handler has four steps: extract, call one use case, map, return. What every request shares (ids, limits, logs,
//! headers, the wording of failures) is in `shell.rs`; which error means which status and code is in `failure.rs`.

mod account;
mod admission;
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
mod payment;
mod pictures;
mod rendered;
mod serve;
mod shell;
mod shop;
mod site;
mod state;
mod upload;
mod visits;
mod voucher;
mod web;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{any, get};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{
    DefaultPredicate, NotForContentType, Predicate as _, SizeAbove,
};
use utoipa_swagger_ui::SwaggerUi;

pub use failure::Code;
pub use serve::serve;
pub use state::HttpState;

use failure::Failure;

/// What fits one packet arrives no sooner for being smaller.
const COMPRESSED_FROM_BYTES: u64 = 1_024;

/// Everything served on the main address.
pub fn router(state: HttpState) -> Router {
    let (api, _) = openapi::api().split_for_parts();
    let api = api
        .fallback(no_such_route)
        .method_not_allowed_fallback(method_not_allowed);
    // The viewer would otherwise send the description's address to a validator on the internet.
    let viewer = utoipa_swagger_ui::Config::default().validator_url("none");
    let docs = SwaggerUi::new("/docs")
        .url("/openapi.json", openapi::document())
        .config(viewer);
    let body_limit_bytes = state.settings().http.body_limit_bytes;
    let compression = CompressionLayer::new().compress_when(
        SizeAbove::new(COMPRESSED_FROM_BYTES)
            .and(DefaultPredicate::new())
            .and(NotForContentType::const_new("image/")),
    );
    Router::new()
        .nest("/api", api)
        // A nest does not cover its own name with a slash; without this line the web app would.
        .route("/api/", any(no_such_route))
        .merge(docs)
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .nest("/imgs", pictures::routes(&state))
        .merge(payment::pages())
        .fallback(web::serve_asset)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(body_limit_bytes))
        .layer(compression)
        .layer(from_fn_with_state(state.clone(), shell::shell))
        .with_state(state)
}

async fn no_such_route() -> Failure {
    Failure::new(Code::NoSuchRoute)
}

async fn method_not_allowed() -> Failure {
    Failure::new(Code::MethodNotAllowed)
}
