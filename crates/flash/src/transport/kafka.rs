//! Orders through Kafka.
//!
//! The topic `<prefix>orders` has a partition for each partition of the engine. The producer is idempotent: messages
//! keep their order, and its own retries duplicate none. Messages that cannot be decoded go to `<prefix>orders.dead`.
//!
//! The drain lease decides which process reads a partition, so consumers assign partitions to themselves and never join a
//! group: nothing is rebalanced, and a slow drain worker is not evicted. The group id only stores the offsets, which are
//! committed when the ledger has every order before them. A replaced worker may commit late, but only what the ledger
//! has; an offset that goes back makes messages redelivered, which is harmless.
//!
//! The retention time of Kafka does not matter: a message that it drops before the ledger has it is still in the stream.
//!
//! The client is a C library with threads of its own. Calls that may block, closing included, run outside the runtime.

mod consumer;
mod producer;
mod publisher;
mod topics;

use std::fmt;

use rdkafka::ClientConfig;
use secrecy::{ExposeSecret as _, SecretString};

pub(super) use consumer::KafkaConsumer;
pub(super) use publisher::KafkaPublisher;

use super::message::{BROKER_TIMEOUT, client_name};

/// Addresses of the brokers and names of the topics.
#[derive(Clone)]
pub struct KafkaOptions {
    /// `host:port`, separated by commas.
    pub brokers: String,
    /// Prefix of the topics, and of the group that stores the offsets.
    pub prefix: String,
    /// Further settings of librdkafka, credentials among them.
    pub settings: Vec<(String, SecretString)>,
}

impl KafkaOptions {
    /// Settings of every client: it reconnects to a recovered broker within about a second.
    fn client(&self) -> ClientConfig {
        let mut client = ClientConfig::new();
        client
            .set("bootstrap.servers", &self.brokers)
            .set("client.id", client_name(&self.prefix))
            .set("reconnect.backoff.ms", "100")
            .set("reconnect.backoff.max.ms", "1000")
            .set("socket.timeout.ms", BROKER_TIMEOUT.as_millis().to_string())
            .set("log.connection.close", "false");
        for (name, value) in &self.settings {
            client.set(name, value.expose_secret());
        }
        client
    }
}

impl fmt::Debug for KafkaOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaOptions")
            .field("brokers", &self.brokers)
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

/// Drops a client on a thread of its own: a consumer with a commit in flight waits for a broker before it closes, and must
/// not block the runtime or its shutdown.
fn drop_on_thread<T: Send + 'static>(client: T) {
    std::thread::spawn(move || drop(client));
}
