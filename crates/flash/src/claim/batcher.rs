//! Batches claims: one task per partition that sends waiting claims to the gate, one call per sale and bucket.
//!
//! # How it works
//! Claims of a partition wait in the queue of its task, which has several calls in flight. While there is room for another
//! call, what waits is sent at once; calls that reach Redis together share a flush of its disk. Beyond that the next batch
//! collects, so batches are as large as the load and no timer delays them. Claims of different sales go out in concurrent
//! calls. A buyer has one call of a sale at a time (`next_batch.rs`). Order ids are chosen before the call, so a call without a
//! reply is repeated unchanged: the script is idempotent.
//!
//! # How it fails
//! | what happens | what the caller gets |
//! |---|---|
//! | the queue is full, or the backlog of orders is over its limit | `Busy`, at once |
//! | Redis is unavailable, or refuses writes | `Busy`: certainly nothing was bought |
//! | the reply is lost | the outcome, if one of the repetitions is answered |
//! | no repetition is answered within the deadline | `Unknown` with the order id, until a later claim resolves it |
//! | … or a repetition finds that the gate was lost meanwhile | the outcome: the next gate knows the claim by the same id |
//! | the caller goes away | nothing; a repetition returns the outcome |
//! | the task panics over a batch | `Unknown` if the gate may have been called, else `Busy`; the next batch is served |

mod backlog_limit;
mod next_batch;
mod replica_confirmation;
mod task;
mod unresolved;

use std::sync::Arc;
use std::time::Duration;

use link::Link;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use backlog_limit::BacklogLimit;
use replica_confirmation::ReplicaConfirmation;
use task::BatcherTask;
use unresolved::UnresolvedOrders;

use crate::claim::recent_orders::RecentOrders;
use crate::gate::PartitionKeys;
use crate::gate::known_sales::KnownSale;
use crate::ids::OrderIds;
use crate::meter::Meter;
use crate::{
    BuyerId, ClaimError, ClaimOutcome, FlashOptions, KeyHash, Keys, Ledger, OrderId, Partitions,
    SaleId,
};

/// A claim with the bucket that decides it.
#[derive(Debug)]
pub(crate) struct QueuedClaim {
    pub(crate) sale: Arc<KnownSale>,
    pub(crate) bucket: u16,
    pub(crate) buyer: BuyerId,
    pub(crate) key: Option<KeyHash>,
}

/// The gate's reply to one claim.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClaimReply {
    Decided {
        outcome: ClaimOutcome,
        /// Time until the sale begins.
        starts_in: Duration,
    },
    NotLoaded,
    OtherSpread,
}

type ClaimResult = Result<ClaimReply, ClaimError>;

/// A claim in the queue, and the channel to its caller.
#[derive(Debug)]
struct WaitingClaim {
    claim: QueuedClaim,
    queued_at: Instant,
    reply: oneshot::Sender<ClaimResult>,
}

/// The queues of all partitions. Their tasks end when this is dropped.
#[derive(Debug)]
pub(crate) struct Batchers {
    partitions: Box<[PartitionQueue]>,
    unresolved: Arc<UnresolvedOrders>,
}

#[derive(Debug)]
struct PartitionQueue {
    sender: mpsc::Sender<WaitingClaim>,
    backlog_limit: Arc<BacklogLimit>,
}

/// What the tasks of all partitions share.
#[derive(Debug)]
pub(crate) struct BatcherContext<L> {
    pub(crate) link: Link,
    pub(crate) keys: Keys,
    pub(crate) ids: OrderIds<L>,
    pub(crate) options: FlashOptions,
    pub(crate) recent_orders: Arc<RecentOrders>,
    pub(crate) meter: Arc<Meter>,
}

impl Batchers {
    pub(crate) fn spawn<L: Ledger>(context: BatcherContext<L>, partitions: Partitions) -> Self {
        let context = Arc::new(context);
        let unresolved = Arc::new(UnresolvedOrders::new());
        let spawn = |partition| {
            let (sender, queue) = mpsc::channel(context.options.queue_bound.max(1));
            let keys = PartitionKeys {
                orders: context.keys.orders(partition),
                backlog: context.keys.backlog(partition),
            };
            let link = context.link.clone();
            let limit = context.options.backlog_limit;
            let backlog_limit = Arc::new(BacklogLimit::new(link, keys.backlog.clone(), limit));
            let task = BatcherTask {
                context: context.clone(),
                name: format!("claim batcher {partition}"),
                partition,
                keys,
                backlog_limit: backlog_limit.clone(),
                unresolved: unresolved.clone(),
            };
            supervise::spawn_once(task.name.clone(), task.run(queue));
            PartitionQueue {
                sender,
                backlog_limit,
            }
        };
        Self {
            partitions: partitions.all().map(spawn).collect(),
            unresolved,
        }
    }

    /// The order of an earlier claim of this buyer without a known outcome: it may have been granted.
    pub(crate) fn unresolved_order(&self, sale: SaleId, buyer: BuyerId) -> Option<OrderId> {
        self.unresolved.order_of(sale, buyer)
    }

    /// Queues a claim, and waits for the gate's reply to it.
    pub(crate) async fn submit(&self, claim: QueuedClaim, queued_at: Instant) -> ClaimResult {
        let partition = claim.sale.bucket(claim.bucket).partition;
        let queue = &self.partitions[usize::from(partition.0)];
        if !queue.backlog_limit.admits(queued_at).await {
            return Err(ClaimError::busy("backlog"));
        }
        let (reply, result) = oneshot::channel();
        let waiting = WaitingClaim {
            claim,
            queued_at,
            reply,
        };
        if queue.sender.try_send(waiting).is_err() {
            return Err(ClaimError::busy("queue"));
        }
        // The task replies to every claim, unless the runtime is shutting down.
        result
            .await
            .unwrap_or_else(|_| Err(ClaimError::busy("stopping")))
    }
}
