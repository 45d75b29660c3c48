//! Admission: how many requests run at once, how long each may take, and what a panic in one of them means.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use hyper::body::Body as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::task::TaskTracker;
use tower::{Service, ServiceExt as _};

use super::body::{MinimumPace, PacedBody, SharedSlot};
use super::failure::{Code, Failure};
use super::routes::RouteAttributes;
use super::serve::{RequestConnection, RequestTimer};
use crate::telemetry::RequestId;

#[derive(Clone, Debug)]
pub(super) struct Admission {
    slots: Arc<Semaphore>,
    time_limit: Duration,
    body_pace: MinimumPace,
    /// Tracks writes, so that shutdown waits for those whose client has gone.
    in_flight: TaskTracker,
}

impl Admission {
    pub(super) fn new(
        max_in_flight: usize,
        time_limit: Duration,
        body_pace: MinimumPace,
        in_flight: TaskTracker,
    ) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(max_in_flight)),
            time_limit,
            body_pace,
            in_flight,
        }
    }

    /// Runs the handler within the limits.
    ///
    /// A write runs as a task of its own, so that neither a client that hangs up, nor the time limit, nor a graceful
    /// shutdown stops it halfway. Routes that write inline do without the task.
    pub(super) async fn run<S>(
        &self,
        id: RequestId,
        route: RouteAttributes,
        request: Request,
        handler: S,
    ) -> Response
    where
        S: Service<Request, Response = Response, Error = Infallible> + Send + 'static,
        S::Future: Send,
    {
        let runs_as_task = !request.method().is_safe() && !route.writes_inline;
        let connection = request.extensions().get::<RequestConnection>();
        let timer = connection.map(|connection| connection.timer.clone());
        let Ok(slot) = self.acquire_slot(route) else {
            return Failure::busy().into_response();
        };
        let (request, slot) = self.pace_body(request, slot);
        let work = async move {
            let reply = AssertUnwindSafe(handler.oneshot(request));
            let outcome = reply.catch_unwind().await;
            drop(slot);
            match outcome {
                Ok(Ok(response)) => response,
                // The panic hook has logged the panic already.
                Err(_) => Failure::new(Code::Internal).into_response(),
            }
        };
        let in_time = if runs_as_task {
            let task = pin!(self.in_flight.spawn(id.scope(work)));
            let finished = within(self.time_limit, timer, task).await;
            finished.map(|task| task.expect("the task catches panics"))
        } else {
            // Pinned here, because a handler's future is large and every call that takes it would copy it.
            within(self.time_limit, timer, pin!(work)).await
        };
        in_time.unwrap_or_else(|| {
            let limit_secs = self.time_limit.as_secs();
            tracing::warn!(limit_secs, "request timed out");
            Failure::busy().into_response()
        })
    }

    /// Wraps an incomplete body, so that no handler reads it without a limit. Requests without a body pay nothing.
    fn pace_body(
        &self,
        request: Request,
        slot: Option<OwnedSemaphorePermit>,
    ) -> (Request, RequestSlot) {
        if request.body().is_end_stream() {
            return (request, RequestSlot::Owned(slot));
        }
        let slot = slot.map(SharedSlot::new);
        let paced = |body| PacedBody::new(body, slot.clone(), self.body_pace, self.time_limit);
        let request = request.map(|body| Body::new(paced(body)));
        (request, RequestSlot::Shared(slot))
    }

    fn acquire_slot(&self, route: RouteAttributes) -> Result<Option<OwnedSemaphorePermit>, ()> {
        if route.skips_admission {
            return Ok(None);
        }
        let taken = self.slots.clone().try_acquire_owned();
        taken.map(Some).map_err(|_| ())
    }
}

/// The output of `work`, or `None` if it took longer. A request without a connection has a timer of its own.
async fn within<F: Future>(
    limit: Duration,
    timer: Option<RequestTimer>,
    work: Pin<&mut F>,
) -> Option<F::Output> {
    match timer {
        Some(timer) => timer.within(limit, work).await,
        None => tokio::time::timeout(limit, work).await.ok(),
    }
}

/// The admission slot of a request, released on drop.
enum RequestSlot {
    Owned(#[expect(dead_code, reason = "it is held, not looked at")] Option<OwnedSemaphorePermit>),
    Shared(Option<SharedSlot>),
}

impl Drop for RequestSlot {
    fn drop(&mut self) {
        if let Self::Shared(Some(slot)) = self {
            slot.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use axum::Router;
    use axum::body::Body;
    use axum::extract::State;
    use axum::http::StatusCode;
    use axum::middleware::{Next, from_fn_with_state};
    use axum::routing::{get, post};
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
    use tower::ServiceExt as _;

    use super::*;

    const PACE: MinimumPace = MinimumPace {
        window: LONG,
        bytes_per_sec: 1,
    };

    /// Longer than any test should take, and than any handler of these tests does.
    const LONG: Duration = Duration::from_secs(60);

    async fn admit(State(admission): State<Admission>, request: Request, next: Next) -> Response {
        let handler = tower::service_fn(move |request| {
            let next = next.clone();
            async move { Ok(next.run(request).await) }
        });
        let route = RouteAttributes {
            skips_admission: request.uri().path() == "/healthz",
            ..RouteAttributes::default()
        };
        let id = RequestId::random();
        admission.run(id, route, request, handler).await
    }

    async fn panic_in_handler() {
        panic!("a bug");
    }

    fn server(max_in_flight: usize, time_limit: Duration) -> Router {
        let admission = Admission::new(max_in_flight, time_limit, PACE, TaskTracker::new());
        Router::new()
            .route("/fine", get(|| async { "fine" }))
            .route("/healthz", get(|| async { "alive" }))
            .route("/stuck", get(pending::<()>))
            .route("/panic", get(panic_in_handler).post(panic_in_handler))
            .layer(from_fn_with_state(admission, admit))
    }

    async fn status(server: &Router, method: &str, path: &str) -> StatusCode {
        let request = Request::builder().method(method).uri(path);
        let request = request.body(Body::empty()).unwrap();
        server.clone().oneshot(request).await.unwrap().status()
    }

    #[tokio::test]
    async fn a_panic_is_a_500_and_frees_its_slot() {
        let server = server(1, LONG);
        for method in ["GET", "POST", "GET"] {
            assert_eq!(status(&server, method, "/panic").await, 500);
        }
        assert_eq!(status(&server, "GET", "/fine").await, 200);
    }

    #[tokio::test]
    async fn a_request_that_takes_too_long_is_given_up() {
        let server = server(1, Duration::from_millis(20));
        assert_eq!(status(&server, "GET", "/stuck").await, 503);
        assert_eq!(status(&server, "GET", "/fine").await, 200);
    }

    #[tokio::test]
    async fn without_a_free_slot_all_but_probes_are_refused() {
        let server = server(1, LONG);
        let stuck = status(&server, "GET", "/stuck");
        tokio::pin!(stuck);
        assert!(futures_util::poll!(&mut stuck).is_pending());
        assert_eq!(status(&server, "GET", "/fine").await, 503);
        assert_eq!(status(&server, "GET", "/healthz").await, 200);
    }

    /// A server with one write, which begins, waits for `go` and then reports that it is done.
    fn server_with_write(
        done: tokio::sync::oneshot::Sender<()>,
    ) -> (Router, Arc<tokio::sync::Notify>, UnboundedReceiver<()>) {
        let go = Arc::new(tokio::sync::Notify::new());
        let (begun, began) = unbounded_channel();
        let done = Arc::new(std::sync::Mutex::new(Some(done)));
        let write = {
            let go = go.clone();
            move || async move {
                begun.send(()).unwrap();
                go.notified().await;
                let done = done.lock().unwrap().take();
                done.unwrap().send(()).unwrap();
            }
        };
        let admission = Admission::new(1, LONG, PACE, TaskTracker::new());
        let router = Router::new()
            .route("/write", post(write))
            .layer(from_fn_with_state(admission, admit));
        (router, go, began)
    }

    #[tokio::test]
    async fn a_write_is_finished_after_its_client_has_gone() {
        let (done, finished) = tokio::sync::oneshot::channel();
        let (server, go, mut began) = server_with_write(done);
        let client = tokio::spawn(async move { status(&server, "POST", "/write").await });
        began.recv().await.unwrap();
        client.abort();
        assert!(client.await.unwrap_err().is_cancelled());
        go.notify_one();
        finished.await.expect("the write went on to its end");
    }
}
