//! The accept loop, and an ending that drops no request.
//!
//! When the shutdown token fires, connections that the kernel has already accepted for us are still taken, then the
//! listener closes. Open connections finish the request they are in, answer with `Connection: close`, and end; idle
//! ones end at once. What is not done within the grace period is cut off.

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
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// A client that takes longer to send its request head is not worth a connection.
const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause after a failed accept: out of file descriptors passes only when others finish.
const ACCEPT_ERROR_PAUSE: Duration = Duration::from_millis(100);

/// Serves until `shutdown` fires and everything in hand is done, or `grace` is over.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    shutdown: CancellationToken,
    grace: Duration,
) {
    let connections = GracefulShutdown::new();
    let mut stop = pin!(shutdown.cancelled());
    loop {
        tokio::select! {
            accepted = listener.accept() => take(accepted, &router, &connections).await,
            () = &mut stop => break,
        }
    }
    while let Some(accepted) = already_waiting(&listener).await {
        take(accepted, &router, &connections).await;
    }
    drop(listener);
    if tokio::time::timeout(grace, connections.shutdown())
        .await
        .is_err()
    {
        tracing::warn!(
            grace_secs = grace.as_secs(),
            "some connections were cut off at the end of the grace period"
        );
    }
}

/// The next connection of the kernel's queue, without waiting for one.
async fn already_waiting(listener: &TcpListener) -> Option<io::Result<(TcpStream, SocketAddr)>> {
    poll_fn(|context| match listener.poll_accept(context) {
        Poll::Ready(accepted) => Poll::Ready(accepted.is_ok().then_some(accepted)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

async fn take(
    accepted: io::Result<(TcpStream, SocketAddr)>,
    router: &Router,
    connections: &GracefulShutdown,
) {
    match accepted {
        Ok((stream, peer)) => {
            tokio::spawn(converse(
                stream,
                peer,
                router.clone(),
                connections.watcher(),
            ));
        }
        Err(error) => {
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(ACCEPT_ERROR_PAUSE).await;
        }
    }
}

async fn converse(stream: TcpStream, peer: SocketAddr, router: Router, watcher: Watcher) {
    // Replies are written whole; waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let router = router.clone();
        async move {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            Ok::<_, Infallible>(
                router
                    .oneshot(request)
                    .await
                    .unwrap_or_else(|never| match never {}),
            )
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_READ_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection ended badly");
    }
}
