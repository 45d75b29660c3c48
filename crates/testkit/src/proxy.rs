//! A TCP proxy that misbehaves on demand, between a client under test and a real server.
//!
//! Each switch takes effect on open connections as well as on new ones, and is in force when its call returns.
//!
//! The invariant: a client sees only what TCP can show, a prefix of the true byte stream. Bytes that were swallowed
//! leave a hole, and a connection with a hole never carries later bytes: when traffic is let through again it
//! is closed instead. (A proxy that resumed it would give the reply of one request to another, which no network does.)
//!
//! How it works: one *acceptor* task owns the listener and all connections and takes the switches one by one. The present
//! fault is published in a watch channel; each connection has a pump per direction (`pump.rs`) that reads it for every chunk.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use crate::port::Port;

mod acceptor;
mod connection;
mod pump;
mod upstream;

use acceptor::ProxyAcceptor;
pub use upstream::Upstream;

/// What the proxy does to the bytes it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    Delay(Duration),
    BlackHole,
    DropReplies,
    CutAfterReplies,
    Cut,
}

/// What the acceptor, the pumps and the handle of one proxy share.
#[derive(Debug)]
struct Shared {
    fault: watch::Sender<Fault>,
    /// Where new connections lead.
    upstream: Mutex<Upstream>,
    /// Reply chunks that may still be swallowed, or passed, before all is cut.
    replies_left: AtomicUsize,
    open: AtomicUsize,
    accepted: AtomicUsize,
}

/// A fault, and the channel that reports when it is in force.
type Switch = (Fault, oneshot::Sender<()>);

/// A proxy on a port of its own; closed, with all its connections, when dropped.
#[derive(Debug)]
pub struct FaultProxy {
    port: Port,
    shared: Arc<Shared>,
    switches: mpsc::Sender<Switch>,
    acceptor: JoinHandle<()>,
}

impl FaultProxy {
    /// Starts a proxy that passes everything to `upstream`: `host:port`, or the path of a unix socket.
    pub async fn start(upstream: impl Into<Upstream>) -> Self {
        let port = Port::reserve();
        let shared = Arc::new(Shared {
            fault: watch::Sender::new(Fault::Cut),
            upstream: Mutex::new(upstream.into()),
            replies_left: AtomicUsize::new(usize::MAX),
            open: AtomicUsize::new(0),
            accepted: AtomicUsize::new(0),
        });
        let (switches, received) = mpsc::channel(1);
        let acceptor = ProxyAcceptor::new(port.addr(), Arc::clone(&shared));
        let proxy = Self {
            port,
            shared,
            switches,
            acceptor: tokio::spawn(acceptor.run(received)),
        };
        proxy.pass().await;
        proxy
    }

    /// Where clients connect.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.port.addr()
    }

    /// The port of [`addr`](Self::addr).
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.number()
    }

    /// Client connections that are open.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.shared.open.load(Ordering::SeqCst)
    }

    /// Client connections accepted since the start.
    #[must_use]
    pub fn accepted(&self) -> usize {
        self.shared.accepted.load(Ordering::SeqCst)
    }

    /// Leads new connections to another server, as an address does that has moved; open ones stay where they are.
    pub fn lead_to(&self, upstream: impl Into<Upstream>) {
        *self.shared.upstream() = upstream.into();
    }

    /// Behaves: passes everything at once, replies held back by a delay included. Connections with a hole are closed.
    pub async fn pass(&self) {
        self.switch(Fault::None).await;
    }

    /// Holds every reply back for `delay`; the rate is not limited, so pipelined replies are not added up.
    pub async fn delay(&self, delay: Duration) {
        self.switch(Fault::Delay(delay)).await;
    }

    /// Closes all connections and refuses new ones. Returns when none is open.
    pub async fn cut(&self) {
        self.switch(Fault::Cut).await;
    }

    /// Accepts and reads, and neither forwards nor answers anything.
    pub async fn black_hole(&self) {
        self.switch(Fault::BlackHole).await;
    }

    /// Forwards requests and swallows replies: the server acts, the client never gets the reply.
    pub async fn drop_replies(&self) {
        self.shared.replies_left.store(usize::MAX, Ordering::SeqCst);
        self.switch(Fault::DropReplies).await;
    }

    /// Swallows `replies` replies, then cuts as [`cut`](Self::cut) does.
    ///
    /// A reply is one chunk from the server; that is one reply where client and server alternate.
    pub async fn drop_replies_then_cut(&self, replies: usize) {
        assert!(replies > 0, "to swallow nothing and cut is cut()");
        self.shared.replies_left.store(replies, Ordering::SeqCst);
        self.switch(Fault::DropReplies).await;
    }

    /// Passes `replies` replies, swallows the next, and cuts as [`cut`](Self::cut) does: the server did what was asked, and
    /// the client never hears of it.
    pub async fn pass_replies_then_cut(&self, replies: usize) {
        self.shared
            .replies_left
            .store(replies.saturating_add(1), Ordering::SeqCst);
        self.switch(Fault::CutAfterReplies).await;
    }

    async fn switch(&self, fault: Fault) {
        let (done, in_force) = oneshot::channel();
        let sent = self.switches.send((fault, done)).await;
        sent.expect("the acceptor runs as long as the proxy");
        in_force.await.expect("the acceptor answers every switch");
    }
}

impl Shared {
    fn upstream(&self) -> MutexGuard<'_, Upstream> {
        self.upstream.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.acceptor.abort();
    }
}
