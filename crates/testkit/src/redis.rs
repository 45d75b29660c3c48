//! A private `redis-server`, on a TCP port and on a unix socket: that of the system, or the one that `TANDIAN_TEST_REDIS` names.
//!
//! The invariant: what it acknowledged is still there after [`Redis::stop_hard`] and [`Redis::start_again`], because
//! the append-only file is synced before every reply (unless the builder sets `everysec`).

use std::path::{Path, PathBuf};
use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{AsyncConnectionConfig, Client, FromRedisValue, RedisResult};
use tokio::sync::OnceCell;

use crate::port::Port;
use crate::service::Service;
use crate::wait::wait_until;

mod builder;
mod cluster;
mod commands;
mod engine;
mod login;
mod sentinel;

pub use builder::RedisBuilder;
pub use cluster::RedisCluster;
pub use commands::CommandCounts;
use login::Login;
pub use sentinel::RedisSentinel;

/// Assertions of a test should fail rather than hang, also on a machine that is busy compiling.
const ANSWER_LIMIT: Duration = Duration::from_secs(60);

/// Starting replication takes a second or two; the rest covers a busy machine.
const SYNC_LIMIT: Duration = Duration::from_secs(180);

const SOCKET: &str = "redis.sock";

/// A private Redis; ended, with its folder, when dropped or when the test process ends.
#[derive(Debug)]
pub struct Redis {
    service: Service,
    port: Port,
    /// Where the other nodes of a cluster talk to this one.
    bus_port: Option<Port>,
    tls: Option<Tls>,
    login: Option<Login>,
}

#[derive(Debug)]
struct Tls {
    port: Port,
    authority: String,
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

    /// `redis://127.0.0.1:<port>`, with the login if there is one.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://{}{}", self.login_before_host(), self.addr())
    }

    /// `redis+unix://<path>`, with the login if there is one.
    #[must_use]
    pub fn unix_url(&self) -> String {
        let login = self.login.as_ref().map(Login::after_path);
        format!(
            "redis+unix://{}{}",
            self.socket().display(),
            login.unwrap_or_default()
        )
    }

    /// `rediss://127.0.0.1:<port>`, with the login if there is one. Only with [`RedisBuilder::tls`].
    #[must_use]
    pub fn tls_url(&self) -> String {
        let addr = self.tls().port.addr();
        format!("rediss://{}{addr}", self.login_before_host())
    }

    /// The PEM certificate of the authority to trust. Only with [`RedisBuilder::tls`].
    #[must_use]
    pub fn tls_authority(&self) -> &str {
        &self.tls().authority
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
        self.folder().join(SOCKET)
    }

    /// Where the server keeps everything.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.service.home().folder()
    }

    /// The process id of the running server.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.service.pid()
    }

    /// A new connection, for assertions.
    pub async fn connection(&self) -> MultiplexedConnection {
        let connection = connect(&self.unix_url()).await;
        connection.expect("the private Redis answers")
    }

    /// Forgets everything, as an operator's slip would.
    pub async fn flush(&self) {
        let mut connection = self.connection().await;
        let flushed = redis::cmd("FLUSHALL").query_async(&mut connection).await;
        let () = flushed.expect("a Redis of ours can be flushed");
    }

    /// Kills the server with SIGKILL and waits until it is gone.
    pub fn stop_hard(&self) {
        self.service.stop_hard();
    }

    /// Starts the killed server again: same folder, same ports, same data.
    pub async fn start_again(&self) {
        let answers = async || self.try_ask::<String>(&["PING"]).await.is_ok();
        self.service.start(answers).await;
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
        let info: String = self.query(&["INFO", "commandstats"]).await;
        CommandCounts::parse(&info)
    }

    /// How often `command` was called so far.
    pub async fn command_count(&self, command: &str) -> u64 {
        self.commands().await.of(command)
    }

    /// How many commands were called so far, without those of this test kit.
    pub async fn total_command_count(&self) -> u64 {
        self.commands().await.total()
    }

    /// Whether it was started and not killed since.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.service.is_running()
    }

    /// Sends one command through the socket in our own folder, where no other server can answer.
    async fn try_ask<T: FromRedisValue>(&self, command: &[&str]) -> RedisResult<T> {
        query(&self.unix_url(), command).await
    }

    async fn query<T: FromRedisValue>(&self, command: &[&str]) -> T {
        let answer = self.try_ask(command).await;
        answer.unwrap_or_else(|error| panic!("{command:?} failed on {}: {error}", self.addr()))
    }

    /// Waits until this replica follows its master.
    async fn wait_until_in_sync(&self) {
        let what = format!("the replica {} to be in sync", self.addr());
        wait_until(&what, SYNC_LIMIT, async || {
            let info: String = self.query(&["INFO", "replication"]).await;
            field(&info, "master_link_status") == Some("up")
        })
        .await;
    }

    #[track_caller]
    fn bus_port(&self) -> u16 {
        let port = self.bus_port.as_ref();
        port.expect("a node of a cluster has a port").number()
    }

    #[track_caller]
    fn tls(&self) -> &Tls {
        let tls = self.tls.as_ref();
        tls.expect("built by Redis::builder().tls()")
    }

    fn login_before_host(&self) -> String {
        let login = self.login.as_ref().map(Login::before_host);
        login.unwrap_or_default()
    }
}

/// One command on a connection of its own.
async fn query<T: FromRedisValue>(url: &str, command: &[&str]) -> RedisResult<T> {
    let mut connection = connect(url).await?;
    let mut request = ::redis::Cmd::new();
    request.arg(command).query_async(&mut connection).await
}

async fn connect(url: &str) -> RedisResult<MultiplexedConnection> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(ANSWER_LIMIT))
        .set_response_timeout(Some(ANSWER_LIMIT));
    Client::open(url)?
        .get_multiplexed_async_connection_with_config(&config)
        .await
}

/// The value of a line `name:value` of what `INFO` and `CLUSTER INFO` answer.
fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = info.lines().filter_map(|line| line.split_once(':'));
    lines
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

/// A key prefix that no other test uses.
#[must_use]
pub fn unique_prefix() -> String {
    format!("t{:016x}:", rand::random::<u64>())
}
