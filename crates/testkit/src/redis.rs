//! A private `redis-server`, on a TCP port and on a unix socket.
//!
//! The invariant: what it acknowledged is still there after [`Redis::stop_hard`] and [`Redis::start_again`], because
//! the append-only file is synced before every reply (unless the builder says `everysec`).

use std::path::PathBuf;
use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{AsyncConnectionConfig, Client, RedisResult};
use tokio::sync::OnceCell;

use crate::port::Port;
use crate::service::Service;

mod builder;
mod commands;

pub use builder::RedisBuilder;
pub use commands::CommandCounts;

/// Assertions of a test should fail rather than hang, also on a machine that is busy compiling.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

const SOCKET: &str = "redis.sock";

/// A private Redis; ended, with its folder, when dropped or when the test process ends.
#[derive(Debug)]
pub struct Redis {
    service: Service,
    port: Port,
    password: Option<String>,
}

impl Redis {
    /// Starts a Redis with the defaults: AOF synced on every write, no eviction, no password.
    pub async fn start() -> Self {
        Self::builder().start().await
    }

    /// The one Redis of this test process, for tests that keep to keys under a [`unique_prefix`].
    pub async fn shared() -> &'static Self {
        static SHARED: OnceCell<Redis> = OnceCell::const_new();
        SHARED.get_or_init(Self::start).await
    }

    /// Options other than the defaults.
    #[must_use]
    pub fn builder() -> RedisBuilder {
        RedisBuilder::default()
    }

    /// `redis://127.0.0.1:<port>`, with the password if there is one.
    #[must_use]
    pub fn url(&self) -> String {
        let login = self
            .password
            .as_ref()
            .map(|password| format!(":{password}@"));
        format!("redis://{}{}", login.unwrap_or_default(), self.addr())
    }

    /// `redis+unix://<path>`, with the password if there is one.
    #[must_use]
    pub fn unix_url(&self) -> String {
        let login = self
            .password
            .as_ref()
            .map(|password| format!("?pass={password}"));
        let socket = self.socket();
        format!(
            "redis+unix://{}{}",
            socket.display(),
            login.unwrap_or_default()
        )
    }

    /// `127.0.0.1:<port>`, for a [`FaultProxy`](crate::FaultProxy).
    #[must_use]
    pub fn addr(&self) -> String {
        self.port.addr().to_string()
    }

    /// The TCP port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.number()
    }

    /// The unix socket's path.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.service.home().folder().join(SOCKET)
    }

    /// The process id of the running server.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.service.pid()
    }

    /// A new connection, for assertions.
    pub async fn connection(&self) -> MultiplexedConnection {
        self.try_connect().await.expect("the private Redis answers")
    }

    /// Kills the server with SIGKILL and waits until it is gone.
    pub fn stop_hard(&self) {
        self.service.stop_hard();
    }

    /// Starts the killed server again: same folder, same ports, same data.
    pub async fn start_again(&self) {
        self.service.start(async || self.answers().await).await;
    }

    /// Stops the process in its tracks: connections stay open and nothing is answered.
    pub async fn freeze(&self) {
        self.service.freeze().await;
    }

    /// Lets a frozen server go on.
    pub fn thaw(&self) {
        self.service.thaw();
    }

    /// How often each command was called so far, commands called by scripts included.
    pub async fn commands(&self) -> CommandCounts {
        let mut connection = self.connection().await;
        let info: RedisResult<String> = ::redis::cmd("INFO")
            .arg("commandstats")
            .query_async(&mut connection)
            .await;
        CommandCounts::parse(&info.expect("the private Redis tells its statistics"))
    }

    /// How often `command` was called so far.
    pub async fn command_count(&self, command: &str) -> u64 {
        self.commands().await.of(command)
    }

    /// How many commands were called so far, without those of this test kit.
    pub async fn total_command_count(&self) -> u64 {
        self.commands().await.total()
    }

    /// Asks through the socket in our own folder: a stranger's server on the port could not answer there.
    async fn answers(&self) -> bool {
        let Ok(mut connection) = self.try_connect().await else {
            return false;
        };
        let pong: RedisResult<String> = ::redis::cmd("PING").query_async(&mut connection).await;
        pong.is_ok()
    }

    async fn try_connect(&self) -> RedisResult<MultiplexedConnection> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(ANSWER_LIMIT))
            .set_response_timeout(Some(ANSWER_LIMIT));
        Client::open(self.unix_url())?
            .get_multiplexed_async_connection_with_config(&config)
            .await
    }
}

/// A key prefix that no other test uses.
#[must_use]
pub fn unique_prefix() -> String {
    format!("t{:016x}:", rand::random::<u64>())
}
