//! Limits of a connection: how long it waits, how much it carries, whom it trusts.

use std::time::Duration;

/// How a [`Link`](crate::Link) behaves towards its servers. Every wait is bounded by one of these.
#[derive(Clone, Debug)]
pub struct Options {
    /// Longest time for opening a connection: name look-up, TCP, TLS, sign-in.
    pub connect_timeout: Duration,
    /// Longest wait for a reply, and also for a connection that is being opened when a command comes. A server that
    /// needs longer for a single command counts as down.
    pub response_timeout: Duration,
    /// How often an idle connection is checked, so that a peer that vanished silently is detected within
    /// `heartbeat + response_timeout`.
    pub heartbeat: Duration,
    /// Commands that may wait for a reply at the same time. The next one is refused at once: with a stalled server
    /// the alternative is to queue until memory ends.
    pub max_in_flight: usize,
    /// Certificates for targets over TLS.
    pub tls: Tls,
}

/// Certificates, each in PEM form.
#[derive(Clone, Default)]
pub struct Tls {
    /// Authorities to trust instead of the public ones, for servers with a certificate of a private authority.
    pub roots: Option<Vec<u8>>,
    /// Our own certificate and its key, for servers that ask for one.
    pub identity: Option<Identity>,
}

/// A certificate and its private key, in PEM form.
#[derive(Clone)]
pub struct Identity {
    /// The certificate, followed by those of intermediate authorities.
    pub certificate: Vec<u8>,
    /// Its private key.
    pub key: Vec<u8>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(1),
            response_timeout: Duration::from_secs(1),
            heartbeat: Duration::from_secs(1),
            max_in_flight: 10_000,
            tls: Tls::default(),
        }
    }
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls")
            .field("roots", &self.roots.as_ref().map(Vec::len))
            .field("identity", &self.identity.is_some())
            .finish()
    }
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Identity(***)")
    }
}
