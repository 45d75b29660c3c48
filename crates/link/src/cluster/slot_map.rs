//! The slot map and the task that keeps it current.
//!
//! The task fetches the map from any master that replies, at the start from the seeds of the URL. It refreshes the map when
//! an error shows that it is outdated, and periodically. Refreshes are rate-limited, and a refresh that fails keeps the old
//! map: part of it is likely to be correct.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
    time::Duration,
};

use rand::seq::{IteratorRandom, SliceRandom};
use redis::{Cmd, Value, from_redis_value};
use tokio::{
    sync::{Notify, watch},
    time::sleep,
};

use crate::{
    Options,
    dial::Dialer,
    error::Cause,
    heartbeat::HeartbeatChannel,
    node::{Node, NodeState, ServerSource},
    reconnect,
    target::ServerAddress,
};

/// How often the map is refreshed without a reason, to notice changes of masters without traffic.
const REFRESH_EVERY: Duration = Duration::from_secs(10);
/// Shortest time between two refreshes: one command to one master, so it may be short.
const MIN_REFRESH_INTERVAL: Duration = Duration::from_millis(100);

/// The state of the map.
#[derive(Clone, Debug)]
pub(super) enum MapState {
    Pending,
    Map(Arc<SlotMap>),
    /// No map was ever fetched, for this reason.
    Failed(Cause),
}

/// Slots and their masters.
#[derive(Debug)]
pub(crate) struct SlotMap {
    /// Ranges by their last slot, so that a range is found by the first key at or above a slot.
    ranges: BTreeMap<u16, Range>,
    pub(crate) masters: BTreeMap<ServerAddress, Arc<Node>>,
}

#[derive(Debug)]
struct Range {
    first: u16,
    master: ServerAddress,
}

/// One row of the server's table: first slot, last slot, master.
type SlotRange = (u16, u16, ServerAddress);

impl SlotMap {
    pub(crate) fn master_of(&self, slot: u16) -> Option<&Arc<Node>> {
        let (_, range) = self.ranges.range(slot..).next()?;
        (range.first <= slot)
            .then(|| self.masters.get(&range.master))
            .flatten()
    }

    pub(crate) fn any_master(&self) -> Option<&Arc<Node>> {
        let up = |node: &&Arc<Node>| matches!(*node.state().borrow(), NodeState::Up(_));
        let working = self.masters.values().filter(up).choose(&mut rand::rng());
        working.or_else(|| self.masters.values().next())
    }

    fn equals(&self, rows: &[SlotRange]) -> bool {
        self.ranges.len() == rows.len()
            && rows.iter().all(|(first, last, master)| {
                let range = self.ranges.get(last);
                range.is_some_and(|range| range.first == *first && range.master == *master)
            })
    }
}

/// Every server of the cluster with an open connection: the masters of the map and, until the next map, the targets of
/// redirects.
#[derive(Debug)]
pub(crate) struct Nodes {
    pub(crate) dialer: Dialer,
    pub(crate) options: Options,
    pub(crate) meter: Arc<AtomicU64>,
    open: Mutex<HashMap<ServerAddress, Arc<Node>>>,
}

impl Nodes {
    pub(crate) fn new(dialer: Dialer, options: Options, meter: Arc<AtomicU64>) -> Self {
        Self {
            dialer,
            options,
            meter,
            open: Mutex::default(),
        }
    }

    pub(super) fn at(&self, address: &ServerAddress) -> Arc<Node> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let node = open.entry(address.clone()).or_insert_with(|| {
            let source = ServerSource::Fixed(address.clone());
            let (dialer, meter) = (self.dialer.clone(), self.meter.clone());
            let channel = HeartbeatChannel::none();
            Arc::new(Node::spawn(dialer, source, &self.options, channel, meter))
        });
        node.clone()
    }

    fn keep_only(&self, masters: &BTreeMap<ServerAddress, Arc<Node>>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|address, _| masters.contains_key(address));
    }
}

/// Runs until the cluster handle is dropped.
pub(super) async fn keep_current(
    nodes: Arc<Nodes>,
    seeds: Vec<ServerAddress>,
    known: watch::Sender<MapState>,
    stale: Arc<Notify>,
) {
    let mut backoff = reconnect::backoff();
    loop {
        match fetch(&nodes, &seeds, &known).await {
            Ok(rows) => {
                publish(&nodes, rows, &known);
                backoff.reset();
                tokio::select! {
                    () = stale.notified() => {}
                    () = sleep(REFRESH_EVERY) => {}
                }
                sleep(MIN_REFRESH_INTERVAL).await;
            }
            Err(cause) => {
                known.send_if_modified(|known| keep_map_or_fail(known, cause));
                backoff.sleep().await;
            }
        }
    }
}

fn keep_map_or_fail(known: &mut MapState, cause: Cause) -> bool {
    if let MapState::Map(_) = known {
        return false;
    }
    *known = MapState::Failed(cause);
    true
}

/// Replaces the map if it has changed. Nodes that stay keep their connections.
fn publish(nodes: &Nodes, rows: Vec<SlotRange>, known: &watch::Sender<MapState>) {
    if matches!(&*known.borrow(), MapState::Map(map) if map.equals(&rows)) {
        return;
    }
    let masters = rows.iter().map(|(_, _, master)| master);
    let masters: BTreeMap<_, _> = masters
        .map(|master| (master.clone(), nodes.at(master)))
        .collect();
    nodes.keep_only(&masters);
    let ranges = rows.into_iter();
    let ranges = ranges.map(|(first, last, master)| (last, Range { first, master }));
    let map = SlotMap {
        ranges: ranges.collect(),
        masters,
    };
    tracing::info!(
        masters = map.masters.len(),
        "redis cluster slot map changed"
    );
    known.send_replace(MapState::Map(Arc::new(map)));
}

async fn fetch(
    nodes: &Nodes,
    seeds: &[ServerAddress],
    known: &watch::Sender<MapState>,
) -> Result<Vec<SlotRange>, Cause> {
    let slots = redis::cmd("CLUSTER").arg("SLOTS").take();
    let known = known.borrow().clone();
    for (address, node) in working_masters(&known) {
        if let Ok(table) = node.send_uncounted(&slots).await
            && let Some(rows) = read_table(table, &address)
        {
            return Ok(rows);
        }
    }
    let mut failure = Cause::new("no seed was given");
    for seed in seeds {
        match fetch_from_seed(&nodes.dialer, seed, &slots).await {
            Ok(rows) => return Ok(rows),
            Err(cause) => failure = cause,
        }
    }
    Err(failure)
}

/// In random order, so that no single master's view is preferred.
fn working_masters(known: &MapState) -> Vec<(ServerAddress, Arc<Node>)> {
    let MapState::Map(map) = known else {
        return Vec::new();
    };
    let up = |node: &Arc<Node>| matches!(*node.state().borrow(), NodeState::Up(_));
    let working = map.masters.iter().filter(|(_, node)| up(node));
    let mut working: Vec<_> = working
        .map(|(address, node)| (address.clone(), node.clone()))
        .collect();
    working.shuffle(&mut rand::rng());
    working
}

async fn fetch_from_seed(
    dialer: &Dialer,
    seed: &ServerAddress,
    slots: &Cmd,
) -> Result<Vec<SlotRange>, Cause> {
    let mut connection = dialer.open(seed, |_| {}).await?;
    let table = connection.send_packed_command(slots).await;
    let table = table.and_then(Value::extract_error);
    let table = table.map_err(|error| Cause::at(seed, &error))?;
    read_table(table, seed)
        .ok_or_else(|| Cause::new(format_args!("{seed}: the table of slots is empty")))
}

/// The table, unless it is empty or malformed. A server that does not know its own host omits it; then the host is that
/// of `asked`.
fn read_table(table: Value, asked: &ServerAddress) -> Option<Vec<SlotRange>> {
    let table: Vec<Vec<Value>> = from_redis_value(table).ok()?;
    let rows = table.into_iter().map(|row| read_row(row, asked));
    let rows = rows.collect::<Option<Vec<_>>>()?;
    (!rows.is_empty()).then_some(rows)
}

fn read_row(row: Vec<Value>, asked: &ServerAddress) -> Option<SlotRange> {
    let mut row = row.into_iter();
    let first = from_redis_value(row.next()?).ok()?;
    let last = from_redis_value(row.next()?).ok()?;
    let mut master = from_redis_value::<Vec<Value>>(row.next()?)
        .ok()?
        .into_iter();
    let host: Option<String> = from_redis_value(master.next()?).ok()?;
    let port = from_redis_value(master.next()?).ok()?;
    let host = match (host, asked) {
        (Some(host), _) if !host.is_empty() && host != "?" => host,
        (_, ServerAddress::Tcp { host, .. }) => host.clone(),
        (_, ServerAddress::Unix(_)) => return None,
    };
    Some((first, last, ServerAddress::Tcp { host, port }))
}
