//! Publishes the entries of a partition from the stream to a broker.
//!
//! The relay reads in the consumer group of the drain workers, in their place: an entry is pending in the group, and stays
//! in the stream, until the ledger has its orders. The broker carries copies. So a broker may lose everything without an
//! order being lost, a barrier knows what is before it even if a broker reorders messages, and a site may change its
//! transport at any time.
//!
//! The price is duplicates: a new holder of the drain lease, and [`Relay::resend_all`], publish every entry again that the
//! ledger does not have. The ledger knows an order that arrives twice.

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link::{Link, LinkError};
use supervise::{Backoff, Supervisor};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::stream::entry::{EntryId, StreamEntry, Undecodable};
use crate::stream::{Acknowledger, RawEntry, StreamReader, UnknownVersions};
use crate::transport::source::{GROUP, report_loss};
use crate::transport::{BrokerPublisher, OutgoingMessage, TransportError};
use crate::{Keys, Partition, meter};

/// Entries that are published before the first of them is confirmed: enough to share a round trip, few enough that an outage
/// duplicates little.
const IN_FLIGHT: usize = 128;

/// How long one read waits; it bounds how late a request to send again is served.
const READ_WAIT: Duration = Duration::from_secs(1);

/// The first and the longest pause after a failure.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A running relay; ends when dropped.
#[derive(Debug)]
pub(crate) struct Relay {
    task: JoinHandle<StreamReader>,
    stop: DropGuard,
    resend_requests: mpsc::Sender<()>,
    progress: Arc<RelayProgress>,
}

/// The progress of the relay, for the drain worker behind it.
#[derive(Debug, Default)]
struct RelayProgress {
    /// The last entry that the broker confirmed.
    confirmed: Mutex<Option<EntryId>>,
    unknown_versions: Mutex<UnknownVersions>,
    /// Orders may be lost: a reconciliation finds them.
    suspected_loss: AtomicBool,
}

impl Relay {
    pub(crate) fn spawn(
        link: &Link,
        keys: &Keys,
        partition: Partition,
        publisher: BrokerPublisher,
    ) -> Self {
        let (resend_requests, received_requests) = mpsc::channel(1);
        let progress = Arc::new(RelayProgress::default());
        let mut task = RelayTask {
            reader: StreamReader::new(link, keys, partition, GROUP),
            acknowledger: Acknowledger::new(link, keys, partition, GROUP),
            publisher,
            partition,
            resend_requests: received_requests,
            progress: progress.clone(),
        };
        let stop = CancellationToken::new();
        let until = stop.clone();
        let name = format!("order relay {partition}");
        let mut supervisor = Supervisor::until(name, stop.clone());
        let task = tokio::spawn(async move {
            while supervisor.run(Box::pin(task.run(&until))).await.is_none()
                && !supervisor.is_stopped()
            {
                // Which entries of the last read the broker has is not known.
                task.reader.reclaim();
            }
            task.reader
        });
        Self {
            task,
            stop: stop.drop_guard(),
            resend_requests,
            progress,
        }
    }

    /// Publishes every entry again that the ledger does not have.
    pub(crate) fn resend_all(&self) {
        // A request that is still queued covers this one.
        let _ = self.resend_requests.try_send(());
    }

    /// Whether the broker confirmed this entry or a later one. An entry of an unknown version was never published.
    pub(crate) fn has_confirmed(&self, id: EntryId) -> bool {
        let is_covered = self.progress.confirmed().is_some_and(|last| id <= last);
        is_covered && !self.progress.unknown_versions().contains(id)
    }

    /// Whether orders may have been lost since the last call.
    pub(crate) fn take_suspected_loss(&self) -> bool {
        self.progress.suspected_loss.swap(false, Ordering::Relaxed)
    }

    /// Stops the task, and leaves the consumer group.
    pub(crate) async fn stop(self) -> Result<(), LinkError> {
        drop(self.stop);
        match self.task.await {
            Ok(reader) => reader.leave_group().await,
            Err(_) => Ok(()),
        }
    }
}

impl RelayProgress {
    fn confirmed(&self) -> MutexGuard<'_, Option<EntryId>> {
        self.confirmed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn unknown_versions(&self) -> MutexGuard<'_, UnknownVersions> {
        self.unknown_versions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

struct RelayTask {
    reader: StreamReader,
    acknowledger: Acknowledger,
    publisher: BrokerPublisher,
    partition: Partition,
    resend_requests: mpsc::Receiver<()>,
    progress: Arc<RelayProgress>,
}

impl RelayTask {
    async fn run(&mut self, stop: &CancellationToken) {
        let mut backoff = Backoff::new(FIRST_PAUSE, LONGEST_PAUSE);
        while let Some(step) = stop.run_until_cancelled(self.step()).await {
            match step {
                Ok(()) => backoff.reset(),
                Err(error) => {
                    self.recover(&error, backoff.is_first());
                    stop.run_until_cancelled(backoff.sleep()).await;
                }
            }
        }
    }

    /// Which of the read entries the broker has is not known, so all of them are read again. An outage is logged once.
    fn recover(&mut self, error: &RelayError, is_first: bool) {
        self.reader.reclaim();
        if is_first {
            let partition = self.partition;
            tracing::warn!(error = error as &dyn Error, %partition, "order relay paused, retrying");
        }
    }

    async fn step(&mut self) -> Result<(), RelayError> {
        if self.resend_requests.try_recv().is_ok() {
            self.reader.reclaim();
        }
        let read = self.reader.next(IN_FLIGHT, READ_WAIT).await?;
        if report_loss(self.partition, &read) {
            self.progress.suspected_loss.store(true, Ordering::Relaxed);
        }
        let mut messages = Vec::with_capacity(read.entries.len());
        for entry in read.entries {
            messages.extend(self.decode(entry).await?);
        }
        self.publish(&messages).await
    }

    async fn publish(&mut self, messages: &[OutgoingMessage]) -> Result<(), RelayError> {
        let Some(last) = messages.last() else {
            return Ok(());
        };
        self.publisher.publish(messages).await?;
        supervise::fail_point::pass("between_relay_and_ack");
        *self.progress.confirmed() = Some(last.id);
        Ok(())
    }

    /// Dead-letters an entry that cannot be decoded: the consumer could not decode it either.
    async fn decode(&self, entry: RawEntry) -> Result<Option<OutgoingMessage>, LinkError> {
        match StreamEntry::decode(&entry.fields) {
            Ok(decoded) => Ok(Some(OutgoingMessage {
                id: entry.id,
                line: decoded.to_line(),
                request_keys: decoded.request_keys(),
            })),
            Err(Undecodable::Version) => {
                let mut unknown = self.progress.unknown_versions();
                unknown.note(self.partition, entry.id);
                Ok(None)
            }
            Err(why) => {
                self.acknowledger.dead_letter(entry.id, why).await?;
                meter::dead_lettered("undecodable");
                self.progress.suspected_loss.store(true, Ordering::Relaxed);
                let partition = self.partition;
                tracing::error!(%partition, entry = %entry.id, %why, "stream entry dead-lettered");
                Ok(None)
            }
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum RelayError {
    #[error("redis failed")]
    Redis(#[from] LinkError),
    #[error("the broker failed")]
    Broker(#[from] TransportError),
}
