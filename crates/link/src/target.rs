//! Where Redis is, as one URL: [`Target`].
//!
//! A target is fully checked when it is parsed, so connecting never fails over a misspelt URL, and a password in it
//! is readable by the dialler alone: neither `Debug` nor `Display` nor an error ever shows it.

mod parse;

use std::{fmt, path::PathBuf, str::FromStr};

use redis::ConnectionAddr;

pub use parse::BadTarget;

/// Port of a Redis server that the URL does not give.
pub(crate) const REDIS_PORT: u16 = 6379;
/// Port of a sentinel that the URL does not give.
pub(crate) const SENTINEL_PORT: u16 = 26379;

/// What a URL says about Redis: its shape, its addresses and how to sign in.
#[derive(Clone, PartialEq, Eq)]
pub struct Target {
    pub(crate) shape: Shape,
    pub(crate) tls: bool,
    pub(crate) login: Login,
    /// Sentinels have users of their own; without `sentinel_pass` in the URL they are asked without signing in.
    pub(crate) sentinel_login: Login,
    pub(crate) database: u32,
}

/// How the servers behind a target are arranged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Single(ServerAddress),
    Sentinel {
        sentinels: Vec<ServerAddress>,
        master: String,
    },
    Cluster {
        seeds: Vec<ServerAddress>,
    },
}

/// One place a server listens at. IPv6 hosts are kept without brackets.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ServerAddress {
    Tcp { host: String, port: u16 },
    Unix(PathBuf),
}

/// Name and password, both optional: Redis knows passwords without a name.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Login {
    pub(crate) user: Option<String>,
    pub(crate) password: Option<String>,
}

impl Target {
    /// Reads a URL of one of these forms; a part in brackets may be left out.
    ///
    /// | form | meaning |
    /// |---|---|
    /// | `redis://[user:pass@]host[:6379][/db]` | one server |
    /// | `rediss://…` | the same over TLS |
    /// | `unix:///path[?db=1&user=…&pass=…]`, also `redis+unix` | one server on a unix socket |
    /// | `redis-cluster://[user:pass@]h1[:6379],h2[:6379]` | a Cluster, found through any of these nodes |
    /// | `redis-sentinel://[user:pass@]h1[:26379],h2/name[/db][?sentinel_pass=…]` | the master that sentinels call `name` |
    /// | `rediss-cluster://…`, `rediss-sentinel://…` | the same over TLS, sentinels included |
    ///
    /// User, password and socket path may be percent-encoded; IPv6 hosts stand in brackets. TLS needs the feature `tls`.
    pub fn parse(url: &str) -> Result<Self, BadTarget> {
        parse::target(url)
    }

    /// The only server of a client of the client library.
    pub(crate) fn of_client(client: &redis::Client) -> Self {
        let info = client.get_connection_info();
        let settings = info.redis_settings();
        let (address, tls) = match info.addr() {
            ConnectionAddr::Tcp(host, port) => (tcp(host, *port), false),
            ConnectionAddr::TcpTls { host, port, .. } => (tcp(host, *port), true),
            ConnectionAddr::Unix(path) => (ServerAddress::Unix(path.clone()), false),
            // The address only names the server here: the client itself connects.
            other => (tcp(&other.to_string(), 0), false),
        };
        Self {
            shape: Shape::Single(address),
            tls,
            login: Login {
                user: settings.username().map(str::to_owned),
                password: settings.password().map(str::to_owned),
            },
            sentinel_login: Login::default(),
            database: settings.db().try_into().unwrap_or(0),
        }
    }

    /// Whether keys are spread over several masters, so that a script or a pipeline must keep to one hash slot.
    pub fn is_cluster(&self) -> bool {
        matches!(self.shape, Shape::Cluster { .. })
    }

    /// The servers and the database, without scheme and login, and equal for the same addresses in another order. Two names
    /// of one host are two addresses.
    pub fn address(&self) -> String {
        let mut servers: Vec<String> = self.servers().iter().map(ToString::to_string).collect();
        servers.sort();
        servers.dedup();
        let mut address = servers.join(",");
        if let Shape::Sentinel { master, .. } = &self.shape {
            address = format!("{address}/{master}");
        }
        match self.database {
            0 => address,
            database => format!("{address}/{database}"),
        }
    }

    fn scheme(&self) -> &'static str {
        match (&self.shape, self.tls) {
            (Shape::Single(ServerAddress::Unix(_)), _) => "unix",
            (Shape::Single(_), false) => "redis",
            (Shape::Single(_), true) => "rediss",
            (Shape::Sentinel { .. }, false) => "redis-sentinel",
            (Shape::Sentinel { .. }, true) => "rediss-sentinel",
            (Shape::Cluster { .. }, false) => "redis-cluster",
            (Shape::Cluster { .. }, true) => "rediss-cluster",
        }
    }

    fn servers(&self) -> &[ServerAddress] {
        match &self.shape {
            Shape::Single(address) => std::slice::from_ref(address),
            Shape::Sentinel { sentinels, .. } => sentinels,
            Shape::Cluster { seeds } => seeds,
        }
    }

    fn addresses(&self) -> String {
        let all: Vec<String> = self.servers().iter().map(ToString::to_string).collect();
        all.join(",")
    }
}

/// The URL again, with `***` for the password.
impl FromStr for Target {
    type Err = BadTarget;

    fn from_str(url: &str) -> Result<Self, BadTarget> {
        Self::parse(url)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme(), self.login)?;
        f.write_str(&self.addresses())?;
        if let Shape::Sentinel { master, .. } = &self.shape {
            write!(f, "/{master}")?;
        }
        match (&self.shape, self.database) {
            (_, 0) => Ok(()),
            (Shape::Single(ServerAddress::Unix(_)), database) => write!(f, "?db={database}"),
            (_, database) => write!(f, "/{database}"),
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({self})")
    }
}

fn tcp(host: &str, port: u16) -> ServerAddress {
    ServerAddress::Tcp {
        host: host.to_owned(),
        port,
    }
}

impl ServerAddress {
    /// Reads `host:port` as cluster nodes write it: an IPv6 host without brackets.
    pub(crate) fn of_node(text: &str) -> Option<Self> {
        let (host, port) = text.rsplit_once(':')?;
        let port = port.parse().ok()?;
        let host = host.trim_matches(['[', ']']);
        (!host.is_empty()).then(|| Self::Tcp {
            host: host.to_owned(),
            port,
        })
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Unix(path) => write!(f, "{}", path.display()),
        }
    }
}

impl fmt::Display for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.user, &self.password) {
            (None, None) => Ok(()),
            (user, None) => write!(f, "{}@", user.as_deref().unwrap_or_default()),
            (user, Some(_)) => write!(f, "{}:***@", user.as_deref().unwrap_or_default()),
        }
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Login({self})")
    }
}
