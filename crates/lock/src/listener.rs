//! The one subscription through which all waiters of a process are woken.
//!
//! A script that grants a lock to a waiter publishes the waiter's token on the channel of its process; here the token
//! finds the task that waits. Outside a Cluster there is one channel for all locks. In a Cluster a message must stay in
//! the slot of its lock, so each contended lock has a channel, on connections that are shared all the same.
//!
//! Messages are hints and may be lost: a waiter polls as well, and asks at once when the subscription is restored.

use std::{
    collections::{HashMap, HashSet},
    convert::Infallible,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use link::{Channels, Event, Interest, Link, Pushes};
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
pub(crate) struct Listener {
    link: Link,
    /// That in which the locks were made, whoever waits where.
    runtime: Handle,
    /// The channel of this process, where one serves all locks.
    channel: String,
    shared: Arc<Shared>,
    /// Made for the first waiter: a process whose locks are free needs no second connection.
    subscription: OnceLock<Subscription>,
}

#[derive(Debug)]
struct Shared {
    ears: Mutex<HashMap<Token, Attention>>,
    /// Whether messages are heard.
    complete: watch::Sender<bool>,
    /// Channels of single locks that are subscribed to. Held while that changes, so that an unsubscription never
    /// overtakes a subscription.
    channels: tokio::sync::Mutex<HashSet<String>>,
}

#[derive(Debug)]
struct Attention {
    wake: Arc<Notify>,
    channel: String,
}

#[derive(Debug)]
struct Subscription {
    channels: Channels,
    _task: AbortOnDropHandle<()>,
}

/// A waiter's registration; ends when dropped.
#[derive(Debug)]
pub(crate) struct Ear {
    shared: Arc<Shared>,
    token: Token,
    wake: Arc<Notify>,
}

impl Listener {
    pub(crate) fn new(link: Link, runtime: Handle, channel: String) -> Self {
        let shared = Shared {
            ears: Mutex::default(),
            complete: watch::Sender::new(false),
            channels: tokio::sync::Mutex::default(),
        };
        Self {
            link,
            runtime,
            channel,
            shared: Arc::new(shared),
            subscription: OnceLock::new(),
        }
    }

    /// Wakes for this token reach the ear from here on, if they reach the process.
    pub(crate) fn attend(&self, token: Token, channel: String) -> Ear {
        let wake = Arc::new(Notify::new());
        let attention = Attention {
            wake: wake.clone(),
            channel,
        };
        lock(&self.shared.ears).insert(token, attention);
        Ear {
            shared: self.shared.clone(),
            token,
            wake,
        }
    }

    /// Whether a message on this channel would be heard at this moment.
    pub(crate) fn hears(&self, channel: &str) -> bool {
        if !*self.shared.complete.borrow() {
            return false;
        }
        match self.link.is_cluster() {
            true => (self.shared.channels.try_lock())
                .is_ok_and(|subscribed| subscribed.contains(channel)),
            false => true,
        }
    }

    /// Returns when messages on this channel are heard, or when it takes too long.
    pub(crate) async fn subscribe(&self, channel: &str) {
        let subscription = self.subscription.get_or_init(|| self.start());
        let mut complete = self.shared.complete.subscribe();
        let heard = async {
            // The sender lives as long as this listener.
            let _ = complete.wait_for(|complete| *complete).await;
            if self.link.is_cluster() {
                self.add_channel(subscription, channel).await;
            }
        };
        if timeout(SUBSCRIBE_LIMIT, heard).await.is_err() {
            tracing::debug!("the subscription is slow, waiters poll");
        }
    }

    fn start(&self) -> Subscription {
        let _context = self.runtime.enter();
        let interest = match self.link.is_cluster() {
            true => Interest::channels(Vec::<String>::new()),
            false => Interest::channels([&self.channel]),
        };
        let pushes = self.link.subscribe(interest);
        Subscription {
            channels: pushes.channels(),
            _task: AbortOnDropHandle::new(tokio::spawn(run(pushes, self.shared.clone()))),
        }
    }

    async fn add_channel(&self, subscription: &Subscription, channel: &str) {
        let mut subscribed = self.shared.channels.lock().await;
        if !subscribed.contains(channel) {
            // On an error the channel stays wanted, and all waiters are woken when it is heard.
            let _ = subscription.channels.add(channel).await;
            subscribed.insert(channel.to_owned());
        }
    }
}

impl Ear {
    /// Returns when the token was woken since the last call, or after this time.
    pub(crate) async fn wait(&self, limit: Duration) {
        // Being late is as good as being woken: the waiter asks again.
        let _ = timeout(limit, self.wake.notified()).await;
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        lock(&self.shared.ears).remove(&self.token);
    }
}

async fn run(mut pushes: Pushes, shared: Arc<Shared>) {
    let mut supervisor = Supervisor::new("lock wake-ups");
    while supervisor.run(listen(&mut pushes, &shared)).await.is_none() {
        // Of whatever was missed: asking again is always right.
        shared.wake_all();
    }
}

async fn listen(pushes: &mut Pushes, shared: &Shared) -> Infallible {
    let channels = pushes.channels();
    let mut sweep = interval(CHANNEL_IDLE);
    loop {
        tokio::select! {
            event = pushes.next() => shared.take(&event),
            _ = sweep.tick() => shared.leave_idle_channels(&channels).await,
        }
    }
}

impl Shared {
    fn take(&self, event: &Event) {
        match event {
            Event::Message { payload, .. } => self.wake(payload),
            Event::Connected => {
                self.complete.send_replace(true);
                self.wake_all();
            }
            Event::Disconnected => {
                self.complete.send_replace(false);
            }
            Event::Invalidated(_) | Event::AllInvalidated => {}
        }
    }

    fn wake(&self, payload: &[u8]) {
        let ears = lock(&self.ears);
        let woken = Token::parse(payload).and_then(|token| ears.get(&token));
        if let Some(attention) = woken {
            attention.wake.notify_one();
        }
    }

    /// After a gap anyone may have missed its message.
    fn wake_all(&self) {
        for attention in lock(&self.ears).values() {
            attention.wake.notify_one();
        }
    }

    async fn leave_idle_channels(&self, channels: &Channels) {
        let mut subscribed = self.channels.lock().await;
        let used: HashSet<String> = (lock(&self.ears).values())
            .map(|attention| attention.channel.clone())
            .collect();
        for idle in subscribed.extract_if(|channel| !used.contains(channel)) {
            // A channel that cannot be left is heard in vain, no more.
            let _ = channels.remove(idle).await;
        }
    }
}
