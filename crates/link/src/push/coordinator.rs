//! The task behind a [`Subscription`](super::Subscription): owns the set of channels and the push connections.
//!
//! Only this task sends `Connected` and `Disconnected`, and it acknowledges the loss of a connection only after the event
//! is in the queue. A connection waits for that acknowledgement before it reconnects, so no message of a new connection
//! overtakes the event that the old one was lost. A full queue delays these events and nothing else: a subscriber that
//! changes its channels before it takes the next event must not deadlock, and the change must not be lost.

use std::{
    collections::{BTreeSet, VecDeque},
    convert::Infallible,
    sync::Arc,
};

use supervise::Supervisor;
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::AbortOnDropHandle;

use super::{
    Change, ChannelRequest, Event, Interest,
    connection::{ConnectionReport, PushConnection},
};
use crate::{
    Link, LinkError, cluster::SlotMap, error::Cause, node::Node, reconnect, servers::Servers, slot,
};

/// Runs until the subscription is dropped.
pub(super) async fn coordinate(
    link: Link,
    interest: Interest,
    events: mpsc::Sender<Event>,
    mut requests: mpsc::Receiver<ChannelRequest>,
) {
    let mut coordinator = PushCoordinator {
        wanted: interest.channels.into_iter().collect(),
        prefixes: Arc::new(interest.prefixes),
        link,
        events,
        connections: Vec::new(),
        pending: VecDeque::new(),
        complete: false,
    };
    let mut supervisor = Supervisor::new("redis pushes");
    while supervisor
        .run(coordinator.work(&mut requests))
        .await
        .is_none()
    {
        coordinator.stop_connections();
    }
}

struct PushCoordinator {
    link: Link,
    wanted: BTreeSet<String>,
    prefixes: Arc<Vec<String>>,
    events: mpsc::Sender<Event>,
    connections: Vec<ConnectionHandle>,
    /// Events that wait for room in the subscriber's queue; at most two per connection.
    pending: VecDeque<PendingEvent>,
    /// Whether the last of these events was `Connected`.
    complete: bool,
}

/// An event for the subscriber, the acknowledgement of the loss that caused it, or both.
struct PendingEvent {
    event: Option<Event>,
    ack: Option<ReportAck>,
}

/// A running push connection.
struct ConnectionHandle {
    node: Arc<Node>,
    requests: mpsc::Sender<ChannelRequest>,
    up: bool,
    _task: AbortOnDropHandle<()>,
}

/// The masters, and which of them serves a channel.
enum Topology {
    One(Arc<Node>),
    Cluster(Arc<SlotMap>),
}

impl Topology {
    fn masters(&self) -> Vec<Arc<Node>> {
        match self {
            Self::One(node) => vec![node.clone()],
            Self::Cluster(map) => map.masters.values().cloned().collect(),
        }
    }

    fn owner(&self, channel: &str) -> Option<&Arc<Node>> {
        match self {
            Self::One(node) => Some(node),
            Self::Cluster(map) => map.master_of(slot::of_key(channel.as_bytes())),
        }
    }
}

impl PushCoordinator {
    async fn work(&mut self, requests: &mut mpsc::Receiver<ChannelRequest>) -> Infallible {
        loop {
            let topology = self.topology(requests).await;
            let reports = self.start_connections(&topology);
            self.serve(&topology, reports, requests).await;
            self.stop_connections();
        }
    }

    /// Waits until the masters are known. Channel requests that arrive before are stored and refused.
    async fn topology(&mut self, requests: &mut mpsc::Receiver<ChannelRequest>) -> Topology {
        let link = self.link.clone();
        let cluster = match link.servers() {
            Servers::One(node) => return Topology::One(node.clone()),
            Servers::Cluster(cluster) => cluster,
        };
        let mut backoff = reconnect::backoff();
        loop {
            tokio::select! {
                map = cluster.map() => match map {
                    Ok(map) => return Topology::Cluster(map),
                    Err(_) => backoff.sleep().await,
                },
                Some(request) = requests.recv() => self.store_and_refuse(request),
            }
        }
    }

    fn start_connections(&mut self, topology: &Topology) -> mpsc::Receiver<ConnectionReport> {
        let masters = topology.masters();
        // A connection waits for the acknowledgement of its loss, so each has at most two in flight: that it is up, and
        // that it is lost. It must be able to send both while this task waits for it to receive a request.
        let (reporter, reports) = mpsc::channel((2 * masters.len()).max(1));
        for (index, node) in masters.into_iter().enumerate() {
            let owned = |channel: &&String| {
                let owner = topology.owner(channel);
                owner.is_some_and(|owner| Arc::ptr_eq(owner, &node))
            };
            let (requests, request_receiver) = mpsc::channel(1);
            let connection = PushConnection {
                index,
                link: self.link.clone(),
                node: node.clone(),
                channels: self.wanted.iter().filter(owned).cloned().collect(),
                prefixes: self.prefixes.clone(),
                events: self.events.clone(),
                reports: reporter.clone(),
                requests: request_receiver,
            };
            self.connections.push(ConnectionHandle {
                node,
                requests,
                up: false,
                _task: AbortOnDropHandle::new(tokio::spawn(connection.run())),
            });
        }
        reports
    }

    /// Returns when the topology has changed.
    async fn serve(
        &mut self,
        topology: &Topology,
        mut reports: mpsc::Receiver<ConnectionReport>,
        requests: &mut mpsc::Receiver<ChannelRequest>,
    ) {
        let (link, events) = (self.link.clone(), self.events.clone());
        let outdated = async {
            match (topology, link.servers()) {
                (Topology::Cluster(map), Servers::Cluster(cluster)) => {
                    cluster.map_other_than(map).await;
                }
                _ => std::future::pending().await,
            }
        };
        tokio::pin!(outdated);
        loop {
            tokio::select! {
                () = &mut outdated => return,
                Some(report) = reports.recv() => self.apply_report(report),
                Some(request) = requests.recv() => self.forward(topology, request).await,
                Ok(room) = events.reserve(), if !self.pending.is_empty() => self.send_next(room),
            }
        }
    }

    fn stop_connections(&mut self) {
        self.connections.clear();
        self.queue_state_event(None);
    }

    fn apply_report(&mut self, report: ConnectionReport) {
        let (index, up, ack) = match report {
            ConnectionReport::Up { index } => (index, true, None),
            ConnectionReport::Lost { index, ack } => (index, false, Some(ack)),
        };
        self.connections[index].up = up;
        self.queue_state_event(ack);
    }

    /// Queues an event if the subscription has become complete or has ceased to be.
    fn queue_state_event(&mut self, ack: Option<ReportAck>) {
        let complete =
            !self.connections.is_empty() && self.connections.iter().all(|connection| connection.up);
        let event = match (self.complete, complete) {
            (false, true) => Some(Event::Connected),
            (true, false) => Some(Event::Disconnected),
            _ => None,
        };
        self.complete = complete;
        if event.is_some() || ack.is_some() {
            self.pending.push_back(PendingEvent { event, ack });
        }
    }

    /// Sends the next event to the subscriber's queue, which has room for it.
    fn send_next(&mut self, room: mpsc::Permit<'_, Event>) {
        let Some(pending) = self.pending.pop_front() else {
            return;
        };
        if let Some(event) = pending.event {
            room.send(event);
        }
        if let Some(ack) = pending.ack {
            // A connection that no longer waits was stopped.
            let _ = ack.send(());
        }
    }

    /// Forwards a request to the connection of the channel, which confirms it.
    async fn forward(&mut self, topology: &Topology, request: ChannelRequest) {
        self.apply_change(&request.change);
        let channel = match &request.change {
            Change::Add(channel) | Change::Remove(channel) => channel,
        };
        let owner = topology.owner(channel);
        let connection = self
            .connections
            .iter()
            .find(|it| owner.is_some_and(|owner| Arc::ptr_eq(owner, &it.node)));
        match connection {
            Some(connection) => {
                // A connection receives requests in every state, and lives as long as its handle.
                let _ = connection.requests.send(request).await;
            }
            None => refuse(request),
        }
    }

    fn store_and_refuse(&mut self, request: ChannelRequest) {
        self.apply_change(&request.change);
        refuse(request);
    }

    fn apply_change(&mut self, change: &Change) {
        match change {
            Change::Add(channel) => self.wanted.insert(channel.clone()),
            Change::Remove(channel) => self.wanted.remove(channel),
        };
    }
}

/// Refuses a request that is stored and cannot be sent yet.
pub(super) fn refuse(request: ChannelRequest) {
    let cause = Cause::new("the push connection is down");
    let _ = request.done.send(Err(LinkError::Unreachable(cause)));
}

/// Acknowledges the loss of a connection.
pub(super) type ReportAck = oneshot::Sender<()>;
