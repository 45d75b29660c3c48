//! `/healthz`: the process answers. `/readyz`: what it depends on answers too.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::state::HttpState;

/// Load balancers ask every few seconds; a dependency slower than this is not ready.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) async fn healthz() -> Response {
    Json(json!({ "status": "up" })).into_response()
}

pub(super) async fn readyz(State(state): State<HttpState>) -> Response {
    let app = state.app();
    let (sql, redis) = tokio::join!(
        tokio::time::timeout(PROBE_TIMEOUT, app.db().ping()),
        tokio::time::timeout(PROBE_TIMEOUT, app.kv().ping()),
    );
    let word = |is_up: bool| if is_up { "up" } else { "down" };
    let (sql, redis) = (matches!(sql, Ok(Ok(()))), matches!(redis, Ok(Ok(()))));
    let body =
        Json(json!({ "status": word(sql && redis), "sql": word(sql), "redis": word(redis) }));
    if sql && redis {
        body.into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, "2")], body).into_response()
    }
}
