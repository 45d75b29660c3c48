//! What a site is built on: which Redis, which SQL.

use tempfile::TempDir;
use testkit::{Database, FaultProxy, MariaDb, Redis, RedisCluster, RedisSentinel};

/// Which Redis a site has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Shape {
    #[default]
    Single,
    /// Behind a proxy that can lose replies.
    Proxied,
    /// With a replica that takes over.
    Sentinel,
    Cluster,
}

#[expect(clippy::large_enum_variant, reason = "there is one of each per site")]
pub(super) enum Store {
    Single(Redis),
    Proxied(Redis, FaultProxy),
    Sentinel(RedisSentinel),
    Cluster(RedisCluster),
}

#[expect(clippy::large_enum_variant, reason = "there is one of each per site")]
pub(super) enum Sql {
    Sqlite(TempDir),
    MariaDb(MariaDb, Database),
}

impl Store {
    pub(super) async fn start(shape: Shape) -> Self {
        match shape {
            Shape::Single => Self::Single(Redis::start().await),
            Shape::Proxied => {
                let redis = Redis::start().await;
                let proxy = FaultProxy::start(redis.addr()).await;
                Self::Proxied(redis, proxy)
            }
            Shape::Sentinel => Self::Sentinel(RedisSentinel::start().await),
            Shape::Cluster => Self::Cluster(RedisCluster::with_replicas().await),
        }
    }

    pub(super) fn url(&self) -> String {
        match self {
            Self::Single(redis) => redis.url(),
            Self::Proxied(_, proxy) => format!("redis://{}", proxy.addr()),
            Self::Sentinel(sentinel) => sentinel.url(),
            Self::Cluster(cluster) => cluster.url(),
        }
    }
}

impl Sql {
    pub(super) async fn start(on_mariadb: bool) -> Self {
        if on_mariadb {
            let server = MariaDb::start().await;
            let database = server.create_database().await;
            Self::MariaDb(server, database)
        } else {
            Self::Sqlite(TempDir::new().unwrap())
        }
    }

    pub(super) fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite://{}/tandian.db", folder.path().display()),
            Self::MariaDb(_, database) => database.url().to_owned(),
        }
    }
}
