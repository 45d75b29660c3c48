//! The limits of the house: how many requests at once, how long each, and what a panic in one of them means.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
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

use super::body::{MinimumPace, PacedBody, SharedPlace};
use super::failure::{Code, Failure};
use super::routes::RouteAttributes;
use crate::telemetry::RequestId;

#[derive(Clone, Debug)]
pub(super) struct Admission {
    places: Arc<Semaphore>,
    time_limit: Duration,
    body_pace: MinimumPace,
    /// Where writes are counted, so that a server which stops can wait for those whose client has gone.
    in_hand: TaskTracker,
}

impl Admission {
    pub(super) fn new(
        max_in_flight: usize,
        time_limit: Duration,
        body_pace: MinimumPace,
        in_hand: TaskTracker,
    ) -> Self {
        Self {
            places: Arc::new(Semaphore::new(max_in_flight)),
            time_limit,
            body_pace,
            in_hand,
        }
    }

    /// Runs the handler within the limits.
    ///
    /// A write runs as a task of its own: no client that hangs up, no time limit and no orderly end of the process
    /// stops it halfway. Routes whose use case sees to that itself do without the task.
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
        let Ok(place) = self.take_place(route) else {
            return Failure::busy().into_response();
        };
        let (request, place) = self.pace_body(request, place);
        let work = async move {
            let answered = AssertUnwindSafe(handler.oneshot(request));
            let outcome = answered.catch_unwind().await;
            drop(place);
            match outcome {
                Ok(Ok(response)) => response,
                // The panic hook has logged the panic already.
                Err(_) => Failure::new(Code::Internal).into_response(),
            }
        };
        let in_time = if runs_as_task {
            let task = self.in_hand.spawn(id.scope(work));
            let finished = tokio::time::timeout(self.time_limit, task).await;
            finished.map(|task| task.expect("a task that catches panics ends well"))
        } else {
            tokio::time::timeout(self.time_limit, work).await
        };
        in_time.unwrap_or_else(|_| {
            let limit_secs = self.time_limit.as_secs();
            tracing::warn!(limit_secs, "a request took too long");
            Failure::busy().into_response()
        })
    }

    /// Wraps a body that is not there yet, so that nobody reads it without a limit. Requests without a body pay nothing.
    fn pace_body(&self, request: Request, place: Option<OwnedSemaphorePermit>) -> (Request, Held) {
        if request.body().is_end_stream() {
            return (request, Held::Whole(place));
        }
        let place = place.map(SharedPlace::new);
        let paced = |body| PacedBody::new(body, place.clone(), self.body_pace, self.time_limit);
        let request = request.map(|body| Body::new(paced(body)));
        (request, Held::WhileNotWaiting(place))
    }

    fn take_place(&self, route: RouteAttributes) -> Result<Option<OwnedSemaphorePermit>, ()> {
        if route.skips_admission {
            return Ok(None);
        }
        let taken = self.places.clone().try_acquire_owned();
        taken.map(Some).map_err(|_| ())
    }
}

/// What a request has of the house until it is dropped.
enum Held {
    Whole(#[expect(dead_code, reason = "it is held, not looked at")] Option<OwnedSemaphorePermit>),
    WhileNotWaiting(Option<SharedPlace>),
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Self::WhileNotWaiting(Some(place)) = self {
            place.close();
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

    fn house(max_in_flight: usize, time_limit: Duration) -> Router {
        let admission = Admission::new(max_in_flight, time_limit, PACE, TaskTracker::new());
        Router::new()
            .route("/fine", get(|| async { "fine" }))
            .route("/healthz", get(|| async { "alive" }))
            .route("/stuck", get(pending::<()>))
            .route("/panic", get(panic_in_handler).post(panic_in_handler))
            .layer(from_fn_with_state(admission, admit))
    }

    async fn status(house: &Router, method: &str, path: &str) -> StatusCode {
        let request = Request::builder().method(method).uri(path);
        let request = request.body(Body::empty()).unwrap();
        house.clone().oneshot(request).await.unwrap().status()
    }

    #[tokio::test]
    async fn a_panic_is_a_500_and_the_house_stays_open() {
        let house = house(1, LONG);
        for method in ["GET", "POST", "GET"] {
            assert_eq!(status(&house, method, "/panic").await, 500);
        }
        assert_eq!(status(&house, "GET", "/fine").await, 200);
    }

    #[tokio::test]
    async fn a_request_that_takes_too_long_is_given_up() {
        let house = house(1, Duration::from_millis(20));
        assert_eq!(status(&house, "GET", "/stuck").await, 503);
        assert_eq!(status(&house, "GET", "/fine").await, 200);
    }

    #[tokio::test]
    async fn a_full_house_refuses_all_but_probes() {
        let house = house(1, LONG);
        let stuck = status(&house, "GET", "/stuck");
        tokio::pin!(stuck);
        assert!(futures_util::poll!(&mut stuck).is_pending());
        assert_eq!(status(&house, "GET", "/fine").await, 503);
        assert_eq!(status(&house, "GET", "/healthz").await, 200);
    }

    /// A house with one write, which begins, waits for `go` and then says that it is done.
    fn house_with_write(
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
    async fn a_write_is_finished_after_its_client_has_hung_up() {
        let (done, finished) = tokio::sync::oneshot::channel();
        let (house, go, mut began) = house_with_write(done);
        let client = tokio::spawn(async move { status(&house, "POST", "/write").await });
        began.recv().await.unwrap();
        client.abort();
        assert!(client.await.unwrap_err().is_cancelled());
        go.notify_one();
        finished.await.expect("the write went on to its end");
    }
}
