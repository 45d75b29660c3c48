//! Connection options and timeouts. `Debug` omits the URLs because they hold passwords.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone)]
pub struct DbOptions {
    /// `sqlite://path/to/file` or `mysql://user:password@host:port/database`.
    pub url: String,
    /// Read-only copies of the same database, for reads that tolerate lag; MySQL only.
    pub read_urls: Vec<String>,
    pub tls: SqlTls,
    /// A PEM file with the authority that signed the server's certificate; without it, the public ones.
    pub ca_file: Option<PathBuf>,
    /// Connections to a server, or readers of a SQLite file (which has one writer besides).
    pub max_connections: u32,
    /// How long a call waits for a free connection, connecting included.
    pub acquire_timeout: Duration,
    /// How long a whole operation may take, waiting included. Migrations are exempt.
    pub query_timeout: Duration,
}

/// Whether a connection to a server is encrypted. SQLite is a file and has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SqlTls {
    /// By `ssl-mode` in the URL; else verified if a CA file is set; else opportunistic.
    #[default]
    Auto,
    Off,
    /// Encrypted without verifying the server.
    Required,
    /// Encrypted, with a certificate signed by the CA.
    VerifyCa,
    /// Encrypted, with a certificate for the URL's host.
    VerifyFull,
}

impl DbOptions {
    /// Two cores can use more than ten connections; a MySQL server allows 151 connections by default and several processes share it.
    pub const DEFAULT_MAX_CONNECTIONS: u32 = 16;
    /// A page is worth waiting for, but an overloaded site must refuse while the visitor is still there.
    pub const DEFAULT_ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);
    /// Every query of the site is served by an index; what takes longer than this is stuck.
    pub const DEFAULT_QUERY_TIMEOUT: Duration = Duration::from_secs(5);

    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            read_urls: Vec::new(),
            tls: SqlTls::default(),
            ca_file: None,
            max_connections: Self::DEFAULT_MAX_CONNECTIONS,
            acquire_timeout: Self::DEFAULT_ACQUIRE_TIMEOUT,
            query_timeout: Self::DEFAULT_QUERY_TIMEOUT,
        }
    }
}

impl fmt::Debug for DbOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DbOptions")
            .field("read_urls", &self.read_urls.len())
            .field("tls", &self.tls)
            .field("max_connections", &self.max_connections)
            .field("acquire_timeout", &self.acquire_timeout)
            .field("query_timeout", &self.query_timeout)
            .finish_non_exhaustive()
    }
}
