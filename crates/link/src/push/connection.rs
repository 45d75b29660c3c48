//! One push connection, to one master.
//!
//! It follows the node that commands use: it connects to the address of that node, so after a failover it goes to the new
//! master. The connection itself puts pushes into the subscriber's queue. If the queue is full, the message is dropped, and
//! so is every later message of that connection: the gap has one start.
//!
//! A request for a channel is never refused by an open connection: it is sent to the server, or the connection is given up.
//! Only a closed connection stores and refuses it, and the next one subscribes to it before it reports itself as up. So a
//! caller that gets an error always gets [`Event::Connected`] later.
//!
//! The beats of the command connection prove that the connection works (see [`heartbeat`](crate::heartbeat)). After a
//! whole heartbeat without any it sends a `PING`. Other pushes prove nothing: they may be as old as the connection lags.

use std::{
    collections::BTreeSet,
    convert::Infallible,
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use redis::{PushInfo, PushKind, Value, from_redis_value};
use supervise::{Backoff, Supervisor};
use tokio::{
    sync::{Notify, mpsc, oneshot},
    time::{Instant, sleep_until},
};

use super::{
    Change, ChannelRequest, Event,
    coordinator::{ReportAck, refuse},
};
use crate::{
    Link, LinkError,
    connection::Connection,
    heartbeat::HeartbeatChannel,
    node::{Node, NodeState},
    reconnect,
    servers::Servers,
    target::ServerAddress,
};

/// The state of a connection for its coordinator.
pub(super) enum ConnectionReport {
    /// It is open, and every channel it knew is subscribed. It serves requests from then on, whether or not the subscriber
    /// has been notified.
    Up { index: usize },
    /// It is closed; the connection reconnects when `ack` is sent.
    Lost { index: usize, ack: ReportAck },
}

pub(super) struct PushConnection {
    /// Its index among the coordinator's connections.
    pub(super) index: usize,
    pub(super) link: Link,
    pub(super) node: Arc<Node>,
    pub(super) channels: BTreeSet<String>,
    pub(super) prefixes: Arc<Vec<String>>,
    pub(super) events: mpsc::Sender<Event>,
    pub(super) reports: mpsc::Sender<ConnectionReport>,
    pub(super) requests: mpsc::Receiver<ChannelRequest>,
}

/// An open push connection.
struct OpenConnection {
    address: ServerAddress,
    connection: Connection,
    broken: Arc<ConnectionEnd>,
    /// The beats it is subscribed to.
    beats: HeartbeatChannel,
}

/// Shared by the push handler of a connection and its task, for the end of the connection and its last sign of life.
struct ConnectionEnd {
    opened: Instant,
    /// Until when everything from the server has arrived, in milliseconds after `opened`.
    current_after_ms: AtomicU64,
    /// When the latest beat that arrived was published, likewise.
    beat_after_ms: AtomicU64,
    happened: AtomicBool,
    noticed: Notify,
    /// Set during our own unsubscription: an unsubscription by the server means that the slot has moved.
    leaving: AtomicBool,
}

impl ConnectionEnd {
    fn new() -> Self {
        Self {
            opened: Instant::now(),
            current_after_ms: AtomicU64::new(0),
            beat_after_ms: AtomicU64::new(0),
            happened: AtomicBool::new(false),
            noticed: Notify::new(),
            leaving: AtomicBool::new(false),
        }
    }

    /// Everything that the server sent before `at` has arrived.
    fn note_current(&self, at: Instant) {
        let after_ms = self.after_ms(at);
        self.current_after_ms.fetch_max(after_ms, Ordering::Relaxed);
    }

    /// A beat has arrived, which was published at `at`.
    fn note_beat(&self, at: Instant) {
        let after_ms = self.after_ms(at);
        self.beat_after_ms.fetch_max(after_ms, Ordering::Relaxed);
        self.note_current(at);
    }

    fn current_at(&self) -> Instant {
        self.opened + Duration::from_millis(self.current_after_ms.load(Ordering::Relaxed))
    }

    /// Whether beats that the server acknowledged until `acknowledged` did not arrive, although there was time for them.
    fn misses_beats(&self, acknowledged: Instant, limit: Duration) -> bool {
        let beat_at =
            self.opened + Duration::from_millis(self.beat_after_ms.load(Ordering::Relaxed));
        acknowledged.saturating_duration_since(beat_at) > limit
    }

    fn after_ms(&self, at: Instant) -> u64 {
        let after = at
            .min(Instant::now())
            .saturating_duration_since(self.opened);
        u64::try_from(after.as_millis()).unwrap_or(u64::MAX)
    }

    fn happen(&self) {
        self.happened.store(true, Ordering::Release);
        self.noticed.notify_one();
    }
}

impl PushConnection {
    /// Runs until the coordinator stops it.
    pub(super) async fn run(mut self) {
        let mut supervisor = Supervisor::new("redis push connection");
        while supervisor.run(self.stay_connected()).await.is_none() {
            // Pushes in between were missed.
            self.report_lost().await;
        }
    }

    async fn stay_connected(&mut self) -> Infallible {
        let mut backoff = reconnect::backoff();
        loop {
            let address = self.master().await;
            match self.open(address).await {
                Ok(line) => {
                    let since = Instant::now();
                    self.report_up().await;
                    self.serve(line).await;
                    self.report_lost().await;
                    reconnect::reset_after(&mut backoff, since.elapsed());
                }
                Err(error) => {
                    tracing::debug!(
                        error = &error as &dyn Error,
                        "push connection failed, retrying"
                    );
                }
            }
            self.pause(&mut backoff).await;
        }
    }

    /// Waits until the node is connected and returns its address.
    async fn master(&mut self) -> ServerAddress {
        let mut state = self.node.state();
        loop {
            if let NodeState::Up(live) = &*state.borrow_and_update() {
                return live.address.clone();
            }
            tokio::select! {
                _ = state.changed() => {}
                Some(request) = self.requests.recv() => self.store_and_refuse(request),
            }
        }
    }

    /// Opens a connection, enables tracking and subscribes to all channels.
    async fn open(&mut self, address: ServerAddress) -> Result<OpenConnection, LinkError> {
        let broken = Arc::new(ConnectionEnd::new());
        let beats = self.node.heartbeat_channel().clone();
        let on_push = deliver(self.events.clone(), broken.clone(), beats.clone());
        let opened = self.link.dialer().open(&address, on_push).await;
        let mut line = OpenConnection {
            address,
            connection: opened.map_err(LinkError::Unreachable)?,
            broken,
            beats: HeartbeatChannel::none(),
        };
        if !self.prefixes.is_empty() {
            let mut tracking = redis::cmd("CLIENT");
            tracking.arg("TRACKING").arg("ON").arg("BCAST");
            for prefix in self.prefixes.iter() {
                tracking.arg("PREFIX").arg(prefix);
            }
            self.send(&mut line, &tracking).await?;
        }
        self.subscribe_to_beats(&mut line, beats).await?;
        for channel in self.channels.clone() {
            self.change(&mut line, &Change::Add(channel)).await?;
        }
        line.broken.note_beat(Instant::now());
        Ok(line)
    }

    /// A user who may not subscribe to them gets none, so this connection sends a `PING` per heartbeat.
    async fn subscribe_to_beats(
        &self,
        line: &mut OpenConnection,
        beats: HeartbeatChannel,
    ) -> Result<(), LinkError> {
        let Some(name) = beats.name() else {
            return Ok(());
        };
        match self.send(line, redis::cmd("SUBSCRIBE").arg(name)).await {
            Err(LinkError::Refused { .. }) => Ok(()),
            outcome => {
                line.beats = beats;
                outcome
            }
        }
    }

    /// Whether the server still sends everything, asked because no beat has arrived in time.
    async fn is_current(&self, line: &mut OpenConnection) -> bool {
        let limit = self.link.options().response_timeout;
        let acknowledged = line.beats.acknowledged_at();
        if acknowledged.is_some_and(|at| line.broken.misses_beats(at, limit)) {
            return false;
        }
        let asked_at = Instant::now();
        let reply = self.send(line, &redis::cmd("PING")).await;
        line.broken.note_current(asked_at);
        reply.is_ok()
    }

    /// Serves an open connection until it is unusable.
    async fn serve(&mut self, mut line: OpenConnection) {
        let mut state = self.node.state();
        let heartbeat = self.link.options().heartbeat;
        let broken = line.broken.clone();
        while !broken.happened.load(Ordering::Acquire) {
            tokio::select! {
                () = broken.noticed.notified() => return,
                Ok(()) = state.changed() => {
                    if matches!(&*state.borrow(), NodeState::Up(live) if live.address != line.address) {
                        return;
                    }
                }
                () = sleep_until(broken.current_at() + heartbeat) => {
                    if broken.current_at().elapsed() >= heartbeat && !self.is_current(&mut line).await {
                        return;
                    }
                }
                Some(request) = self.requests.recv() => {
                    if !self.apply_request(&mut line, request).await {
                        return;
                    }
                }
            }
        }
    }

    /// Applies a change of channels; returns whether the connection is still usable.
    async fn apply_request(&mut self, line: &mut OpenConnection, request: ChannelRequest) -> bool {
        self.apply_change(&request.change);
        let outcome = self.change(line, &request.change).await;
        let usable = outcome.is_ok();
        // The caller may have been cancelled.
        let _ = request.done.send(outcome);
        usable
    }

    /// One command per channel, because the server replies to each channel separately.
    async fn change(&self, line: &mut OpenConnection, change: &Change) -> Result<(), LinkError> {
        let sharded = matches!(self.link.servers(), Servers::Cluster(_));
        let (verb, channel) = match (change, sharded) {
            (Change::Add(channel), false) => ("SUBSCRIBE", channel),
            (Change::Add(channel), true) => ("SSUBSCRIBE", channel),
            (Change::Remove(channel), false) => ("UNSUBSCRIBE", channel),
            (Change::Remove(channel), true) => ("SUNSUBSCRIBE", channel),
        };
        let leaving = matches!(change, Change::Remove(_));
        line.broken.leaving.store(leaving, Ordering::Release);
        let outcome = self.send(line, redis::cmd(verb).arg(channel)).await;
        line.broken.leaving.store(false, Ordering::Release);
        outcome
    }

    async fn send(&self, line: &mut OpenConnection, cmd: &redis::Cmd) -> Result<(), LinkError> {
        let limit: Duration = self.link.options().response_timeout;
        let reply = line.connection.send_packed_command(cmd).await;
        match reply.and_then(Value::extract_error) {
            Ok(_) => Ok(()),
            Err(error) => {
                let error = LinkError::after_sending(error, limit);
                self.link.servers().refresh_after(&error);
                Err(error)
            }
        }
    }

    /// Reports an open connection. It must not wait for the event: a request that is stored meanwhile would be subscribed
    /// only by the next connection, although this one is up.
    async fn report_up(&self) {
        let report = ConnectionReport::Up { index: self.index };
        // Without a coordinator this task is about to be aborted.
        let _ = self.reports.send(report).await;
    }

    /// Reports a lost connection and waits until the event is in the subscriber's queue. Requests that come meanwhile are
    /// stored: the next connection subscribes to them before it is up.
    async fn report_lost(&mut self) {
        let (ack, mut reply) = oneshot::channel();
        let index = self.index;
        let _ = self
            .reports
            .send(ConnectionReport::Lost { index, ack })
            .await;
        loop {
            tokio::select! {
                _ = &mut reply => return,
                Some(request) = self.requests.recv() => self.store_and_refuse(request),
            }
        }
    }

    async fn pause(&mut self, backoff: &mut Backoff) {
        let pause = backoff.sleep();
        tokio::pin!(pause);
        loop {
            tokio::select! {
                () = &mut pause => return,
                Some(request) = self.requests.recv() => self.store_and_refuse(request),
            }
        }
    }

    /// Stores a change for the next connection.
    fn store_and_refuse(&mut self, request: ChannelRequest) {
        self.apply_change(&request.change);
        refuse(request);
    }

    fn apply_change(&mut self, change: &Change) {
        match change {
            Change::Add(channel) => self.channels.insert(channel.clone()),
            Change::Remove(channel) => self.channels.remove(channel),
        };
    }
}

/// Handles a push. It must not block: replies come on the same connection.
fn deliver(
    events: mpsc::Sender<Event>,
    broken: Arc<ConnectionEnd>,
    beats: HeartbeatChannel,
) -> impl Fn(PushInfo) {
    move |push| {
        if let Some(published_at) = beat_of(&push, &beats) {
            broken.note_beat(published_at);
            return;
        }
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

/// When the beat was published, if the push is one.
fn beat_of(push: &PushInfo, beats: &HeartbeatChannel) -> Option<Instant> {
    match (push.data.as_slice(), &push.kind) {
        ([Value::BulkString(channel), Value::BulkString(stamp)], PushKind::Message)
            if Some(channel.as_slice()) == beats.name().map(str::as_bytes) =>
        {
            beats.published_at(stamp)
        }
        _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    /// How long the connections of these tests have been open.
    const AGE: Duration = Duration::from_secs(10);

    fn beat(channel: &HeartbeatChannel, stamp: Duration) -> PushInfo {
        let text = |text: &str| Value::BulkString(text.as_bytes().to_vec());
        let name = channel.name().unwrap();
        PushInfo {
            kind: PushKind::Message,
            data: vec![text(name), text(&stamp.as_millis().to_string())],
        }
    }

    /// A channel, the end of a connection, and what handles its pushes.
    fn opened(at: Instant) -> (HeartbeatChannel, Arc<ConnectionEnd>, impl Fn(PushInfo)) {
        let channel = HeartbeatChannel::random_since(at);
        let broken = Arc::new(ConnectionEnd {
            opened: at,
            ..ConnectionEnd::new()
        });
        let (events, _) = mpsc::channel(1);
        let on_push = deliver(events, broken.clone(), channel.clone());
        (channel, broken, on_push)
    }

    #[test]
    fn an_old_beat_proves_no_more_than_its_age() {
        let start = Instant::now().checked_sub(AGE).unwrap();
        let (channel, broken, on_push) = opened(start);
        on_push(beat(&channel, 2 * SECOND));
        assert_eq!(broken.current_at(), start + 2 * SECOND);
        on_push(beat(&channel, SECOND));
        assert_eq!(broken.current_at(), start + 2 * SECOND);
        // A stamp from the future, which anybody who may publish can send.
        on_push(beat(&channel, 1_000 * SECOND));
        assert!(broken.current_at() <= Instant::now());
    }

    #[test]
    fn pushes_that_are_no_beats_prove_nothing() {
        let start = Instant::now().checked_sub(AGE).unwrap();
        let (channel, broken, on_push) = opened(start);
        let mut other = beat(&channel, AGE);
        other.data[0] = Value::BulkString(b"another".to_vec());
        on_push(other);
        on_push(PushInfo {
            kind: PushKind::Invalidate,
            data: vec![Value::Array(vec![Value::BulkString(b"key".to_vec())])],
        });
        assert_eq!(broken.current_at(), start);
    }

    #[test]
    fn a_connection_without_the_beats_that_were_acknowledged_leads_elsewhere() {
        let start = Instant::now().checked_sub(AGE).unwrap();
        let (channel, broken, on_push) = opened(start);
        on_push(beat(&channel, 8 * SECOND));
        assert!(!broken.misses_beats(start + 8 * SECOND, SECOND));
        assert!(!broken.misses_beats(start + 9 * SECOND, SECOND));
        assert!(broken.misses_beats(start + 10 * SECOND, SECOND));
        // A reply to a PING is no beat.
        broken.note_current(Instant::now());
        assert!(broken.misses_beats(start + 10 * SECOND, SECOND));
    }
}
