//! The faults that the attacker injects into processes, the network and Redis.

use anyhow::Result;

use super::{AttackRun, Call, CallState};
use crate::protocol::{AttackCommand, ProcessReply, WORKER};
use crate::sql_proxy::LostReply;

impl AttackRun<'_> {
    /// The worker of a process stops at its steps from here on, until the process is killed or the worker released. Returns
    /// when the process knows: an order that another process accepts next must find its worker held.
    pub(crate) async fn hold_worker(&mut self, process: usize) -> Result<()> {
        self.processes[process]
            .send(AttackCommand::HoldWorker)
            .await?;
        self.until(|reply| matches!(reply, ProcessReply::WorkerHeld))
            .await?;
        Ok(())
    }

    pub(crate) async fn release_worker(&mut self, process: usize) -> Result<()> {
        let number = WORKER;
        self.states.remove(&Call { process, number });
        self.processes[process]
            .send(AttackCommand::ReleaseWorker)
            .await
    }

    /// Waits until a paced worker is at a step, and returns its process.
    pub(crate) async fn wait_for_worker(&mut self) -> Result<Call> {
        loop {
            let workers = (0..self.processes.len()).map(|process| Call {
                process,
                number: WORKER,
            });
            let standing = workers
                .into_iter()
                .find(|worker| matches!(self.state(*worker), CallState::At(_)));
            match standing {
                Some(worker) => return Ok(worker),
                None => self.listen().await?,
            }
        }
    }

    /// `kill -9`, and the same process anew.
    pub(crate) async fn kill_and_restart(&mut self, process: usize) -> Result<()> {
        self.processes[process].kill().await?;
        self.until(|reply| matches!(reply, ProcessReply::Ended))
            .await?;
        self.note_act("kill", Some(process));
        self.observe().await?;
        self.states.retain(|call, _| call.process != process);
        self.processes[process] = self.start(process).await?;
        self.note_act("restart", Some(process));
        self.observe().await
    }

    pub(crate) async fn stop(&mut self, process: usize) -> Result<()> {
        self.note_act("pause", Some(process));
        self.processes[process].stop().await?;
        self.observe().await
    }

    pub(crate) async fn resume(&mut self, process: usize) -> Result<()> {
        self.note_act("resume", Some(process));
        self.observe().await?;
        self.processes[process].resume()
    }

    /// Drops the next reply of Redis and closes the connections.
    pub(crate) async fn lose_next_reply(&mut self) {
        self.note_act("lose-reply", None);
        self.backends.lose_next_reply().await;
    }

    pub(crate) async fn restore_connections(&mut self) {
        self.note_act("reconnect", None);
        self.backends.restore().await;
    }

    /// So many statements are answered by SQL, and the next one is not: its connection breaks instead.
    pub(crate) fn lose_sql_reply_after(&self, answered: usize) -> Result<()> {
        self.backends.lose_sql_reply_after(answered)
    }

    /// Forwards all replies of SQL again. Returns whether a reply was dropped; the log has the statement.
    pub(crate) fn restore_sql(&mut self) -> Result<bool> {
        let lost = self.backends.restore_sql()?;
        match lost {
            Some(LostReply::ToCommit) => self.note_cause("lose-commit-reply"),
            Some(LostReply::ToAnotherStatement) => self.note_cause("lose-sql-reply"),
            None => {}
        }
        Ok(lost.is_some())
    }

    /// Cuts the replica off; it becomes the master later.
    pub(crate) async fn let_replica_lag(&mut self) {
        self.note_act("lag", None);
        self.backends.let_replica_lag().await;
    }

    pub(crate) async fn fail_over(&mut self) -> Result<()> {
        self.note_act("failover", None);
        self.backends.fail_over().await?;
        self.observe().await
    }
}
