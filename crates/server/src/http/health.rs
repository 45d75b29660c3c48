//! `/healthz`: the process answers. `/readyz`: what it depends on answers too, and it is not about to leave.

use std::time::Duration;

use app::disk::Room;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::state::HttpState;

/// Load balancers ask every few seconds; a dependency slower than this is not ready.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) async fn healthz() -> Response {
    Json(json!({ "status": "up" })).into_response()
}

pub(super) async fn readyz(State(state): State<HttpState>) -> Response {
    if state.is_leaving() {
        return not_ready(json!({ "status": "leaving" }));
    }
    let app = state.app();
    let (sql, redis) = tokio::join!(
        tokio::time::timeout(PROBE_TIMEOUT, app.db().ping()),
        tokio::time::timeout(PROBE_TIMEOUT, app.kv().ping()),
    );
    let word = |is_up: bool| if is_up { "up" } else { "down" };
    let (sql, redis) = (matches!(sql, Ok(Ok(()))), matches!(redis, Ok(Ok(()))));
    let (write_fault, room) = (app.db().write_fault(), app.disk().room());
    let is_ready = sql && redis && write_fault.is_none() && room != Room::None;
    let mut body = json!({ "status": word(is_ready), "sql": word(sql), "redis": word(redis) });
    if let Some(fault) = write_fault {
        body["sql"] = format!("cannot write: {fault}").into();
    }
    match room {
        Room::Enough => {}
        Room::Low => body["disk"] = "low".into(),
        Room::None => body["disk"] = "full".into(),
    }
    if is_ready {
        Json(body).into_response()
    } else {
        not_ready(body)
    }
}

fn not_ready(body: Value) -> Response {
    let retry_after = [(RETRY_AFTER, "2")];
    (StatusCode::SERVICE_UNAVAILABLE, retry_after, Json(body)).into_response()
}
