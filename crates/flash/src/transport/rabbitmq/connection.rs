//! A connection that is opened on first use and again after a failure.

use lapin::runtime::default_runtime;
use lapin::tcp::OwnedTLSConfig;
use lapin::uri::AMQPUri;
use lapin::{Channel, Connection, ConnectionProperties};
use secrecy::ExposeSecret as _;

use super::super::message::{BROKER_TIMEOUT, TransportError, client_name, with_timeout};
use super::RabbitMqOptions;

/// A frozen or disconnected consumer blocks its queue for about two heartbeats. RabbitMQ advises against less: a busy client
/// would be disconnected.
const HEARTBEAT_SECS: u16 = 5;

#[derive(Debug)]
pub(super) struct Reconnecting {
    options: RabbitMqOptions,
    /// Shown in the broker's list of connections.
    name: &'static str,
    connection: Option<Connection>,
}

impl Reconnecting {
    pub(super) fn new(options: &RabbitMqOptions, name: &'static str) -> Self {
        Self {
            options: options.clone(),
            name,
            connection: None,
        }
    }

    /// A new channel, on a new connection if the last one failed.
    pub(super) async fn channel(&mut self) -> Result<Channel, TransportError> {
        let connection = match self.connection.take() {
            Some(connection) if connection.status().connected() => connection,
            _ => self.connect().await?,
        };
        let channel = with_timeout(connection.create_channel()).await?;
        self.connection = Some(connection);
        Ok(channel)
    }

    /// Drops the connection: after a timeout it cannot be trusted.
    pub(super) fn disconnect(&mut self) {
        self.connection = None;
    }

    async fn connect(&self) -> Result<Connection, TransportError> {
        let name = format!("{} {}", client_name(&self.options.prefix), self.name);
        let properties = ConnectionProperties::default().with_connection_name(name.into());
        let tls = OwnedTLSConfig {
            identity: None,
            cert_chain: self.options.authority.clone(),
        };
        let uri = self.uri()?;
        with_timeout(async {
            let runtime = default_runtime()?;
            Connection::connect_uri_with_config(uri, properties, tls, runtime).await
        })
        .await
    }

    fn uri(&self) -> Result<AMQPUri, TransportError> {
        let url = self.options.url.expose_secret();
        let mut uri: AMQPUri = url.parse().map_err(TransportError::Address)?;
        uri.query.heartbeat.get_or_insert(HEARTBEAT_SECS);
        let limit_ms = u64::try_from(BROKER_TIMEOUT.as_millis()).unwrap_or(u64::MAX);
        uri.query.connection_timeout.get_or_insert(limit_ms);
        Ok(uri)
    }
}
