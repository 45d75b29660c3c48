//! One attack on one version: its processes, their callers, and a log of every event.
//!
//! The invariant: the attacker decides the schedule. A controlled call stays at a step until the attacker continues it, and
//! [`AttackRun`] waits until the call is at a step again, waits for another call, or is done.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use crate::attacked_process::{AttackedProcess, NumberedReply};
use crate::catalogue::CatalogueEntry;
use crate::protocol::{AttackCommand, ProcessReply, WORKER};
use crate::run_backends::RunBackends;
use crate::sale_outcome::SaleOutcome;
use crate::services::{Services, VersionDatabase};
use crate::version::{Endpoints, PurchaseReply, PurchaseRequest};

mod faults;
mod finish;
mod log;
mod setup;

pub use log::ScheduleEvent;
pub(crate) use setup::RunSetup;

/// Whatever takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Longer than any schedule: a lease that never runs out by itself.
pub(crate) const LONG_MS: u64 = 60_000;
/// Short enough to wait for its end.
pub(crate) const SHORT_MS: u64 = 250;

/// Where a call stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallState {
    Running,
    At(String),
    /// For another call.
    Waiting,
    Done(PurchaseReply),
}

/// Somebody's call, by its number and the process that got it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Call {
    pub(crate) process: usize,
    pub(crate) number: u64,
}

pub(crate) struct AttackRun<'a> {
    services: &'a Services,
    entry: &'static CatalogueEntry,
    database: &'a VersionDatabase,
    backends: RunBackends,
    places: Vec<Endpoints>,
    processes: Vec<AttackedProcess>,
    ears: mpsc::UnboundedSender<NumberedReply>,
    heard: mpsc::UnboundedReceiver<NumberedReply>,
    states: HashMap<Call, CallState>,
    buyers: HashMap<Call, i64>,
    other: Vec<NumberedReply>,
    last_call: u64,
    sale: i64,
    stock: usize,
    told: Vec<i64>,
    pub(crate) log: Vec<ScheduleEvent>,
}

impl<'a> AttackRun<'a> {
    pub(crate) async fn open(
        services: &'a Services,
        entry: &'static CatalogueEntry,
        database: &'a VersionDatabase,
        setup: RunSetup,
    ) -> Result<Self> {
        let backends = RunBackends::open(services, setup).await?;
        let mut places = Vec::new();
        for lease_ms in setup.leases {
            places.push(backends.places(services, entry, database, *lease_ms).await);
        }
        let (ears, heard) = mpsc::unbounded_channel();
        let mut run = Self {
            services,
            entry,
            database,
            backends,
            places,
            processes: Vec::new(),
            ears,
            heard,
            states: HashMap::new(),
            buyers: HashMap::new(),
            other: Vec::new(),
            last_call: WORKER,
            sale: 0,
            stock: 0,
            told: Vec::new(),
            log: Vec::new(),
        };
        for number in 0..run.places.len() {
            let process = run.start(number).await?;
            run.processes.push(process);
        }
        Ok(run)
    }

    /// Begins a new sale, with everything before forgotten.
    pub(crate) async fn publish(&mut self, stock: usize) -> Result<()> {
        self.sale = self.services.next_sale();
        self.stock = stock;
        self.told.clear();
        self.log.clear();
        self.states.retain(|call, _| call.number == WORKER);
        let (sale, stock) = (self.sale, i64::try_from(stock)?);
        self.database.tables.put_up(sale, stock).await?;
        self.processes[0]
            .send(AttackCommand::Publish { sale, stock })
            .await?;
        self.until(|reply| matches!(reply, ProcessReply::Published))
            .await?;
        self.backends.wait_for_replica().await
    }

    /// Somebody calls; returns when the call stands, waits or is done.
    pub(crate) async fn begin(&mut self, process: usize, buyer: i64, paced: bool) -> Result<Call> {
        self.last_call += 1;
        let number = self.last_call;
        let call = Call { process, number };
        self.states.insert(call, CallState::Running);
        self.buyers.insert(call, buyer);
        let sale = self.sale;
        let request = PurchaseRequest { sale, buyer };
        let command = AttackCommand::Buy {
            call: number,
            request,
            paced,
        };
        self.processes[process].send(command).await?;
        self.rest(call).await?;
        Ok(call)
    }

    /// Lets a standing call go on; returns when it stands again, waits or is done.
    pub(crate) async fn advance(&mut self, call: Call) -> Result<()> {
        self.states.insert(call, CallState::Running);
        let command = AttackCommand::Go { call: call.number };
        self.processes[call.process].send(command).await?;
        self.rest(call).await
    }

    /// Moves a call to its end.
    pub(crate) async fn finish(&mut self, call: Call) -> Result<PurchaseReply> {
        loop {
            match self.state(call) {
                CallState::Done(answer) => return Ok(answer),
                CallState::At(_) => self.advance(call).await?,
                CallState::Waiting | CallState::Running => self.listen().await?,
            }
        }
    }

    /// Moves a call on until it waits for another, or to its end.
    pub(crate) async fn push(&mut self, call: Call) -> Result<CallState> {
        while let CallState::At(_) = self.state(call) {
            self.advance(call).await?;
        }
        Ok(self.state(call))
    }

    /// Waits until a call stands or is done, however long it waits for others.
    pub(crate) async fn wait_for(&mut self, call: Call) -> Result<CallState> {
        while matches!(self.state(call), CallState::Waiting | CallState::Running) {
            self.listen().await?;
        }
        Ok(self.state(call))
    }

    /// A call from beginning to end, again as long as the answer decides nothing.
    pub(crate) async fn insist(&mut self, process: usize, buyer: i64) -> Result<PurchaseReply> {
        let until = Instant::now() + PATIENCE;
        loop {
            let call = self.begin(process, buyer, false).await?;
            match self.finish(call).await? {
                PurchaseReply::Busy | PurchaseReply::Failed if Instant::now() < until => {
                    sleep(Duration::from_millis(20)).await;
                }
                answer => return Ok(answer),
            }
        }
    }

    pub(crate) fn state(&self, call: Call) -> CallState {
        self.states
            .get(&call)
            .cloned()
            .unwrap_or(CallState::Running)
    }

    /// How many orders SQL has of this sale.
    pub(crate) async fn order_count(&self) -> Result<usize> {
        Ok(self.database.tables.orders(self.sale).await?.len())
    }

    /// Serves a crowd in one process, and says how many were answered per second.
    pub(crate) async fn serve_crowd(&mut self, people: i64) -> Result<f64> {
        let sale = self.sale;
        self.processes[0]
            .send(AttackCommand::Crowd { sale, people })
            .await?;
        let reply = self
            .until(|reply| matches!(reply, ProcessReply::Served { .. }))
            .await?;
        let ProcessReply::Served { micros, answers } = reply else {
            bail!("only this reply was waited for");
        };
        let told = answers.iter().filter_map(|answer| match answer {
            PurchaseReply::Ordered(id) => Some(*id),
            _ => None,
        });
        self.told.extend(told);
        #[expect(
            clippy::cast_precision_loss,
            reason = "a crowd and its seconds are small numbers"
        )]
        Ok(answers.len() as f64 / (micros as f64 / 1e6))
    }

    /// What SQL has, against what there was and what people were told.
    pub(crate) async fn verdict(&self) -> Result<SaleOutcome> {
        let orders = self.database.tables.orders(self.sale).await?;
        Ok(SaleOutcome::of(self.stock, &orders, &self.told))
    }

    async fn start(&mut self, number: usize) -> Result<AttackedProcess> {
        let (program, name) = (&self.services.program, self.entry.id);
        let ears = self.ears.clone();
        let process = AttackedProcess::start(program, name, &self.places[number], number, ears)?;
        let begun = self
            .until(|reply| matches!(reply, ProcessReply::Ready | ProcessReply::Ended))
            .await?;
        ensure!(
            matches!(begun, ProcessReply::Ready),
            "{name} ended at once; LAB_LOG=1 shows why"
        );
        Ok(process)
    }

    async fn rest(&mut self, call: Call) -> Result<()> {
        while self.state(call) == CallState::Running {
            self.listen().await?;
        }
        Ok(())
    }

    /// Takes in one thing that was said.
    async fn listen(&mut self) -> Result<()> {
        let heard = timeout(PATIENCE, self.heard.recv()).await;
        let heard = heard.with_context(|| format!("{} hangs", self.entry.id))?;
        let (process, reply) = heard.context("the run holds a sender itself")?;
        match reply {
            ProcessReply::At { call, step } => {
                let call = Call {
                    process,
                    number: call,
                };
                self.note_step(call, &step);
                self.states.insert(call, CallState::At(step));
            }
            ProcessReply::Waits { call } => {
                self.note_wait(Call {
                    process,
                    number: call,
                });
            }
            ProcessReply::Done { call, answer } => {
                let call = Call {
                    process,
                    number: call,
                };
                self.note_answer(call, answer);
                self.states.insert(call, CallState::Done(answer));
            }
            ProcessReply::Trouble { what } => bail!("{}: {what}", self.entry.id),
            other => self.other.push((process, other)),
        }
        Ok(())
    }

    /// Waits for a reply that is about no call.
    async fn until(&mut self, wanted: impl Fn(&ProcessReply) -> bool) -> Result<ProcessReply> {
        loop {
            let found = self.other.iter().position(|(_, reply)| wanted(reply));
            if let Some(found) = found {
                return Ok(self.other.remove(found).1);
            }
            self.listen().await?;
        }
    }
}
