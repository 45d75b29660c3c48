//! The handle: [`Link`].

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

use redis::{
    Cmd, FromRedisValue, Pipeline, RedisError, RedisFuture, ToRedisArgs, ToSingleRedisArg, Value,
    aio::ConnectionLike, from_redis_value,
};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    Blocking, Interest, LinkError, Options, Script, Subscription, Target, dial::Dialer,
    error::Cause, given::GivenConnection, servers::Servers,
};

/// A handle to Redis, cheap to clone. See the [crate] page for how it works and how it fails.
#[derive(Clone, Debug)]
pub struct Link {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    target: Target,
    /// Spawned at once, or, if a given connection carries the commands, when the first subscription or blocking read needs it.
    servers: OnceLock<Servers>,
    given: Option<GivenConnection>,
    /// Opens the connections of [`Blocking`] and [`Subscription`], which are not shared.
    dialer: Dialer,
    options: Options,
    in_flight: Semaphore,
    round_trips: Arc<AtomicU64>,
}

impl Link {
    /// Connects to every master.
    pub async fn connect(target: &Target, options: Options) -> Result<Self, LinkError> {
        // An attempt to connect may take longer than a reply.
        let limit = options.connect_timeout + options.response_timeout;
        let link = Self::connect_lazy(target, options);
        link.servers().reached(limit).await?;
        Ok(link)
    }

    /// Starts to connect and returns at once: commands fail until Redis is reached. Must be called within a tokio runtime.
    pub fn connect_lazy(target: &Target, options: Options) -> Self {
        let dialer = Dialer::to_servers(target, &options);
        let link = Self::new(target.clone(), dialer, options, None);
        link.servers();
        link
    }

    /// A link to the server of this client, for a program that has one already: same address, login, database and TLS, on
    /// connections of the link's own. It promises all that a link promises.
    ///
    /// Starts to connect and returns at once, like [`connect_lazy`](Self::connect_lazy). TLS is that of the client library,
    /// with its features and its crypto provider; [`Options::tls`] is not used.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = testkit::Redis::start().await;
    /// # let url = server.url();
    /// use redis_link::{Link, Options};
    ///
    /// let client = redis::Client::open(url)?;
    /// let link = Link::from_client(&client, Options::default());
    /// assert_eq!(link.run::<i64>(redis::cmd("INCR").arg("visits")).await?, 1);
    /// # Ok(()) }
    /// ```
    pub fn from_client(client: &redis::Client, options: Options) -> Self {
        let target = Target::of_client(client);
        let dialer = Dialer::of_client(client, &target, &options);
        let link = Self::new(target, dialer, options, None);
        link.servers();
        link
    }

    /// A link whose commands, pipelines and scripts go over a connection that the program has already: a
    /// `redis::aio::ConnectionManager`, a `MultiplexedConnection`, a `redis::cluster_async::ClusterConnection`. `target` must
    /// lead to the same servers and database. Subscriptions and blocking reads cannot share a connection, so the first of
    /// them opens connections to `target`; until then the link opens none.
    ///
    /// What it cannot promise, because the connection decides:
    /// - **At most once.** A `ClusterConnection` repeats commands by itself after a time-out or a lost connection, so an
    ///   increment may run twice. The other two send once. The requests of `redis-locks` may be repeated at will.
    /// - **"Not executed".** A failure to connect is [`LinkError::Lost`]: the connection does not say whether it sent the
    ///   command, so [`execution`](LinkError::execution) returns `Unknown` where a link of its own says `NotSent`.
    /// - **Reconnecting.** A `MultiplexedConnection` that has broken stays broken. The others reconnect at their own pace.
    /// - **Failover.** No heartbeat checks the connection, and it does not follow the sentinels.
    /// - **A Cluster's masters.** A pipeline is not split by slot, and
    ///   [`run_on_master_of`](Self::run_on_master_of) is refused; [`each_master`](Self::each_master) uses connections to
    ///   `target`.
    ///
    /// A wait is still bounded by [`Options::response_timeout`] and the number of commands by [`Options::max_in_flight`].
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = testkit::Redis::start().await;
    /// # let url = server.url();
    /// use redis_link::{Link, Options, Target};
    ///
    /// let client = redis::Client::open(url.as_str())?;
    /// let connection = client.get_connection_manager().await?;
    /// let link = Link::from_connection(connection, &Target::parse(&url)?, Options::default());
    /// assert_eq!(link.run::<i64>(redis::cmd("INCR").arg("visits")).await?, 1);
    /// # Ok(()) }
    /// ```
    pub fn from_connection(
        connection: impl ConnectionLike + Clone + Send + Sync + 'static,
        target: &Target,
        options: Options,
    ) -> Self {
        let dialer = Dialer::to_servers(target, &options);
        let given = GivenConnection::new(connection, options.response_timeout);
        Self::new(target.clone(), dialer, options, Some(given))
    }

    fn new(
        target: Target,
        dialer: Dialer,
        options: Options,
        given: Option<GivenConnection>,
    ) -> Self {
        let inner = Inner {
            target,
            servers: OnceLock::new(),
            given,
            dialer,
            in_flight: Semaphore::new(options.max_in_flight),
            round_trips: Arc::new(AtomicU64::new(0)),
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
        read(self.send(cmd).await?)
    }

    /// Runs a command that has no key of its own on the master of this key: `WAIT` after a write to it.
    pub async fn run_on_master_of<T: FromRedisValue>(
        &self,
        key: &str,
        cmd: &Cmd,
    ) -> Result<T, LinkError> {
        let _permit = self.admit()?;
        match &self.inner.given {
            None => read(self.servers().send_to_master_of(key, cmd).await?),
            Some(given) if !self.is_cluster() => read(self.counted(given).send(cmd).await?),
            Some(_) => Err(LinkError::Invalid(Cause::new(
                "a given connection to a Cluster does not let the link choose the master",
            ))),
        }
    }

    /// Runs commands in one round trip and returns their replies in order, without those marked `ignore()`.
    ///
    /// The first error reply fails the whole call although the other commands ran, unless the pipeline says
    /// `ignore_errors()`. In a Cluster a plain pipeline is split by master and the parts run side by side; an
    /// `atomic()` one must keep to one hash slot.
    pub async fn pipe<T: FromRedisValue>(&self, pipeline: &Pipeline) -> Result<T, LinkError> {
        let mut exchange = Exchange {
            link: self,
            failure: None,
        };
        let reply = pipeline.query_async(&mut exchange).await;
        reply.map_err(|error| match exchange.failure {
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
        let reply = self.send(&script.by_hash(keys, &args)).await;
        match reply {
            Err(error) if error.code() == Some("NOSCRIPT") => {
                read(self.send(&script.by_source(keys, &args)).await?)
            }
            reply => read(reply?),
        }
    }

    /// Runs a command on every master and returns their replies by address; for `INFO`, `CONFIG GET`, `FLUSHALL`.
    pub async fn each_master<T: FromRedisValue>(
        &self,
        cmd: &Cmd,
    ) -> Result<Vec<(String, T)>, LinkError> {
        let _permit = self.admit()?;
        let replies = self.servers().send_to_masters(cmd).await?;
        let replies = replies.into_iter();
        replies
            .map(|(address, value)| Ok((address.to_string(), read(value)?)))
            .collect()
    }

    /// A connection of its own for commands that wait on the server.
    pub fn blocking(&self) -> Blocking {
        Blocking::new(self.clone())
    }

    /// Subscribes to server pushes, on connections of its own.
    pub fn subscribe(&self, interest: Interest) -> Subscription {
        Subscription::spawn(self.clone(), interest)
    }

    /// Where this link leads.
    pub fn target(&self) -> &Target {
        &self.inner.target
    }

    /// Whether this is a Cluster, where channels are sharded and a script must keep to one hash slot.
    pub fn is_cluster(&self) -> bool {
        self.inner.target.is_cluster()
    }

    /// Round trips made so far by commands, pipelines and scripts; for tests that bound the cost of a use case.
    pub fn round_trips(&self) -> u64 {
        self.inner.round_trips.load(Ordering::Relaxed)
    }

    async fn send(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        let _permit = self.admit()?;
        match &self.inner.given {
            None => self.servers().send(cmd).await,
            Some(given) => self.counted(given).send(cmd).await,
        }
    }

    async fn send_all(
        &self,
        pipeline: &Pipeline,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Value>, LinkError> {
        let _permit = self.admit()?;
        match &self.inner.given {
            None => self.servers().send_all(pipeline, offset, count).await,
            Some(given) => self.counted(given).send_all(pipeline, offset, count).await,
        }
    }

    fn admit(&self) -> Result<SemaphorePermit<'_>, LinkError> {
        let permit = self.inner.in_flight.try_acquire();
        permit.map_err(|_| LinkError::Saturated)
    }

    /// Connections of its own count their round trips themselves.
    fn counted<'a>(&self, given: &'a GivenConnection) -> &'a GivenConnection {
        self.inner.round_trips.fetch_add(1, Ordering::Relaxed);
        given
    }

    pub(crate) fn servers(&self) -> &Servers {
        let inner = &self.inner;
        inner.servers.get_or_init(|| {
            let (dialer, meter) = (inner.dialer.clone(), inner.round_trips.clone());
            Servers::spawn(&inner.target, dialer, &inner.options, meter)
        })
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

/// Runs a [`Pipeline`] through a [`Link`]: only the pipeline knows which replies the caller wants. The error of the link is
/// stored here because the library's error type cannot carry it.
struct Exchange<'a> {
    link: &'a Link,
    failure: Option<LinkError>,
}

impl ConnectionLike for Exchange<'_> {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(async move {
            let reply = self.link.send(cmd).await;
            reply.map_err(|failure| self.store_failure(failure))
        })
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move {
            let replies = self.link.send_all(pipeline, offset, count).await;
            replies.map_err(|failure| self.store_failure(failure))
        })
    }

    fn get_db(&self) -> i64 {
        0
    }
}

impl Exchange<'_> {
    fn store_failure(&mut self, failure: LinkError) -> RedisError {
        self.failure = Some(failure);
        RedisError::from((redis::ErrorKind::Io, "stored failure"))
    }
}
