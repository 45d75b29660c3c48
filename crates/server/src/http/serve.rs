//! The accept loop, and a graceful shutdown that drops no request.
//!
//! When the shutdown token fires, the server goes on serving for a moment and every reply says `Connection: close`, so
//! that clients drop their keep-alive connections. Then the server takes the connections that the kernel has already
//! accepted, closes the listener and closes idle connections. It polls a connection once more before closing it, and
//! gives a new one a moment to send its request, so every request that has arrived is answered. Requests that are
//! still in flight when the grace period ends are cut off. `deadline.rs` closes the connections of slow clients,
//! `connections.rs` bounds how many there are.

mod connections;
mod deadline;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

pub use connections::ConnectionLimits;
use connections::{ConnectionPermit, Connections};
pub(super) use deadline::RequestTimer;
use deadline::{ConnectionDeadline, ConnectionTimeouts, ObservedSocket};

use super::body::MinimumPace;

/// How long a client may take to send a request head.
const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// The length of the kernel's accept queue, which `somaxconn` bounds as well. A client that finds it full retries after
/// a second, so the crowd at the start of a sale must fit.
const BACKLOG: u32 = 16_384;
/// Pause after a failed accept: out of file descriptors passes only when others finish.
const ACCEPT_ERROR_PAUSE: Duration = Duration::from_millis(100);
/// How long replies say `Connection: close` before idle connections are closed, and how long a new connection may take
/// to send its request during shutdown.
const DRAIN: Duration = Duration::from_millis(500);

/// The limits of a listener. Listeners with clones of them count their connections together.
#[derive(Clone, Debug)]
pub struct ServeLimits {
    timeouts: ConnectionTimeouts,
    /// How long requests in flight may take after shutdown began.
    grace: Duration,
    connections: Connections,
}

impl ServeLimits {
    /// `keep_alive` is for idle connections, `pace` for clients that read a reply, `grace` for requests in flight at
    /// shutdown.
    pub fn new(
        keep_alive: Duration,
        pace: MinimumPace,
        grace: Duration,
        connections: ConnectionLimits,
    ) -> Self {
        let timeouts = ConnectionTimeouts {
            idle: keep_alive,
            head: HEAD_LIMIT,
            pace,
        };
        Self {
            timeouts,
            grace,
            connections: Connections::new(connections),
        }
    }
}

/// Listens on an address, with a long accept queue.
pub fn listen(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = match addr {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A new process can bind at once although connections of the old one are in TIME_WAIT.
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

/// Serves until `shutdown` fires and everything in flight is done, or the grace period is over. `in_flight` holds the
/// connections and the writes that outlive their clients.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    in_flight: TaskTracker,
    shutdown: CancellationToken,
    limits: ServeLimits,
) {
    let idle_ends = CancellationToken::new();
    let mut accept_loop = AcceptLoop {
        router,
        timeouts: limits.timeouts,
        connections: limits.connections,
        shutdown: shutdown.clone(),
        close_idle: idle_ends.child_token(),
        idle_ends,
        in_flight,
    };
    let mut stop = pin!(async {
        shutdown.cancelled().await;
        tokio::time::sleep(DRAIN).await;
    });
    loop {
        tokio::select! {
            accepted = listener.accept() => accept_loop.take(accepted).await,
            () = &mut stop => break,
        }
    }
    while let Some(accepted) = already_waiting(&listener).await {
        accept_loop.take(accepted).await;
    }
    drop(listener);
    accept_loop.finish(limits.grace).await;
}

/// The next connection of the kernel's queue, without waiting for one.
async fn already_waiting(listener: &TcpListener) -> Option<io::Result<(TcpStream, SocketAddr)>> {
    poll_fn(|context| match listener.poll_accept(context) {
        Poll::Ready(accepted) => Poll::Ready(accepted.is_ok().then_some(accepted)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

struct AcceptLoop {
    router: Router,
    timeouts: ConnectionTimeouts,
    /// Fires when replies begin to say `Connection: close`.
    shutdown: CancellationToken,
    connections: Connections,
    /// Fires when connections without a request are closed.
    idle_ends: CancellationToken,
    /// Fires for the connections open now, and not for later ones, when the connection limit is reached; and with
    /// `idle_ends`.
    close_idle: CancellationToken,
    in_flight: TaskTracker,
}

impl AcceptLoop {
    async fn take(&mut self, accepted: io::Result<(TcpStream, SocketAddr)>) {
        match accepted {
            Ok((stream, peer)) => match self.connections.admit(peer.ip()) {
                Ok(permit) => self.begin(stream, peer, permit),
                Err(full) => {
                    self.connections.refuse(&stream, peer.ip(), full);
                    if self.connections.should_close_idle(full) {
                        let later = self.idle_ends.child_token();
                        std::mem::replace(&mut self.close_idle, later).cancel();
                    }
                }
            },
            Err(error) => {
                tracing::warn!(%error, "connection not accepted");
                tokio::time::sleep(ACCEPT_ERROR_PAUSE).await;
            }
        }
    }

    fn begin(&self, stream: TcpStream, peer: SocketAddr, permit: ConnectionPermit) {
        let context = ConnectionContext {
            peer,
            router: self.router.clone(),
            shutdown: self.shutdown.clone(),
        };
        let close_idle = self.close_idle.clone();
        self.in_flight.spawn(serve_connection(
            stream,
            context,
            self.timeouts,
            close_idle,
            permit,
        ));
    }

    async fn finish(&self, grace: Duration) {
        self.idle_ends.cancel();
        self.in_flight.close();
        let done = tokio::time::timeout(grace, self.in_flight.wait()).await;
        if done.is_err() {
            let grace_secs = grace.as_secs();
            tracing::warn!(
                grace_secs,
                "requests in flight cut off: the grace period is over"
            );
        }
    }
}

async fn serve_connection(
    stream: TcpStream,
    context: ConnectionContext,
    timeouts: ConnectionTimeouts,
    idle_ends: CancellationToken,
    _permit: ConnectionPermit,
) {
    let accepted_at = Instant::now();
    // Replies are written whole; waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let deadline = ConnectionDeadline::new(timeouts);
    let head_deadline = deadline.clone();
    let service = service_fn(move |request| {
        head_deadline.begin_request();
        let timer = head_deadline.request_timer();
        context.clone().respond(request, timer)
    });
    let connection = http1::Builder::new()
        .timer(deadline.clone())
        .header_read_timeout(timeouts.idle)
        .serve_connection(
            TokioIo::new(ObservedSocket::new(stream, deadline.clone())),
            service,
        );
    let mut connection = pin!(connection);
    let close_requested = async {
        idle_ends.cancelled().await;
        tokio::time::sleep_until(accepted_at + DRAIN).await;
    };
    let mut close_requested = pin!(close_requested);
    let mut deadline_passed = pin!(deadline.passed());
    let mut is_closing = false;
    let ended = loop {
        tokio::select! {
            // First, so that a request which has arrived is seen before the connection is closed.
            biased;
            ended = &mut connection => break ended,
            () = &mut deadline_passed => return,
            () = &mut close_requested, if !is_closing => {
                connection.as_mut().graceful_shutdown();
                is_closing = true;
            }
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "connection failed");
    }
}

/// The connection of a request, among its extensions.
#[derive(Clone, Debug)]
pub(super) struct RequestConnection {
    pub(super) peer: SocketAddr,
    pub(super) timer: RequestTimer,
}

/// What every request of one connection needs.
#[derive(Clone)]
struct ConnectionContext {
    peer: SocketAddr,
    router: Router,
    shutdown: CancellationToken,
}

impl ConnectionContext {
    async fn respond(
        self,
        request: Request<Incoming>,
        timer: RequestTimer,
    ) -> Result<Response, Infallible> {
        let mut request = request.map(Body::new);
        let peer = self.peer;
        let connection = RequestConnection { peer, timer };
        request.extensions_mut().insert(connection);
        let mut response = self.router.oneshot(request).await?;
        if self.shutdown.is_cancelled() {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
        Ok(response)
    }
}
