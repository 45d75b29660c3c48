//! The handle: [`Link`].

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use redis::{
    Cmd, FromRedisValue, Pipeline, RedisError, RedisFuture, ToRedisArgs, ToSingleRedisArg, Value,
    aio::ConnectionLike, from_redis_value,
};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    Blocking, Interest, LinkError, Options, Pushes, Script, Target, dial::Dialer, error::Cause,
    servers::Servers,
};

/// A handle to Redis, cheap to clone. See the [crate] page for how it works and how it fails.
#[derive(Clone, Debug)]
pub struct Link {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    servers: Servers,
    /// Opens the connections of [`Blocking`] and [`Pushes`], which are not shared.
    dialer: Dialer,
    options: Options,
    in_flight: Semaphore,
    round_trips: Arc<AtomicU64>,
}

impl Link {
    /// Connects to every master, or says why not.
    pub async fn connect(target: &Target, options: Options) -> Result<Self, LinkError> {
        // An attempt to connect may take longer than an answer.
        let limit = options.connect_timeout + options.response_timeout;
        let link = Self::connect_lazy(target, options);
        link.inner.servers.reached(limit).await?;
        Ok(link)
    }

    /// Begins to connect and returns at once: commands fail until Redis is there and work from then on. Must be called
    /// within a tokio runtime.
    pub fn connect_lazy(target: &Target, options: Options) -> Self {
        let round_trips = Arc::new(AtomicU64::new(0));
        let inner = Inner {
            servers: Servers::spawn(target, &options, round_trips.clone()),
            dialer: Dialer::to_servers(target, &options),
            in_flight: Semaphore::new(options.max_in_flight),
            round_trips,
            options,
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Runs one command.
    ///
    /// Not for commands that wait on the server (see [`Link::blocking`]) or change the state of a connection
    /// (`SELECT`, `SUBSCRIBE`, `MULTI`, `WATCH`): all callers share one.
    pub async fn run<T: FromRedisValue>(&self, cmd: &Cmd) -> Result<T, LinkError> {
        read(self.ask(cmd).await?)
    }

    /// Runs a command that has no key of its own on the master of this key: `WAIT` after a write to it.
    pub async fn run_beside<T: FromRedisValue>(
        &self,
        key: &str,
        cmd: &Cmd,
    ) -> Result<T, LinkError> {
        let _permit = self.admit()?;
        read(self.inner.servers.ask_beside(key, cmd).await?)
    }

    /// Runs commands in one round trip and returns their answers in order, fewer those marked `ignore()`.
    ///
    /// The first error answer fails the whole call although the other commands ran, unless the pipeline says
    /// `ignore_errors()`. In a Cluster a plain pipeline is split by master and the parts run side by side; an
    /// `atomic()` one must keep to one hash slot.
    pub async fn pipe<T: FromRedisValue>(&self, pipeline: &Pipeline) -> Result<T, LinkError> {
        let mut exchange = Exchange {
            link: self,
            failure: None,
        };
        let answer = pipeline.query_async(&mut exchange).await;
        answer.map_err(|error| match exchange.failure {
            Some(failure) => failure,
            None => LinkError::after_sending(error, self.inner.options.response_timeout),
        })
    }

    /// Runs a script: by its hash, in one round trip, and by its source on a server that does not know it yet.
    ///
    /// In a Cluster all keys must share a hash slot.
    pub async fn eval<T: FromRedisValue>(
        &self,
        script: &Script,
        keys: &[impl ToSingleRedisArg],
        args: impl ToRedisArgs,
    ) -> Result<T, LinkError> {
        let answer = self.ask(&script.by_hash(keys, &args)).await;
        match answer {
            Err(error) if error.code() == Some("NOSCRIPT") => {
                read(self.ask(&script.by_source(keys, &args)).await?)
            }
            answer => read(answer?),
        }
    }

    /// Runs a command on every master and returns what each answered, by address; for `INFO`, `CONFIG GET`, `FLUSHALL`.
    pub async fn each_master<T: FromRedisValue>(
        &self,
        cmd: &Cmd,
    ) -> Result<Vec<(String, T)>, LinkError> {
        let _permit = self.admit()?;
        let answers = self.inner.servers.ask_masters(cmd).await?;
        let answers = answers.into_iter();
        answers
            .map(|(address, value)| Ok((address.to_string(), read(value)?)))
            .collect()
    }

    /// A connection of its own for commands that wait on the server.
    pub fn blocking(&self) -> Blocking {
        Blocking::new(self.clone())
    }

    /// Listens to what servers send unasked, on connections of its own.
    pub fn subscribe(&self, interest: Interest) -> Pushes {
        Pushes::spawn(self.clone(), interest)
    }

    /// Whether this is a Cluster, where channels are sharded and a script must keep to one hash slot.
    pub fn is_cluster(&self) -> bool {
        matches!(self.inner.servers, Servers::Cluster(_))
    }

    /// Round trips made so far by commands, pipelines and scripts; for tests that bound the cost of a use case.
    pub fn round_trips(&self) -> u64 {
        self.inner.round_trips.load(Ordering::Relaxed)
    }

    async fn ask(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        let _permit = self.admit()?;
        self.inner.servers.ask(cmd).await
    }

    async fn ask_all(
        &self,
        pipeline: &Pipeline,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Value>, LinkError> {
        let _permit = self.admit()?;
        self.inner.servers.ask_all(pipeline, offset, count).await
    }

    fn admit(&self) -> Result<SemaphorePermit<'_>, LinkError> {
        let permit = self.inner.in_flight.try_acquire();
        permit.map_err(|_| LinkError::Saturated)
    }

    pub(crate) fn servers(&self) -> &Servers {
        &self.inner.servers
    }

    pub(crate) fn dialer(&self) -> &Dialer {
        &self.inner.dialer
    }

    pub(crate) fn options(&self) -> &Options {
        &self.inner.options
    }
}

pub(crate) fn read<T: FromRedisValue>(value: Value) -> Result<T, LinkError> {
    from_redis_value(value).map_err(|error| LinkError::Unexpected(Cause::new(error)))
}

/// Lets a [`Pipeline`] ask through a [`Link`]: the pipeline alone knows which answers the caller wants to see. The
/// link's own error is kept aside because the library's type cannot carry it.
struct Exchange<'a> {
    link: &'a Link,
    failure: Option<LinkError>,
}

impl ConnectionLike for Exchange<'_> {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(async move {
            let answer = self.link.ask(cmd).await;
            answer.map_err(|failure| self.set_aside(failure))
        })
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move {
            let answers = self.link.ask_all(pipeline, offset, count).await;
            answers.map_err(|failure| self.set_aside(failure))
        })
    }

    fn get_db(&self) -> i64 {
        0
    }
}

impl Exchange<'_> {
    fn set_aside(&mut self, failure: LinkError) -> RedisError {
        self.failure = Some(failure);
        RedisError::from((redis::ErrorKind::Io, "set aside"))
    }
}
