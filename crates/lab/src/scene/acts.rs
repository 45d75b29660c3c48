//! What the attacker does to processes, to the network and to Redis.

use anyhow::Result;

use super::{Call, Scene, State};
use crate::sql_line::LostAnswer;
use crate::wire::{Reply, WORKER, Word};

impl Scene<'_> {
    /// The worker of a process stops at its steps from here on, until the process is killed or the worker released.
    pub(crate) async fn hold_worker(&mut self, branch: usize) -> Result<()> {
        self.branches[branch]
            .say(Word::HoldWorker { hold: true })
            .await
    }

    pub(crate) async fn release_worker(&mut self, branch: usize) -> Result<()> {
        let number = WORKER;
        self.states.remove(&Call { branch, number });
        self.branches[branch]
            .say(Word::HoldWorker { hold: false })
            .await?;
        self.branches[branch].say(Word::Go { call: number }).await
    }

    /// Waits until a worker that is held stands at a step, and says in which process.
    pub(crate) async fn wait_for_worker(&mut self) -> Result<Call> {
        loop {
            let workers = (0..self.branches.len()).map(|branch| Call {
                branch,
                number: WORKER,
            });
            let standing = workers
                .into_iter()
                .find(|worker| matches!(self.state(*worker), State::At(_)));
            match standing {
                Some(worker) => return Ok(worker),
                None => self.listen().await?,
            }
        }
    }

    /// `kill -9`, and the same process anew.
    pub(crate) async fn kill_and_restart(&mut self, branch: usize) -> Result<()> {
        self.note_act("kill", Some(branch));
        self.branches[branch].kill().await?;
        self.until(|reply| matches!(reply, Reply::Ended)).await?;
        self.states.retain(|call, _| call.branch != branch);
        self.branches[branch] = self.start(branch).await?;
        self.note_act("restart", Some(branch));
        Ok(())
    }

    pub(crate) async fn stop(&mut self, branch: usize) -> Result<()> {
        self.note_act("pause", Some(branch));
        self.branches[branch].stop().await
    }

    pub(crate) fn resume(&mut self, branch: usize) -> Result<()> {
        self.note_act("resume", Some(branch));
        self.branches[branch].resume()
    }

    /// The next answer of Redis to anybody is lost, and the connections with it.
    pub(crate) async fn lose_next_reply(&mut self) {
        self.note_act("lose-reply", None);
        self.supply.lose_next_reply().await;
    }

    pub(crate) async fn restore_connections(&mut self) {
        self.note_act("reconnect", None);
        self.supply.restore().await;
    }

    /// So many statements are answered by SQL, and the next one is not: its connection breaks instead.
    pub(crate) fn lose_sql_reply_after(&self, answered: usize) -> Result<()> {
        self.supply.lose_sql_reply_after(answered)
    }

    /// SQL answers everything again. Says whether an answer was lost, and the log says to what.
    pub(crate) fn restore_sql(&mut self) -> Result<bool> {
        let lost = self.supply.restore_sql()?;
        match lost {
            Some(LostAnswer::ToCommit) => self.note_cause("lose-commit-reply"),
            Some(LostAnswer::ToAnotherStatement) => self.note_cause("lose-sql-reply"),
            None => {}
        }
        Ok(lost.is_some())
    }

    /// From here on the replica hears nothing; it will be the master soon.
    pub(crate) async fn let_replica_lag(&mut self) {
        self.note_act("lag", None);
        self.supply.let_replica_lag().await;
    }

    pub(crate) async fn fail_over(&mut self) -> Result<()> {
        self.note_act("failover", None);
        self.supply.fail_over().await
    }
}
