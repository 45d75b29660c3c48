//! The `tandian` program as a process of its own: killed, frozen and started again like any other service.
//!
//! [`TestApp`](crate::TestApp) is the same server inside the test process, which cannot be killed by itself.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::time::timeout;

use crate::app::Client;
use crate::home::Home;
use crate::port::Port;
use crate::wait::wait_until;

/// Starting takes a second; the rest is for a machine that is busy compiling.
const START_LIMIT: Duration = Duration::from_secs(300);

/// Sessions for a great crowd take a minute.
const COMMAND_LIMIT: Duration = Duration::from_secs(300);

/// A server process with a port of its own; ended, with its folder, when dropped or when the test process ends.
#[derive(Debug)]
pub struct Tandian {
    program: PathBuf,
    args: Vec<String>,
    settings: Vec<(String, String)>,
    child: Mutex<Option<Child>>,
    port: Port,
    /// Dropped after `child`, which is reaped first.
    home: Home,
}

impl Tandian {
    /// Not started yet. `args` are those of the command line, `settings` are by their names in the file.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>, args: &[&str], settings: &[(&str, String)]) -> Self {
        let variable = |(name, value): &(&str, String)| {
            let name = name.to_uppercase().replace('.', "__");
            (format!("TANDIAN_{name}"), value.clone())
        };
        Self {
            program: program.into(),
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            settings: settings.iter().map(variable).collect(),
            child: Mutex::new(None),
            port: Port::reserve(),
            home: Home::new("site"),
        }
    }

    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.port.addr())
    }

    /// Where it works, and where its commands leave what they write.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.home.folder()
    }

    /// Starts it, and does not wait for anything.
    pub fn start(&self) {
        self.start_with(&[]);
    }

    /// Starts it unless it was started and not killed since.
    pub fn start_if_down(&self) {
        if self.child().is_none() {
            self.start();
        }
    }

    /// Starts it with further environment variables.
    #[track_caller]
    pub fn start_with(&self, variables: &[(&str, &str)]) {
        let mut child = self.child();
        assert!(child.is_none(), "tandian runs already");
        let mut command = self.command(&self.args);
        command.envs(variables.iter().copied());
        *child = Some(command.spawn().expect("tandian can be started"));
    }

    /// Runs another command of the program with the same settings, to its end.
    pub async fn run(&self, args: &[&str]) -> Output {
        let mut command = self.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let command = &mut tokio::process::Command::from(command);
        let ended = timeout(COMMAND_LIMIT, command.kill_on_drop(true).output()).await;
        let output = ended.unwrap_or_else(|_| panic!("tandian {args:?} goes on and on"));
        output.expect("tandian can be started")
    }

    /// Its number, while it runs.
    #[must_use]
    pub fn pid(&self) -> u32 {
        let child = self.child();
        child.as_ref().map(Child::id).expect("tandian runs")
    }

    /// Waits until it answers requests.
    pub async fn wait_until_ready(&self) {
        let visitor = Client::new(self.url());
        wait_until("tandian to answer", START_LIMIT, async || {
            self.assert_runs();
            let reply = visitor.try_send(reqwest::Method::GET, "/readyz", None);
            reply.await.is_ok_and(|reply| reply.status == 200)
        })
        .await;
    }

    /// How it ended, if it ended by itself since it was started. Then it may be started again.
    #[track_caller]
    pub fn take_end(&self) -> Option<ExitStatus> {
        let mut child = self.child();
        let end = child.as_mut()?.try_wait();
        let end = end.expect("our own child can be waited for")?;
        *child = None;
        Some(end)
    }

    /// SIGKILL, and waits until the process is gone. Nothing if it does not run.
    pub fn kill(&self) {
        if let Some(mut child) = self.child().take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// SIGSTOP: it keeps its connections and does nothing.
    pub fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    /// SIGCONT: it goes on as if no time had passed.
    pub fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    /// The end of its log.
    #[must_use]
    pub fn log_tail(&self) -> String {
        self.home.log_tail()
    }

    fn command(&self, args: &[impl AsRef<OsStr>]) -> Command {
        let mut command = self.home.command(&self.program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TANDIAN_") {
                command.env_remove(name);
            }
        }
        command
            .args(args)
            .env("TANDIAN_DATA_DIR", self.home.folder().join("data"))
            .env("TANDIAN_HTTP__ADDR", self.port.addr().to_string())
            .env("TANDIAN_METRICS__ADDR", "")
            .envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    #[track_caller]
    fn assert_runs(&self) {
        if let Some(end) = self.take_end() {
            panic!("tandian ended instead ({end})\n{}", self.log_tail());
        }
    }

    fn signal(&self, signal: Signal) {
        let child = self.child();
        let pid = child.as_ref().map(Child::id);
        let pid = pid.and_then(|pid| i32::try_from(pid).ok());
        let pid = pid.and_then(Pid::from_raw).expect("tandian runs");
        kill_process(pid, signal).expect("our own child can be signalled");
    }

    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Tandian {
    fn drop(&mut self) {
        self.kill();
    }
}
