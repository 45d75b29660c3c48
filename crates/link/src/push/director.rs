//! The task behind a [`Pushes`](super::Pushes): knows what is wanted and which feeds bring it.
//!
//! It alone says `Connected` and `Disconnected`, and it answers a feed's report only after the event is in the queue.
//! A feed waits for that answer before it dials again, so no message of a new connection overtakes the notice that
//! the old one was lost. A full queue holds back notices and nothing else: a listener that changes its channels before
//! it takes the next event must not wait for itself.

use std::{
    collections::{BTreeSet, VecDeque},
    convert::Infallible,
    sync::Arc,
};

use supervise::Supervisor;
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::AbortOnDropHandle;

use super::{
    Change, Event, Interest, Order,
    feed::{Feed, Report},
};
use crate::{
    Link, LinkError, cluster::Map, error::Cause, node::Node, reconnect, servers::Servers, slot,
};

/// Runs for as long as somebody listens.
pub(super) async fn direct(
    link: Link,
    interest: Interest,
    events: mpsc::Sender<Event>,
    mut orders: mpsc::Receiver<Order>,
) {
    let mut director = Director {
        wanted: interest.channels.into_iter().collect(),
        prefixes: Arc::new(interest.prefixes),
        link,
        events,
        feeds: Vec::new(),
        notices: VecDeque::new(),
        complete: false,
    };
    let mut supervisor = Supervisor::new("redis pushes");
    while supervisor.run(director.work(&mut orders)).await.is_none() {
        director.stop_feeds();
    }
}

struct Director {
    link: Link,
    wanted: BTreeSet<String>,
    prefixes: Arc<Vec<String>>,
    events: mpsc::Sender<Event>,
    feeds: Vec<Running>,
    /// What waits for room in the listener's queue; at most two for each feed.
    notices: VecDeque<Notice>,
    /// Whether the last notice was `Connected`.
    complete: bool,
}

/// An event for the listener, if there is one, and then the answer to the feed that caused it.
struct Notice {
    event: Option<Event>,
    noted: Option<Noted>,
}

/// A feed, as the director sees it.
struct Running {
    node: Arc<Node>,
    orders: mpsc::Sender<Order>,
    up: bool,
    _task: AbortOnDropHandle<()>,
}

/// Which masters there are, and which of them has a channel.
enum Plan {
    One(Arc<Node>),
    Cluster(Arc<Map>),
}

impl Plan {
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

impl Director {
    async fn work(&mut self, orders: &mut mpsc::Receiver<Order>) -> Infallible {
        loop {
            let plan = self.plan(orders).await;
            let reports = self.start_feeds(&plan);
            self.serve(&plan, reports, orders).await;
            self.stop_feeds();
        }
    }

    /// Waits until the masters are known. Orders that arrive meanwhile are noted.
    async fn plan(&mut self, orders: &mut mpsc::Receiver<Order>) -> Plan {
        let link = self.link.clone();
        let cluster = match link.servers() {
            Servers::One(node) => return Plan::One(node.clone()),
            Servers::Cluster(cluster) => cluster,
        };
        let mut backoff = reconnect::backoff();
        loop {
            tokio::select! {
                map = cluster.map() => match map {
                    Ok(map) => return Plan::Cluster(map),
                    Err(_) => backoff.sleep().await,
                },
                Some(order) = orders.recv() => self.note(order),
            }
        }
    }

    fn start_feeds(&mut self, plan: &Plan) -> mpsc::Receiver<Report> {
        let masters = plan.masters();
        // A report waits for its answer, so each feed has at most one on its way.
        let (reporter, reports) = mpsc::channel(masters.len().max(1));
        for (index, node) in masters.into_iter().enumerate() {
            let owned = |channel: &&String| {
                let owner = plan.owner(channel);
                owner.is_some_and(|owner| Arc::ptr_eq(owner, &node))
            };
            let (orders, order_receiver) = mpsc::channel(1);
            let feed = Feed {
                index,
                link: self.link.clone(),
                node: node.clone(),
                channels: self.wanted.iter().filter(owned).cloned().collect(),
                prefixes: self.prefixes.clone(),
                events: self.events.clone(),
                reports: reporter.clone(),
                orders: order_receiver,
            };
            self.feeds.push(Running {
                node,
                orders,
                up: false,
                _task: AbortOnDropHandle::new(tokio::spawn(feed.run())),
            });
        }
        reports
    }

    /// Returns when the plan no longer holds.
    async fn serve(
        &mut self,
        plan: &Plan,
        mut reports: mpsc::Receiver<Report>,
        orders: &mut mpsc::Receiver<Order>,
    ) {
        let (link, events) = (self.link.clone(), self.events.clone());
        let outdated = async {
            match (plan, link.servers()) {
                (Plan::Cluster(map), Servers::Cluster(cluster)) => {
                    cluster.map_other_than(map).await;
                }
                _ => std::future::pending().await,
            }
        };
        tokio::pin!(outdated);
        loop {
            tokio::select! {
                () = &mut outdated => return,
                Some(report) = reports.recv() => self.take(report),
                Some(order) = orders.recv() => self.pass_on(plan, order).await,
                Ok(room) = events.reserve(), if !self.notices.is_empty() => self.tell(room),
            }
        }
    }

    fn stop_feeds(&mut self) {
        self.feeds.clear();
        self.announce(None);
    }

    fn take(&mut self, report: Report) {
        let (index, up, noted) = match report {
            Report::Up { index, noted } => (index, true, noted),
            Report::Lost { index, noted } => (index, false, noted),
        };
        self.feeds[index].up = up;
        self.announce(Some(noted));
    }

    /// Has the listener told when the whole has become complete, or has ceased to be.
    fn announce(&mut self, noted: Option<Noted>) {
        let complete = !self.feeds.is_empty() && self.feeds.iter().all(|feed| feed.up);
        let event = match (self.complete, complete) {
            (false, true) => Some(Event::Connected),
            (true, false) => Some(Event::Disconnected),
            _ => None,
        };
        self.complete = complete;
        self.notices.push_back(Notice { event, noted });
    }

    /// Puts the next notice into the listener's queue, where there is room for it.
    fn tell(&mut self, room: mpsc::Permit<'_, Event>) {
        let Some(notice) = self.notices.pop_front() else {
            return;
        };
        if let Some(event) = notice.event {
            room.send(event);
        }
        if let Some(noted) = notice.noted {
            // A feed that no longer waits was stopped, and needs no answer.
            let _ = noted.send(());
        }
    }

    /// Hands an order to the feed of the channel, which confirms it.
    async fn pass_on(&mut self, plan: &Plan, order: Order) {
        self.remember(&order.change);
        let channel = match &order.change {
            Change::Add(channel) | Change::Remove(channel) => channel,
        };
        let owner = plan.owner(channel);
        let feed = self
            .feeds
            .iter()
            .find(|feed| owner.is_some_and(|owner| Arc::ptr_eq(owner, &feed.node)));
        match feed {
            Some(feed) => {
                // A feed takes orders in every state, and lives as long as its entry.
                let _ = feed.orders.send(order).await;
            }
            None => refuse(order),
        }
    }

    fn note(&mut self, order: Order) {
        self.remember(&order.change);
        refuse(order);
    }

    fn remember(&mut self, change: &Change) {
        match change {
            Change::Add(channel) => self.wanted.insert(channel.clone()),
            Change::Remove(channel) => self.wanted.remove(channel),
        };
    }
}

/// Answers an order that is remembered and cannot be carried out yet.
pub(super) fn refuse(order: Order) {
    let cause = Cause::new("the push connection is down");
    let _ = order.done.send(Err(LinkError::Unreachable(cause)));
}

/// Tells a feed that its report was passed on.
pub(super) type Noted = oneshot::Sender<()>;
