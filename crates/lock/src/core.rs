//! What all locks of one [`Locks`](crate::Locks) share: the link, the listener, the task that releases.

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
    desk::Desk,
    listener::Listener,
    releaser::Order,
    site::Site,
    token::{Process, Token},
    warden::Warden,
};

pub(crate) struct Core {
    pub(crate) link: Link,
    pub(crate) options: Options,
    pub(crate) process: Process,
    pub(crate) listener: Listener,
    pub(crate) warden: Arc<Warden>,
    pub(crate) _warden_task: AbortOnDropHandle<()>,
    pub(crate) closing: CancellationToken,
    pub(crate) releaser: mpsc::UnboundedSender<Order>,
    /// One desk for all mutexes of a name.
    pub(crate) desks: Mutex<HashMap<String, Weak<Desk>>>,
}

impl Core {
    /// Has a token released in the background. Never waits and never panics: it is called from `Drop`.
    pub(crate) fn bid_farewell(&self, site: Arc<Site>, token: Token) {
        // Without a releaser the runtime is gone, and the lease ends by itself.
        let _ = self.releaser.send(Order::Release(site, token));
    }

    /// What channels begin with where one channel serves all locks of a process.
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

/// Locks a mutex whose data is right at every moment, so a panic elsewhere does not spoil it; `Drop` must not panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
