//! One task per partition that asks the gate for everybody who waits at once.
//!
//! # How it works
//! Claims of a partition queue in front of its task. While a call is in flight the next batch collects, so batches are
//! as large as the load and there is no timer to wait for. Claims of different sales travel side by side. Order ids are
//! chosen before the call, so a call whose fate is unknown is repeated as it was: whatever it did, it does once.
//!
//! # How it fails
//! | what happens | what the claimant hears |
//! |---|---|
//! | the queue is full, or the backlog of orders over its limit | `Busy`, at once |
//! | Redis is away, or refuses writes | `Busy`: certainly nothing was bought |
//! | the answer is lost | nothing, if one of the repetitions is answered |
//! | no repetition is answered within the deadline | `Unknown` with the order id, until a later claim settles it |
//! | … or a repetition finds that the gate was lost meanwhile | nothing: whatever gate is asked next knows it by the same id |
//! | the claimant goes away | nobody is there to hear it; asking again tells |
//! | deciding a batch panics | `Unknown` if the gate may have been called, else `Busy`; the next batch is served |

mod backlog_limit;
mod replica_confirmation;
mod task;
mod unresolved;

use std::sync::Arc;
use std::time::Duration;

use link::Link;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use backlog_limit::Admission;
use replica_confirmation::Caution;
use task::Caller;
use unresolved::Doubts;

use crate::claim::recent_orders::Recent;
use crate::gate::known_sales::Sale;
use crate::gate::{PartitionKeys, Verdict};
use crate::ids::OrderIds;
use crate::meter::Meter;
use crate::{
    BuyerId, ClaimError, FlashOptions, KeyHash, Keys, Ledger, OrderId, Partitions, SaleId,
};

/// What somebody wants to know from the gate.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) sale: Arc<Sale>,
    pub(crate) bucket: u16,
    pub(crate) buyer: BuyerId,
    pub(crate) key: Option<KeyHash>,
}

/// What the gate said.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told {
    Decided {
        verdict: Verdict,
        /// Time until the sale begins.
        wait: Duration,
    },
    NotLoaded,
    OtherSpread,
}

type Answer = Result<Told, ClaimError>;

/// A question in the queue.
#[derive(Debug)]
struct Asked {
    question: Question,
    asked_at: Instant,
    answer: oneshot::Sender<Answer>,
}

/// The queues of all partitions. Their tasks end when this is dropped.
#[derive(Debug)]
pub(crate) struct Batchers {
    partitions: Box<[Desk]>,
    doubts: Arc<Doubts>,
}

#[derive(Debug)]
struct Desk {
    queue: mpsc::Sender<Asked>,
    admission: Arc<Admission>,
}

/// What the tasks of all partitions share.
#[derive(Debug)]
pub(crate) struct Shared<L> {
    pub(crate) link: Link,
    pub(crate) keys: Keys,
    pub(crate) ids: OrderIds<L>,
    pub(crate) options: FlashOptions,
    pub(crate) recent: Arc<Recent>,
    pub(crate) meter: Arc<Meter>,
}

impl Batchers {
    pub(crate) fn spawn<L: Ledger>(shared: Shared<L>, partitions: Partitions) -> Self {
        let shared = Arc::new(shared);
        let doubts = Arc::new(Doubts::new());
        let desk = |partition| {
            let (queue, questions) = mpsc::channel(shared.options.queue_bound.max(1));
            let keys = PartitionKeys {
                orders: shared.keys.orders(partition),
                backlog: shared.keys.backlog(partition),
            };
            let link = shared.link.clone();
            let limit = shared.options.backlog_limit;
            let admission = Arc::new(Admission::new(link, keys.backlog.clone(), limit));
            let caller = Caller {
                shared: shared.clone(),
                name: format!("claim batcher {partition}"),
                partition,
                keys,
                admission: admission.clone(),
                doubts: doubts.clone(),
            };
            supervise::spawn_once(caller.name.clone(), caller.run(questions));
            Desk { queue, admission }
        };
        Self {
            partitions: partitions.all().map(desk).collect(),
            doubts,
        }
    }

    /// The order of an earlier claim of this buyer whose fate is not known: it may have been granted.
    pub(crate) fn order_in_doubt(&self, sale: SaleId, buyer: BuyerId) -> Option<OrderId> {
        self.doubts.order_of(sale, buyer)
    }

    /// Asks the gate, together with whoever else does.
    pub(crate) async fn ask(&self, question: Question, asked_at: Instant) -> Answer {
        let partition = question.sale.bucket(question.bucket).partition;
        let desk = &self.partitions[usize::from(partition.0)];
        if !desk.admission.admits(asked_at).await {
            return Err(ClaimError::busy("backlog"));
        }
        let (answer, told) = oneshot::channel();
        let asked = Asked {
            question,
            asked_at,
            answer,
        };
        if desk.queue.try_send(asked).is_err() {
            return Err(ClaimError::busy("queue"));
        }
        // The task answers everybody, unless the runtime is ending.
        told.await
            .unwrap_or_else(|_| Err(ClaimError::busy("stopping")))
    }
}
