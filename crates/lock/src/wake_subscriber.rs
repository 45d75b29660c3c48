//! The subscription that wakes all waiters of a process, and ends leases that were taken by force.
//!
//! A script that grants a lock to a waiter publishes the waiter's token on the channel of its process; the subscriber task
//! wakes the task that waits with this token. Outside a Cluster one channel serves all locks. In a Cluster a message must
//! stay in the slot of its lock, so each contended lock has a channel, on shared connections.
//!
//! Wake-ups are hints and may be lost: a waiter also polls, and repeats its request at once when the subscription is
//! restored. So are messages about leases: the token of the holder after a `-`. A holder that misses one finds its loss at the
//! next renewal. Only leases whose guards are watched are known here, so that a lock that is held for a moment costs nothing.
//!
//! A channel counts as subscribed only after the server has confirmed it; until then every wait requests it again.

use std::{
    collections::{HashMap, HashSet},
    convert::Infallible,
    error::Error,
    sync::{Arc, Mutex, OnceLock, Weak},
    time::Duration,
};

use link::{Channels, Event, Interest, Link, Subscription};
use supervise::Supervisor;
use tokio::{
    runtime::Handle,
    sync::{Notify, watch},
    time::{interval, sleep, timeout},
};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    core::lock,
    lease::LeaseState,
    limits::{CHANNEL_IDLE, SUBSCRIBE_LIMIT, WATCH_DELAY},
    token::Token,
};

#[derive(Debug)]
pub(crate) struct WakeSubscriber {
    link: Link,
    /// The runtime in which the locks were created.
    runtime: Handle,
    /// The channel of this process, where one channel serves all locks.
    channel: String,
    shared: Arc<SubscriberState>,
    /// Created for the first waiter, or the first guard that is watched: otherwise a process needs no second connection.
    task: OnceLock<SubscriberTask>,
}

#[derive(Debug)]
struct SubscriberState {
    waiters: Mutex<HashMap<Token, Waiter>>,
    watched: Mutex<HashMap<Token, WatchedLease>>,
    /// Whether the subscription is up.
    is_up: watch::Sender<bool>,
    /// Channels of single locks, from their first request until they are unsubscribed.
    channels: Mutex<HashMap<String, ChannelState>>,
    /// Locked during a change of the channels, so that an unsubscription never overtakes a subscription.
    change: tokio::sync::Mutex<()>,
}

/// The state of a channel of a single lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChannelState {
    /// Requested, and not confirmed: messages may be missed.
    Requested,
    /// The server has confirmed it, and the link subscribes to it again with every new connection.
    Confirmed,
}

#[derive(Debug)]
struct Waiter {
    wake: Arc<Notify>,
    channel: String,
}

/// The lease of a guard that is watched for a loss.
#[derive(Debug)]
struct WatchedLease {
    state: Weak<LeaseState>,
    channel: String,
}

#[derive(Debug)]
struct SubscriberTask {
    channels: Channels,
    _task: AbortOnDropHandle<()>,
}

/// What ended a wait for a wake-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitEnd {
    /// A message for this waiter, or the return of the subscription.
    WokenUp,
    /// The time limit: the next poll, or the end of the holder's lease.
    TimedOut,
}

/// A waiter's registration; ends when dropped.
#[derive(Debug)]
pub(crate) struct WakeHandle {
    shared: Arc<SubscriberState>,
    token: Token,
    wake: Arc<Notify>,
}

impl WakeSubscriber {
    pub(crate) fn new(link: Link, runtime: Handle, channel: String) -> Self {
        let shared = SubscriberState {
            waiters: Mutex::default(),
            watched: Mutex::default(),
            is_up: watch::Sender::new(false),
            channels: Mutex::default(),
            change: tokio::sync::Mutex::default(),
        };
        Self {
            link,
            runtime,
            channel,
            shared: Arc::new(shared),
            task: OnceLock::new(),
        }
    }

    /// Registers a waiter: from here on wake-ups for its token reach the handle.
    pub(crate) fn register(&self, token: Token, channel: String) -> WakeHandle {
        let wake = Arc::new(Notify::new());
        let waiter = Waiter {
            wake: wake.clone(),
            channel,
        };
        lock(&self.shared.waiters).insert(token, waiter);
        WakeHandle {
            shared: self.shared.clone(),
            token,
            wake,
        }
    }

    /// From here on a message that this lease was taken by force ends it.
    pub(crate) fn watch(state: &Arc<LeaseState>) {
        let core = &state.remote().core;
        let channel = state.remote().own_channel();
        let watched = WatchedLease {
            state: Arc::downgrade(state),
            channel: channel.clone(),
        };
        let this = &core.wake_subscriber;
        lock(&this.shared.watched).insert(state.token(), watched);
        this.task.get_or_init(|| this.start());
        if this.link.is_cluster() {
            let _context = this.runtime.enter();
            let (core, lease) = (core.clone(), Arc::downgrade(state));
            supervise::spawn_once("lock loss notices", async move {
                sleep(WATCH_DELAY).await;
                if lease.strong_count() > 0 {
                    core.wake_subscriber.subscribe(&channel).await;
                }
            });
        }
    }

    /// The lease ends in another way.
    pub(crate) fn unwatch(&self, token: Token) {
        lock(&self.shared.watched).remove(&token);
    }

    /// Whether wake-ups on this channel reach this process now.
    pub(crate) fn is_subscribed(&self, channel: &str) -> bool {
        if !*self.shared.is_up.borrow() {
            return false;
        }
        match self.link.is_cluster() {
            true => self.shared.is_confirmed(channel),
            false => true,
        }
    }

    /// Returns when the channel is subscribed to, or after [`SUBSCRIBE_LIMIT`].
    pub(crate) async fn subscribe(&self, channel: &str) {
        let task = self.task.get_or_init(|| self.start());
        let mut is_up = self.shared.is_up.subscribe();
        let subscribed = async {
            // `self` owns the sender, so the channel is open.
            let _ = is_up.wait_for(|is_up| *is_up).await;
            if self.link.is_cluster() {
                self.add_channel(task, channel).await;
            }
        };
        if timeout(SUBSCRIBE_LIMIT, subscribed).await.is_err() {
            tracing::debug!("wake-up subscription timed out; waiters poll");
        }
    }

    fn start(&self) -> SubscriberTask {
        let _context = self.runtime.enter();
        let interest = match self.link.is_cluster() {
            true => Interest::channels(Vec::<String>::new()),
            false => Interest::channels([&self.channel]),
        };
        let subscription = self.link.subscribe(interest);
        SubscriberTask {
            channels: subscription.channels(),
            _task: AbortOnDropHandle::new(tokio::spawn(run(subscription, self.shared.clone()))),
        }
    }

    /// Subscribes to the channel of a lock. After an error the link retries and wakes all waiters when the channel is up;
    /// until it is confirmed, the next wait requests it again.
    async fn add_channel(&self, task: &SubscriberTask, channel: &str) {
        let _change = self.shared.change.lock().await;
        if self.shared.is_confirmed(channel) {
            return;
        }
        // Noted first: a request that is cancelled or fails may still take effect, and is then unsubscribed when idle.
        self.shared.note(channel, ChannelState::Requested);
        match task.channels.add(channel).await {
            Ok(()) => self.shared.note(channel, ChannelState::Confirmed),
            Err(error) => tracing::debug!(
                error = &error as &dyn Error,
                "wake-up channel not subscribed; its waiters poll"
            ),
        }
    }
}

impl WakeHandle {
    /// Returns when the token was woken since the last call, or after `limit`.
    pub(crate) async fn wait(&self, limit: Duration) -> WaitEnd {
        match timeout(limit, self.wake.notified()).await {
            Ok(()) => WaitEnd::WokenUp,
            Err(_) => WaitEnd::TimedOut,
        }
    }
}

impl Drop for WakeHandle {
    fn drop(&mut self) {
        lock(&self.shared.waiters).remove(&self.token);
    }
}

async fn run(mut subscription: Subscription, shared: Arc<SubscriberState>) {
    let mut supervisor = Supervisor::new("lock wake-ups");
    while supervisor
        .run(apply_events(&mut subscription, &shared))
        .await
        .is_none()
    {
        // Wake-ups may have been missed; a repeated request is harmless.
        shared.wake_all();
    }
}

async fn apply_events(subscription: &mut Subscription, shared: &SubscriberState) -> Infallible {
    let channels = subscription.channels();
    let mut sweep = interval(CHANNEL_IDLE);
    loop {
        tokio::select! {
            event = subscription.next() => shared.apply_event(&event),
            _ = sweep.tick() => shared.unsubscribe_idle_channels(&channels).await,
        }
    }
}

impl SubscriberState {
    fn apply_event(&self, event: &Event) {
        match event {
            Event::Message { payload, .. } => match payload.strip_prefix(b"-") {
                Some(token) => self.end_lease(token),
                None => self.wake(payload),
            },
            Event::Connected => {
                self.is_up.send_replace(true);
                self.wake_all();
            }
            Event::Disconnected => {
                self.is_up.send_replace(false);
            }
            // No keys are tracked.
            _ => {}
        }
    }

    fn end_lease(&self, token: &[u8]) {
        let ended = Token::parse(token).and_then(|token| lock(&self.watched).remove(&token));
        if let Some(lease) = ended.and_then(|ended| ended.state.upgrade()) {
            lease.lose_forced();
        }
    }

    fn wake(&self, payload: &[u8]) {
        let waiters = lock(&self.waiters);
        let woken = Token::parse(payload).and_then(|token| waiters.get(&token));
        if let Some(waiter) = woken {
            waiter.wake.notify_one();
        }
    }

    /// Any waiter may have missed its wake-up while the subscription was lost.
    fn wake_all(&self) {
        for waiter in lock(&self.waiters).values() {
            waiter.wake.notify_one();
        }
    }

    fn is_confirmed(&self, channel: &str) -> bool {
        lock(&self.channels).get(channel) == Some(&ChannelState::Confirmed)
    }

    fn note(&self, channel: &str, state: ChannelState) {
        lock(&self.channels).insert(channel.to_owned(), state);
    }

    async fn unsubscribe_idle_channels(&self, channels: &Channels) {
        let _change = self.change.lock().await;
        for idle in self.take_idle_channels() {
            // A channel that stays subscribed costs messages, no more.
            let _ = channels.remove(idle).await;
        }
    }

    /// Removes the channels without a waiter or a watched lease from the set. Both register before they look into the set, so
    /// one that found its channel there is seen here.
    fn take_idle_channels(&self) -> Vec<String> {
        let mut channels = lock(&self.channels);
        let waiters = lock(&self.waiters);
        let watched = lock(&self.watched);
        let of_waiters = waiters.values().map(|it| it.channel.as_str());
        let of_leases = watched.values().map(|it| it.channel.as_str());
        let used: HashSet<&str> = of_waiters.chain(of_leases).collect();
        let idle = channels.extract_if(|channel, _| !used.contains(channel.as_str()));
        idle.map(|(channel, _)| channel).collect()
    }
}

#[cfg(test)]
mod tests {
    use testkit::{RedisCluster, unique_prefix};

    use super::*;
    use crate::token::{LockMode, ProcessId};

    /// A subscriber of a Cluster whose subscription is up.
    async fn subscriber() -> WakeSubscriber {
        let target = link::Target::parse(&RedisCluster::shared().await.url()).unwrap();
        let link = Link::connect(&target, link::Options::default()).await;
        let subscriber = WakeSubscriber::new(link.unwrap(), Handle::current(), String::new());
        subscriber.subscribe(&unique_prefix()).await;
        let mut is_up = subscriber.shared.is_up.subscribe();
        is_up.wait_for(|is_up| *is_up).await.unwrap();
        subscriber
    }

    /// A waiter keeps its channel from being unsubscribed.
    fn waiter(subscriber: &WakeSubscriber, channel: &str) -> WakeHandle {
        let token = ProcessId::random().token(LockMode::Exclusive);
        subscriber.register(token, channel.to_owned())
    }

    #[tokio::test]
    async fn a_channel_that_was_not_confirmed_is_not_subscribed_and_is_requested_again() {
        let subscriber = subscriber().await;
        let channel = unique_prefix();
        let _waiter = waiter(&subscriber, &channel);
        let dropped = subscriber.link.subscribe(Interest::channels([&channel]));
        let refused = SubscriberTask {
            channels: dropped.channels(),
            _task: AbortOnDropHandle::new(tokio::spawn(async {})),
        };
        drop(dropped);
        subscriber.add_channel(&refused, &channel).await;
        assert!(!subscriber.is_subscribed(&channel));
        subscriber.subscribe(&channel).await;
        assert!(subscriber.is_subscribed(&channel));
    }

    #[tokio::test]
    async fn a_channel_stays_subscribed_while_another_one_is_being_requested() {
        let subscriber = subscriber().await;
        let channel = unique_prefix();
        let _waiter = waiter(&subscriber, &channel);
        subscriber.subscribe(&channel).await;
        let _change_in_progress = subscriber.shared.change.lock().await;
        assert!(subscriber.is_subscribed(&channel));
    }

    #[tokio::test]
    async fn a_lease_is_watched_until_it_ends() {
        let target = link::Target::parse(&testkit::Redis::shared().await.url()).unwrap();
        let link = Link::connect(&target, link::Options::default()).await;
        let locks = crate::Locks::new(link.unwrap());
        let watched = || lock(&locks.core.wake_subscriber.shared.watched).len();
        let name = unique_prefix();
        for is_released in [true, false] {
            let guard = locks.mutex(&name).lock().await.unwrap();
            assert_eq!(watched(), 0);
            guard.lost();
            guard.lost();
            assert_eq!(watched(), 1);
            match is_released {
                true => guard.release().await.unwrap(),
                false => drop(guard),
            }
            assert_eq!(watched(), 0);
        }
    }

    #[tokio::test]
    async fn channels_without_a_waiter_are_unsubscribed_whether_confirmed_or_not() {
        let subscriber = subscriber().await;
        let shared = &subscriber.shared;
        shared.channels.lock().unwrap().clear();
        let _waiter = waiter(&subscriber, "used");
        shared.note("used", ChannelState::Confirmed);
        shared.note("idle", ChannelState::Confirmed);
        shared.note("refused", ChannelState::Requested);
        let mut idle = shared.take_idle_channels();
        idle.sort();
        assert_eq!(idle, ["idle", "refused"]);
        assert!(subscriber.is_subscribed("used"));
    }
}
