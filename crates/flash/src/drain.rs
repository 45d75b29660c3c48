//! Carries granted orders into the ledger: one drainer per partition at a time, at least once, in order.
//!
//! # How it works
//! Whoever holds the lease of a partition takes its *seat* in the ledger with the fence of the lease; from then on the
//! ledger refuses everybody before. A *shift* is one stay in the seat. It begins with everything that is delivered and
//! not acknowledged, whoever had it, and goes on with what is new.
//!
//! A batch of entries becomes one transaction of the ledger. While that runs, the entries of the batch before are
//! settled (acknowledged, deleted, taken off the backlog, in one script) and the next batch is read, so Redis and the
//! ledger work at the same time. Nothing is settled before its orders are committed.
//!
//! A transaction that fails is halved until the order it fails on is alone. That one is *parked* and retried with growing
//! pauses, while everything else goes on. It is dead-lettered only when it is proven that the ledger works and this order
//! alone fails ([`parked`]): then the ledger keeps it for a person, its buyer is notified and its piece comes back. Its
//! entry stays pending until then, so a restart forgets nothing but the evidence.
//!
//! A transaction that is not answered is an outage, and so is every error that the ledger does not know better: it is
//! repeated with half as many orders, in case it was too large, and no order counts as failed. How large transactions
//! are follows from how long they take ([`batch_size`]); how many run side by side and how many orders a second they
//! carry is for the operator to limit ([`throttle`]).
//!
//! A *barrier* is an entry that somebody wrote to learn when everything before it is in the ledger.
//!
//! # How it fails
//! | what happens | what follows |
//! |---|---|
//! | the process dies before the commit | the entries come to whoever sits down next |
//! | the process dies after the commit, before settling | they come again and the ledger knows them |
//! | the process is paused beyond its lease | the ledger refuses it, and what it has in hand goes to its successor |
//! | the ledger is away | it pauses and goes on; no order counts as failed |
//! | Redis is away | the same; the lease may be lost meanwhile, and is taken again |
//! | too few replicas have the orders, where some must | it waits for them: the ledger gets nothing a failover could undo |
//! | an order can never be recorded (its place is taken, no such sale) | dead-lettered at once |
//! | the ledger has too few pieces | dead-lettered at once, without a piece to give back |
//! | every order fails, although the ledger answers | parked and retried, for as long as it takes; none is dead-lettered |
//! | one order fails while others are recorded before and after each of its attempts | dead-lettered |
//! | one order is never answered for while others are | parked and retried, for as long as it takes |
//! | transactions are too large for the time limit of the ledger | halved until they fit |
//! | an entry cannot be read | kept in the stream `dead`, and the next one goes on |
//! | an entry is of a version that this process does not know | it stays pending for one that does; barriers wait for it |
//! | entries were deleted or trimmed by somebody | counted, told, reconciled; the backlog is brought in line |
//! | the group is gone (flush, failover) | made anew from the beginning, counted, reconciled |
//! | its task panics | restarted with a pause, as after a kill ([`supervise`]) |
//! | it is told to stop | the batch in hand is committed and settled, the lease given up |

mod batch_size;
mod drain_loop;
mod health;
mod in_flight;
mod parked;
mod recorder;
mod replica_check;
mod throttle;

use std::time::Duration;

use link::LinkError;
use lock::{Guard, Term};
use supervise::Supervisor;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::transport::BrokerInlet;
use crate::transport::source::{Inlet, StreamInlet};
use crate::{Flash, Ledger, Partition, Seat};
use drain_loop::Shift;
pub(crate) use health::LedgerHealth;
use recorder::{End, Recorder, Shared, Tenure};
use replica_check::Safety;
pub use throttle::DrainOptions;
pub(crate) use throttle::Throttle;

/// How long a partition stands still when its drainer was killed.
const LEASE: Duration = Duration::from_secs(5);

/// How long a drainer rests before it tries to sit down again.
const SEAT_PAUSE: Duration = Duration::from_millis(200);

/// How long giving up the lease may keep a process from stopping; it ends by itself soon after.
const RELEASE_WAIT: Duration = Duration::from_secs(1);

impl<L: Ledger> Flash<L> {
    /// Drains every partition that no other process drains, until told to stop; then what is in hand is finished.
    pub async fn run_drain(&self, stop: CancellationToken) {
        let mut drainers = JoinSet::new();
        for partition in self.inner.partitions.all() {
            let (flash, stop) = (self.clone(), stop.clone());
            let supervisor = Supervisor::until(format!("order drain {partition}"), stop.clone());
            // A panic drops what is in hand and the lease with it: all of it is redelivered.
            let drain = move || {
                let (flash, stop) = (flash.clone(), stop.clone());
                async move { flash.run_drain_of(partition, stop).await }
            };
            drainers.spawn(supervise::restart(supervisor, drain));
        }
        while drainers.join_next().await.is_some() {}
    }

    /// Drains one partition, or stands by while another process does.
    pub async fn run_drain_of(&self, partition: Partition, stop: CancellationToken) {
        while let Some(lease) = stop.run_until_cancelled(self.hold_lease(partition)).await {
            let end = Box::pin(self.sit(partition, &lease, &stop)).await;
            tracing::info!(%partition, %end, "a drainer left its seat");
            // Given back at once, so that the next need not wait for its end.
            let _ = tokio::time::timeout(RELEASE_WAIT, lease.release()).await;
            if end != End::Stopped {
                stop.run_until_cancelled(tokio::time::sleep(SEAT_PAUSE))
                    .await;
            }
        }
    }

    /// Orders that were granted and are not in the ledger yet.
    pub async fn backlog(&self) -> Result<u64, LinkError> {
        let mut pipeline = redis::pipe();
        for partition in self.inner.partitions.all() {
            pipeline.cmd("GET").arg(self.inner.keys.backlog(partition));
        }
        let orders: Vec<Option<i64>> = self.inner.link.pipe(&pipeline).await?;
        let orders = orders.into_iter().flatten();
        Ok(orders.map(|count| count.max(0).unsigned_abs()).sum())
    }

    /// The lease, however long it takes.
    async fn hold_lease(&self, partition: Partition) -> Guard {
        let name = format!("drain:{partition}");
        let lease = self.inner.locks.mutex(&name).term(Term::Renewed(LEASE));
        loop {
            match lease.lock().await {
                Ok(guard) => return guard,
                Err(error) => {
                    tracing::debug!(%partition, %error, "a drainer waits for its lease");
                    tokio::time::sleep(SEAT_PAUSE).await;
                }
            }
        }
    }

    async fn sit(&self, partition: Partition, lease: &Guard, stop: &CancellationToken) -> End {
        let seat = Seat {
            partition,
            fence: lease.fence().as_i64(),
        };
        let tenure = Tenure { stop, lease };
        let shared = Shared {
            health: &self.inner.ledger_health,
            throttle: &self.inner.throttle,
        };
        let recorder = Recorder::new(&*self.inner.ledger, seat, tenure, shared);
        let inlet = self.open_inlet(partition);
        let safety = Safety {
            link: self.inner.link.clone(),
            key: self.inner.keys.mark(partition),
            replicas: self.inner.options.replicas,
        };
        let doubt = &self.inner.upkeep.doubt;
        Shift::new(recorder, inlet, safety, doubt).work().await
    }

    fn open_inlet(&self, partition: Partition) -> Inlet {
        let inner = &self.inner;
        let transport = &inner.options.transport;
        match transport.ends(partition, inner.partitions) {
            None => {
                let inlet = StreamInlet::new(&inner.link, &inner.keys, partition);
                Inlet::Stream(Box::new(inlet))
            }
            Some(ends) => {
                let inlet = BrokerInlet::new(&inner.link, &inner.keys, partition, ends);
                Inlet::Broker(Box::new(inlet))
            }
        }
    }
}
