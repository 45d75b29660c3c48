//! Shared by all locks of one [`Locks`](crate::Locks): the link, the wake-up subscriber, the release task.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use link::Link;
use tokio::sync::mpsc;
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    Options,
    local_queue::LocalQueue,
    releaser::ReleaseCommand,
    remote_lock::RemoteLock,
    renewals::Renewals,
    token::{ProcessId, Token},
    wake_subscriber::WakeSubscriber,
    watchdog_scheduler::WatchdogScheduler,
};

pub(crate) struct Core {
    pub(crate) link: Link,
    pub(crate) options: Options,
    pub(crate) process: ProcessId,
    pub(crate) wake_subscriber: WakeSubscriber,
    pub(crate) renewals: Renewals,
    pub(crate) watchdogs: Arc<WatchdogScheduler>,
    pub(crate) _scheduler_task: AbortOnDropHandle<()>,
    pub(crate) closing: CancellationToken,
    pub(crate) releaser: mpsc::UnboundedSender<ReleaseCommand>,
    /// One local queue for all mutexes of a name.
    pub(crate) local_queues: Mutex<HashMap<String, Weak<LocalQueue>>>,
}

impl Core {
    /// Releases a token in the background. Never blocks and never panics: `Drop` calls it.
    pub(crate) fn release_in_background(&self, remote: Arc<RemoteLock>, token: Token) {
        // Without the release task the runtime has ended, and the lease expires.
        let _ = self.releaser.send(ReleaseCommand::Release(remote, token));
    }

    /// The prefix of the channels that serve all locks of a process.
    pub(crate) fn channel_prefix(&self) -> String {
        format!("{}wake:", self.options.prefix)
    }

    pub(crate) fn publish_verb(&self) -> &'static str {
        match self.link.is_cluster() {
            true => "SPUBLISH",
            false => "PUBLISH",
        }
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core")
            .field("process", &self.process)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Locks a mutex whose data is consistent between any two statements, so poisoning is ignored; `Drop` must not panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
