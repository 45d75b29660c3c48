//! A private Redis with a replica and three Sentinels that watch them.
//!
//! The invariant: when [`RedisSentinel::start`] returns, the replica is in sync and every Sentinel knows it and the other
//! two, so a failover can begin at any moment.

use std::collections::BTreeMap;
use std::time::Duration;

use redis::{FromRedisValue, RedisResult};

use super::engine::Engine;
use super::{Redis, field, query};
use crate::home::Home;
use crate::port::Port;
use crate::service::Service;
use crate::wait::{wait_for, wait_until};

const MASTER_NAME: &str = "mymaster";
const SENTINELS: usize = 3;
const CONFIG: &str = "sentinel.conf";

/// Sentinels find each other within about two seconds and fail over within about three; the rest covers a busy machine.
const AGREEMENT_LIMIT: Duration = Duration::from_secs(180);

/// A private Sentinel set-up; ended, with its folders, when dropped or when the test process ends.
#[derive(Debug)]
pub struct RedisSentinel {
    servers: [Redis; 2],
    sentinels: Vec<Sentinel>,
}

impl RedisSentinel {
    /// Starts one master, one replica and three Sentinels with a quorum of two; a master is down after a second of silence.
    pub async fn start() -> Self {
        let master = Redis::start().await;
        let replica = Redis::builder().replica_of(master.port()).start().await;
        // Sentinels poll a master for its replicas every ten seconds: the first poll must find this one.
        replica.wait_until_in_sync().await;
        let mut sentinels = Vec::with_capacity(SENTINELS);
        for _ in 0..SENTINELS {
            sentinels.push(Sentinel::start(master.port()).await);
        }
        for sentinel in &sentinels {
            wait_until(
                "the Sentinels to know each other",
                AGREEMENT_LIMIT,
                async || sentinel.is_ready().await,
            )
            .await;
        }
        Self {
            servers: [master, replica],
            sentinels,
        }
    }

    /// `redis-sentinel://127.0.0.1:p1,127.0.0.1:p2,127.0.0.1:p3/mymaster`.
    #[must_use]
    pub fn url(&self) -> String {
        let addrs: Vec<String> = self.sentinels.iter().map(Sentinel::addr).collect();
        format!("redis-sentinel://{}/{MASTER_NAME}", addrs.join(","))
    }

    /// The server that is master by its own word, if the Sentinels agree.
    pub async fn master(&self) -> Option<&Redis> {
        let mut named = Vec::new();
        for sentinel in &self.sentinels {
            named.push(sentinel.master_port().await?);
        }
        let servers = self.servers.iter();
        let mut agreed = servers.filter(|server| named.iter().all(|port| *port == server.port()));
        let master = agreed.next().filter(|server| server.is_running())?;
        let info: String = master.try_ask(&["INFO", "replication"]).await.ok()?;
        (field(&info, "role") == Some("master")).then_some(master)
    }

    /// Kills the present master with SIGKILL and returns its port.
    pub async fn kill_master(&self) -> u16 {
        let master = wait_for("a master", AGREEMENT_LIMIT, async || self.master().await).await;
        master.stop_hard();
        master.port()
    }

    /// Waits until all Sentinels name a running master, and returns its port.
    pub async fn await_failover(&self) -> u16 {
        let master = wait_for("a new master", AGREEMENT_LIMIT, async || {
            self.master().await
        });
        master.await.port()
    }

    /// Starts killed servers again. Sentinel makes a former master a replica, but takes up to ten seconds to do so.
    pub async fn start_again(&self) {
        for server in self.servers.iter().filter(|server| !server.is_running()) {
            server.start_again().await;
        }
    }
}

/// One of the three watchers.
#[derive(Debug)]
struct Sentinel {
    service: Service,
    port: Port,
}

impl Sentinel {
    async fn start(master_port: u16) -> Self {
        let home = Home::new("sentinel");
        let port = Port::reserve();
        let config = home.folder().join(CONFIG);
        std::fs::write(&config, configuration(&port, master_port))
            .expect("the folder of a service is writable");
        let mut command = home.command(Engine::of_this_process().program());
        command.args([CONFIG, "--sentinel"]);
        let service = Service::new("redis-server --sentinel", home, command);
        let sentinel = Self { service, port };
        let answers = async || sentinel.query::<String>(&["PING"]).await.is_ok();
        sentinel.service.start(answers).await;
        sentinel
    }

    fn addr(&self) -> String {
        self.port.addr().to_string()
    }

    async fn is_ready(&self) -> bool {
        let question = ["SENTINEL", "MASTER", MASTER_NAME];
        let Ok(master) = self.query::<BTreeMap<String, String>>(&question).await else {
            return false;
        };
        let is = |name, value| master.get(name).is_some_and(|found| found == value);
        is("num-other-sentinels", "2") && is("num-slaves", "1") && is("flags", "master")
    }

    async fn master_port(&self) -> Option<u16> {
        let question = ["SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME];
        let (_host, port): (String, u16) = self.query(&question).await.ok()?;
        Some(port)
    }

    async fn query<T: FromRedisValue>(&self, command: &[&str]) -> RedisResult<T> {
        query(&format!("redis://{}", self.addr()), command).await
    }
}

fn configuration(port: &Port, master_port: u16) -> String {
    format!(
        "port {}\n\
         bind 127.0.0.1\n\
         sentinel monitor {MASTER_NAME} 127.0.0.1 {master_port} 2\n\
         sentinel down-after-milliseconds {MASTER_NAME} 1000\n\
         sentinel failover-timeout {MASTER_NAME} 5000\n",
        port.number()
    )
}
