//! The accept loop, and an ending that drops no request.
//!
//! When the shutdown token fires, every reply begins to say `Connection: close` while requests go on being served for
//! a moment, so that clients with a kept connection leave by themselves. Then the connections that the kernel has
//! already accepted for us are taken, the listener closes, and idle connections end. A connection is looked at once
//! more before it is closed, and a new one has its moment too, so a request that has arrived is always answered.
//! What is not done within the grace period is cut off. Before all that, a client that keeps a connection waiting for too
//! long loses it (`pace.rs`), and nobody has more connections than the limits allow (`connections.rs`).

mod connections;
mod pace;
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
use axum::extract::ConnectInfo;
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
use connections::{ConnectionPlace, Connections};
use pace::{Heard, Limits, Pace};

use super::body::MinimumPace;

/// A client that takes longer to send the head of a request it has begun is not worth a connection.
const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// Connections that the kernel may have ready before we take them; it has a bound of its own (`somaxconn`). Whoever comes
/// beyond it tries again after a second, so the beginning of a sale must fit.
const BACKLOG: u32 = 16_384;
/// Pause after a failed accept: out of file descriptors passes only when others finish.
const ACCEPT_ERROR_PAUSE: Duration = Duration::from_millis(100);
/// How long clients are told to leave before idle connections are closed, and how long a new connection may take to
/// send its request while we leave.
const LEAVE: Duration = Duration::from_millis(500);

/// How long we wait for others, and for how many.
#[derive(Clone, Debug)]
pub struct Patience {
    /// For requests.
    limits: Limits,
    /// For what is in hand when we stop.
    grace: Duration,
    connections: ConnectionLimits,
}

impl Patience {
    /// Keeps a connection so long for its next request, cuts off who reads more slowly than `pace`, and waits so long for
    /// what is in hand in the end.
    pub fn new(
        keep_alive: Duration,
        pace: MinimumPace,
        grace: Duration,
        connections: ConnectionLimits,
    ) -> Self {
        let limits = Limits {
            idle: keep_alive,
            head: HEAD_LIMIT,
            pace,
        };
        Self {
            limits,
            grace,
            connections,
        }
    }
}

/// Listens on an address, with room for a crowd in front of the door.
pub fn listen(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = match addr {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A new process takes over at once, although connections of the old one are still on their way out.
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

/// Serves until `shutdown` fires and everything in hand is done, or the grace period is over. Connections are in hand, and
/// whatever else the router's work puts there.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    in_hand: TaskTracker,
    shutdown: CancellationToken,
    patience: Patience,
) {
    let idle_ends = CancellationToken::new();
    let mut house = House {
        router,
        limits: patience.limits,
        connections: Connections::new(patience.connections),
        shutdown: shutdown.clone(),
        oldest_leave: idle_ends.child_token(),
        idle_ends,
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
    house.empty(patience.grace).await;
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
    limits: Limits,
    /// Fires when replies begin to say that the connection ends.
    shutdown: CancellationToken,
    connections: Connections,
    /// Fires when connections without a request are closed.
    idle_ends: CancellationToken,
    /// Fires for the connections there are, and not for later ones, when others need their places; and with `idle_ends`.
    oldest_leave: CancellationToken,
    in_hand: TaskTracker,
}

impl House {
    async fn take(&mut self, accepted: io::Result<(TcpStream, SocketAddr)>) {
        match accepted {
            Ok((stream, peer)) => match self.connections.admit(peer.ip()) {
                Ok(place) => self.begin(stream, peer, place),
                Err(full) => {
                    self.connections.refuse(&stream, peer.ip(), full);
                    if self.connections.must_thin_out(full) {
                        let later = self.idle_ends.child_token();
                        std::mem::replace(&mut self.oldest_leave, later).cancel();
                    }
                }
            },
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_ERROR_PAUSE).await;
            }
        }
    }

    fn begin(&self, stream: TcpStream, peer: SocketAddr, place: ConnectionPlace) {
        let guest = Guest {
            peer,
            router: self.router.clone(),
            shutdown: self.shutdown.clone(),
        };
        let leave = self.oldest_leave.clone();
        self.in_hand
            .spawn(converse(stream, guest, self.limits, leave, place));
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

async fn converse(
    stream: TcpStream,
    guest: Guest,
    limits: Limits,
    idle_ends: CancellationToken,
    _place: ConnectionPlace,
) {
    let accepted_at = Instant::now();
    // Replies are written whole; waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let pace = Pace::new(limits);
    let taking = pace.clone();
    let service = service_fn(move |request| {
        taking.take_in_hand();
        guest.clone().answer(request)
    });
    let connection = http1::Builder::new()
        .timer(pace.clone())
        .header_read_timeout(limits.idle)
        .serve_connection(TokioIo::new(Heard::new(stream, pace.clone())), service);
    let mut connection = pin!(connection);
    let told_to_leave = async {
        idle_ends.cancelled().await;
        tokio::time::sleep_until(accepted_at + LEAVE).await;
    };
    let mut told_to_leave = pin!(told_to_leave);
    let mut run_out = pin!(pace.run_out());
    let mut is_leaving = false;
    let ended = loop {
        tokio::select! {
            // First, so that a request which has arrived is seen before the connection is closed.
            biased;
            ended = &mut connection => break ended,
            () = &mut run_out => return,
            () = &mut told_to_leave, if !is_leaving => {
                connection.as_mut().graceful_shutdown();
                is_leaving = true;
            }
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
