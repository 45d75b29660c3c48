//! One experiment: processes of a version, the people who call them, and everything that was seen.
//!
//! The invariant: the attacker decides who moves. A paced call stands at a step until it is told to go on, and
//! [`Scene`] waits for it to stand again, to wait for another, or to be done.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use crate::branch::{Branch, Heard};
use crate::catalogue::Entry;
use crate::ground::{Database, Ground};
use crate::supply::Supply;
use crate::verdict::Verdict;
use crate::version::{Answer, Places, Wish};
use crate::wire::{Reply, WORKER, Word};

mod acts;
mod cast;
mod closing;
mod log;

pub(crate) use cast::Cast;
pub use log::Moment;

/// Whatever takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Longer than any schedule: a lease that never runs out by itself.
pub(crate) const LONG_MS: u64 = 60_000;
/// Short enough to wait for its end.
pub(crate) const SHORT_MS: u64 = 250;

/// Where a call stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    At(String),
    /// For another call.
    Waiting,
    Done(Answer),
}

/// Somebody's call, by its number and the process that got it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Call {
    pub(crate) branch: usize,
    pub(crate) number: u64,
}

pub(crate) struct Scene<'a> {
    ground: &'a Ground,
    entry: &'static Entry,
    database: &'a Database,
    supply: Supply,
    places: Vec<Places>,
    branches: Vec<Branch>,
    ears: mpsc::UnboundedSender<Heard>,
    heard: mpsc::UnboundedReceiver<Heard>,
    states: HashMap<Call, State>,
    buyers: HashMap<Call, i64>,
    other: Vec<Heard>,
    last_call: u64,
    sale: i64,
    stock: usize,
    told: Vec<i64>,
    pub(crate) log: Vec<Moment>,
}

impl<'a> Scene<'a> {
    pub(crate) async fn open(
        ground: &'a Ground,
        entry: &'static Entry,
        database: &'a Database,
        cast: Cast,
    ) -> Result<Self> {
        let supply = Supply::open(ground, cast).await?;
        let mut places = Vec::new();
        for lease_ms in cast.leases {
            places.push(supply.places(ground, entry, database, *lease_ms).await);
        }
        let (ears, heard) = mpsc::unbounded_channel();
        let mut scene = Self {
            ground,
            entry,
            database,
            supply,
            places,
            branches: Vec::new(),
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
        for number in 0..scene.places.len() {
            let branch = scene.start(number).await?;
            scene.branches.push(branch);
        }
        Ok(scene)
    }

    /// Begins a new sale, with everything before forgotten.
    pub(crate) async fn publish(&mut self, stock: usize) -> Result<()> {
        self.sale = self.ground.next_sale();
        self.stock = stock;
        self.told.clear();
        self.log.clear();
        self.states.retain(|call, _| call.number == WORKER);
        let (sale, stock) = (self.sale, i64::try_from(stock)?);
        self.database.shelf.put_up(sale, stock).await?;
        self.branches[0].say(Word::Publish { sale, stock }).await?;
        self.until(|reply| matches!(reply, Reply::Published))
            .await?;
        self.supply.wait_for_replica().await
    }

    /// Somebody calls; returns when the call stands, waits or is done.
    pub(crate) async fn begin(&mut self, branch: usize, buyer: i64, paced: bool) -> Result<Call> {
        self.last_call += 1;
        let number = self.last_call;
        let call = Call { branch, number };
        self.states.insert(call, State::Running);
        self.buyers.insert(call, buyer);
        let sale = self.sale;
        let wish = Wish { sale, buyer };
        let word = Word::Buy {
            call: number,
            wish,
            paced,
        };
        self.branches[branch].say(word).await?;
        self.rest(call).await?;
        Ok(call)
    }

    /// Lets a standing call go on; returns when it stands again, waits or is done.
    pub(crate) async fn advance(&mut self, call: Call) -> Result<()> {
        self.states.insert(call, State::Running);
        let word = Word::Go { call: call.number };
        self.branches[call.branch].say(word).await?;
        self.rest(call).await
    }

    /// Moves a call to its end.
    pub(crate) async fn finish(&mut self, call: Call) -> Result<Answer> {
        loop {
            match self.state(call) {
                State::Done(answer) => return Ok(answer),
                State::At(_) => self.advance(call).await?,
                State::Waiting | State::Running => self.listen().await?,
            }
        }
    }

    /// Moves a call on until it waits for another, or to its end.
    pub(crate) async fn push(&mut self, call: Call) -> Result<State> {
        while let State::At(_) = self.state(call) {
            self.advance(call).await?;
        }
        Ok(self.state(call))
    }

    /// Waits until a call stands or is done, however long it waits for others.
    pub(crate) async fn wait_for(&mut self, call: Call) -> Result<State> {
        while matches!(self.state(call), State::Waiting | State::Running) {
            self.listen().await?;
        }
        Ok(self.state(call))
    }

    /// A call from beginning to end, again as long as the answer decides nothing.
    pub(crate) async fn insist(&mut self, branch: usize, buyer: i64) -> Result<Answer> {
        let until = Instant::now() + PATIENCE;
        loop {
            let call = self.begin(branch, buyer, false).await?;
            match self.finish(call).await? {
                Answer::Busy | Answer::Failed if Instant::now() < until => {
                    sleep(Duration::from_millis(20)).await;
                }
                answer => return Ok(answer),
            }
        }
    }

    pub(crate) fn state(&self, call: Call) -> State {
        self.states.get(&call).cloned().unwrap_or(State::Running)
    }

    /// How many orders SQL has of this sale.
    pub(crate) async fn order_count(&self) -> Result<usize> {
        Ok(self.database.shelf.orders(self.sale).await?.len())
    }

    /// Serves a crowd in one process, and says how many were answered per second.
    pub(crate) async fn serve_crowd(&mut self, people: i64) -> Result<f64> {
        let sale = self.sale;
        self.branches[0].say(Word::Crowd { sale, people }).await?;
        let reply = self
            .until(|reply| matches!(reply, Reply::Served { .. }))
            .await?;
        let Reply::Served { micros, answers } = reply else {
            bail!("only this reply was waited for");
        };
        let told = answers.iter().filter_map(|answer| match answer {
            Answer::Ordered(id) => Some(*id),
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
    pub(crate) async fn verdict(&self) -> Result<Verdict> {
        let orders = self.database.shelf.orders(self.sale).await?;
        Ok(Verdict::of(self.stock, &orders, &self.told))
    }

    async fn start(&mut self, number: usize) -> Result<Branch> {
        let (program, name) = (&self.ground.program, self.entry.id);
        let ears = self.ears.clone();
        let branch = Branch::start(program, name, &self.places[number], number, ears)?;
        let begun = self
            .until(|reply| matches!(reply, Reply::Ready | Reply::Ended))
            .await?;
        ensure!(
            matches!(begun, Reply::Ready),
            "{name} ended at once; LAB_LOG=1 shows why"
        );
        Ok(branch)
    }

    async fn rest(&mut self, call: Call) -> Result<()> {
        while self.state(call) == State::Running {
            self.listen().await?;
        }
        Ok(())
    }

    /// Takes in one thing that was said.
    async fn listen(&mut self) -> Result<()> {
        let heard = timeout(PATIENCE, self.heard.recv()).await;
        let heard = heard.with_context(|| format!("{} hangs", self.entry.id))?;
        let (branch, reply) = heard.context("the scene keeps an ear open itself")?;
        match reply {
            Reply::At { call, step } => {
                let call = Call {
                    branch,
                    number: call,
                };
                self.note_step(call, &step);
                self.states.insert(call, State::At(step));
            }
            Reply::Waits { call } => {
                self.note_wait(Call {
                    branch,
                    number: call,
                });
            }
            Reply::Done { call, answer } => {
                let call = Call {
                    branch,
                    number: call,
                };
                self.note_answer(call, answer);
                self.states.insert(call, State::Done(answer));
            }
            Reply::Trouble { what } => bail!("{}: {what}", self.entry.id),
            other => self.other.push((branch, other)),
        }
        Ok(())
    }

    /// Waits for a reply that is about no call.
    async fn until(&mut self, wanted: impl Fn(&Reply) -> bool) -> Result<Reply> {
        loop {
            let found = self.other.iter().position(|(_, reply)| wanted(reply));
            if let Some(found) = found {
                return Ok(self.other.remove(found).1);
            }
            self.listen().await?;
        }
    }
}
