//! How an engine is set up. Every limit is here, with its reason.

use std::num::NonZeroU16;
use std::time::Duration;

use crate::{DrainOptions, Transport};

/// Claims that may wait in front of a partition's batcher: about a tenth of a second of work. A claimant behind more
/// than that is better told to come back.
const QUEUE_BOUND: usize = 8_192;

/// Orders that may be on their way to the ledger: about a minute of what a database of modest size takes in.
const BACKLOG_LIMIT: u64 = 500_000;

/// How long a claimant waits for an answer before it is told that the outcome is not known yet.
const CLAIM_DEADLINE: Duration = Duration::from_secs(3);

/// How long the gate of an ended sale is kept for buyers who ask again and for returns.
const GRACE: Duration = Duration::from_secs(7 * 24 * 3600);

/// A sale is found sold out for this long at most without asking again, also if no message of a return arrives.
const SOLD_OUT_CEILING: Duration = Duration::from_secs(1);

/// How many partitions a deployment begins with: enough to use a Cluster of that many masters.
const PARTITIONS: NonZeroU16 = NonZeroU16::new(4).expect("four is not zero");

#[derive(Clone, Debug)]
pub struct FlashOptions {
    /// What all keys begin with.
    pub prefix: String,
    /// Fixed for the life of a deployment: it decides where a sale's keys are.
    pub partitions: NonZeroU16,
    /// Claims that may wait in front of each partition's batcher.
    pub queue_bound: usize,
    /// Orders a partition may have on their way to the ledger before claims are refused.
    pub backlog_limit: u64,
    /// Replicas that must have an order before its buyer hears of it, so that a failover forgets none. The link should
    /// then be the engine's own: everybody on its connection waits along.
    pub replicas: u32,
    pub claim_deadline: Duration,
    /// How long the gate of an ended sale is kept.
    pub grace: Duration,
    pub sold_out_ceiling: Duration,
    pub order_ids: IdKind,
    /// How orders get to the drainer.
    pub transport: Transport,
    pub drain: DrainOptions,
}

/// How order ids are made. All processes of a site must choose alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdKind {
    /// Seconds and a counter that Redis keeps.
    #[default]
    Counted,
    /// Milliseconds, a leased worker number and a sequence.
    Snowflake,
}

impl Default for FlashOptions {
    fn default() -> Self {
        Self {
            prefix: String::new(),
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
