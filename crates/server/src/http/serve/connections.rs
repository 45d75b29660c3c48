//! How many connections there may be, in all and from one address, and what becomes of those beyond.
//!
//! A connection costs a file and some memory before it has said anything, so it is counted where it is accepted. One
//! beyond the limits hears a short 503 and is closed; nothing of it is read. When all are taken, connections without a
//! request are asked to leave, so that nobody keeps others out by holding idle ones.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use metrics::{Counter, Gauge};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::http::per_address::{AddressPlace, PerAddress};
use crate::settings::Network;

/// What is said to a connection that is one too many.
const REFUSAL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\n\
    content-length: 0\r\n\r\n";

/// How often idle connections are asked to leave, and how often a refusal is logged, at the most.
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

#[derive(Debug)]
pub(super) struct Connections {
    places: Arc<Semaphore>,
    addresses: PerAddress,
    exempt: Vec<Network>,
    open: Gauge,
    refused: [Counter; 2],
    /// When a refusal was last told to the log.
    logged_at: Option<Instant>,
    thinned_at: Option<Instant>,
}

/// The place of one connection, until it is dropped.
#[derive(Debug)]
pub(super) struct ConnectionPlace {
    _place: OwnedSemaphorePermit,
    _of_address: Option<AddressPlace>,
    open: Gauge,
}

/// Which limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    All,
    Address,
}

impl Connections {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        let refused = |reason| metrics::counter!("tandian_http_connections_refused_total", "reason" => reason);
        Self {
            places: Arc::new(Semaphore::new(limits.most.min(Semaphore::MAX_PERMITS))),
            addresses: PerAddress::new(limits.most_per_address),
            exempt: limits.exempt,
            open: metrics::gauge!("tandian_http_connections"),
            refused: [refused("all"), refused("address")],
            logged_at: None,
            thinned_at: None,
        }
    }

    /// The limit of the address comes first: whoever is over it should not make idle neighbours leave.
    pub(super) fn admit(&self, peer: IpAddr) -> Result<ConnectionPlace, Full> {
        let is_exempt = self.exempt.iter().any(|proxy| proxy.contains(peer));
        let of_address = match is_exempt {
            true => None,
            false => Some(self.addresses.take(peer).ok_or(Full::Address)?),
        };
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| Full::All)?;
        self.open.increment(1);
        Ok(ConnectionPlace {
            _place: place,
            _of_address: of_address,
            open: self.open.clone(),
        })
    }

    /// Says why, as far as that can be done without waiting, and closes.
    pub(super) fn refuse(&mut self, stream: &TcpStream, peer: IpAddr, full: Full) {
        self.refused[usize::from(full == Full::Address)].increment(1);
        // Somebody who does not take even this hears nothing.
        let _ = stream.try_write(REFUSAL);
        if is_due(&mut self.logged_at) {
            match full {
                Full::All => {
                    tracing::warn!("connections refused: all are taken (see http.max_connections)");
                }
                Full::Address => tracing::warn!(
                    %peer,
                    "connections refused: the address has as many as it may (see http.max_connections_per_address)"
                ),
            }
        }
    }

    /// Whether idle connections should be asked to leave, which is worth doing now and then only.
    pub(super) fn must_thin_out(&mut self, full: Full) -> bool {
        full == Full::All && is_due(&mut self.thinned_at)
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

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.open.decrement(1);
    }
}
