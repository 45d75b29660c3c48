//! `/metrics` for Prometheus, on a listener of its own: figures about the site are not for its visitors.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

/// Bounds of the latency histogram, in seconds: fine where a page is fast, coarse where it is lost anyway.
const LATENCY_BUCKETS_SECS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
];
/// How often idle figures are tidied up.
const UPKEEP: Duration = Duration::from_secs(5);

/// Makes this process count. Once per process; must be called within a tokio runtime.
pub fn install_recorder() -> Result<PrometheusHandle, BuildError> {
    let seconds = Matcher::Suffix("_seconds".to_owned());
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(seconds, &LATENCY_BUCKETS_SECS)?
        .install_recorder()?;
    let upkeep = handle.clone();
    supervise::spawn("metrics upkeep", move || {
        let upkeep = upkeep.clone();
        async move {
            loop {
                supervise::next_tick(UPKEEP).await;
                upkeep.run_upkeep();
            }
        }
    });
    Ok(handle)
}

pub(crate) fn router(handle: PrometheusHandle) -> Router {
    Router::new()
        .route("/metrics", get(render))
        .with_state(handle)
}

async fn render(State(handle): State<PrometheusHandle>) -> impl IntoResponse {
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4")],
        handle.render(),
    )
}
