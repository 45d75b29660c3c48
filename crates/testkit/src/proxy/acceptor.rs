//! The task behind a proxy: owns the listener and the connections, and puts switches into force.
//!
//! The invariant: it listens exactly while the fault is not [`Fault::Cut`], and no connection outlives a cut.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::connection::carry;
use super::{Fault, Shared, Switch};

/// Far longer than any start of a process takes.
const COPIES_LIMIT: Duration = Duration::from_secs(10);

pub(super) struct ProxyAcceptor {
    addr: SocketAddr,
    shared: Arc<Shared>,
    listener: Option<TcpListener>,
    connections: JoinSet<()>,
}

impl ProxyAcceptor {
    pub(super) fn new(addr: SocketAddr, shared: Arc<Shared>) -> Self {
        Self {
            addr,
            shared,
            listener: None,
            connections: JoinSet::new(),
        }
    }

    /// Serves until the proxy is dropped.
    pub(super) async fn run(mut self, mut switches: mpsc::Receiver<Switch>) {
        let mut fault = self.shared.fault.subscribe();
        loop {
            tokio::select! {
                switch = switches.recv() => {
                    let Some((fault, in_force)) = switch else { return };
                    self.shared.fault.send_replace(fault);
                    self.apply(fault).await;
                    // The test may have given up waiting.
                    let _ = in_force.send(());
                }
                // A pump that has swallowed its last reply cuts by itself.
                Ok(()) = fault.changed() => {
                    let fault = *fault.borrow_and_update();
                    self.apply(fault).await;
                }
                client = accept(self.listener.as_ref()) => self.admit(client),
                Some(_) = self.connections.join_next() => {}
            }
        }
    }

    /// Opens or closes the door; the rest of a fault is up to the pumps, which look at it for every chunk.
    async fn apply(&mut self, fault: Fault) {
        if fault == Fault::Cut {
            self.listener = None;
            self.connections.shutdown().await;
        } else if self.listener.is_none() {
            self.listener = Some(listen_again(self.addr).await);
        }
    }

    fn admit(&mut self, client: TcpStream) {
        let upstream = self.shared.upstream().clone();
        let shared = Arc::clone(&self.shared);
        self.connections.spawn(carry(client, upstream, shared));
    }
}

/// A process that another test is just starting has a copy of every socket until its `exec`: for that moment the closed
/// listener still listens there.
async fn listen_again(addr: SocketAddr) -> TcpListener {
    let deadline = Instant::now() + COPIES_LIMIT;
    loop {
        match TcpListener::bind(addr).await {
            Err(error) if error.kind() == ErrorKind::AddrInUse && Instant::now() < deadline => {
                sleep(Duration::from_millis(5)).await;
            }
            listener => return listener.expect("the port is reserved for this proxy"),
        }
    }
}

/// The next client; never, while there is no listener.
async fn accept(listener: Option<&TcpListener>) -> TcpStream {
    let Some(listener) = listener else {
        return std::future::pending().await;
    };
    loop {
        // A client that gave up before it was accepted is no reason to end.
        if let Ok((client, _)) = listener.accept().await {
            return client;
        }
    }
}
