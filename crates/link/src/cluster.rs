//! Redis Cluster: commands go to the master of their slot.
//!
//! The client library has a cluster connection of its own. It is not used, because it repeats commands by itself after
//! a time-out or a lost connection, so that an increment may run twice, and because one dead master makes it hold back
//! commands for the healthy ones. Here every master is a [`Node`] like a single server is, a command is repeated only
//! when a server has replied that it did not run it (`MOVED`, `ASK`), and one task (see [`slot_map`]) keeps the slot map
//! current.

mod slot_map;
mod split;

use std::{sync::Arc, time::Duration};

use redis::{Cmd, Pipeline, Value};
use tokio::{
    sync::{Notify, watch},
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

use slot_map::MapState;
pub(crate) use slot_map::{Nodes, SlotMap};

use crate::{
    LinkError,
    error::{Cause, accept, is_passing, is_stale_master},
    node::Node,
    slot,
    target::ServerAddress,
};

/// A key moves once per migration; more redirects than this mean that the servers disagree permanently.
const MAX_REDIRECTS: usize = 5;

#[derive(Debug)]
pub(crate) struct Cluster {
    known: watch::Receiver<MapState>,
    /// Notified when an error shows that the map is outdated.
    stale: Arc<Notify>,
    nodes: Arc<Nodes>,
    response_timeout: Duration,
    _map_task: AbortOnDropHandle<()>,
}

impl Cluster {
    pub(crate) fn spawn(
        nodes: Nodes,
        seeds: Vec<ServerAddress>,
        response_timeout: Duration,
    ) -> Self {
        let (sender, known) = watch::channel(MapState::Pending);
        let stale = Arc::new(Notify::new());
        let nodes = Arc::new(nodes);
        let map_task = {
            let (nodes, stale) = (nodes.clone(), stale.clone());
            move || {
                slot_map::keep_current(nodes.clone(), seeds.clone(), sender.clone(), stale.clone())
            }
        };
        Self {
            known,
            stale,
            nodes,
            response_timeout,
            _map_task: AbortOnDropHandle::new(supervise::spawn("redis cluster map", map_task)),
        }
    }

    /// The map of slots, or the outcome of the first attempt to get one.
    pub(crate) async fn map(&self) -> Result<Arc<SlotMap>, LinkError> {
        if let MapState::Map(map) = &*self.known.borrow() {
            return Ok(map.clone());
        }
        let mut known = self.known.clone();
        let decided = known.wait_for(|known| !matches!(known, MapState::Pending));
        let decided = match timeout(self.response_timeout, decided).await {
            Ok(Ok(known)) => known.clone(),
            Ok(Err(_)) | Err(_) => MapState::Pending,
        };
        match decided {
            MapState::Map(map) => Ok(map),
            MapState::Failed(cause) => Err(LinkError::Unreachable(cause)),
            MapState::Pending => Err(LinkError::Unreachable(Cause::new(
                "the slot map of the cluster is not loaded yet",
            ))),
        }
    }

    /// Returns once another map than `seen` is known.
    pub(crate) async fn map_other_than(&self, seen: &Arc<SlotMap>) {
        let mut known = self.known.clone();
        let other =
            |known: &MapState| matches!(known, MapState::Map(map) if !Arc::ptr_eq(map, seen));
        if known.wait_for(other).await.is_err() {
            // The map task ends with the cluster, which outlives this call.
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

    pub(crate) async fn send(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        let mut reply = self.node_for(cmd).await?.send(cmd).await;
        for _ in 0..MAX_REDIRECTS {
            let Err(error) = &reply else { break };
            self.refresh_after(error);
            reply = match Redirect::read(error) {
                None => break,
                Some(Redirect::Moved(address)) => self.nodes.at(&address).send(cmd).await,
                Some(Redirect::Ask(address)) => {
                    send_to_importer(&self.nodes.at(&address), cmd).await
                }
            };
        }
        reply
    }

    /// Sends a command without a key to the master of `key`; no server redirects it.
    pub(crate) async fn send_to_master_of(&self, key: &str, cmd: &Cmd) -> Result<Value, LinkError> {
        let node = self
            .node_of_slot(Some(slot::of_key(key.as_bytes())))
            .await?;
        let reply = node.send(cmd).await;
        reply.inspect_err(|error| self.refresh_after(error))
    }

    pub(crate) async fn send_all(
        &self,
        pipeline: &Pipeline,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Value>, LinkError> {
        if !pipeline.is_transaction() {
            return split::send_all(self, pipeline).await;
        }
        let slot = pipeline.cmd_iter().find_map(slot::of_command);
        let node = self.node_of_slot(slot).await?;
        let mut replies = node.send_all(pipeline, offset, count).await;
        for _ in 0..MAX_REDIRECTS {
            let Err(error) = &replies else { break };
            self.refresh_after(error);
            // A transaction in which one command was redirected has run none of its commands.
            let Some(Redirect::Moved(address)) = Redirect::read(error) else {
                break;
            };
            let node = self.nodes.at(&address);
            replies = node.send_all(pipeline, offset, count).await;
        }
        replies
    }

    /// Refreshes the map if the error shows that it may be outdated.
    pub(crate) fn refresh_after(&self, error: &LinkError) {
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

/// Sends a command to the master that imports the key. `ASKING` holds only for the next command of the connection, so both
/// go in one pipeline.
async fn send_to_importer(node: &Node, cmd: &Cmd) -> Result<Value, LinkError> {
    let mut both = Pipeline::with_capacity(2);
    both.cmd("ASKING").add_command(cmd.clone());
    let mut replies = node.send_all(&both, 0, 2).await?;
    accept(replies.pop().unwrap_or(Value::Nil))
}

/// A redirect of a server: slot and address.
enum Redirect {
    Moved(ServerAddress),
    Ask(ServerAddress),
}

impl Redirect {
    fn read(error: &LinkError) -> Option<Self> {
        let LinkError::Refused { code, message } = error else {
            return None;
        };
        let address = || ServerAddress::of_node(message.split_ascii_whitespace().nth(1)?);
        match code.as_str() {
            "MOVED" => address().map(Self::Moved),
            "ASK" => address().map(Self::Ask),
            _ => None,
        }
    }
}
