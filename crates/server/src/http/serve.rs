//! The accept loop, and an ending that drops no request.
//!
//! When the shutdown token fires, every reply begins to say `Connection: close` while requests go on being served for
//! a moment, so that clients with a kept connection leave by themselves. Then the connections that the kernel has
//! already accepted for us are taken, the listener closes, and idle connections end. A connection is looked at once
//! more before it is closed, and a new one has its moment too, so a request that has arrived is always answered.
//! What is not done within the grace period is cut off.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

/// A client that takes longer to send its request head is not worth a connection.
const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause after a failed accept: out of file descriptors passes only when others finish.
const ACCEPT_ERROR_PAUSE: Duration = Duration::from_millis(100);
/// How long clients are told to leave before idle connections are closed, and how long a new connection may take to
/// send its request while we leave.
const LEAVE: Duration = Duration::from_millis(500);

/// Serves until `shutdown` fires and everything in hand is done, or `grace` is over. Connections are in hand, and
/// whatever else the router's work puts there.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    in_hand: TaskTracker,
    shutdown: CancellationToken,
    grace: Duration,
) {
    let house = House {
        router,
        shutdown: shutdown.clone(),
        idle_ends: CancellationToken::new(),
        in_hand,
    };
    let mut stop = pin!(async {
        shutdown.cancelled().await;
        tokio::time::sleep(LEAVE).await;
    });
    loop {
        tokio::select! {
            accepted = listener.accept() => house.take(accepted).await,
            () = &mut stop => break,
        }
    }
    while let Some(accepted) = already_waiting(&listener).await {
        house.take(accepted).await;
    }
    drop(listener);
    house.empty(grace).await;
}

/// The next connection of the kernel's queue, without waiting for one.
async fn already_waiting(listener: &TcpListener) -> Option<io::Result<(TcpStream, SocketAddr)>> {
    poll_fn(|context| match listener.poll_accept(context) {
        Poll::Ready(accepted) => Poll::Ready(accepted.is_ok().then_some(accepted)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

/// The listener's connections.
struct House {
    router: Router,
    /// Fires when replies begin to say that the connection ends.
    shutdown: CancellationToken,
    /// Fires when connections without a request are closed.
    idle_ends: CancellationToken,
    in_hand: TaskTracker,
}

impl House {
    async fn take(&self, accepted: io::Result<(TcpStream, SocketAddr)>) {
        match accepted {
            Ok((stream, peer)) => {
                let guest = Guest {
                    peer,
                    router: self.router.clone(),
                    shutdown: self.shutdown.clone(),
                };
                self.in_hand
                    .spawn(converse(stream, guest, self.idle_ends.clone()));
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_ERROR_PAUSE).await;
            }
        }
    }

    async fn empty(&self, grace: Duration) {
        self.idle_ends.cancel();
        self.in_hand.close();
        let done = tokio::time::timeout(grace, self.in_hand.wait()).await;
        if done.is_err() {
            let grace_secs = grace.as_secs();
            tracing::warn!(
                grace_secs,
                "what was in hand was cut off at the end of the grace period"
            );
        }
    }
}

async fn converse(stream: TcpStream, guest: Guest, idle_ends: CancellationToken) {
    let accepted_at = Instant::now();
    // Replies are written whole; waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| guest.clone().answer(request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_READ_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let told_to_leave = async {
        idle_ends.cancelled().await;
        tokio::time::sleep_until(accepted_at + LEAVE).await;
    };
    let ended = tokio::select! {
        // First, so that a request which has arrived is seen before the connection is closed.
        biased;
        ended = &mut connection => ended,
        () = told_to_leave => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended badly");
    }
}

/// What every request of one connection needs.
#[derive(Clone)]
struct Guest {
    peer: SocketAddr,
    router: Router,
    shutdown: CancellationToken,
}

impl Guest {
    async fn answer(self, request: Request<Incoming>) -> Result<Response, Infallible> {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let mut response = self.router.oneshot(request).await?;
        if self.shutdown.is_cancelled() {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
        Ok(response)
    }
}
