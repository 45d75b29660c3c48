//! Options of a private Redis.

use std::process::Command;

use super::engine::Engine;
use super::{Login, Redis, SOCKET, Tls};
use crate::certificates;
use crate::home::Home;
use crate::port::Port;
use crate::service::Service;

/// Long enough that a busy machine is not taken for a dead node, short enough to see a failover in a test.
const NODE_TIMEOUT_MILLIS: &str = "2000";

/// What to start; made by [`Redis::builder`].
#[derive(Clone, Debug, Default)]
pub struct RedisBuilder {
    login: Option<Login>,
    tls: bool,
    cluster: bool,
    extra: Vec<String>,
}

impl RedisBuilder {
    /// Demands this password (`requirepass`) of everyone; it becomes part of the URLs, so keep to URL-safe characters.
    #[must_use]
    pub fn password(mut self, password: &str) -> Self {
        self.login = Some(Login {
            user: None,
            password: password.to_owned(),
        });
        self.arg("--requirepass", password)
    }

    /// Lets in this user alone, who may do everything, and turns the default user off, as hosted services do.
    #[must_use]
    pub fn user(mut self, user: &str, password: &str) -> Self {
        self.login = Some(Login {
            user: Some(user.to_owned()),
            password: password.to_owned(),
        });
        let rules = format!("--user default off --user {user} on >{password} ~* &* +@all");
        self.extra.extend(rules.split(' ').map(str::to_owned));
        self
    }

    /// Listens for TLS on a second port: see [`Redis::tls_url`] and [`Redis::tls_authority`]. Clients need no certificate.
    #[must_use]
    pub fn tls(mut self) -> Self {
        self.tls = true;
        self
    }

    /// Follows the server on this port of 127.0.0.1, which needs no password.
    #[must_use]
    pub fn replica_of(mut self, port: u16) -> Self {
        let address = ["--replicaof", "127.0.0.1", &port.to_string()].map(str::to_owned);
        self.extra.extend(address);
        self
    }

    /// Syncs the append-only file once a second: a killed server still keeps all, a lost machine does not.
    #[must_use]
    pub fn sync_every_second(self) -> Self {
        self.arg("--appendfsync", "everysec")
    }

    /// Any other option of `redis-server`, such as `.arg("--maxmemory", "8mb")`. The last one given wins.
    #[must_use]
    pub fn arg(mut self, option: &str, value: &str) -> Self {
        self.extra.extend([option.to_owned(), value.to_owned()]);
        self
    }

    /// A node of a cluster that is yet to be formed.
    pub(super) fn cluster(mut self) -> Self {
        self.cluster = true;
        self
    }

    /// Starts it, and returns when it answers.
    pub async fn start(self) -> Redis {
        let home = Home::new("redis");
        let engine = Engine::of_this_process();
        let port = Port::reserve();
        let bus_port = self.cluster.then(Port::reserve);
        let tls = self.tls.then(|| Tls {
            port: Port::reserve(),
            authority: certificates::issue(home.folder()),
        });
        let mut command = server_command(engine, &home, &port);
        command.args(tls.iter().flat_map(tls_options));
        command.args(bus_port.iter().flat_map(cluster_options));
        command.args(engine.without_unknown(&self.extra));
        let redis = Redis {
            service: Service::new("redis-server", home, command),
            port,
            bus_port,
            tls,
            login: self.login,
        };
        redis.start_again().await;
        redis
    }
}

/// A replica is served at once: by default a master waits five seconds for more of them.
fn server_command(engine: &Engine, home: &Home, port: &Port) -> Command {
    let mut command = home.command(engine.program());
    command
        .args(["--bind", "127.0.0.1", "--port", &port.number().to_string()])
        .args(["--unixsocket", SOCKET, "--unixsocketperm", "700"])
        .args(["--appendonly", "yes", "--appendfsync", "always"])
        .args(["--save", "", "--maxmemory-policy", "noeviction"])
        .args(["--repl-diskless-sync-delay", "0"]);
    command
}

fn tls_options(tls: &Tls) -> Vec<String> {
    let port = tls.port.number().to_string();
    let options = [
        ["--tls-port", &port],
        ["--tls-cert-file", certificates::CERTIFICATE],
        ["--tls-key-file", certificates::KEY],
        ["--tls-ca-cert-file", certificates::AUTHORITY],
        ["--tls-auth-clients", "no"],
    ];
    options
        .as_flattened()
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn cluster_options(bus_port: &Port) -> Vec<String> {
    let bus_port = bus_port.number().to_string();
    let options = [
        ["--cluster-enabled", "yes"],
        ["--cluster-port", &bus_port],
        ["--cluster-node-timeout", NODE_TIMEOUT_MILLIS],
    ];
    options
        .as_flattened()
        .iter()
        .map(ToString::to_string)
        .collect()
}
