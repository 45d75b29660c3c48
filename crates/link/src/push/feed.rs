//! One connection for pushes, to one master.
//!
//! A feed follows the node that commands use: it dials where that node is connected, so after a failover it goes to the
//! new master. What the server pushes is put into the listener's queue by the connection itself. If the queue is full
//! the message is dropped, and from that moment on so is everything else of that connection: the gap has one beginning.

use std::{
    collections::BTreeSet,
    convert::Infallible,
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use redis::{PushInfo, PushKind, Value, aio::MultiplexedConnection, from_redis_value};
use supervise::{Backoff, Supervisor};
use tokio::{
    sync::{Notify, mpsc, oneshot},
    time::{Instant, sleep},
};

use super::{
    Change, Event, Order,
    director::{Noted, refuse},
};
use crate::{
    Link, LinkError,
    node::{Node, State},
    reconnect,
    servers::Servers,
    target::Address,
};

/// What a feed tells its director; it goes on when `noted` is answered.
pub(super) enum Report {
    Up { index: usize, noted: Noted },
    Lost { index: usize, noted: Noted },
}

pub(super) struct Feed {
    /// Its place among the director's feeds.
    pub(super) index: usize,
    pub(super) link: Link,
    pub(super) node: Arc<Node>,
    pub(super) channels: BTreeSet<String>,
    pub(super) prefixes: Arc<Vec<String>>,
    pub(super) events: mpsc::Sender<Event>,
    pub(super) reports: mpsc::Sender<Report>,
    pub(super) orders: mpsc::Receiver<Order>,
}

/// An open connection for pushes.
struct Line {
    address: Address,
    connection: MultiplexedConnection,
    broken: Arc<Break>,
}

/// How the push side of a connection and the feed tell each other about its end.
#[derive(Default)]
struct Break {
    happened: AtomicBool,
    noticed: Notify,
    /// Set while we leave a channel ourselves: a server that makes us leave one has given its slot away.
    leaving: AtomicBool,
}

impl Break {
    fn happen(&self) {
        self.happened.store(true, Ordering::Release);
        self.noticed.notify_one();
    }
}

impl Feed {
    /// Runs until the director stops it.
    pub(super) async fn run(mut self) {
        let mut supervisor = Supervisor::new("redis push connection");
        while supervisor.run(self.follow()).await.is_none() {
            // Whatever came in between was missed.
            self.report(|index, noted| Report::Lost { index, noted })
                .await;
        }
    }

    async fn follow(&mut self) -> Infallible {
        let mut backoff = reconnect::backoff();
        loop {
            let address = self.master().await;
            match self.open(address).await {
                Ok(line) => {
                    let since = Instant::now();
                    self.report(|index, noted| Report::Up { index, noted })
                        .await;
                    self.attend(line).await;
                    self.report(|index, noted| Report::Lost { index, noted })
                        .await;
                    reconnect::reset_after(&mut backoff, since.elapsed());
                }
                Err(error) => {
                    tracing::debug!(error = &error as &dyn Error, "no push connection");
                }
            }
            self.pause(&mut backoff).await;
        }
    }

    /// Where the node is connected, as soon as it is.
    async fn master(&mut self) -> Address {
        let mut state = self.node.state();
        loop {
            if let State::Up(live) = &*state.borrow_and_update() {
                return live.address.clone();
            }
            tokio::select! {
                _ = state.changed() => {}
                Some(order) = self.orders.recv() => self.note(order),
            }
        }
    }

    /// Dials and asks for everything that is wanted.
    async fn open(&mut self, address: Address) -> Result<Line, LinkError> {
        let broken = Arc::new(Break::default());
        let on_push = deliver(self.events.clone(), broken.clone());
        let opened = self.link.dialer().open(&address, on_push).await;
        let mut line = Line {
            address,
            connection: opened.map_err(LinkError::Unreachable)?,
            broken,
        };
        if !self.prefixes.is_empty() {
            let mut tracking = redis::cmd("CLIENT");
            tracking.arg("TRACKING").arg("ON").arg("BCAST");
            for prefix in self.prefixes.iter() {
                tracking.arg("PREFIX").arg(prefix);
            }
            self.ask(&mut line, &tracking).await?;
        }
        for channel in self.channels.clone() {
            self.change(&mut line, &Change::Add(channel)).await?;
        }
        Ok(line)
    }

    /// Watches an open connection until it is of no use any more.
    async fn attend(&mut self, mut line: Line) {
        let mut state = self.node.state();
        let heartbeat = self.link.options().heartbeat;
        let broken = line.broken.clone();
        while !broken.happened.load(Ordering::Acquire) {
            tokio::select! {
                () = broken.noticed.notified() => return,
                Ok(()) = state.changed() => {
                    if matches!(&*state.borrow(), State::Up(live) if live.address != line.address) {
                        return;
                    }
                }
                () = sleep(heartbeat) => {
                    if self.ask(&mut line, &redis::cmd("PING")).await.is_err() {
                        return;
                    }
                }
                Some(order) = self.orders.recv() => {
                    if !self.carry_out(&mut line, order).await {
                        return;
                    }
                }
            }
        }
    }

    /// Whether the connection may be used further.
    async fn carry_out(&mut self, line: &mut Line, order: Order) -> bool {
        self.remember(&order.change);
        let outcome = self.change(line, &order.change).await;
        let usable = outcome.is_ok();
        // Whoever gave the order may have stopped waiting.
        let _ = order.done.send(outcome);
        usable
    }

    /// One command per channel, because each is answered by itself.
    async fn change(&self, line: &mut Line, change: &Change) -> Result<(), LinkError> {
        let sharded = matches!(self.link.servers(), Servers::Cluster(_));
        let (verb, channel) = match (change, sharded) {
            (Change::Add(channel), false) => ("SUBSCRIBE", channel),
            (Change::Add(channel), true) => ("SSUBSCRIBE", channel),
            (Change::Remove(channel), false) => ("UNSUBSCRIBE", channel),
            (Change::Remove(channel), true) => ("SUNSUBSCRIBE", channel),
        };
        let leaving = matches!(change, Change::Remove(_));
        line.broken.leaving.store(leaving, Ordering::Release);
        let outcome = self.ask(line, redis::cmd(verb).arg(channel)).await;
        line.broken.leaving.store(false, Ordering::Release);
        outcome
    }

    async fn ask(&self, line: &mut Line, cmd: &redis::Cmd) -> Result<(), LinkError> {
        let limit: Duration = self.link.options().response_timeout;
        let answer = line.connection.send_packed_command(cmd).await;
        match answer.and_then(Value::extract_error) {
            Ok(_) => Ok(()),
            Err(error) => {
                let error = LinkError::after_sending(error, limit);
                self.link.servers().learn_from(&error);
                Err(error)
            }
        }
    }

    /// Tells the director and waits until it has told the listener.
    async fn report(&mut self, report: impl FnOnce(usize, Noted) -> Report) {
        let (noted, mut answer) = oneshot::channel();
        // Without a director this task is about to be ended, and any answer will do.
        let _ = self.reports.send(report(self.index, noted)).await;
        loop {
            tokio::select! {
                _ = &mut answer => return,
                Some(order) = self.orders.recv() => self.note(order),
            }
        }
    }

    async fn pause(&mut self, backoff: &mut Backoff) {
        let pause = backoff.sleep();
        tokio::pin!(pause);
        loop {
            tokio::select! {
                () = &mut pause => return,
                Some(order) = self.orders.recv() => self.note(order),
            }
        }
    }

    /// Remembers an order for the next connection.
    fn note(&mut self, order: Order) {
        self.remember(&order.change);
        refuse(order);
    }

    fn remember(&mut self, change: &Change) {
        match change {
            Change::Add(channel) => self.channels.insert(channel.clone()),
            Change::Remove(channel) => self.channels.remove(channel),
        };
    }
}

/// What the connection does with a push. It must not wait: the connection's own answers come the same way.
fn deliver(events: mpsc::Sender<Event>, broken: Arc<Break>) -> impl Fn(PushInfo) {
    move |push| {
        if broken.happened.load(Ordering::Acquire) {
            return;
        }
        let undelivered = match push.kind {
            PushKind::Disconnection => true,
            PushKind::SUnsubscribe => !broken.leaving.load(Ordering::Acquire),
            _ => event_of(push).is_some_and(|event| events.try_send(event).is_err()),
        };
        if undelivered {
            broken.happen();
        }
    }
}

fn event_of(push: PushInfo) -> Option<Event> {
    let mut data = push.data.into_iter();
    match push.kind {
        PushKind::Message | PushKind::SMessage => Some(Event::Message {
            channel: from_redis_value(data.next()?).ok()?,
            payload: from_redis_value(data.next()?).ok()?,
        }),
        PushKind::Invalidate => match data.next()? {
            Value::Nil => Some(Event::AllInvalidated),
            keys => from_redis_value(keys).ok().map(Event::Invalidated),
        },
        _ => None,
    }
}
