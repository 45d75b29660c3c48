//! One run of the server program, from spawn to exit.
//!
//! Signals go through a pidfd, which names this very process: its pid might by then belong to another process.

use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::PrivateRedisError;
use crate::log_file::LogFile;
use crate::memory;
use crate::options::{AppendFsync, Options};
use crate::program::Program;
use crate::socket::{self, create_private};

/// Everything a start needs, so that the next start is the same as the first.
#[derive(Debug)]
pub(crate) struct StartPlan {
    program: Program,
    pub(crate) socket: PathBuf,
    /// Where the socket of an earlier run is, if there was one.
    pub(crate) earlier_socket: PathBuf,
    pub(crate) dir: PathBuf,
    pub(crate) log: LogFile,
    appendfsync: AppendFsync,
    max_memory_bytes: u64,
}

impl StartPlan {
    pub(crate) fn prepare(options: &Options) -> Result<Self, PrivateRedisError> {
        let program = Program::find(&options.program)?;
        let data_dir = &options.data_dir;
        let dir = data_dir.join("redis");
        create_private(&dir).map_err(|source| PrivateRedisError::Folder {
            path: dir.clone(),
            source,
        })?;
        Ok(Self {
            program,
            earlier_socket: socket::listed(data_dir),
            socket: socket::place(data_dir)?,
            log: LogFile::in_folder(&dir),
            dir,
            appendfsync: options.appendfsync,
            max_memory_bytes: memory::limit_bytes(options.max_memory_mib),
        })
    }

    pub(crate) fn program(&self) -> &str {
        &self.program.name
    }

    fn command(&self) -> Command {
        let fsync = self.appendfsync.as_str();
        let mut command = self.program.command();
        command
            .args(["--port", "0", "--daemonize", "no", "--loglevel", "notice"])
            .args(["--save", "", "--appendonly", "yes", "--appendfsync", fsync])
            .args(["--aof-load-truncated", "yes"])
            .args(["--maxmemory", &self.max_memory_bytes.to_string()])
            .args(["--maxmemory-policy", "noeviction"])
            .args(["--unixsocketperm", "700", "--unixsocket"])
            .arg(&self.socket)
            .arg("--dir")
            .arg(&self.dir)
            .arg("--logfile")
            .arg(self.log.path());
        command
    }
}

/// The running process, shared with the tasks that may have to kill it.
#[derive(Debug, Default)]
pub(crate) struct CurrentProcess(Mutex<Option<Arc<OwnedFd>>>);

impl CurrentProcess {
    fn set(&self, process: Option<Arc<OwnedFd>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = process;
    }

    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        let process = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(process) = process.as_ref() {
            // It fails only when the process has already ended, which is what we want.
            let _ = pidfd_send_signal(process, signal);
        }
    }
}

/// A running server. Its process is always reaped: `exited_within` or `end` must have said so before this is dropped.
#[derive(Debug)]
pub(crate) struct Child {
    process: std::process::Child,
    pidfd: Arc<OwnedFd>,
    current: Arc<CurrentProcess>,
}

impl Child {
    pub(crate) fn spawn(
        plan: &StartPlan,
        current: &Arc<CurrentProcess>,
    ) -> Result<Self, PrivateRedisError> {
        let failed = |source| PrivateRedisError::Spawn {
            program: plan.program().to_owned(),
            source,
        };
        let output = plan.log.append().map_err(failed)?;
        let errors = output.try_clone().map_err(failed)?;
        let process = plan
            .command()
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let pidfd = pidfd_open(Pid::from_child(&process), PidfdFlags::empty());
        let pidfd = Arc::new(pidfd.map_err(|errno| failed(errno.into()))?);
        current.set(Some(pidfd.clone()));
        Ok(Self {
            process,
            pidfd,
            current: current.clone(),
        })
    }

    pub(crate) fn pid(&self) -> i32 {
        Pid::from_child(&self.process).as_raw_pid()
    }

    /// Waits for the end, at most so long.
    pub(crate) fn exited_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        if !ends_within(&self.pidfd, limit) {
            return None;
        }
        let status = self.process.wait().unwrap_or_default();
        self.current.set(None);
        Some(status)
    }

    /// Stops a server by SIGTERM, then by SIGKILL.
    pub(crate) fn end(mut self, limit: Duration) {
        self.current.terminate();
        if self.exited_within(limit).is_none() {
            self.current.kill();
            let _ = self.process.wait();
            self.current.set(None);
        }
    }
}

/// Whether the process behind a pidfd ends in time.
pub(crate) fn ends_within(process: &OwnedFd, limit: Duration) -> bool {
    let timeout = Timespec::try_from(limit).ok();
    let mut fds = [PollFd::new(process, PollFlags::IN)];
    matches!(poll(&mut fds, timeout.as_ref()), Ok(ready) if ready > 0)
}

/// How a run ended, for people.
pub(crate) fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "for an unknown reason".to_owned(),
    }
}
