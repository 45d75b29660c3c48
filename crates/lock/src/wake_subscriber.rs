//! The subscription that wakes all waiters of a process.
//!
//! A script that grants a lock to a waiter publishes the waiter's token on the channel of its process; the subscriber task
//! wakes the task that waits with this token. Outside a Cluster one channel serves all locks. In a Cluster a message must
//! stay in the slot of its lock, so each contended lock has a channel, on shared connections.
//!
//! Wake-ups are hints and may be lost: a waiter also polls, and repeats its request at once when the subscription is
//! restored.

use std::{
    collections::{HashMap, HashSet},
    convert::Infallible,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use link::{Channels, Event, Interest, Link, Subscription};
use supervise::Supervisor;
use tokio::{
    runtime::Handle,
    sync::{Notify, watch},
    time::{interval, timeout},
};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    core::lock,
    limits::{CHANNEL_IDLE, SUBSCRIBE_LIMIT},
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
    /// Created for the first waiter: a process without contention needs no second connection.
    task: OnceLock<SubscriberTask>,
}

#[derive(Debug)]
struct SubscriberState {
    waiters: Mutex<HashMap<Token, Waiter>>,
    /// Whether the subscription is up.
    is_up: watch::Sender<bool>,
    /// Channels of single locks that are subscribed to. Locked during a change, so that an unsubscription never overtakes
    /// a subscription.
    channels: tokio::sync::Mutex<HashSet<String>>,
}

#[derive(Debug)]
struct Waiter {
    wake: Arc<Notify>,
    channel: String,
}

#[derive(Debug)]
struct SubscriberTask {
    channels: Channels,
    _task: AbortOnDropHandle<()>,
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
            is_up: watch::Sender::new(false),
            channels: tokio::sync::Mutex::default(),
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

    /// Whether wake-ups on this channel reach this process now.
    pub(crate) fn is_subscribed(&self, channel: &str) -> bool {
        if !*self.shared.is_up.borrow() {
            return false;
        }
        match self.link.is_cluster() {
            true => (self.shared.channels.try_lock())
                .is_ok_and(|subscribed| subscribed.contains(channel)),
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

    async fn add_channel(&self, task: &SubscriberTask, channel: &str) {
        let mut subscribed = self.shared.channels.lock().await;
        if !subscribed.contains(channel) {
            // After an error the link retries, and all waiters are woken when the channel is up.
            let _ = task.channels.add(channel).await;
            subscribed.insert(channel.to_owned());
        }
    }
}

impl WakeHandle {
    /// Returns when the token was woken since the last call, or after `limit`.
    pub(crate) async fn wait(&self, limit: Duration) {
        // The waiter repeats its request in both cases.
        let _ = timeout(limit, self.wake.notified()).await;
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
            Event::Message { payload, .. } => self.wake(payload),
            Event::Connected => {
                self.is_up.send_replace(true);
                self.wake_all();
            }
            Event::Disconnected => {
                self.is_up.send_replace(false);
            }
            Event::Invalidated(_) | Event::AllInvalidated => {}
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

    async fn unsubscribe_idle_channels(&self, channels: &Channels) {
        let mut subscribed = self.channels.lock().await;
        let used: HashSet<String> = (lock(&self.waiters).values())
            .map(|waiter| waiter.channel.clone())
            .collect();
        for idle in subscribed.extract_if(|channel| !used.contains(channel)) {
            // A channel that stays subscribed costs messages, no more.
            let _ = channels.remove(idle).await;
        }
    }
}
