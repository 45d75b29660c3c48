//! Options of a private Redis.

use super::{Redis, SOCKET};
use crate::home::Home;
use crate::port::Port;
use crate::program;
use crate::service::Service;

const PACKAGE: &str = "redis-server";

/// What to start; made by [`Redis::builder`].
#[derive(Clone, Debug, Default)]
pub struct RedisBuilder {
    password: Option<String>,
    extra: Vec<String>,
}

impl RedisBuilder {
    /// Demands this password (`requirepass`) of everyone; it becomes part of the URLs, so keep to URL-safe characters.
    #[must_use]
    pub fn password(mut self, password: &str) -> Self {
        self.password = Some(password.to_owned());
        self.arg("--requirepass", password)
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

    /// Starts it, and returns when it answers.
    pub async fn start(self) -> Redis {
        let home = Home::new("redis");
        let port = Port::reserve();
        let mut command = home.command(&program::find("redis-server", PACKAGE));
        command
            .args(["--bind", "127.0.0.1", "--port", &port.number().to_string()])
            .args(["--unixsocket", SOCKET, "--unixsocketperm", "700"])
            .args([
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                "always",
            ])
            .args(["--maxmemory-policy", "noeviction"])
            .args(&self.extra);
        let redis = Redis {
            service: Service::new("redis-server", home, command),
            port,
            password: self.password,
        };
        redis.start_again().await;
        redis
    }
}
