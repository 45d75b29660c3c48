//! The map of slots and the task that keeps it true.
//!
//! The map is fetched from any master that answers, at the start from the seeds of the URL. It is renewed when someone
//! has seen that it is outdated, and now and then in any case. Renewals are spaced, however many ask for one, and a
//! renewal that fails leaves the old map in place: part of it is likely to be right.

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
    node::{Node, Source, State},
    reconnect,
    target::Address,
};

/// A map nobody complains about is renewed this often, to notice masters without traffic.
const RENEWAL: Duration = Duration::from_secs(10);
/// Shortest time between two renewals: one question to one master, so it may be short.
const SPACING: Duration = Duration::from_millis(100);

/// What is known about the cluster.
#[derive(Clone, Debug)]
pub(super) enum Known {
    NotYet,
    Map(Arc<Map>),
    /// No map was ever fetched; this is why.
    Nothing(Cause),
}

/// Slots and their masters.
#[derive(Debug)]
pub(crate) struct Map {
    /// Ranges by their last slot, so that a range is found by the first key at or above a slot.
    ranges: BTreeMap<u16, Range>,
    pub(crate) masters: BTreeMap<Address, Arc<Node>>,
}

#[derive(Debug)]
struct Range {
    first: u16,
    master: Address,
}

/// One row of the server's table: first slot, last slot, master.
type Row = (u16, u16, Address);

impl Map {
    pub(crate) fn master_of(&self, slot: u16) -> Option<&Arc<Node>> {
        let (_, range) = self.ranges.range(slot..).next()?;
        (range.first <= slot)
            .then(|| self.masters.get(&range.master))
            .flatten()
    }

    pub(crate) fn any_master(&self) -> Option<&Arc<Node>> {
        let up = |node: &&Arc<Node>| matches!(*node.state().borrow(), State::Up(_));
        let working = self.masters.values().filter(up).choose(&mut rand::rng());
        working.or_else(|| self.masters.values().next())
    }

    fn agrees_with(&self, rows: &[Row]) -> bool {
        self.ranges.len() == rows.len()
            && rows.iter().all(|(first, last, master)| {
                let range = self.ranges.get(last);
                range.is_some_and(|range| range.first == *first && range.master == *master)
            })
    }
}

/// Every server of the cluster that a connection is kept to: the masters of the map, and for as long as a map lasts
/// those that a redirection named.
#[derive(Debug)]
pub(crate) struct Nodes {
    pub(crate) dialer: Dialer,
    pub(crate) options: Options,
    pub(crate) meter: Arc<AtomicU64>,
    open: Mutex<HashMap<Address, Arc<Node>>>,
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

    pub(super) fn at(&self, address: &Address) -> Arc<Node> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let node = open.entry(address.clone()).or_insert_with(|| {
            let source = Source::Fixed(address.clone());
            let (dialer, meter) = (self.dialer.clone(), self.meter.clone());
            Arc::new(Node::spawn(dialer, source, &self.options, meter))
        });
        node.clone()
    }

    fn keep_only(&self, masters: &BTreeMap<Address, Arc<Node>>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|address, _| masters.contains_key(address));
    }
}

/// Runs for as long as the cluster is in use.
pub(super) async fn keep(
    nodes: Arc<Nodes>,
    seeds: Vec<Address>,
    known: watch::Sender<Known>,
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
                    () = sleep(RENEWAL) => {}
                }
                sleep(SPACING).await;
            }
            Err(cause) => {
                known.send_if_modified(|known| keep_map_or_say_why(known, cause));
                backoff.sleep().await;
            }
        }
    }
}

fn keep_map_or_say_why(known: &mut Known, cause: Cause) -> bool {
    if let Known::Map(_) = known {
        return false;
    }
    *known = Known::Nothing(cause);
    true
}

/// Replaces the map if it has changed. Nodes that stay keep their connections.
fn publish(nodes: &Nodes, rows: Vec<Row>, known: &watch::Sender<Known>) {
    if matches!(&*known.borrow(), Known::Map(map) if map.agrees_with(&rows)) {
        return;
    }
    let masters = rows.iter().map(|(_, _, master)| master);
    let masters: BTreeMap<_, _> = masters
        .map(|master| (master.clone(), nodes.at(master)))
        .collect();
    nodes.keep_only(&masters);
    let ranges = rows.into_iter();
    let ranges = ranges.map(|(first, last, master)| (last, Range { first, master }));
    let map = Map {
        ranges: ranges.collect(),
        masters,
    };
    tracing::info!(
        masters = map.masters.len(),
        "the map of the redis cluster changed"
    );
    known.send_replace(Known::Map(Arc::new(map)));
}

async fn fetch(
    nodes: &Nodes,
    seeds: &[Address],
    known: &watch::Sender<Known>,
) -> Result<Vec<Row>, Cause> {
    let question = redis::cmd("CLUSTER").arg("SLOTS").take();
    let known = known.borrow().clone();
    for (address, node) in working_masters(&known) {
        if let Ok(table) = node.ask_quietly(&question).await
            && let Some(rows) = read_table(table, &address)
        {
            return Ok(rows);
        }
    }
    let mut trouble = Cause::new("no seed was given");
    for seed in seeds {
        match ask_seed(&nodes.dialer, seed, &question).await {
            Ok(rows) => return Ok(rows),
            Err(cause) => trouble = cause,
        }
    }
    Err(trouble)
}

/// In random order, so that no single master's view is preferred.
fn working_masters(known: &Known) -> Vec<(Address, Arc<Node>)> {
    let Known::Map(map) = known else {
        return Vec::new();
    };
    let up = |node: &Arc<Node>| matches!(*node.state().borrow(), State::Up(_));
    let working = map.masters.iter().filter(|(_, node)| up(node));
    let mut working: Vec<_> = working
        .map(|(address, node)| (address.clone(), node.clone()))
        .collect();
    working.shuffle(&mut rand::rng());
    working
}

async fn ask_seed(dialer: &Dialer, seed: &Address, question: &Cmd) -> Result<Vec<Row>, Cause> {
    let mut connection = dialer.open(seed, |_| {}).await?;
    let table = connection.send_packed_command(question).await;
    let table = table.and_then(Value::extract_error);
    let table = table.map_err(|error| Cause::at(seed, &error))?;
    read_table(table, seed)
        .ok_or_else(|| Cause::new(format_args!("{seed}: the table of slots is empty")))
}

/// The table, unless it is empty or makes no sense. A server that does not know its own host leaves it out; then it is
/// the one that was asked.
fn read_table(table: Value, asked: &Address) -> Option<Vec<Row>> {
    let table: Vec<Vec<Value>> = from_redis_value(table).ok()?;
    let rows = table.into_iter().map(|row| read_row(row, asked));
    let rows = rows.collect::<Option<Vec<_>>>()?;
    (!rows.is_empty()).then_some(rows)
}

fn read_row(row: Vec<Value>, asked: &Address) -> Option<Row> {
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
        (_, Address::Tcp { host, .. }) => host.clone(),
        (_, Address::Unix(_)) => return None,
    };
    Some((first, last, Address::Tcp { host, port }))
}
