//! The private services that all experiments of a run share.
//!
//! Slow ones are started when first needed.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};

use anyhow::Result;
use testkit::{Kafka, MariaDb, RabbitMq, Redis};

use crate::sale_tables::SaleTables;

/// Everything an experiment needs from outside.
#[derive(Debug)]
pub struct Services {
    /// The program whose processes are attacked: this very one.
    pub(crate) program: PathBuf,
    pub(crate) redis: Redis,
    pub(crate) other_nodes: [Redis; 2],
    mariadb: MariaDb,
    last_sale: AtomicI64,
}

/// A database of its own for one version.
#[derive(Debug)]
pub(crate) struct VersionDatabase {
    pub(crate) url: String,
    pub(crate) tables: SaleTables,
}

impl Services {
    /// Starts Redis and MariaDB.
    pub async fn start(program: PathBuf) -> Self {
        let (redis, first, second, mariadb) = tokio::join!(
            start_redis(),
            start_redis(),
            start_redis(),
            MariaDb::start()
        );
        Self {
            program,
            redis,
            other_nodes: [first, second],
            mariadb,
            last_sale: AtomicI64::new(0),
        }
    }

    pub(crate) async fn database(&self) -> Result<VersionDatabase> {
        let url = self.mariadb.create_database().await.url().to_owned();
        let tables = SaleTables::open(&url).await?;
        tables.create_tables().await?;
        Ok(VersionDatabase { url, tables })
    }

    /// Where SQL is, for a proxy in front of it.
    pub(crate) fn sql_addr(&self) -> String {
        self.mariadb.addr()
    }

    /// A number that no other sale of this run has.
    pub(crate) fn next_sale(&self) -> i64 {
        self.last_sale.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl VersionDatabase {
    /// The same database by way of another address.
    pub(crate) fn url_by(&self, addr: SocketAddr) -> String {
        let name = self.url.rsplit('/').next().unwrap_or_default();
        format!("mysql://root@{addr}/{name}")
    }
}

/// The broker of this run, started at its first use.
pub(crate) async fn rabbitmq_url() -> String {
    RabbitMq::shared().await.url()
}

/// Likewise.
pub(crate) async fn kafka_address() -> String {
    Kafka::shared().await.addr()
}

/// With this setting a killed process loses nothing; only a crash of the machine would.
pub(crate) async fn start_redis() -> Redis {
    Redis::builder().sync_every_second().start().await
}

/// Follows the master that is reached at this port.
pub(crate) async fn start_replica(port: u16) -> Redis {
    let redis = Redis::builder().sync_every_second();
    redis.replica_of(port).start().await
}
