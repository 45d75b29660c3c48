//! A connection that is opened when it is first needed and opened anew after a failure.

use lapin::runtime::default_runtime;
use lapin::tcp::OwnedTLSConfig;
use lapin::uri::AMQPUri;
use lapin::{Channel, Connection, ConnectionProperties};

use super::super::message::{ANSWER_LIMIT, TransportError, answer};
use super::RabbitMqOptions;

/// A consumer that is frozen or cut off keeps its queue from others for about two of these. RabbitMQ advises against less:
/// a busy client would be taken for a dead one.
const HEARTBEAT_SECS: u16 = 5;

#[derive(Debug)]
pub(super) struct Line {
    options: RabbitMqOptions,
    /// What people see in the broker's list of connections.
    name: &'static str,
    connection: Option<Connection>,
}

impl Line {
    pub(super) fn new(options: &RabbitMqOptions, name: &'static str) -> Self {
        Self {
            options: options.clone(),
            name,
            connection: None,
        }
    }

    /// A fresh channel, on a fresh connection if the last one failed in any way.
    pub(super) async fn channel(&mut self) -> Result<Channel, TransportError> {
        let connection = match self.connection.take() {
            Some(connection) if connection.status().connected() => connection,
            _ => self.connect().await?,
        };
        let channel = answer(connection.create_channel()).await?;
        self.connection = Some(connection);
        Ok(channel)
    }

    /// Throws the connection away: after an answer that did not come nothing else can be expected on it.
    pub(super) fn hang_up(&mut self) {
        self.connection = None;
    }

    async fn connect(&self) -> Result<Connection, TransportError> {
        let name = format!("tandian {}", self.name);
        let properties = ConnectionProperties::default().with_connection_name(name.into());
        let tls = OwnedTLSConfig {
            identity: None,
            cert_chain: self.options.authority.clone(),
        };
        let uri = self.uri()?;
        answer(async {
            let runtime = default_runtime()?;
            Connection::connect_uri_with_config(uri, properties, tls, runtime).await
        })
        .await
    }

    fn uri(&self) -> Result<AMQPUri, TransportError> {
        let mut uri: AMQPUri = self.options.url.parse().map_err(TransportError::Address)?;
        uri.query.heartbeat.get_or_insert(HEARTBEAT_SECS);
        let limit_ms = u64::try_from(ANSWER_LIMIT.as_millis()).unwrap_or(u64::MAX);
        uri.query.connection_timeout.get_or_insert(limit_ms);
        Ok(uri)
    }
}
