//! Opening one connection to one server.
//!
//! Every connection of the crate is opened here, so that all of them have the same limits: bounded opening, bounded
//! replies, `TCP_NODELAY` (the client library leaves it off), keep-alive, and RESP3, without which neither pushes nor
//! a prompt notice of a lost connection exist.

use std::{convert::Infallible, time::Duration};

use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo,
    ProtocolVersion, PushInfo, RedisConnectionInfo, RedisError,
    io::tcp::{TcpSettings, socket2::TcpKeepalive},
};

#[cfg(feature = "tls")]
use redis::aio::MultiplexedConnection;

use crate::{
    Options,
    connection::Connection,
    error::Cause,
    target::{Login, ServerAddress, Target},
};

/// The kernel probes a silent peer from here on; it backs up the heartbeat for connections that wait on purpose.
const KEEPALIVE: Duration = Duration::from_secs(15);

/// Commands that are handed over before the connection's task has taken them. The library's 50 makes callers wait
/// for each other in a burst.
const HAND_OVER_BUFFER: usize = 1024;

/// Opens connections to any server of one target.
#[derive(Clone, Debug)]
pub(crate) struct Dialer {
    options: Options,
    login: Login,
    #[cfg(feature = "tls")]
    tls: bool,
    database: u32,
    /// What a client of the caller says about its only server; boxed because it is large and rare.
    client: Option<Box<ConnectionInfo>>,
}

impl Dialer {
    pub(crate) fn to_servers(target: &Target, options: &Options) -> Self {
        Self {
            options: options.clone(),
            login: target.login.clone(),
            #[cfg(feature = "tls")]
            tls: target.tls,
            database: target.database,
            client: None,
        }
    }

    /// Connects as this client does, TLS included, but with RESP3.
    pub(crate) fn of_client(client: &Client, target: &Target, options: &Options) -> Self {
        let info = client.get_connection_info().clone();
        let settings = info.redis_settings().clone();
        let info = info.set_redis_settings(settings.set_protocol(ProtocolVersion::RESP3));
        Self {
            client: Some(Box::new(info)),
            ..Self::to_servers(target, options)
        }
    }

    /// Sentinels know no databases and have logins of their own.
    pub(crate) fn to_sentinels(target: &Target, options: &Options) -> Self {
        Self {
            login: target.sentinel_login.clone(),
            database: 0,
            ..Self::to_servers(target, options)
        }
    }

    /// Opens a connection and signs in. Whatever the server pushes, and the end of the connection, goes to `on_push`.
    pub(crate) async fn open(
        &self,
        address: &ServerAddress,
        on_push: impl Fn(PushInfo) + Send + Sync + 'static,
    ) -> Result<Connection, Cause> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.options.connect_timeout))
            .set_response_timeout(Some(self.options.response_timeout))
            .set_pipeline_buffer_size(HAND_OVER_BUFFER)
            .set_push_sender(move |push| {
                on_push(push);
                Ok::<(), Infallible>(())
            });
        #[cfg(feature = "tls")]
        if self.tls
            && self.client.is_none()
            && let ServerAddress::Tcp { host, port } = address
        {
            let opened = Box::pin(self.open_tls(host, *port, config)).await;
            return opened.map_err(|cause| Cause::new(format_args!("{address}: {cause}")));
        }
        let opened = async {
            let client = Client::open(self.info(address)?)?;
            client
                .get_multiplexed_async_connection_with_config(&config)
                .await
        };
        let opened = opened.await.map_err(|error| Cause::at(address, &error))?;
        Ok(opened.into())
    }

    #[cfg(feature = "tls")]
    async fn open_tls(
        &self,
        host: &str,
        port: u16,
        config: AsyncConnectionConfig,
    ) -> Result<Connection, Cause> {
        let opened = async {
            let tls = &self.options.tls;
            let stream = crate::tls::connect(host, port, &keepalive(), tls).await?;
            let settings = self.settings();
            let opened = MultiplexedConnection::new_with_config(&settings, stream, config);
            let (connection, driver) = opened.await.map_err(|error| Cause::of(&error))?;
            Ok(Connection::driven(connection, driver))
        };
        match tokio::time::timeout(self.options.connect_timeout, opened).await {
            Ok(opened) => opened,
            Err(_) => Err(Cause::new("timed out")),
        }
    }

    fn info(&self, address: &ServerAddress) -> Result<ConnectionInfo, RedisError> {
        if let Some(info) = &self.client {
            return Ok((**info).clone());
        }
        let tcp = TcpSettings::default()
            .set_nodelay(true)
            .set_keepalive(keepalive());
        let address = match address {
            ServerAddress::Unix(path) => ConnectionAddr::Unix(path.clone()),
            ServerAddress::Tcp { host, port } => ConnectionAddr::Tcp(host.clone(), *port),
        };
        let info = address.into_connection_info()?;
        Ok(info
            .set_redis_settings(self.settings())
            .set_tcp_settings(tcp))
    }

    fn settings(&self) -> RedisConnectionInfo {
        let mut settings = RedisConnectionInfo::default()
            .set_protocol(ProtocolVersion::RESP3)
            .set_db(self.database.into())
            .set_skip_set_lib_name();
        if let Some(user) = &self.login.user {
            settings = settings.set_username(user);
        }
        if let Some(password) = &self.login.password {
            settings = settings.set_password(password);
        }
        settings
    }
}

fn keepalive() -> TcpKeepalive {
    TcpKeepalive::new().with_time(KEEPALIVE)
}
