//! What every request shares: an id, a place in the house, a time limit, security headers, a log line, a figure, and
//! words for whatever went wrong. One middleware instead of eight layers: each layer costs on the hot path.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use tracing::Instrument as _;

use super::failure::{Code, Failure};
use super::language;
use super::state::HttpState;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Everything comes from our own origin; `unsafe-inline` for styles because components set style attributes.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'";

const SECURITY_HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(self), geolocation=(self), microphone=()",
    ),
];
/// A year, as ASVS 3.4.1 asks; only sent by sites that are reached over TLS.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000; includeSubDomains";

pub(super) async fn shell(
    State(state): State<HttpState>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let request_id = format!("{:016x}", rand::random::<u64>());
    let language = language::preferred(request.headers());
    let line = AccessLine::of(&request);
    let span = tracing::info_span!("request", id = request_id);

    let answer = answer(&state, request, next).instrument(span.clone()).await;
    let mut response = with_words(answer, |failure| failure.render(language));
    let headers = response.headers_mut();
    headers.insert(
        REQUEST_ID,
        HeaderValue::from_str(&request_id).expect("hex is a header value"),
    );
    add_missing_headers(headers, &line, state.is_https());
    span.in_scope(|| line.report(&response, started.elapsed()));
    response
}

/// Runs the handler within the limits of the house.
///
/// A write runs as a task of its own: a client that hangs up, or a time limit that passes, does not stop it halfway.
async fn answer(state: &HttpState, request: Request, next: Next) -> Response {
    let is_write = !request.method().is_safe();
    let is_probe = matches!(request.uri().path(), "/healthz" | "/readyz");
    let Some(place) = state.take_place(is_probe) else {
        return Failure::busy().into_response();
    };
    let work = async move {
        let outcome = AssertUnwindSafe(next.run(request)).catch_unwind().await;
        drop(place);
        // The panic hook has logged the panic already.
        outcome.unwrap_or_else(|_| Failure::new(Code::Internal).into_response())
    };
    let limit = state.settings().http.request_timeout();
    let in_time = if is_write {
        let task = tokio::spawn(work.in_current_span());
        let finished = tokio::time::timeout(limit, task).await;
        finished.map(|task| task.unwrap_or_else(|_| Failure::new(Code::Internal).into_response()))
    } else {
        tokio::time::timeout(limit, work).await
    };
    in_time.unwrap_or_else(|_| {
        tracing::warn!(limit_secs = limit.as_secs(), "a request took too long");
        Failure::busy().into_response()
    })
}

/// Replaces a failure's empty body by its words; headers that the router set (`Allow`) stay.
fn with_words(mut response: Response, render: impl Fn(Failure) -> Response) -> Response {
    let Some(failure) = response.extensions_mut().remove::<Failure>() else {
        return response;
    };
    let mut worded = render(failure);
    for (name, value) in response.headers() {
        if name != CONTENT_TYPE && name != CONTENT_LENGTH {
            worded.headers_mut().insert(name, value.clone());
        }
    }
    worded
}

fn add_missing_headers(headers: &mut HeaderMap, line: &AccessLine, is_https: bool) {
    for (name, value) in SECURITY_HEADERS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    if is_https {
        let year = HeaderValue::from_static(STRICT_TRANSPORT_SECURITY);
        headers.insert("strict-transport-security", year);
    }
    if line.is_api() {
        // Replies under /api differ by person; nobody in between may keep them.
        headers
            .entry(CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
    }
}

/// What is said about a request: its route and never its query, which may hold a phone number.
struct AccessLine {
    method: Method,
    route: Option<MatchedPath>,
    under_api: bool,
}

impl AccessLine {
    fn of(request: &Request) -> Self {
        Self {
            method: request.method().clone(),
            route: request.extensions().get::<MatchedPath>().cloned(),
            under_api: request.uri().path().starts_with("/api"),
        }
    }

    fn is_api(&self) -> bool {
        self.under_api
    }

    fn report(&self, response: &Response, took: Duration) {
        let status = response.status();
        let route = self.route.as_ref().map_or("other", |route| route.as_str());
        let took_ms = took.as_secs_f64() * 1000.0;
        if status.is_server_error() {
            tracing::warn!(method = %self.method, route, status = status.as_u16(), took_ms, "answered");
        } else {
            tracing::debug!(method = %self.method, route, status = status.as_u16(), took_ms, "answered");
        }
        let labels = [
            ("method", self.method.to_string()),
            ("route", route.to_owned()),
            ("status", status.as_str().to_owned()),
        ];
        metrics::counter!("tandian_http_requests_total", &labels).increment(1);
        metrics::histogram!("tandian_http_request_seconds", "route" => route.to_owned())
            .record(took);
    }
}
