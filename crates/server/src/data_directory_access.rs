//! A process's access to the data directory, and to the Redis that belongs to it.
//!
//! A server locks the directory for as long as it runs. A command locks it while it runs if no server does, and otherwise
//! connects to that server's private Redis, so `tandian admin …` works whether or not the site is up.

use private_redis::{Options, PrivateRedis};

use crate::data_dir::{DataDir, DataDirError, DataLock};
use crate::secret::SecretUrl;
use crate::settings::{AppendFsync, Settings};

#[derive(Debug)]
pub struct DataDirectoryAccess {
    data: DataDir,
    redis: RedisAccess,
    /// Held when Redis is not private; otherwise [`PrivateRedis`] holds it.
    _lock: Option<DataLock>,
}

#[derive(Debug)]
enum RedisAccess {
    Private(Box<PrivateRedis>),
    /// By URL, or the private one of a running server: another process stops it.
    Shared(SecretUrl),
}

impl DataDirectoryAccess {
    /// For a server: one server per directory. Several may share a directory that holds pictures only.
    pub async fn for_server(settings: &Settings) -> anyhow::Result<Self> {
        let data = DataDir::open(&settings.data_dir)?;
        let Some(url) = settings.redis.url.clone() else {
            let lock = data.lock()?;
            return Self::with_private_redis(data, lock, settings).await;
        };
        let keeps_sqlite = settings.database.url.is_none();
        let lock = keeps_sqlite.then(|| data.lock()).transpose()?;
        Ok(Self {
            data,
            redis: RedisAccess::Shared(url),
            _lock: lock,
        })
    }

    /// For everything else, beside a running server or without one.
    pub async fn for_command(settings: &Settings) -> anyhow::Result<Self> {
        let data = DataDir::open(&settings.data_dir)?;
        if let Some(url) = settings.redis.url.clone() {
            return Ok(Self::with_shared_redis(data, url));
        }
        match data.lock() {
            Ok(lock) => Self::with_private_redis(data, lock, settings).await,
            Err(DataDirError::Held { .. }) => {
                let url = SecretUrl::new(private_redis::running_url(data.root()));
                Ok(Self::with_shared_redis(data, url))
            }
            Err(error) => Err(error.into()),
        }
    }

    pub fn data(&self) -> &DataDir {
        &self.data
    }

    pub fn redis_url(&self) -> SecretUrl {
        match &self.redis {
            RedisAccess::Private(redis) => SecretUrl::new(redis.url()),
            RedisAccess::Shared(url) => url.clone(),
        }
    }

    /// Stops the private Redis if this process started it.
    pub async fn close(self) {
        if let RedisAccess::Private(redis) = self.redis {
            redis.stop().await;
        }
    }

    async fn with_private_redis(
        data: DataDir,
        lock: DataLock,
        settings: &Settings,
    ) -> anyhow::Result<Self> {
        let redis = PrivateRedis::start(&options(&data, settings), lock).await?;
        Ok(Self {
            data,
            redis: RedisAccess::Private(Box::new(redis)),
            _lock: None,
        })
    }

    fn with_shared_redis(data: DataDir, url: SecretUrl) -> Self {
        Self {
            data,
            redis: RedisAccess::Shared(url),
            _lock: None,
        }
    }
}

fn options(data: &DataDir, settings: &Settings) -> Options {
    let redis = &settings.redis;
    Options {
        program: redis.server.clone(),
        data_dir: data.root().to_owned(),
        appendfsync: match redis.appendfsync {
            AppendFsync::Always => private_redis::AppendFsync::Always,
            AppendFsync::Everysec => private_redis::AppendFsync::Everysec,
        },
        max_memory_mib: redis.max_memory_mib,
    }
}
