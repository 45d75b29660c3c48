//! Where a process works: its data folder, and the Redis it uses, which may be its own.
//!
//! A server owns the folder for as long as it runs. A command owns it for a moment when nobody else does, and otherwise is a guest of
//! the server that runs there, so `tandian admin …` works whether or not the site is up.

use crate::data_dir::{DataDir, DataDirError, DataLock};
use crate::private_redis::{self, PrivateRedis};
use crate::secret::SecretUrl;
use crate::settings::Settings;

#[derive(Debug)]
pub struct Premises {
    data: DataDir,
    redis: Redis,
    /// Held when the folder is ours but Redis is somebody else's; otherwise the private server holds it.
    _lock: Option<DataLock>,
}

#[derive(Debug)]
enum Redis {
    Private(Box<PrivateRedis>),
    /// By URL, or the private one of a running server: not ours to stop.
    Guest(SecretUrl),
}

impl Premises {
    /// For the process that serves: nobody else may serve from the same folder. Several may share one that holds pictures only.
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
            redis: Redis::Guest(url),
            _lock: lock,
        })
    }

    /// For everything else, beside a running server or without one.
    pub async fn for_command(settings: &Settings) -> anyhow::Result<Self> {
        let data = DataDir::open(&settings.data_dir)?;
        if let Some(url) = settings.redis.url.clone() {
            return Ok(Self::as_guest(data, url));
        }
        match data.lock() {
            Ok(lock) => Self::with_private_redis(data, lock, settings).await,
            Err(DataDirError::Held { .. }) => {
                let url = private_redis::running_url(&data);
                Ok(Self::as_guest(data, url))
            }
            Err(error) => Err(error.into()),
        }
    }

    pub fn data(&self) -> &DataDir {
        &self.data
    }

    pub fn redis_url(&self) -> SecretUrl {
        match &self.redis {
            Redis::Private(redis) => redis.url(),
            Redis::Guest(url) => url.clone(),
        }
    }

    /// Ends what was started here.
    pub async fn leave(self) {
        if let Redis::Private(redis) = self.redis {
            redis.stop().await;
        }
    }

    async fn with_private_redis(
        data: DataDir,
        lock: DataLock,
        settings: &Settings,
    ) -> anyhow::Result<Self> {
        let redis = PrivateRedis::start(&data, lock, &settings.redis).await?;
        Ok(Self {
            data,
            redis: Redis::Private(Box::new(redis)),
            _lock: None,
        })
    }

    fn as_guest(data: DataDir, url: SecretUrl) -> Self {
        Self {
            data,
            redis: Redis::Guest(url),
            _lock: None,
        }
    }
}
