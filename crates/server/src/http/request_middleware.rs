//! What every request shares: an id, admission, security headers, an access log event, metrics, and the message of a
//! failure. One middleware instead of eight layers: each layer costs on the hot path.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::extract::{DefaultBodyLimit, MatchedPath, Request};
use axum::http::header::{self, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use domain::PictureHost;
use futures_util::future::BoxFuture;
use hyper::body::Body as _;
use tower::{Layer, Service};

use super::dialect::Dialect;
use super::encoding::{self, AcceptedEncodings};
use super::failure::{Code, Failure};
use super::routes::{PICTURES, RouteAttributes, is_api_path};
use super::state::HttpState;
use super::visits::PendingVisit;
use super::{cookie, origin, request_metrics};
use crate::telemetry::RequestId;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Everything comes from our own origin; `unsafe-inline` for styles because components set style attributes.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'";

/// What the hosts of outside pictures come after.
const OWN_PICTURES: &str = "img-src 'self' data: blob:";

/// Pictures of these hosts are shown as well.
pub(super) fn content_security_policy(hosts: &[PictureHost]) -> HeaderValue {
    if hosts.is_empty() {
        return HeaderValue::from_static(CONTENT_SECURITY_POLICY);
    }
    let mut pictures = OWN_PICTURES.to_owned();
    for host in hosts {
        let _ = write!(pictures, " {host}");
    }
    let policy = CONTENT_SECURITY_POLICY.replace(OWN_PICTURES, &pictures);
    HeaderValue::try_from(policy).expect("a host is made of letters, digits and .-_*:")
}

static SECURITY_HEADERS: [(HeaderName, HeaderValue); 5] = [
    fixed("x-content-type-options", "nosniff"),
    fixed("x-frame-options", "DENY"),
    fixed("referrer-policy", "strict-origin-when-cross-origin"),
    fixed("cross-origin-opener-policy", "same-origin"),
    fixed(
        "permissions-policy",
        "camera=(self), geolocation=(self), microphone=()",
    ),
];

/// Parsed at compile time rather than for every reply.
const fn fixed(name: &'static str, value: &'static str) -> (HeaderName, HeaderValue) {
    (
        HeaderName::from_static(name),
        HeaderValue::from_static(value),
    )
}

/// A year, as ASVS 3.4.1 asks; only sent by sites that are reached over TLS.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000; includeSubDomains";

/// Wraps the handler of a route.
#[derive(Clone, Debug)]
pub(super) struct RequestMiddleware {
    state: HttpState,
    route: RouteAttributes,
}

impl RequestMiddleware {
    pub(super) fn new(state: HttpState) -> Self {
        let route = RouteAttributes::default();
        Self { state, route }
    }

    /// The same for a route with these attributes.
    pub(super) fn with(&self, route: RouteAttributes) -> Self {
        let state = self.state.clone();
        Self { state, route }
    }

    /// Refuses a write that a page of another site makes a browser send. One with a session is told to sign in: behind a
    /// proxy that hides its host, a page of the original looks like another site.
    fn refuse_foreign_write(&self, request: &Request) -> Option<Code> {
        let headers = request.headers();
        let is_foreign = !self.route.takes_any_origin
            && !request.method().is_safe()
            && origin::is_foreign(headers, &self.state);
        let has_session = || cookie::read(headers, self.state.is_https()).is_some();
        match is_foreign {
            false => None,
            true if has_session() => Some(Code::ForeignSession),
            true => Some(Code::ForeignOrigin),
        }
    }
}

impl<S> Layer<S> for RequestMiddleware {
    type Service = WithRequestMiddleware<S>;

    fn layer(&self, handler: S) -> WithRequestMiddleware<S> {
        WithRequestMiddleware {
            middleware: self.clone(),
            handler,
        }
    }
}

/// A handler behind the middleware.
#[derive(Clone, Debug)]
pub(super) struct WithRequestMiddleware<S> {
    middleware: RequestMiddleware,
    handler: S,
}

impl<S> Service<Request> for WithRequestMiddleware<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.handler.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let id = RequestId::random();
        let (middleware, handler) = (self.middleware.clone(), self.handler.clone());
        Box::pin(id.scope(respond(middleware, id, request, handler)))
    }
}

async fn respond<S>(
    middleware: RequestMiddleware,
    id: RequestId,
    mut request: Request,
    handler: S,
) -> Result<Response, Infallible>
where
    S: Service<Request, Response = Response, Error = Infallible> + Send + 'static,
    S::Future: Send,
{
    let started = Instant::now();
    let refusal = middleware.refuse_foreign_write(&request);
    let RequestMiddleware { state, route } = middleware;
    let dialect = state.dialect();
    let language = dialect.language(request.headers());
    let access_log = AccessLog::of(&request, dialect);
    let visit = PendingVisit::of(&request, route.visited, &state);
    let encodings = AcceptedEncodings::of(request.headers());
    let usual_limit = state.settings().http.body_limit_bytes;
    if !request.body().is_end_stream() {
        DefaultBodyLimit::max(route.body_limit_bytes.unwrap_or(usual_limit)).apply(&mut request);
    }

    let reply = match refusal {
        Some(code) => Failure::new(code).into_response(),
        None => state.admission().run(id, route, request, handler).await,
    };
    if let Some(visit) = visit {
        visit.answered_with(&reply, &state);
    }
    // Pages of the original read 200 whatever happened; logs and metrics do not.
    let status = reply.status();
    let worded = with_words(reply, |failure| failure.render(dialect, language));
    let mut response = encoding::compress(worded, encodings).await;
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, header_of(id));
    add_missing_headers(headers, &access_log, &state);
    access_log.report(status, started.elapsed());
    Ok(response)
}

fn header_of(id: RequestId) -> HeaderValue {
    HeaderValue::from_bytes(&id.to_hex()).expect("hex is a header value")
}

/// Replaces the empty body of a failure by its message; headers that the router set (`Allow`) stay.
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

fn add_missing_headers(headers: &mut HeaderMap, access_log: &AccessLog, state: &HttpState) {
    // All at once: growing the map twice costs as much as filling it.
    headers.reserve(SECURITY_HEADERS.len() + 2);
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert_with(|| state.content_security_policy().clone());
    for (name, value) in &SECURITY_HEADERS {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    if state.is_https() {
        let year = HeaderValue::from_static(STRICT_TRANSPORT_SECURITY);
        headers.insert("strict-transport-security", year);
    }
    if access_log.is_api() {
        // Replies under /api differ by user; no proxy may cache them.
        headers
            .entry(CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
    }
}

/// The access log event of a request: its route and never its query, which may hold a phone number.
struct AccessLog {
    method: Method,
    route: Option<MatchedPath>,
    under_api: bool,
}

impl AccessLog {
    fn of(request: &Request, dialect: Dialect) -> Self {
        let path = request.uri().path();
        Self {
            method: request.method().clone(),
            route: request.extensions().get::<MatchedPath>().cloned(),
            under_api: match dialect {
                Dialect::Site => is_api_path(path),
                Dialect::Original => !path.starts_with(PICTURES),
            },
        }
    }

    fn is_api(&self) -> bool {
        self.under_api
    }

    fn report(&self, status: StatusCode, took: Duration) {
        let route = self.route.as_ref().map_or("other", |route| route.as_str());
        let took_ms = took.as_secs_f64() * 1000.0;
        if status.is_server_error() {
            tracing::warn!(method = %self.method, route, status = status.as_u16(), took_ms, "request answered");
        } else {
            tracing::debug!(method = %self.method, route, status = status.as_u16(), took_ms, "request answered");
        }
        request_metrics::count(&self.method, route, status, took);
    }
}
