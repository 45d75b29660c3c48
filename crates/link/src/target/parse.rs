//! Reading a [`Target`] from a URL.
//!
//! Written by hand because no URL parser reads a list of hosts.

use std::path::PathBuf;

use super::{Login, REDIS_PORT, SENTINEL_PORT, ServerAddress, Shape, Target};

/// Why a URL does not name a Redis; says what is wrong and shows one that is right.
///
/// It quotes nothing of the URL: in a URL without a host, the password is where a port belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadTarget {
    /// The scheme is unknown.
    #[error(
        "the Redis URL must begin with redis://, rediss://, unix://, redis-cluster:// or redis-sentinel://, \
         for example redis://127.0.0.1:6379/0"
    )]
    Scheme,
    /// There is no host.
    #[error("the Redis URL names no host; for example redis://user:password@127.0.0.1:6379/0")]
    NoHost,
    /// A host is neither a name nor an address.
    #[error(
        "a host of the Redis URL is not a name or an address; IPv6 stands in brackets, for example redis://[::1]:6379"
    )]
    Host,
    /// A port is not a number between 1 and 65535.
    #[error(
        "a port of the Redis URL is not a number between 1 and 65535; \
         for example redis://user:password@127.0.0.1:6379"
    )]
    Port,
    /// Several hosts, and a scheme for one.
    #[error("several hosts need redis-cluster://h1,h2,h3 or redis-sentinel://h1,h2,h3/mymaster")]
    SeveralHosts,
    /// The database is not a number.
    #[error(
        "the database of the Redis URL is not a number; \
         for example redis://127.0.0.1:6379/1 or unix:///run/redis.sock?db=1"
    )]
    Database,
    /// A database of a Cluster.
    #[error("a Redis Cluster has database 0 only; for example redis-cluster://h1:6379,h2:6379")]
    ClusterDatabase,
    /// The name of the master is missing.
    #[error(
        "the sentinel URL does not name the master; for example redis-sentinel://h1:26379,h2:26379/mymaster"
    )]
    NoMaster,
    /// The path of the socket is not absolute.
    #[error("the unix socket needs an absolute path; for example unix:///run/redis/redis.sock")]
    SocketPath,
    /// A percent-encoding is broken.
    #[error(
        "the Redis URL holds a broken %-escape; write %25 for a percent sign, \
         for example redis://:50%25@127.0.0.1:6379"
    )]
    Escape,
    /// TLS, in a build without it.
    #[error(
        "the Redis URL asks for TLS, which this build leaves out: add the feature `tls` of redis-link"
    )]
    NoTls,
    /// A parameter is unknown.
    #[error(
        "the Redis URL has an unknown parameter; there are db, user and pass for unix://, sentinel_user and \
         sentinel_pass for redis-sentinel://, none for the others, for example unix:///run/redis.sock?db=1"
    )]
    Parameter,
}

pub(super) fn target(url: &str) -> Result<Target, BadTarget> {
    let (scheme, rest) = url.trim().split_once("://").ok_or(BadTarget::Scheme)?;
    if cfg!(not(feature = "tls")) && scheme.starts_with("rediss") {
        return Err(BadTarget::NoTls);
    }
    match scheme {
        "redis" => single(rest, false),
        "rediss" => single(rest, true),
        "unix" | "redis+unix" => unix(rest),
        "redis-cluster" => cluster(rest, false),
        "rediss-cluster" => cluster(rest, true),
        "redis-sentinel" => sentinel(rest, false),
        "rediss-sentinel" => sentinel(rest, true),
        _ => Err(BadTarget::Scheme),
    }
}

fn single(rest: &str, tls: bool) -> Result<Target, BadTarget> {
    let parts = Parts::split(rest)?;
    parts.refuse_parameters()?;
    let mut hosts = addresses(parts.hosts, REDIS_PORT)?;
    let address = hosts.pop().ok_or(BadTarget::NoHost)?;
    if !hosts.is_empty() {
        return Err(BadTarget::SeveralHosts);
    }
    Ok(Target {
        shape: Shape::Single(address),
        tls,
        login: parts.login,
        sentinel_login: Login::default(),
        database: database(parts.path)?,
    })
}

fn cluster(rest: &str, tls: bool) -> Result<Target, BadTarget> {
    let parts = Parts::split(rest)?;
    parts.refuse_parameters()?;
    let seeds = addresses(parts.hosts, REDIS_PORT)?;
    if database(parts.path)? != 0 {
        return Err(BadTarget::ClusterDatabase);
    }
    Ok(Target {
        shape: Shape::Cluster { seeds },
        tls,
        login: parts.login,
        sentinel_login: Login::default(),
        database: 0,
    })
}

fn sentinel(rest: &str, tls: bool) -> Result<Target, BadTarget> {
    let parts = Parts::split(rest)?;
    let sentinels = addresses(parts.hosts, SENTINEL_PORT)?;
    let (master, db) = parts.path.split_once('/').unwrap_or((parts.path, ""));
    if master.is_empty() {
        return Err(BadTarget::NoMaster);
    }
    let mut sentinel_login = Login::default();
    for (name, value) in parameters(parts.query) {
        match name {
            "sentinel_user" => sentinel_login.user = Some(decode(value)?),
            "sentinel_pass" => sentinel_login.password = Some(decode(value)?),
            _ => return Err(BadTarget::Parameter),
        }
    }
    Ok(Target {
        shape: Shape::Sentinel {
            sentinels,
            master: decode(master)?,
        },
        tls,
        login: parts.login,
        sentinel_login,
        database: database(db)?,
    })
}

fn unix(rest: &str) -> Result<Target, BadTarget> {
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    if !path.starts_with('/') {
        return Err(BadTarget::SocketPath);
    }
    let mut login = Login::default();
    let mut db = 0;
    for (name, value) in parameters(query) {
        match name {
            "db" => db = database(value)?,
            "user" => login.user = Some(decode(value)?),
            "pass" => login.password = Some(decode(value)?),
            _ => return Err(BadTarget::Parameter),
        }
    }
    Ok(Target {
        shape: Shape::Single(ServerAddress::Unix(PathBuf::from(decode(path)?))),
        tls: false,
        login,
        sentinel_login: Login::default(),
        database: db,
    })
}

/// `[user:pass@]hosts[/path][?query]`, cut where each part ends.
struct Parts<'a> {
    login: Login,
    hosts: &'a str,
    path: &'a str,
    query: &'a str,
}

impl<'a> Parts<'a> {
    /// The login ends at the last `@`: people do paste passwords that hold `@`, `/` and `?` without encoding them,
    /// and none of the three can be part of what follows.
    fn split(rest: &'a str) -> Result<Self, BadTarget> {
        let (login, rest) = match rest.rsplit_once('@') {
            Some((login, rest)) => (login_of(login)?, rest),
            None => (Login::default(), rest),
        };
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (hosts, path) = rest.split_once('/').unwrap_or((rest, ""));
        Ok(Self {
            login,
            hosts,
            path: path.trim_end_matches('/'),
            query,
        })
    }

    fn refuse_parameters(&self) -> Result<(), BadTarget> {
        match parameters(self.query).next() {
            None => Ok(()),
            Some(_) => Err(BadTarget::Parameter),
        }
    }
}

fn login_of(text: &str) -> Result<Login, BadTarget> {
    let (user, password) = match text.split_once(':') {
        Some((user, password)) => (user, Some(decode(password)?)),
        None => (text, None),
    };
    let user = (!user.is_empty()).then(|| decode(user)).transpose()?;
    Ok(Login { user, password })
}

fn addresses(hosts: &str, default_port: u16) -> Result<Vec<ServerAddress>, BadTarget> {
    let hosts = hosts
        .split(',')
        .map(str::trim)
        .filter(|host| !host.is_empty());
    let all = hosts
        .map(|host| address(host, default_port))
        .collect::<Result<Vec<_>, _>>()?;
    if all.is_empty() {
        return Err(BadTarget::NoHost);
    }
    Ok(all)
}

fn address(text: &str, default_port: u16) -> Result<ServerAddress, BadTarget> {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => ipv6(rest)?,
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    if host.is_empty() || host.chars().any(char::is_whitespace) {
        return Err(BadTarget::Host);
    }
    let port = match port.strip_prefix(':') {
        Some(number) => port_of(number)?,
        None if port.is_empty() => default_port,
        None => return Err(BadTarget::Host),
    };
    Ok(ServerAddress::Tcp {
        host: host.to_owned(),
        port,
    })
}

fn ipv6(rest: &str) -> Result<(&str, &str), BadTarget> {
    let (host, port) = rest.split_once(']').ok_or(BadTarget::Host)?;
    match host.parse::<std::net::Ipv6Addr>() {
        Ok(_) => Ok((host, port)),
        Err(_) => Err(BadTarget::Host),
    }
}

fn port_of(text: &str) -> Result<u16, BadTarget> {
    match text.parse() {
        Ok(0) | Err(_) => Err(BadTarget::Port),
        Ok(port) => Ok(port),
    }
}

fn database(text: &str) -> Result<u32, BadTarget> {
    if text.is_empty() {
        return Ok(0);
    }
    text.parse().map_err(|_| BadTarget::Database)
}

fn parameters(query: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

fn decode(text: &str) -> Result<String, BadTarget> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => escaped(bytes.next(), bytes.next()).ok_or(BadTarget::Escape)?,
            plain => plain,
        });
    }
    String::from_utf8(decoded).map_err(|_| BadTarget::Escape)
}

fn escaped(high: Option<u8>, low: Option<u8>) -> Option<u8> {
    let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}
