//! Orders through RabbitMQ.
//!
//! Each partition has a quorum queue, `<prefix>orders.<partition>`, with a single active consumer: messages keep their
//! order, and a broker of several nodes loses none when one of them dies. Messages that cannot be decoded are
//! dead-lettered to `<prefix>orders.dead`, at least once (`dead-letter-strategy`).
//!
//! Publishing and receiving have a connection each: a broker that is short of memory stops reading from those that
//! publish, and acknowledgements must not wait behind that. The client's own recovery is not used. After any failure the
//! connection is dropped and everything is opened and declared again: one path for a restart of the broker, a deleted
//! queue and a silent connection.
//!
//! Not recovered: a single node that is killed within about a second after a queue was declared may restart with a queue
//! that it cannot serve (seen with RabbitMQ 3.10). Opening it times out, with a log message each time, until a person
//! deletes the queue; the orders stay in the stream meanwhile.
//!
//! No delivery limit is set. RabbitMQ 4 has one by default and dead-letters a message after twenty returns; the stream
//! still has the entry, so it is sent again.

mod connection;
mod consumer;
mod publisher;
mod queues;

use std::fmt;

use secrecy::SecretString;

pub(super) use consumer::RabbitMqConsumer;
pub(super) use publisher::RabbitMqPublisher;

/// Address of the broker and names of the queues.
#[derive(Clone)]
pub struct RabbitMqOptions {
    /// `amqp://user:password@host:5672/vhost`, or `amqps://` for TLS.
    pub url: SecretString,
    /// The certificate, in PEM, of a certificate authority to trust besides the public ones.
    pub authority: Option<String>,
    /// Prefix of all queues.
    pub prefix: String,
}

impl fmt::Debug for RabbitMqOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RabbitMqOptions")
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}
