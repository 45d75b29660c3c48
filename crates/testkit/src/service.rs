//! One server program in its home: started, killed, frozen, started again on the same folder.
//!
//! The invariant: at most one process at a time, a child of ours, reaped before [`Service::stop_hard`] returns,
//! so that its port and its locks are free.

use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::home::Home;
use crate::wait::wait_until;

/// Starting takes a fraction of a second (RabbitMQ: seconds, and minutes on a machine that is busy compiling). A process
/// that ends instead is noticed at once, so only one that hangs is waited for this long.
pub(crate) const START_LIMIT: Duration = Duration::from_secs(300);

/// One probe of a starting server; a server that hangs must not stop us from seeing that its process has ended.
const PROBE_LIMIT: Duration = Duration::from_secs(2);

const POLL: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(crate) struct Service {
    name: &'static str,
    process: Mutex<Process>,
    /// Dropped after `process`: the child is reaped first, so the folder is quiet when it is removed.
    home: Home,
}

#[derive(Debug)]
struct Process {
    command: Command,
    child: Option<Child>,
}

impl Service {
    /// A service that runs `command`, which was made by `home`. It is not started yet.
    pub(crate) fn new(name: &'static str, home: Home, command: Command) -> Self {
        let process = Mutex::new(Process {
            command,
            child: None,
        });
        Self {
            name,
            process,
            home,
        }
    }

    pub(crate) fn home(&self) -> &Home {
        &self.home
    }

    /// Starts the process and returns when `answers` does; panics with the end of its log if it ends instead.
    pub(crate) async fn start(&self, answers: impl AsyncFn() -> bool) {
        self.spawn();
        let deadline = Instant::now() + START_LIMIT;
        while !tokio::time::timeout(PROBE_LIMIT, answers())
            .await
            .unwrap_or(false)
        {
            self.assert_starting(deadline);
            tokio::time::sleep(POLL).await;
        }
    }

    /// SIGKILL, and waits until the process is gone.
    pub(crate) fn stop_hard(&self) {
        self.process().kill();
    }

    /// SIGSTOP: the process keeps its sockets and answers nobody.
    pub(crate) async fn freeze(&self) {
        let pid = self.signal(Signal::STOP);
        let what = format!("{} to freeze", self.name);
        wait_until(&what, PROBE_LIMIT, async || state_of(pid) == Some('T')).await;
    }

    /// SIGCONT: the process goes on as if no time had passed.
    pub(crate) fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    /// Whether it was started and not stopped since.
    pub(crate) fn is_running(&self) -> bool {
        self.process().child.is_some()
    }

    /// The process id, for signals and `/proc`.
    #[track_caller]
    pub(crate) fn pid(&self) -> u32 {
        let process = self.process();
        let child = process.child.as_ref();
        child
            .unwrap_or_else(|| panic!("{} is not running", self.name))
            .id()
    }

    #[track_caller]
    fn spawn(&self) {
        let mut process = self.process();
        assert!(process.child.is_none(), "{} runs already", self.name);
        let child = process.command.spawn();
        process.child =
            Some(child.unwrap_or_else(|error| panic!("cannot start {}: {error}", self.name)));
    }

    #[track_caller]
    fn assert_starting(&self, deadline: Instant) {
        let mut process = self.process();
        let child = process.child.as_mut();
        let exit = child.map(|child| child.try_wait().expect("our own child can be waited for"));
        let trouble = match exit {
            None => "was stopped while it started".to_owned(),
            Some(Some(status)) => format!("ended instead of answering ({status})"),
            Some(None) if Instant::now() > deadline => format!("gave no answer in {START_LIMIT:?}"),
            Some(None) => return,
        };
        panic!("{} {trouble}\n{}", self.name, self.home.log_tail());
    }

    #[track_caller]
    fn signal(&self, signal: Signal) -> Pid {
        let pid = i32::try_from(self.pid()).ok().and_then(Pid::from_raw);
        let pid = pid.expect("a running child has a positive pid");
        kill_process(pid, signal).expect("our own child can be signalled");
        pid
    }

    /// A panic elsewhere in the test must not keep us from ending the process.
    fn process(&self) -> MutexGuard<'_, Process> {
        self.process
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Process {
    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The state letter of `/proc/<pid>/stat`, which follows the program name in parentheses.
fn state_of(pid: Pid) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}
