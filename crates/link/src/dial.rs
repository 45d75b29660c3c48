//! Opening one connection to one server.
//!
//! Every connection of the crate is opened here, so that all of them have the same limits: bounded opening, bounded
//! replies, `TCP_NODELAY` (the client library leaves it off), keep-alive, and RESP3, without which neither pushes nor
//! a prompt notice of a lost connection exist.

use std::{convert::Infallible, sync::Once, time::Duration};

use redis::{
    AsyncConnectionConfig, Client, ClientTlsConfig, ConnectionAddr, ConnectionInfo,
    IntoConnectionInfo, ProtocolVersion, PushInfo, RedisConnectionInfo, RedisError,
    TlsCertificates,
    aio::MultiplexedConnection,
    io::tcp::{TcpSettings, socket2::TcpKeepalive},
};

use crate::{
    Options,
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
    tls: bool,
    database: u32,
}

impl Dialer {
    pub(crate) fn to_servers(target: &Target, options: &Options) -> Self {
        Self {
            options: options.clone(),
            login: target.login.clone(),
            tls: target.tls,
            database: target.database,
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
    ) -> Result<MultiplexedConnection, Cause> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.options.connect_timeout))
            .set_response_timeout(Some(self.options.response_timeout))
            .set_pipeline_buffer_size(HAND_OVER_BUFFER)
            .set_push_sender(move |push| {
                on_push(push);
                Ok::<(), Infallible>(())
            });
        let opened = async {
            let client = self.client(address)?;
            client
                .get_multiplexed_async_connection_with_config(&config)
                .await
        };
        opened.await.map_err(|error| Cause::at(address, &error))
    }

    fn client(&self, address: &ServerAddress) -> Result<Client, RedisError> {
        let info = self.info(address)?;
        if !self.tls {
            return Client::open(info);
        }
        install_crypto();
        let tls = &self.options.tls;
        let certificates = TlsCertificates {
            root_cert: tls.roots.clone(),
            client_tls: tls.identity.as_ref().map(|identity| ClientTlsConfig {
                client_cert: identity.certificate.clone(),
                client_key: identity.key.clone(),
            }),
        };
        Client::build_with_tls(info, certificates)
    }

    fn info(&self, address: &ServerAddress) -> Result<ConnectionInfo, RedisError> {
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
        let tcp = TcpSettings::default()
            .set_nodelay(true)
            .set_keepalive(TcpKeepalive::new().with_time(KEEPALIVE));
        let info = self.address(address).into_connection_info()?;
        Ok(info.set_redis_settings(settings).set_tcp_settings(tcp))
    }

    fn address(&self, address: &ServerAddress) -> ConnectionAddr {
        match address {
            ServerAddress::Unix(path) => ConnectionAddr::Unix(path.clone()),
            ServerAddress::Tcp { host, port } if self.tls => ConnectionAddr::TcpTls {
                host: host.clone(),
                port: *port,
                insecure: false,
                tls_params: None,
            },
            ServerAddress::Tcp { host, port } => ConnectionAddr::Tcp(host.clone(), *port),
        }
    }
}

/// rustls is built without a default provider and panics when none was chosen. Another part of the process may have
/// chosen already, which is as good.
fn install_crypto() {
    static CHOSEN: Once = Once::new();
    CHOSEN.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
