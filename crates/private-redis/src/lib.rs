//! A `redis-server` child of this process: on a unix socket in the data directory, with every write on disk before Redis
//! acknowledges it.
//!
//! A thread of its own, the *supervisor*, starts the server, waits for its exit and restarts it, with growing pauses, until
//! it is stopped. The server runs in its own process group, so Ctrl-C in a terminal reaches Tandian alone, which then shuts
//! it down.
//!
//! The supervisor starts it through `setpriv --pdeathsig TERM`, so the kernel signals it when its parent is gone, kill -9
//! included. The kernel means the *thread* that started it, which is why the supervisor never ends before the server does.
//! Without `setpriv`, a killed Tandian leaves the server behind as an orphan; the next start finds it on the socket, checks
//! that it uses our directory, shuts it down cleanly and goes on with its files.
//!
//! Invariant: at most one server uses the directory. The caller's lock on it excludes other processes of ours; the
//! supervisor starts a server only after the one before it has exited.

mod child;
mod client;
mod log_file;
mod memory;
mod options;
mod orphan;
mod program;
mod socket;
mod supervisor;

use std::any::Any;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{oneshot, watch};

use child::{CurrentProcess, StartPlan};
pub use memory::{MemoryUsage, NEAR_LIMIT, NEARLY_FULL};
pub use options::{AppendFsync, Options};
pub use program::{OLDEST_REDIS, Program, Version};
pub use socket::running_url;
use supervisor::RedisSupervisor;

/// Every write is on disk already, so shutting down takes milliseconds; a server that takes longer hangs.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(5);
const SIGTERM_LIMIT: Duration = Duration::from_secs(2);

#[derive(Debug, Error)]
pub enum PrivateRedisError {
    #[error("{program} not found: sudo apt-get install redis-server, or set TANDIAN_REDIS__URL")]
    Missing { program: String },
    #[error("cannot run {program}: set TANDIAN_REDIS__SERVER to a working redis-server")]
    Unrunnable { program: String, source: io::Error },
    #[error("{program} is not a redis-server: set TANDIAN_REDIS__SERVER to one")]
    NotRedis { program: String },
    #[error(
        "{program} is version {found}, {needed} or newer is needed: upgrade it, or set TANDIAN_REDIS__URL"
    )]
    TooOld {
        program: String,
        found: Version,
        needed: Version,
    },
    #[error("cannot prepare {} for the private Redis", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("{} belongs to somebody else: remove it, or use a data folder with a shorter path", path.display())]
    ForeignFolder { path: PathBuf },
    #[error("{} is the socket of a Redis that works in {dir}: stop that one, or set TANDIAN_DATA_DIR", socket.display())]
    ForeignServer { socket: PathBuf, dir: String },
    #[error(
        "an earlier Redis (process {pid}) still works in the data folder and does not end: stop it"
    )]
    OrphanStays { pid: i32 },
    #[error("cannot start {program}")]
    Spawn { program: String, source: io::Error },
    #[error("the private Redis ended at once, {status}: {last_words}; the whole story is in {}", log.display())]
    Exited {
        status: String,
        last_words: String,
        log: PathBuf,
    },
    #[error("the private Redis does not answer: see {}", log.display())]
    Silent { log: PathBuf },
    #[error("stopped while starting")]
    Stopped,
}

/// What the private Redis is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Running { pid: i32 },
    Restarting { pause: Duration },
    Stopped,
}

/// A running private Redis. `stop` shuts it down and waits; dropping this sends SIGTERM and does not wait.
#[derive(Debug)]
pub struct PrivateRedis {
    plan: Arc<StartPlan>,
    states: watch::Receiver<State>,
    current: Arc<CurrentProcess>,
    /// Dropping it stops the supervisor; nothing is ever sent.
    stop_order: Option<mpsc::Sender<()>>,
    /// Closes when the supervisor has returned.
    ended: mpsc::Receiver<()>,
    supervisor: Option<JoinHandle<()>>,
    /// The caller's lock on the data directory; only its lifetime matters here.
    lock: Option<Box<dyn Any + Send>>,
}

impl PrivateRedis {
    /// Returns when the server answers. `lock` excludes other processes from the data directory; it is dropped when the
    /// server has exited, so that no other process starts one on the same files.
    pub async fn start(
        options: &Options,
        lock: impl Send + 'static,
    ) -> Result<Self, PrivateRedisError> {
        let plan = Arc::new(StartPlan::prepare(options)?);
        let (stop_order, stop) = mpsc::channel();
        let (ending, ended) = mpsc::channel();
        let (started, first_start) = oneshot::channel();
        let (states, watched) = watch::channel(State::Restarting {
            pause: Duration::ZERO,
        });
        let current = Arc::new(CurrentProcess::default());
        let supervisor = RedisSupervisor::new(plan.clone(), current.clone(), states, stop);
        let thread = std::thread::Builder::new().name("private-redis".to_owned());
        let supervisor = thread
            .spawn(move || supervisor.run(started, ending))
            .map_err(|source| PrivateRedisError::Spawn {
                program: plan.program().to_owned(),
                source,
            })?;
        let redis = Self {
            plan,
            states: watched,
            current,
            stop_order: Some(stop_order),
            ended,
            supervisor: Some(supervisor),
            lock: Some(Box::new(lock)),
        };
        match first_start.await {
            Ok(Ok(())) => Ok(redis),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(PrivateRedisError::Stopped),
        }
    }

    /// The URL of its socket, for any client.
    pub fn url(&self) -> String {
        socket::url(&self.plan.socket)
    }

    /// Changes of state, for readiness and for tests.
    pub fn states(&self) -> watch::Receiver<State> {
        self.states.clone()
    }

    /// Shuts the server down, by `SHUTDOWN`, then by signals; returns when it has exited.
    pub async fn stop(self) {
        // The closure cannot panic, and a runtime that is shutting down runs `Drop` instead.
        let _ = tokio::task::spawn_blocking(move || self.stop_blocking()).await;
    }

    fn stop_blocking(mut self) {
        self.stop_order = None;
        client::shut_down(&self.plan.socket);
        if !self.has_ended_within(SHUTDOWN_LIMIT) {
            tracing::warn!("private Redis did not shut down: sending signals");
            self.current.terminate();
            if !self.has_ended_within(SIGTERM_LIMIT) {
                self.current.kill();
            }
        }
        if let Some(supervisor) = self.supervisor.take() {
            let _ = supervisor.join();
        }
        self.lock = None;
    }

    fn has_ended_within(&self, limit: Duration) -> bool {
        self.ended.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Disconnected)
    }
}

impl Drop for PrivateRedis {
    fn drop(&mut self) {
        self.stop_order = None;
        self.current.terminate();
    }
}
