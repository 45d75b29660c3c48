//! Carries the entries of a partition from the stream to a broker.
//!
//! The relay reads as the consumer group of the drainers does, because it reads in their place: an entry is pending in
//! the group, and stays in the stream, until the ledger has its orders. The broker carries copies. So a broker may lose
//! everything without an order being lost, a barrier can tell what is before it whatever a broker did to the order of
//! messages, and a site may change its transport at any time.
//!
//! The price is that entries come to the broker more than once: all that the ledger does not have are sent again by
//! whoever takes the seat, and after [`Relay::rewind`]. The ledger knows an order that comes twice.

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link::{Link, LinkError};
use supervise::Supervisor;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::stream::entry::{Entry, EntryId, Undecodable};
use crate::stream::{RawEntry, Settler, StreamReader, UnknownVersions};
use crate::transport::source::{GROUP, report};
use crate::transport::{Message, Outlet, TransportError};
use crate::{Keys, Partition, fail_point, meter};

/// Entries that are published before the first of them is confirmed: one answer's time is shared by many, and what an
/// outage sends twice stays little.
const IN_FLIGHT: usize = 128;

/// How long one reading waits; it bounds how long a wish to rewind goes unheard.
const WAIT: Duration = Duration::from_secs(1);

/// Pauses after a failure begin and end at these.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A running relay; ends when dropped.
#[derive(Debug)]
pub(crate) struct Relay {
    task: JoinHandle<StreamReader>,
    stop: DropGuard,
    rewinds: mpsc::Sender<()>,
    progress: Arc<Progress>,
}

/// What the relay has done, for whoever drains behind it.
#[derive(Debug, Default)]
struct Progress {
    /// The last entry that the broker confirmed.
    confirmed: Mutex<Option<EntryId>>,
    unknown_versions: Mutex<UnknownVersions>,
    /// Something was lost that a reconciliation may find.
    doubt: AtomicBool,
}

impl Relay {
    pub(crate) fn spawn(link: &Link, keys: &Keys, partition: Partition, outlet: Outlet) -> Self {
        let (rewinds, wishes) = mpsc::channel(1);
        let progress = Arc::new(Progress::default());
        let mut runner = Runner {
            reader: StreamReader::new(link, keys, partition, GROUP),
            settler: Settler::new(link, keys, partition, GROUP),
            outlet,
            partition,
            wishes,
            progress: progress.clone(),
        };
        let stop = CancellationToken::new();
        let until = stop.clone();
        let name = format!("order relay {partition}");
        let mut supervisor = Supervisor::until(name, stop.clone());
        let task = tokio::spawn(async move {
            while supervisor.run(runner.run(&until)).await.is_none() && !supervisor.is_stopped() {
                // What the broker has of the last reading is not known.
                runner.reader.reclaim();
            }
            runner.reader
        });
        Self {
            task,
            stop: stop.drop_guard(),
            rewinds,
            progress,
        }
    }

    /// Sends everything again that the ledger does not have.
    pub(crate) fn rewind(&self) {
        // A wish that is not heard yet covers this one.
        let _ = self.rewinds.try_send(());
    }

    /// Whether the broker has confirmed an entry or one behind it. One of an unknown version was never sent.
    pub(crate) fn has_confirmed(&self, id: EntryId) -> bool {
        let is_behind = self.progress.confirmed().is_some_and(|last| id <= last);
        is_behind && !self.progress.unknown_versions().contains(id)
    }

    /// Whether something was lost since the last time of asking.
    pub(crate) fn take_doubt(&self) -> bool {
        self.progress.doubt.swap(false, Ordering::Relaxed)
    }

    /// Ends it, and takes leave of the group.
    pub(crate) async fn end(self) -> Result<(), LinkError> {
        drop(self.stop);
        match self.task.await {
            Ok(reader) => reader.leave().await,
            Err(_) => Ok(()),
        }
    }
}

impl Progress {
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

struct Runner {
    reader: StreamReader,
    settler: Settler,
    outlet: Outlet,
    partition: Partition,
    wishes: mpsc::Receiver<()>,
    progress: Arc<Progress>,
}

impl Runner {
    async fn run(&mut self, stop: &CancellationToken) {
        let mut pause = FIRST_PAUSE;
        while let Some(step) = stop.run_until_cancelled(self.step()).await {
            match step {
                Ok(()) => pause = FIRST_PAUSE,
                Err(error) => {
                    self.recover(&error, pause);
                    stop.run_until_cancelled(tokio::time::sleep(pause)).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Of what was read nobody knows what the broker has, so all of it is read again. An outage is told once.
    fn recover(&mut self, error: &RelayError, pause: Duration) {
        self.reader.reclaim();
        if pause == FIRST_PAUSE {
            let partition = self.partition;
            tracing::warn!(error = error as &dyn Error, %partition, "relaying pauses");
        }
    }

    async fn step(&mut self) -> Result<(), RelayError> {
        if self.wishes.try_recv().is_ok() {
            self.reader.reclaim();
        }
        let found = self.reader.next(IN_FLIGHT, WAIT).await?;
        if report(self.partition, &found) {
            self.progress.doubt.store(true, Ordering::Relaxed);
        }
        let mut messages = Vec::with_capacity(found.entries.len());
        for entry in found.entries {
            messages.extend(self.read(entry).await?);
        }
        self.publish(&messages).await
    }

    async fn publish(&mut self, messages: &[Message]) -> Result<(), RelayError> {
        let Some(last) = messages.last() else {
            return Ok(());
        };
        self.outlet.publish(messages).await?;
        fail_point::pass("between_relay_and_ack");
        *self.progress.confirmed() = Some(last.id);
        Ok(())
    }

    /// What cannot be read here would not be readable at the other end.
    async fn read(&self, entry: RawEntry) -> Result<Option<Message>, LinkError> {
        match Entry::decode(&entry.fields) {
            Ok(decoded) => Ok(Some(Message {
                id: entry.id,
                line: decoded.to_line(),
                names: decoded.names(),
            })),
            Err(Undecodable::Version) => {
                let mut unknown = self.progress.unknown_versions();
                unknown.note(self.partition, entry.id);
                Ok(None)
            }
            Err(why) => {
                self.settler.discard(entry.id, why).await?;
                meter::dead("undecodable");
                self.progress.doubt.store(true, Ordering::Relaxed);
                let partition = self.partition;
                tracing::error!(%partition, entry = %entry.id, %why, "an entry cannot be read");
                Ok(None)
            }
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum RelayError {
    #[error("redis did not do its part")]
    Redis(#[from] LinkError),
    #[error("the broker did not do its part")]
    Broker(#[from] TransportError),
}
