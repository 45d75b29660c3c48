//! The handle of a process under attack: sends commands, stops, kills and restarts it.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process};
use testkit::wait_until;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;

use crate::protocol::{AttackCommand, ProcessReply};
use crate::version::Endpoints;

/// Signals take effect at once, except on a busy machine.
const SIGNAL_LIMIT: Duration = Duration::from_secs(10);

/// If set, the errors of processes are printed.
const LOG: &str = "LAB_LOG";

#[derive(Debug)]
pub(crate) struct AttackedProcess {
    child: Child,
    input: ChildStdin,
}

/// A reply, with the number of its process.
pub(crate) type NumberedReply = (usize, ProcessReply);

impl AttackedProcess {
    /// Starts a process of this version. It sends `replies`, beginning with [`ProcessReply::Ready`].
    pub(crate) fn start(
        program: &Path,
        version: &str,
        places: &Endpoints,
        number: usize,
        replies: mpsc::UnboundedSender<NumberedReply>,
    ) -> Result<Self> {
        let errors = match std::env::var_os(LOG) {
            Some(_) => Stdio::inherit(),
            None => Stdio::null(),
        };
        let mut child = Command::new(program)
            .args(["process", version])
            .arg(serde_json::to_string(places)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            .kill_on_drop(true)
            .spawn()
            .context("the lab starts itself")?;
        let input = child.stdin.take().context("the input is a pipe")?;
        let output = child.stdout.take().context("the output is a pipe")?;
        tokio::spawn(forward_replies(output, number, replies));
        Ok(Self { child, input })
    }

    pub(crate) async fn send(&mut self, command: AttackCommand) -> Result<()> {
        let mut line = serde_json::to_vec(&command)?;
        line.push(b'\n');
        self.input.write_all(&line).await?;
        Ok(())
    }

    /// `kill -9`; returns when it is gone.
    pub(crate) async fn kill(&mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }

    /// StepGates it in its tracks, as a garbage collection or a sleeping machine does.
    pub(crate) async fn stop(&self) -> Result<()> {
        kill_process(self.pid()?, Signal::STOP)?;
        let status = format!("/proc/{}/stat", self.pid()?);
        let is_stopped = async || {
            let status = std::fs::read_to_string(&status).unwrap_or_default();
            // The state follows the name, which is in parentheses.
            status
                .rsplit(')')
                .next()
                .is_some_and(|rest| rest.starts_with(" T"))
        };
        wait_until("the process to stand still", SIGNAL_LIMIT, is_stopped).await;
        Ok(())
    }

    pub(crate) fn resume(&self) -> Result<()> {
        Ok(kill_process(self.pid()?, Signal::CONT)?)
    }

    fn pid(&self) -> Result<Pid> {
        let id = self.child.id().context("the process lives")?;
        let pid = Pid::from_raw(i32::try_from(id)?);
        pid.context("no process has the number zero")
    }
}

/// Forwards the replies of a process, and finally its end. A send fails only when the run is over.
async fn forward_replies(
    output: ChildStdout,
    number: usize,
    replies: mpsc::UnboundedSender<NumberedReply>,
) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let Ok(reply) = serde_json::from_str(&line) else {
            break;
        };
        let _ = replies.send((number, reply));
    }
    let _ = replies.send((number, ProcessReply::Ended));
}
