//! How an engine is set up. Every limit is here, with its reason.

use std::num::NonZeroU16;
use std::sync::Arc;
use std::time::Duration;

use crate::{DrainOptions, OrderIdSource, Transport};

/// Claims that may wait in front of a partition's batcher: about a tenth of a second of work. A claim behind more than that
/// is refused.
const QUEUE_BOUND: usize = 8_192;

/// Granted orders that may wait for the ledger: about a minute of what a modest database records.
const BACKLOG_LIMIT: u64 = 500_000;

/// How long a claim waits for a reply before its outcome counts as unknown.
const CLAIM_DEADLINE: Duration = Duration::from_secs(3);

/// How long the gate of an ended sale is kept, for repeated claims and returns.
const GRACE: Duration = Duration::from_secs(7 * 24 * 3600);

/// A sold-out flag stands for this long at most without another call to the gate, even if no message arrives.
const SOLD_OUT_CEILING: Duration = Duration::from_secs(1);

/// Prefix of the keys of a deployment that has a Redis for itself.
const PREFIX: &str = "flash:";

/// Partitions of a new deployment: enough to use a Cluster of so many masters.
const PARTITIONS: NonZeroU16 = NonZeroU16::new(4).expect("four is not zero");

/// How an engine is set up. Write `FlashOptions { prefix, ..FlashOptions::default() }`: options are added in minor releases.
#[derive(Clone, Debug)]
pub struct FlashOptions {
    /// Prefix of all keys in Redis. Deployments that share a server need different ones. Fixed for the life of a deployment.
    pub prefix: String,
    /// Prefix of the counters of order ids, if it is not `<prefix>ids:`.
    pub id_prefix: Option<String>,
    /// Fixed for the life of a deployment: it decides where a sale's keys are.
    pub partitions: NonZeroU16,
    /// Claims that may wait in front of each partition's batcher.
    pub queue_bound: usize,
    /// Granted orders of a partition that may wait for the ledger before claims are refused.
    pub backlog_limit: u64,
    /// Replicas that must have an order before its caller gets a reply, so that a failover loses none. The link should then
    /// be the engine's own: `WAIT` blocks every command on its connection.
    pub replicas: u32,
    /// How long a claim waits for a reply before its outcome counts as unknown.
    pub claim_deadline: Duration,
    /// How long the gate of an ended sale is kept.
    pub grace: Duration,
    /// How long a sold-out flag stands at most without another call to the gate.
    pub sold_out_ceiling: Duration,
    /// How order ids are generated.
    pub order_ids: IdKind,
    /// How orders get to the drain worker.
    pub transport: Transport,
    /// How fast orders are written to the ledger.
    pub drain: DrainOptions,
}

/// How order ids are generated. All processes of a deployment must use the same kind.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum IdKind {
    /// Seconds and a counter in Redis.
    #[default]
    Counted,
    /// Milliseconds, a leased worker number and a sequence.
    Snowflake,
    /// Ids of the caller's own.
    Custom(Arc<dyn OrderIdSource>),
}

impl Default for FlashOptions {
    fn default() -> Self {
        Self {
            prefix: PREFIX.to_owned(),
            id_prefix: None,
            partitions: PARTITIONS,
            queue_bound: QUEUE_BOUND,
            backlog_limit: BACKLOG_LIMIT,
            replicas: 0,
            claim_deadline: CLAIM_DEADLINE,
            grace: GRACE,
            sold_out_ceiling: SOLD_OUT_CEILING,
            order_ids: IdKind::default(),
            transport: Transport::default(),
            drain: DrainOptions::default(),
        }
    }
}
