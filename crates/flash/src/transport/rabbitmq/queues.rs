//! The queues of a partition: their names and what they are declared with.

use lapin::Channel;
use lapin::options::QueueDeclareOptions;
use lapin::types::{AMQPValue, FieldTable};

use super::super::message::{TransportError, with_timeout};
use crate::Partition;

#[derive(Debug)]
pub(super) struct Queues {
    pub(super) orders: String,
    /// Dead letters of all partitions, for people to inspect.
    pub(super) dead: String,
}

impl Queues {
    pub(super) fn new(prefix: &str, partition: Partition) -> Self {
        Self {
            orders: format!("{prefix}orders.{partition}"),
            dead: format!("{prefix}orders.dead"),
        }
    }

    /// Idempotent; creates a deleted queue again.
    pub(super) async fn declare(&self, channel: &Channel) -> Result<(), TransportError> {
        declare(channel, &self.dead, quorum()).await?;
        declare(channel, &self.orders, self.arguments()).await
    }

    /// Dead-lettering at least once requires a queue that rejects rather than drops when it is full. Without a length
    /// limit it is never full.
    fn arguments(&self) -> FieldTable {
        let mut arguments = quorum();
        let texts = [
            ("x-dead-letter-exchange", ""),
            ("x-dead-letter-routing-key", self.dead.as_str()),
            ("x-dead-letter-strategy", "at-least-once"),
            ("x-overflow", "reject-publish"),
        ];
        for (name, value) in texts {
            arguments.insert(name.into(), AMQPValue::LongString(value.into()));
        }
        arguments.insert("x-single-active-consumer".into(), AMQPValue::Boolean(true));
        arguments
    }
}

fn quorum() -> FieldTable {
    let mut arguments = FieldTable::default();
    let quorum = AMQPValue::LongString("quorum".into());
    arguments.insert("x-queue-type".into(), quorum);
    arguments
}

async fn declare(
    channel: &Channel,
    name: &str,
    arguments: FieldTable,
) -> Result<(), TransportError> {
    let options = QueueDeclareOptions {
        durable: true,
        ..QueueDeclareOptions::default()
    };
    with_timeout(channel.queue_declare(name.into(), options, arguments)).await?;
    Ok(())
}
