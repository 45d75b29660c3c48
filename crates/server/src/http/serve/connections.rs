//! The connection limits, in total and per address.
//!
//! A connection costs a file descriptor and memory before it has sent anything, so it is counted when it is accepted. The
//! server answers a connection beyond the limits with a short 503 and closes it; it reads nothing. At the total limit it
//! closes idle connections, so that no client keeps others out by holding idle ones.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use metrics::{Counter, Gauge};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::http::per_address::{AddressPermit, PerAddressLimit};
use crate::settings::Network;

/// The reply to a connection beyond the limits.
const REFUSAL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\n\
    content-length: 0\r\n\r\n";

/// At most this often the server closes idle connections, and logs a refusal.
const EVERY: Duration = Duration::from_secs(1);

/// How many connections a listener takes.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    pub most: usize,
    /// For an IPv4 address or an IPv6 /64; wider networks have their share more.
    pub most_per_address: usize,
    /// Peers without a limit of their own: our proxies, each of which stands for many people.
    pub exempt: Vec<Network>,
}

/// Clones count together.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    permits: Arc<Semaphore>,
    addresses: PerAddressLimit,
    exempt: Vec<Network>,
    open: Gauge,
    refused: [Counter; 2],
    /// When a refusal was last logged.
    logged_at: Option<Instant>,
    idle_closed_at: Option<Instant>,
}

/// Held by one connection until it is dropped.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    _permit: OwnedSemaphorePermit,
    _of_address: Option<AddressPermit>,
    open: Gauge,
}

/// Which limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitReached {
    All,
    ClientAddress,
}

impl Connections {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        let refused = |reason| metrics::counter!("tandian_http_connections_refused_total", "reason" => reason);
        Self {
            permits: Arc::new(Semaphore::new(limits.most.min(Semaphore::MAX_PERMITS))),
            addresses: PerAddressLimit::new(limits.most_per_address),
            exempt: limits.exempt,
            open: metrics::gauge!("tandian_http_connections"),
            refused: [refused("all"), refused("address")],
            logged_at: None,
            idle_closed_at: None,
        }
    }

    /// The limit of the address comes first: a client over it must not make the server close idle connections of others.
    pub(super) fn admit(&self, peer: IpAddr) -> Result<ConnectionPermit, LimitReached> {
        let is_exempt = self.exempt.iter().any(|proxy| proxy.contains(peer));
        let of_address = match is_exempt {
            true => None,
            false => Some(
                self.addresses
                    .acquire(peer)
                    .ok_or(LimitReached::ClientAddress)?,
            ),
        };
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        let permit = permit.map_err(|_| LimitReached::All)?;
        self.open.increment(1);
        Ok(ConnectionPermit {
            _permit: permit,
            _of_address: of_address,
            open: self.open.clone(),
        })
    }

    /// Replies as far as that is possible without waiting.
    pub(super) fn refuse(&mut self, stream: &TcpStream, peer: IpAddr, full: LimitReached) {
        self.refused[usize::from(full == LimitReached::ClientAddress)].increment(1);
        // A socket that does not accept even this gets no reply.
        let _ = stream.try_write(REFUSAL);
        if is_due(&mut self.logged_at) {
            match full {
                LimitReached::All => {
                    tracing::warn!("connections refused: http.max_connections reached");
                }
                LimitReached::ClientAddress => tracing::warn!(
                    %peer,
                    "connections refused: http.max_connections_per_address reached"
                ),
            }
        }
    }

    /// Whether to close idle connections, at most once per [`EVERY`].
    pub(super) fn should_close_idle(&mut self, full: LimitReached) -> bool {
        full == LimitReached::All && is_due(&mut self.idle_closed_at)
    }
}

fn is_due(last: &mut Option<Instant>) -> bool {
    let now = Instant::now();
    let is_due = last.is_none_or(|last| now - last >= EVERY);
    if is_due {
        *last = Some(now);
    }
    is_due
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.open.decrement(1);
    }
}
