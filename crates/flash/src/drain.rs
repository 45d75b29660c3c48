//! The drain: writes granted orders to the ledger. One worker per partition at a time, at least once, in stream order.
//!
//! # How it works
//! The worker that holds the lock of a partition registers its *drain lease* in the ledger, with the fencing token of the
//! lock; from then on the ledger refuses every worker with a lower token. Under the lease it runs a *drain loop*: first
//! every entry that was delivered and not acknowledged, whichever consumer had it, then new entries.
//!
//! A batch of entries becomes one transaction of the ledger. While that runs, the worker acknowledges the batch before
//! (XACK, XDEL and the backlog counter, in one script) and, behind a backlog, reads the next one, so Redis and the ledger
//! work at the same time. Without a backlog it reads when the transaction is committed: the next batch then holds all
//! entries that arrived meanwhile, and an order waits for two transactions at most. It acknowledges nothing before the
//! orders are committed.
//!
//! A transaction that fails is halved until the failing order is alone. That order is *parked* and retried with growing
//! pauses while everything else goes on. It is dead-lettered only when it is proven that the ledger works and this order
//! alone fails ([`parked`]): then the ledger keeps it for a person, its buyer is notified and its unit returns to stock.
//! Its entry stays pending until then, so a restart loses nothing but the evidence.
//!
//! A transaction without an answer is an outage, and so is every error that the ledger does not classify: the worker
//! repeats it with half as many orders, in case it was too large, and counts no order as failed. Measured durations
//! decide how large transactions are ([`batch_size`]); the operator limits how many run at once and how many orders a
//! second they carry ([`throttle`]).
//!
//! A *barrier* is an entry that a caller appends to learn when everything before it is in the ledger.
//!
//! An idle worker waits for its next entry in one long blocking read. One command a second for all partitions notices
//! what such a read does not see ([`idle_watch`]).
//!
//! # How it fails
//! | what happens | what follows |
//! |---|---|
//! | the process dies before the commit | the entries are redelivered to the next worker |
//! | the process dies after the commit, before the acknowledgement | they are redelivered, and the ledger knows the orders |
//! | the process is paused beyond its lease | the ledger refuses its writes; its entries in flight go to its successor |
//! | the ledger is unavailable | the worker backs off and retries; no order counts as failed |
//! | Redis is unavailable | the same; the lease may be lost meanwhile, and is acquired again |
//! | too few replicas have the orders, where some must | the worker waits for them: the ledger gets nothing a failover could undo |
//! | an order can never be recorded (its slot is taken, no such sale) | dead-lettered at once |
//! | the ledger is out of stock | dead-lettered at once, without a unit to return |
//! | every order fails, although the ledger answers | parked and retried, for as long as it takes; none is dead-lettered |
//! | one order fails while others are recorded before and after each of its attempts | dead-lettered |
//! | one order never gets an answer while others do | parked and retried, for as long as it takes |
//! | transactions are too large for the time limit of the ledger | halved until they fit |
//! | an entry cannot be decoded | moved to the stream `dead`, and the next one goes on |
//! | an entry is of a version that this process does not know | it stays pending for a process that does; barriers wait for it |
//! | entries were deleted or trimmed | counted, logged, reconciled; the backlog counter is corrected |
//! | the consumer group is gone (flush, failover) | created again from the beginning, counted, reconciled |
//! | the task panics | restarted after a pause, as after a kill ([`supervise`]) |
//! | shutdown | the batch in flight is committed and acknowledged, the lease released |

mod batch_size;
mod drain_loop;
mod health;
mod idle_watch;
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

use crate::transport::BrokerSource;
use crate::transport::source::{OrderSource, StreamSource};
use crate::{DrainLease, Flash, Ledger, Partition};
use drain_loop::{DrainLoop, DrainSignals};
pub(crate) use health::LedgerHealth;
pub(crate) use idle_watch::{BARRIER_WAITER_TTL, IdleWatch};
use recorder::{ActiveLease, DrainContext, Recorder, StopReason};
use replica_check::ReplicaCheck;
pub use throttle::DrainOptions;
pub(crate) use throttle::Throttle;

/// How long a partition is not drained after its worker was killed.
const LEASE: Duration = Duration::from_secs(5);

/// Between two attempts of a worker to acquire the lease.
const LEASE_RETRY_PAUSE: Duration = Duration::from_millis(200);

/// How long releasing the lease may delay a shutdown; it expires soon after anyway.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(1);

impl<L: Ledger> Flash<L> {
    /// Drains every partition that no other process drains, until `stop`; then finishes the batches in flight.
    pub async fn run_drain(&self, stop: CancellationToken) {
        let mut workers = JoinSet::new();
        for partition in self.inner.partitions.all() {
            let (flash, stop) = (self.clone(), stop.clone());
            let supervisor = Supervisor::until(format!("order drain {partition}"), stop.clone());
            // A panic drops the entries in flight and the lease: all of them are redelivered.
            let drain = move || {
                let (flash, stop) = (flash.clone(), stop.clone());
                async move { flash.run_drain_of(partition, stop).await }
            };
            workers.spawn(supervise::restart(supervisor, drain));
        }
        let all_stopped = async { while workers.join_next().await.is_some() {} };
        tokio::select! {
            () = all_stopped => {}
            () = self.watch_idle() => {}
        }
    }

    /// Never returns.
    async fn watch_idle(&self) {
        let inner = &self.inner;
        let mut supervisor = Supervisor::new("idle drain watch");
        let watch = || {
            inner
                .idle_watch
                .run(&inner.link, &inner.keys, inner.partitions)
        };
        while supervisor.run(watch()).await.is_none() {}
    }

    /// Drains one partition, or stands by while another process does.
    async fn run_drain_of(&self, partition: Partition, stop: CancellationToken) {
        while let Some(lock) = stop.run_until_cancelled(self.acquire_lock(partition)).await {
            let reason = Box::pin(self.drain_under(partition, &lock, &stop)).await;
            tracing::info!(%partition, %reason, "drain worker stopped");
            // Released at once, so that the next worker need not wait until it expires.
            let _ = tokio::time::timeout(RELEASE_TIMEOUT, lock.release()).await;
            if reason != StopReason::Shutdown {
                stop.run_until_cancelled(tokio::time::sleep(LEASE_RETRY_PAUSE))
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

    /// Returns when this process has the lock of the partition, however long that takes.
    async fn acquire_lock(&self, partition: Partition) -> Guard {
        let name = format!("drain:{partition}");
        let lock = self.inner.locks.mutex(&name).term(Term::Renewed(LEASE));
        loop {
            match lock.lock().await {
                Ok(guard) => return guard,
                Err(error) => {
                    tracing::debug!(%partition, %error, "drain lock not acquired, retrying");
                    tokio::time::sleep(LEASE_RETRY_PAUSE).await;
                }
            }
        }
    }

    async fn drain_under(
        &self,
        partition: Partition,
        lock: &Guard,
        stop: &CancellationToken,
    ) -> StopReason {
        let lease = DrainLease {
            partition,
            fence: lock.fence().as_i64(),
        };
        let active = ActiveLease { stop, lock };
        let context = DrainContext {
            health: &self.inner.ledger_health,
            throttle: &self.inner.throttle,
        };
        let recorder = Recorder::new(&*self.inner.ledger, lease, active, context);
        let source = self.open_source(partition);
        let replica_check = ReplicaCheck {
            link: self.inner.link.clone(),
            key: self.inner.keys.mark(partition),
            replicas: self.inner.options.replicas,
        };
        let signals = DrainSignals {
            reconcile_now: &self.inner.maintenance.reconcile_now,
            watched: self.inner.idle_watch.of(partition),
        };
        DrainLoop::new(recorder, source, replica_check, signals)
            .run()
            .await
    }

    fn open_source(&self, partition: Partition) -> OrderSource {
        let inner = &self.inner;
        let transport = &inner.options.transport;
        match transport.broker_ends(partition, inner.partitions) {
            None => {
                let source = StreamSource::new(&inner.link, &inner.keys, partition);
                OrderSource::Stream(Box::new(source))
            }
            Some(ends) => {
                let source = BrokerSource::new(&inner.link, &inner.keys, partition, ends);
                OrderSource::Broker(Box::new(source))
            }
        }
    }
}
