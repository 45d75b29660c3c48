//! Redis Cluster: commands go to the master of their slot.
//!
//! The client library has a cluster connection of its own. It is not used, because it repeats commands by itself after
//! a time-out or a lost connection, so that an increment may run twice, and because one dead master makes it hold back
//! commands for the healthy ones. Here every master is a [`Node`] like a single server is, a command is repeated only
//! when a server has answered that it did not run it (`MOVED`, `ASK`), and one task (see [`map`]) keeps the map of
//! slots.

mod map;
mod split;

use std::{sync::Arc, time::Duration};

use redis::{Cmd, Pipeline, Value};
use tokio::{
    sync::{Notify, watch},
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

use map::Known;
pub(crate) use map::{Map, Nodes};

use crate::{
    LinkError,
    error::{Cause, accept, is_passing, is_stale_master},
    node::Node,
    slot,
    target::Address,
};

/// A key moves once per migration; more hops than this mean that the servers disagree for good.
const MAX_REDIRECTS: usize = 5;

#[derive(Debug)]
pub(crate) struct Cluster {
    known: watch::Receiver<Known>,
    /// Raised by whoever sees that the map is outdated.
    stale: Arc<Notify>,
    nodes: Arc<Nodes>,
    response_timeout: Duration,
    _keeper: AbortOnDropHandle<()>,
}

impl Cluster {
    pub(crate) fn spawn(nodes: Nodes, seeds: Vec<Address>, response_timeout: Duration) -> Self {
        let (sender, known) = watch::channel(Known::NotYet);
        let stale = Arc::new(Notify::new());
        let nodes = Arc::new(nodes);
        let keeper = {
            let (nodes, stale) = (nodes.clone(), stale.clone());
            move || map::keep(nodes.clone(), seeds.clone(), sender.clone(), stale.clone())
        };
        Self {
            known,
            stale,
            nodes,
            response_timeout,
            _keeper: AbortOnDropHandle::new(supervise::spawn("redis cluster map", keeper)),
        }
    }

    /// The map of slots, or the outcome of the first attempt to get one.
    pub(crate) async fn map(&self) -> Result<Arc<Map>, LinkError> {
        if let Known::Map(map) = &*self.known.borrow() {
            return Ok(map.clone());
        }
        let mut known = self.known.clone();
        let decided = known.wait_for(|known| !matches!(known, Known::NotYet));
        let decided = match timeout(self.response_timeout, decided).await {
            Ok(Ok(known)) => known.clone(),
            Ok(Err(_)) | Err(_) => Known::NotYet,
        };
        match decided {
            Known::Map(map) => Ok(map),
            Known::Nothing(cause) => Err(LinkError::Unreachable(cause)),
            Known::NotYet => Err(LinkError::Unreachable(Cause::new(
                "the cluster is still being explored",
            ))),
        }
    }

    /// Returns once another map than `seen` is known.
    pub(crate) async fn map_other_than(&self, seen: &Arc<Map>) {
        let mut known = self.known.clone();
        let other = |known: &Known| matches!(known, Known::Map(map) if !Arc::ptr_eq(map, seen));
        if known.wait_for(other).await.is_err() {
            // The keeper ends with the cluster, and whoever waits here does not outlive it.
            std::future::pending::<()>().await;
        }
    }

    /// The master to send a command to; any one for a command without keys.
    pub(crate) async fn node_for(&self, cmd: &Cmd) -> Result<Arc<Node>, LinkError> {
        self.node_of_slot(slot::of_command(cmd)).await
    }

    async fn node_of_slot(&self, slot: Option<u16>) -> Result<Arc<Node>, LinkError> {
        let map = self.map().await?;
        let node = match slot {
            Some(slot) => map.master_of(slot),
            None => map.any_master(),
        };
        node.cloned().ok_or_else(|| {
            self.stale.notify_one();
            LinkError::Unreachable(Cause::new("no master serves the slot of the key"))
        })
    }

    pub(crate) async fn ask(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        let mut answer = self.node_for(cmd).await?.ask(cmd).await;
        for _ in 0..MAX_REDIRECTS {
            let Err(error) = &answer else { break };
            self.learn_from(error);
            answer = match Redirect::read(error) {
                None => break,
                Some(Redirect::Moved(address)) => self.nodes.at(&address).ask(cmd).await,
                Some(Redirect::Ask(address)) => ask_importer(&self.nodes.at(&address), cmd).await,
            };
        }
        answer
    }

    /// Asks the master of a key something that no server redirects, because it has no key.
    pub(crate) async fn ask_beside(&self, key: &str, cmd: &Cmd) -> Result<Value, LinkError> {
        let node = self
            .node_of_slot(Some(slot::of_key(key.as_bytes())))
            .await?;
        let answer = node.ask(cmd).await;
        answer.inspect_err(|error| self.learn_from(error))
    }

    pub(crate) async fn ask_all(
        &self,
        pipeline: &Pipeline,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Value>, LinkError> {
        if !pipeline.is_transaction() {
            return split::ask_all(self, pipeline).await;
        }
        let slot = pipeline.cmd_iter().find_map(slot::of_command);
        let node = self.node_of_slot(slot).await?;
        let mut answers = node.ask_all(pipeline, offset, count).await;
        for _ in 0..MAX_REDIRECTS {
            let Err(error) = &answers else { break };
            self.learn_from(error);
            // A transaction with one command that was sent elsewhere has run none of them.
            let Some(Redirect::Moved(address)) = Redirect::read(error) else {
                break;
            };
            let node = self.nodes.at(&address);
            answers = node.ask_all(pipeline, offset, count).await;
        }
        answers
    }

    /// Has the map renewed when an error shows that it may be outdated.
    pub(crate) fn learn_from(&self, error: &LinkError) {
        let outdated = match error {
            LinkError::Unreachable(_) | LinkError::Lost(_) | LinkError::TimedOut(_) => true,
            LinkError::Refused { code, .. } => {
                code == "MOVED" || is_passing(code) || is_stale_master(code)
            }
            _ => false,
        };
        if outdated {
            self.stale.notify_one();
        }
    }
}

/// Asks a master that is about to receive the key. `ASKING` holds for the next command of the connection only, so both
/// travel in one piece.
async fn ask_importer(node: &Node, cmd: &Cmd) -> Result<Value, LinkError> {
    let mut both = Pipeline::with_capacity(2);
    both.cmd("ASKING").add_command(cmd.clone());
    let mut answers = node.ask_all(&both, 0, 2).await?;
    accept(answers.pop().unwrap_or(Value::Nil))
}

/// A redirection, as a server worded it: slot and address.
enum Redirect {
    Moved(Address),
    Ask(Address),
}

impl Redirect {
    fn read(error: &LinkError) -> Option<Self> {
        let LinkError::Refused { code, message } = error else {
            return None;
        };
        let address = || Address::of_node(message.split_ascii_whitespace().nth(1)?);
        match code.as_str() {
            "MOVED" => address().map(Self::Moved),
            "ASK" => address().map(Self::Ask),
            _ => None,
        }
    }
}
