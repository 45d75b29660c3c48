//! Orders by way of RabbitMQ.
//!
//! Each partition has a quorum queue, `<prefix>orders.<partition>`, with a single active consumer: messages keep their
//! order, and a broker of several nodes loses none when one of them dies. Messages that nobody can read go to
//! `<prefix>orders.dead`, in a manner that loses none either (`dead-letter-strategy`).
//!
//! Publishing and receiving have a connection each: a broker that is short of memory stops reading from those that
//! publish, and acknowledgements must not wait behind that. The client's own recovery is not used. Whatever fails, the
//! connection is thrown away and everything is opened and declared anew, so that one path serves a restart of the
//! broker, a queue that was deleted and a connection that went silent.
//!
//! What it does not heal: a single node that is killed within about a second of declaring a queue may come back with one
//! that it cannot serve (seen with RabbitMQ 3.10). Opening it times out again and again, which is told, until a person
//! deletes the queue; the orders are in the stream meanwhile.
//!
//! No delivery limit is set. RabbitMQ 4 has one by default and moves a message to the dead ones after twenty returns; as
//! the stream still has the entry, it comes again all the same.

mod connection;
mod consumer;
mod publisher;
mod queues;

use std::fmt;

pub(super) use consumer::Source;
pub(super) use publisher::Outlet;

/// Where RabbitMQ is and what the queues are called.
#[derive(Clone)]
pub struct RabbitMqOptions {
    /// `amqp://user:password@host:5672/vhost`, or `amqps://` for TLS.
    pub url: String,
    /// The certificate, in PEM, of an authority to trust besides the public ones.
    pub authority: Option<String>,
    /// What the names of all queues begin with.
    pub prefix: String,
}

impl fmt::Debug for RabbitMqOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RabbitMqOptions")
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}
