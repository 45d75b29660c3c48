//! Orders by way of Kafka.
//!
//! The topic `<prefix>orders` has a partition for each partition of the engine. The producer is idempotent: messages
//! keep their order, and none is doubled by a retry of its own. Messages that nobody can read go to
//! `<prefix>orders.dead`.
//!
//! Who reads a partition is decided by the seat, so consumers assign partitions to themselves and never join a group:
//! nothing is rebalanced, and a drainer that is slow is not put out for it. The group's name only keeps the offsets,
//! which are committed when the ledger has what is before them. One who was replaced may commit late, but only what the
//! ledger has; setting an offset back makes messages come again, which is harmless.
//!
//! How long Kafka keeps messages does not matter: what it drops before the ledger has it is still in the stream.
//!
//! The client is a C library with threads of its own. What may block is done away from the runtime, closing included.

mod consumer;
mod producer;
mod publisher;
mod topics;

use std::fmt;

use rdkafka::ClientConfig;

pub(super) use consumer::Source;
pub(super) use publisher::Outlet;

use super::message::ANSWER_LIMIT;

/// Where Kafka is and what the topics are called.
#[derive(Clone)]
pub struct KafkaOptions {
    /// `host:port`, separated by commas.
    pub brokers: String,
    /// What the names of topics, and of the group that keeps the offsets, begin with.
    pub prefix: String,
    /// Further settings of librdkafka, such as those of logging in.
    pub settings: Vec<(String, String)>,
}

impl KafkaOptions {
    /// What all clients have in common: they find a broker that is back within about a second.
    fn client(&self) -> ClientConfig {
        let mut client = ClientConfig::new();
        client
            .set("bootstrap.servers", &self.brokers)
            .set("client.id", "tandian")
            .set("reconnect.backoff.ms", "100")
            .set("reconnect.backoff.max.ms", "1000")
            .set("socket.timeout.ms", ANSWER_LIMIT.as_millis().to_string())
            .set("log.connection.close", "false");
        for (name, value) in &self.settings {
            client.set(name, value);
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

/// Lets go of a client on a thread of its own: a consumer with a commit under way waits for a broker before it ends, and
/// neither the runtime nor its shutdown may wait along.
fn let_go<T: Send + 'static>(client: T) {
    std::thread::spawn(move || drop(client));
}
