//! Redis and SQL of one run: behind proxies that can lose replies, Redis with a replica that can take over.
//!
//! A symbolic link in the file system points to the master. Processes connect through it, so a failover changes the link,
//! as it moves an address elsewhere.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use redis::aio::MultiplexedConnection;
use tempfile::TempDir;
use testkit::{FaultProxy, Redis};

use crate::attack_run::RunSetup;
use crate::broker_watch::BrokerWatch;
use crate::catalogue::{CatalogueEntry, Needs};
use crate::services::{self, Services, VersionDatabase};
use crate::snapshot::{KeyFilter, Snapshot};
use crate::sql_proxy::{LostReply, SqlProxy};
use crate::version::Endpoints;

/// How long a write may take to reach a replica on the same machine.
const REPLICATION_MS: u64 = 10_000;

pub(crate) struct RunBackends {
    prefix: String,
    /// Between processes and the master.
    proxy: FaultProxy,
    socket: PathBuf,
    pair: Option<MasterAndReplica>,
    /// Between processes and SQL, if that is to lose anything.
    sql: Option<SqlProxy>,
    /// Every Redis of the run by the name that a schedule shows, over connections past the proxy.
    watched: Vec<(&'static str, MultiplexedConnection)>,
    broker: BrokerWatch,
    _folder: TempDir,
}

/// A master, and its replica behind a proxy that can cut the connection.
struct MasterAndReplica {
    master: Redis,
    replica: Redis,
    line: FaultProxy,
    /// Follows the replica once that is the master.
    successor: Option<Redis>,
}

impl RunBackends {
    pub(crate) async fn open(services: &Services, setup: RunSetup) -> Result<Self> {
        let sql = if setup.has_sql_line {
            Some(SqlProxy::open(services.sql_addr()).await?)
        } else {
            None
        };
        let pair = if setup.has_replica {
            Some(MasterAndReplica::start().await)
        } else {
            None
        };
        let master = pair.as_ref().map_or(&services.redis, |pair| &pair.master);
        let mut watched = vec![("redis", master.connection().await)];
        if let Some(pair) = &pair {
            watched.push(("replica", pair.replica.connection().await));
        }
        for (name, node) in ["redis-2", "redis-3"]
            .into_iter()
            .zip(&services.other_nodes)
        {
            watched.push((name, node.connection().await));
        }
        let folder = tempfile::tempdir()?;
        let socket = folder.path().join("master.sock");
        std::os::unix::fs::symlink(master.socket(), &socket)?;
        let upstream = socket.to_str().context("the folder's name is text")?;
        let proxy = FaultProxy::start(upstream).await;
        Ok(Self {
            // Such a name suits keys, queues and topics.
            prefix: format!("lab{:016x}.", rand::random::<u64>()),
            proxy,
            socket,
            pair,
            sql,
            watched,
            broker: BrokerWatch::None,
            _folder: folder,
        })
    }

    pub(crate) async fn places(
        &self,
        services: &Services,
        entry: &CatalogueEntry,
        database: &VersionDatabase,
        lease_ms: u64,
    ) -> Endpoints {
        let broker = entry.needs;
        Endpoints {
            prefix: self.prefix.clone(),
            redis: format!("redis://{}", self.proxy.addr()),
            worker_redis: format!("unix://{}", self.socket.display()),
            other_nodes: services.other_nodes.iter().map(Redis::url).collect(),
            sql: match &self.sql {
                Some(line) => database.url_by(line.addr()),
                None => database.url.clone(),
            },
            rabbitmq: match broker {
                Needs::RabbitMq => services::rabbitmq_url().await,
                _ => String::new(),
            },
            kafka: match broker {
                Needs::Kafka => services::kafka_address().await,
                _ => String::new(),
            },
            lease_ms,
            replicas: u32::from(self.pair.is_some()),
        }
    }

    /// From here on snapshots show the version's broker too.
    pub(crate) async fn watch_broker(
        &mut self,
        entry: &CatalogueEntry,
        places: &Endpoints,
    ) -> Result<()> {
        self.broker = BrokerWatch::open(entry, places).await?;
        Ok(())
    }

    pub(crate) fn begin_counting(&mut self) -> Result<()> {
        self.broker.begin_counting()
    }

    /// Adds what every Redis and the broker hold of the present sale.
    pub(crate) async fn read(
        &mut self,
        snapshot: &mut Snapshot,
        past_sales: &HashSet<i64>,
    ) -> Result<()> {
        let filter = KeyFilter {
            prefix: &self.prefix,
            past_sales,
        };
        for (name, connection) in &mut self.watched {
            snapshot.read_redis(name, connection, filter).await;
        }
        self.broker.read(snapshot).await
    }

    pub(crate) async fn lose_next_reply(&self) {
        self.proxy.drop_replies_then_cut(1).await;
    }

    pub(crate) async fn restore(&self) {
        self.proxy.pass().await;
    }

    /// Forwards SQL's replies to so many statements, and drops the next one.
    pub(crate) fn lose_sql_reply_after(&self, answered: usize) -> Result<()> {
        self.sql_line()?.lose_after(answered);
        Ok(())
    }

    /// Forwards all replies of SQL again; returns what was dropped.
    pub(crate) fn restore_sql(&self) -> Result<Option<LostReply>> {
        Ok(self.sql_line()?.keep())
    }

    fn sql_line(&self) -> Result<&SqlProxy> {
        let line = self.sql.as_ref();
        line.context("the run has a proxy to SQL that can lose a reply")
    }

    /// Returns when the replica, if there is one, has everything.
    pub(crate) async fn wait_for_replica(&self) -> Result<()> {
        let Some(pair) = &self.pair else {
            return Ok(());
        };
        let mut master = pair.master.connection().await;
        let mut wait = redis::cmd("WAIT");
        wait.arg(1).arg(REPLICATION_MS);
        // WAIT looks at what its own connection has written.
        let () = redis::cmd("SET")
            .arg("lab.mark")
            .arg(1)
            .query_async(&mut master)
            .await?;
        let replicas: u32 = wait.query_async(&mut master).await?;
        ensure!(replicas == 1, "the replica does not follow");
        Ok(())
    }

    pub(crate) async fn let_replica_lag(&self) {
        if let Some(pair) = &self.pair {
            pair.line.black_hole().await;
        }
    }

    /// The master dies, the replica takes its place with what it has.
    pub(crate) async fn fail_over(&mut self) -> Result<()> {
        let pair = self.pair.as_mut().context("there is a replica")?;
        self.proxy.cut().await;
        pair.line.cut().await;
        pair.master.stop_hard();
        let mut replica = pair.replica.connection().await;
        let mut promote = redis::cmd("REPLICAOF");
        let () = promote
            .arg("NO")
            .arg("ONE")
            .query_async(&mut replica)
            .await?;
        std::fs::remove_file(&self.socket)?;
        std::os::unix::fs::symlink(pair.replica.socket(), &self.socket)?;
        self.proxy.pass().await;
        pair.successor = Some(services::start_replica(pair.replica.port()).await);
        // What was the replica is the master from here on.
        self.watched
            .retain(|(name, _)| !matches!(*name, "redis" | "replica"));
        let promoted = pair.replica.connection().await;
        self.watched.insert(0, ("redis", promoted));
        Ok(())
    }
}

impl MasterAndReplica {
    async fn start() -> Self {
        let master = Redis::builder().sync_every_second().start().await;
        let line = FaultProxy::start(master.addr()).await;
        let replica = services::start_replica(line.port()).await;
        Self {
            master,
            replica,
            line,
            successor: None,
        }
    }
}
