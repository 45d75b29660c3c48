//! One attack on one version: its processes, their callers, and a log of every event.
//!
//! The invariant: the attacker decides the schedule. A controlled call stays at a step until the attacker continues it, and
//! [`AttackRun`] waits until the call is at a step again, waits for another call, or is done.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use crate::attacked_process::{AttackedProcess, NumberedReply};
use crate::catalogue::CatalogueEntry;
use crate::protocol::{AttackCommand, ProcessReply, WORKER};
use crate::recording::{Ending, RawEvent, Recording};
use crate::run_backends::RunBackends;
use crate::sale_outcome::SaleOutcome;
use crate::services::{Services, VersionDatabase};
use crate::snapshot::Snapshot;
use crate::version::{Endpoints, PurchaseReply, PurchaseRequest};

mod faults;
mod finish;
mod log;
mod setup;

pub(crate) use setup::RunSetup;

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Longer than any schedule: a lease that does not expire during one.
pub(crate) const LONG_MS: u64 = 60_000;
/// Short enough to wait for its end.
pub(crate) const SHORT_MS: u64 = 250;

/// The state of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallState {
    Running,
    At(String),
    /// For another call.
    Waiting,
    Done(PurchaseReply),
}

/// A buyer's call, by its number and the process that received it.
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
    reply_sender: mpsc::UnboundedSender<NumberedReply>,
    reply_receiver: mpsc::UnboundedReceiver<NumberedReply>,
    states: HashMap<Call, CallState>,
    buyers: HashMap<Call, i64>,
    other: Vec<NumberedReply>,
    last_call: u64,
    sale: i64,
    past_sales: HashSet<i64>,
    stock: usize,
    replied_orders: Vec<i64>,
    /// What the stores held when the sale began.
    begin: Snapshot,
    log: Vec<RawEvent>,
    /// The end of a sale is not part of the schedule.
    is_recording: bool,
    /// The call of the last event in the log, if a call made it.
    last_noted: Option<Call>,
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
        let (reply_sender, reply_receiver) = mpsc::unbounded_channel();
        let mut run = Self {
            services,
            entry,
            database,
            backends,
            places,
            processes: Vec::new(),
            reply_sender,
            reply_receiver,
            states: HashMap::new(),
            buyers: HashMap::new(),
            other: Vec::new(),
            last_call: WORKER,
            sale: 0,
            past_sales: HashSet::new(),
            stock: 0,
            replied_orders: Vec::new(),
            begin: Snapshot::default(),
            log: Vec::new(),
            is_recording: false,
            last_noted: None,
        };
        for number in 0..run.places.len() {
            let process = run.start(number).await?;
            run.processes.push(process);
        }
        if let Some(places) = run.places.first() {
            run.backends.watch_broker(entry, places).await?;
        }
        Ok(run)
    }

    /// Begins a new sale and clears the log.
    pub(crate) async fn publish(&mut self, stock: usize) -> Result<()> {
        if self.sale != 0 {
            self.past_sales.insert(self.sale);
        }
        self.sale = self.services.next_sale();
        self.stock = stock;
        self.replied_orders.clear();
        self.log.clear();
        self.states.retain(|call, _| call.number == WORKER);
        let (sale, stock) = (self.sale, i64::try_from(stock)?);
        self.database.tables.put_up(sale, stock).await?;
        self.processes[0]
            .send(AttackCommand::Publish { sale, stock })
            .await?;
        self.until(|reply| matches!(reply, ProcessReply::Published))
            .await?;
        self.backends.wait_for_replica().await?;
        self.backends.begin_counting()?;
        self.begin = self.read_stores().await?;
        self.is_recording = true;
        Ok(())
    }

    /// The schedule up to here and the end of the sale, for the report.
    pub(crate) async fn record_end(&mut self, verdict: SaleOutcome) -> Result<Recording> {
        self.is_recording = true;
        self.note("latecomer", None, "close");
        self.observe().await?;
        let ending = Ending {
            sale: self.sale,
            verdict,
            replied: &self.replied_orders,
        };
        Ok(Recording::of(&self.begin, &self.log, &ending))
    }

    /// Reads the stores after the last event.
    async fn observe(&mut self) -> Result<()> {
        if !self.is_recording {
            return Ok(());
        }
        let after = self.read_stores().await?;
        if let Some(event) = self.log.last_mut() {
            event.after = after;
        }
        Ok(())
    }

    async fn read_stores(&mut self) -> Result<Snapshot> {
        let mut snapshot = Snapshot::default();
        snapshot.read_sql(&self.database.tables, self.sale).await?;
        self.backends.read(&mut snapshot, &self.past_sales).await?;
        Ok(snapshot)
    }

    /// Starts a call; returns when it is at a step, waits or is done.
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

    /// Continues a call that is at a step; returns when it is at the next step, waits or is done.
    pub(crate) async fn advance(&mut self, call: Call) -> Result<()> {
        self.states.insert(call, CallState::Running);
        let command = AttackCommand::Go { call: call.number };
        self.processes[call.process].send(command).await?;
        self.rest(call).await
    }

    /// Runs a call to its end.
    pub(crate) async fn finish(&mut self, call: Call) -> Result<PurchaseReply> {
        loop {
            match self.state(call) {
                CallState::Done(answer) => return Ok(answer),
                CallState::At(_) => self.advance(call).await?,
                CallState::Waiting | CallState::Running => self.listen().await?,
            }
        }
    }

    /// Runs a call until it waits for another, or to its end.
    pub(crate) async fn push(&mut self, call: Call) -> Result<CallState> {
        while let CallState::At(_) = self.state(call) {
            self.advance(call).await?;
        }
        Ok(self.state(call))
    }

    /// Waits until a call is at a step or done, however long it waits for others.
    pub(crate) async fn wait_for(&mut self, call: Call) -> Result<CallState> {
        while matches!(self.state(call), CallState::Waiting | CallState::Running) {
            self.listen().await?;
        }
        Ok(self.state(call))
    }

    /// A call from beginning to end, repeated while the reply decides nothing.
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

    /// Serves a crowd in one process, and returns the replies per second.
    pub(crate) async fn serve_crowd(&mut self, people: i64, progress: impl Fn(u64)) -> Result<f64> {
        let sale = self.sale;
        self.processes[0]
            .send(AttackCommand::Crowd { sale, people })
            .await?;
        let is_of_crowd = |reply: &ProcessReply| {
            let is_served = matches!(reply, ProcessReply::Served { .. });
            is_served || matches!(reply, ProcessReply::Progress { .. })
        };
        let (micros, answers) = loop {
            match self.until(is_of_crowd).await? {
                ProcessReply::Progress { clicks } => progress(clicks),
                ProcessReply::Served { micros, answers } => break (micros, answers),
                _ => bail!("only these replies were waited for"),
            }
        };
        let replied_orders = answers.iter().filter_map(|answer| match answer {
            PurchaseReply::Ordered(id) => Some(*id),
            _ => None,
        });
        self.replied_orders.extend(replied_orders);
        #[expect(
            clippy::cast_precision_loss,
            reason = "a crowd and its seconds are small numbers"
        )]
        Ok(answers.len() as f64 / (micros as f64 / 1e6))
    }

    /// Compares SQL with the stock and with the replies to buyers.
    pub(crate) async fn verdict(&self) -> Result<SaleOutcome> {
        let orders = self.database.tables.orders(self.sale).await?;
        Ok(SaleOutcome::of(self.stock, &orders, &self.replied_orders))
    }

    async fn start(&mut self, number: usize) -> Result<AttackedProcess> {
        let (program, name) = (&self.services.program, self.entry.id);
        let reply_sender = self.reply_sender.clone();
        let process =
            AttackedProcess::start(program, name, &self.places[number], number, reply_sender)?;
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

    /// Processes one reply.
    async fn listen(&mut self) -> Result<()> {
        let noted = self.log.len();
        self.receive().await?;
        if self.log.len() > noted {
            self.observe().await?;
        }
        Ok(())
    }

    async fn receive(&mut self) -> Result<()> {
        let received = timeout(PATIENCE, self.reply_receiver.recv()).await;
        let received = received.with_context(|| format!("{} hangs", self.entry.id))?;
        let (process, reply) = received.context("the run holds a sender itself")?;
        match reply {
            ProcessReply::At {
                call,
                step,
                standing,
            } => {
                let call = Call {
                    process,
                    number: call,
                };
                self.note_step(call, &step, standing);
                self.states.insert(call, CallState::At(step));
            }
            ProcessReply::Waits { call, standing } => {
                let number = call;
                self.note_wait(Call { process, number }, standing);
            }
            ProcessReply::Done { call, answer, saw } => {
                let call = Call {
                    process,
                    number: call,
                };
                self.note_answer(call, answer, saw);
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
