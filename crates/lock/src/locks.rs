//! Where locks come from: [`Locks`].

use std::{collections::HashMap, sync::Arc, sync::Mutex as StdMutex, time::Duration};

use link::Link;
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    FairMutex, Mutex, RwLock, Semaphore, Term,
    core::Core,
    desk::Desk,
    limits::{LEASE, OUTAGE_LIMIT},
    listener::Listener,
    releaser::{self, Order},
    seat::Seats,
    site::Kind,
    token::Process,
    warden::Warden,
};

/// What applies to all locks of a [`Locks`].
#[derive(Clone, Debug)]
pub struct Options {
    /// What all keys and channels begin with.
    pub prefix: String,
    /// Lease of locks without a term of their own, which are renewed every third of it.
    pub lease: Duration,
    /// How long an acquisition goes on asking a Redis that does not answer.
    pub outage_limit: Duration,
}

/// Makes locks that share one link, one subscription and one task for releases. Cheap to clone; a process needs one.
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
    /// Must be called within a tokio runtime, which then does the work in the background.
    pub fn new(link: Link) -> Self {
        Self::with_options(link, Options::default())
    }

    /// Must be called within a tokio runtime, which then does the work in the background.
    pub fn with_options(link: Link, options: Options) -> Self {
        let runtime = Handle::current();
        let process = Process::random();
        let (releaser, orders) = mpsc::unbounded_channel();
        tokio::spawn(releaser::run(orders));
        let warden = Arc::new(Warden::default());
        let watching = warden.clone();
        let watching = supervise::spawn("lock warden", move || watching.clone().run());
        let channel = format!("{}wake:{process}", options.prefix);
        let core = Core {
            listener: Listener::new(link.clone(), runtime, channel),
            link,
            options,
            process,
            _warden_task: AbortOnDropHandle::new(watching),
            warden,
            closing: CancellationToken::new(),
            releaser,
            desks: StdMutex::new(HashMap::new()),
        };
        Self {
            core: Arc::new(core),
        }
    }

    pub fn mutex(&self, name: &str) -> Mutex {
        Mutex::new(Desk::open(&self.core, name), self.core.options.term())
    }

    pub fn fair_mutex(&self, name: &str) -> FairMutex {
        FairMutex::new(self.seats(Kind::Fair, name))
    }

    pub fn rw_lock(&self, name: &str) -> RwLock {
        RwLock::new(self.seats(Kind::ReadWrite, name))
    }

    /// With at least one permit.
    pub fn semaphore(&self, name: &str, permits: u32) -> Semaphore {
        let permits = permits.max(1);
        Semaphore::new(self.seats(Kind::Semaphore { permits }, name))
    }

    /// Refuses further acquisitions and returns when everything dropped so far is released, or after this time, which
    /// it says by `false`. Guards that are still held stay in force.
    pub async fn shutdown(&self, limit: Duration) -> bool {
        self.core.closing.cancel();
        let (done, flushed) = oneshot::channel();
        // Without a releaser the runtime is ending, and so is the wait.
        let _ = self.core.releaser.send(Order::Flush(done));
        matches!(timeout(limit, flushed).await, Ok(Ok(())))
    }

    fn seats(&self, kind: Kind, name: &str) -> Seats {
        Seats::new(self.core.clone(), kind, name)
    }
}
