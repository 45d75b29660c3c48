//! `/healthz`: the process answers. `/readyz`: what it depends on answers too, its caches are warm, and it is not about to
//! leave.
//!
//! Probes need no admission slot, so any client could make the server ping SQL and Redis at any rate. The server
//! therefore caches the result briefly, and probes that arrive meanwhile wait for the one in flight.

use std::time::Duration;

use app::App;
use app::disk::DiskSpace;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::sync::{Mutex, SetOnce};
use tokio::time::Instant;

use super::state::HttpState;

/// Load balancers ask every few seconds; a dependency slower than this is not ready.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// How old an answer may be. Balancers do not ask more often than this.
const PROBE_MAX_AGE: Duration = Duration::from_secs(1);

/// What the last probe found.
#[derive(Debug, Default)]
pub(super) struct Readiness {
    /// Locked while SQL and Redis are pinged: one probe at a time.
    last: Mutex<Option<(Instant, ProbeResult)>>,
    /// Set when the warm-up has ended, however it went.
    is_warm: SetOnce<()>,
}

#[derive(Clone, Copy, Debug)]
struct ProbeResult {
    sql: bool,
    redis: bool,
}

impl Readiness {
    pub(super) fn note_warm(&self) {
        // Setting it twice is fine.
        let _ = self.is_warm.set(());
    }

    /// Whether the warm-up has ended. It takes a moment, for which a probe waits.
    async fn is_warm(&self) -> bool {
        let warm = tokio::time::timeout(PROBE_TIMEOUT, self.is_warm.wait());
        warm.await.is_ok()
    }

    async fn probe(&self, app: &App) -> ProbeResult {
        let mut last = self.last.lock().await;
        if let Some((at, found)) = *last
            && at.elapsed() < PROBE_MAX_AGE
        {
            return found;
        }
        let found = ProbeResult::probe(app).await;
        *last = Some((Instant::now(), found));
        found
    }
}

impl ProbeResult {
    async fn probe(app: &App) -> Self {
        let (sql, redis) = tokio::join!(
            tokio::time::timeout(PROBE_TIMEOUT, app.db().ping()),
            tokio::time::timeout(PROBE_TIMEOUT, app.kv().ping()),
        );
        Self {
            sql: matches!(sql, Ok(Ok(()))),
            redis: matches!(redis, Ok(Ok(()))),
        }
    }
}

pub(super) async fn healthz() -> Response {
    Json(json!({ "status": "up" })).into_response()
}

pub(super) async fn readyz(State(state): State<HttpState>) -> Response {
    if state.is_shutting_down() {
        return not_ready(json!({ "status": "leaving" }));
    }
    if !state.readiness().is_warm().await {
        return not_ready(json!({ "status": "warming up" }));
    }
    let app = state.app();
    let ProbeResult { sql, redis } = state.readiness().probe(app).await;
    let word = |is_up: bool| if is_up { "up" } else { "down" };
    let (write_fault, room) = (app.db().write_fault(), app.disk().space());
    let is_ready = sql && redis && write_fault.is_none() && room != DiskSpace::Exhausted;
    let mut body = json!({ "status": word(is_ready), "sql": word(sql), "redis": word(redis) });
    if let Some(fault) = write_fault {
        body["sql"] = format!("cannot write: {fault}").into();
    }
    match room {
        DiskSpace::Enough => {}
        DiskSpace::Low => body["disk"] = "low".into(),
        DiskSpace::Exhausted => body["disk"] = "full".into(),
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
