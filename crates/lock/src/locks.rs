//! The factory of locks: [`Locks`].

use std::{collections::HashMap, sync::Arc, sync::Mutex as StdMutex, time::Duration};

use link::Link;
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    FairMutex, Mutex, Owner, ReentrantMutex, RwLock, Semaphore, Term,
    core::Core,
    limits::{LEASE, OUTAGE_LIMIT},
    local_queue::LocalQueue,
    queued_lock::QueuedLock,
    releaser::{self, ReleaseCommand},
    remote_lock::LockKind,
    renewals::Renewals,
    token::ProcessId,
    wake_subscriber::WakeSubscriber,
    watchdog_scheduler::WatchdogScheduler,
};

/// Options of all locks of a [`Locks`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The prefix of all keys and channels.
    pub prefix: String,
    /// Lease of locks without a term of their own; it is renewed every third of it.
    pub lease: Duration,
    /// How long an acquisition is retried while Redis is unavailable.
    pub outage_limit: Duration,
}

/// Creates locks that share one link, one subscription and one release task. Cheap to clone; a process needs one.
#[derive(Clone, Debug)]
pub struct Locks {
    pub(crate) core: Arc<Core>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            prefix: "lock:".to_owned(),
            lease: LEASE,
            outage_limit: OUTAGE_LIMIT,
        }
    }
}

impl Options {
    pub(crate) fn term(&self) -> Term {
        Term::Renewed(self.lease)
    }
}

impl Locks {
    /// Must be called within a tokio runtime, which runs the background tasks.
    pub fn new(link: Link) -> Self {
        Self::with_options(link, Options::default())
    }

    /// Must be called within a tokio runtime, which runs the background tasks.
    pub fn with_options(link: Link, options: Options) -> Self {
        let runtime = Handle::current();
        let process = ProcessId::random();
        let (releaser, commands) = mpsc::unbounded_channel();
        tokio::spawn(releaser::run(commands));
        let watchdogs = Arc::new(WatchdogScheduler::default());
        let watching = watchdogs.clone();
        let watching = supervise::spawn("lock watchdogs", move || watching.clone().run());
        let channel = format!("{}wake:{process}", options.prefix);
        let core = Core {
            wake_subscriber: WakeSubscriber::new(link.clone(), runtime, channel),
            renewals: Renewals::new(link.clone()),
            link,
            options,
            process,
            _scheduler_task: AbortOnDropHandle::new(watching),
            watchdogs,
            closing: CancellationToken::new(),
            releaser,
            local_queues: StdMutex::new(HashMap::new()),
        };
        Self {
            core: Arc::new(core),
        }
    }

    /// The mutex of this name. All mutexes of a name are the same lock, in this process and in others.
    pub fn mutex(&self, name: &str) -> Mutex {
        Mutex::new(
            LocalQueue::get_or_create(&self.core, name),
            self.core.options.term(),
        )
    }

    /// The fair mutex of this name, which is another lock than the mutex of this name.
    pub fn fair_mutex(&self, name: &str) -> FairMutex {
        FairMutex::new(self.queued_lock(LockKind::Fair, name))
    }

    /// The re-entrant mutex of this name for this owner; another lock than the mutex of this name.
    pub fn reentrant_mutex(&self, name: &str, owner: impl Into<Owner>) -> ReentrantMutex {
        ReentrantMutex::new(self.core.clone(), name, owner.into())
    }

    /// The read-write lock of this name.
    pub fn rw_lock(&self, name: &str) -> RwLock {
        RwLock::new(self.queued_lock(LockKind::ReadWrite, name))
    }

    /// The semaphore of this name with so many permits, which must be the same number everywhere. `permits` of zero count as
    /// one.
    pub fn semaphore(&self, name: &str, permits: u32) -> Semaphore {
        let permits = permits.max(1);
        Semaphore::new(self.queued_lock(LockKind::Semaphore { permits }, name))
    }

    /// Refuses further acquisitions and waits until all dropped guards are released. Returns `false` after `limit`. Guards
    /// that are still held stay valid.
    ///
    /// Await it before the process ends: the release of a guard that was dropped just before is still queued, and without
    /// it the lock stays until its lease is over.
    pub async fn shutdown(&self, limit: Duration) -> bool {
        self.core.closing.cancel();
        let (done, flushed) = oneshot::channel();
        // Without the release task the runtime is ending, and so is the wait.
        let _ = self.core.releaser.send(ReleaseCommand::Flush(done));
        matches!(timeout(limit, flushed).await, Ok(Ok(())))
    }

    fn queued_lock(&self, kind: LockKind, name: &str) -> QueuedLock {
        QueuedLock::new(self.core.clone(), kind, name)
    }
}
