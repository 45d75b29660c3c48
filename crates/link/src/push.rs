//! Server pushes: messages of channels and invalidations of keys.
//!
//! Pushes come on connections of their own, one per master (see [`connection`]), which reconnect like those for commands.
//! Delivery is at most once, so the point of this module is that a gap is never silent: the subscriber gets
//! [`Event::Disconnected`] when messages may start to be missing, and [`Event::Connected`] when delivery is complete again.
//! A subscriber that is too slow causes a gap itself: the connection whose queue overflows is closed, and the subscriber
//! gets the same events.
//!
//! One task, the coordinator, owns the set of channels and the connections. In a Cluster it subscribes each channel at the
//! master of its slot (`SSUBSCRIBE`), and restarts all connections when the slot map changes.

mod connection;
mod coordinator;

use tokio::sync::{mpsc, oneshot};
use tokio_util::task::AbortOnDropHandle;

use crate::{Link, LinkError, error::Cause};

/// Events buffered for a subscriber that is busy.
const DEFAULT_CAPACITY: usize = 1024;

/// What to subscribe to: `Interest::channels(["news"]).and_keys(["cache:"])`.
#[derive(Clone, Debug)]
pub struct Interest {
    channels: Vec<String>,
    prefixes: Vec<String>,
    capacity: usize,
}

/// What a subscriber gets, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// From here on every channel is subscribed and every prefix is tracked. Earlier pushes may be missing.
    Connected,
    /// From here on pushes may be missing. Those that still follow are valid.
    Disconnected,
    /// A message on a channel.
    Message {
        /// The channel it was published on.
        channel: String,
        /// What was published.
        payload: Vec<u8>,
    },
    /// These keys were written, expired or evicted.
    Invalidated(Vec<Vec<u8>>),
    /// Every key was deleted: the database was flushed.
    AllInvalidated,
}

/// A subscription to server pushes. Dropping it closes its connections.
#[derive(Debug)]
pub struct Subscription {
    events: mpsc::Receiver<Event>,
    channels: Channels,
    _coordinator: AbortOnDropHandle<()>,
}

/// Adds and removes channels of a subscription; cheap to clone.
#[derive(Clone, Debug)]
pub struct Channels {
    requests: mpsc::Sender<ChannelRequest>,
}

/// A change of the channels, and where to send the confirmation of the server.
#[derive(Debug)]
struct ChannelRequest {
    change: Change,
    done: oneshot::Sender<Result<(), LinkError>>,
}

#[derive(Clone, Debug)]
enum Change {
    Add(String),
    Remove(String),
}

impl Interest {
    /// Subscribes to these channels. In a Cluster they are sharded channels, published with `SPUBLISH`.
    pub fn channels(channels: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            channels: channels.into_iter().map(Into::into).collect(),
            prefixes: Vec::new(),
            capacity: DEFAULT_CAPACITY,
        }
    }

    /// Tracks all keys with one of these prefixes; no prefix may start with another one.
    pub fn keys(prefixes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::channels(Vec::<String>::new()).and_keys(prefixes)
    }

    /// Tracks these keys too.
    #[must_use]
    pub fn and_keys(mut self, prefixes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.prefixes.extend(prefixes.into_iter().map(Into::into));
        self
    }

    /// Buffers at most this many events for a subscriber that is busy; one more is a gap.
    #[must_use]
    pub fn capacity(self, capacity: usize) -> Self {
        Self { capacity, ..self }
    }
}

impl Subscription {
    pub(crate) fn spawn(link: Link, interest: Interest) -> Self {
        let (event_sender, events) = mpsc::channel(interest.capacity);
        // A request waits for the one before it, so a longer queue would only hide that.
        let (requests, request_receiver) = mpsc::channel(1);
        let coordinator = coordinator::coordinate(link, interest, event_sender, request_receiver);
        Self {
            events,
            channels: Channels { requests },
            _coordinator: AbortOnDropHandle::new(tokio::spawn(coordinator)),
        }
    }

    /// Waits for the next event. Cancel-safe.
    pub async fn next(&mut self) -> Event {
        match self.events.recv().await {
            Some(event) => event,
            // The coordinator ends only with this value.
            None => std::future::pending().await,
        }
    }

    /// A handle that changes the channels.
    pub fn channels(&self) -> Channels {
        self.channels.clone()
    }
}

impl Channels {
    /// Subscribes to a channel and returns when the server has confirmed it. After an error the subscription is retried, and
    /// [`Event::Connected`] follows once it succeeds.
    pub async fn add(&self, channel: impl Into<String>) -> Result<(), LinkError> {
        self.request(Change::Add(channel.into())).await
    }

    /// Unsubscribes from a channel and returns when the server has confirmed it. After an error the next connection does not
    /// subscribe to it.
    pub async fn remove(&self, channel: impl Into<String>) -> Result<(), LinkError> {
        self.request(Change::Remove(channel.into())).await
    }

    async fn request(&self, change: Change) -> Result<(), LinkError> {
        let (done, confirmed) = oneshot::channel();
        let request = ChannelRequest { change, done };
        let over = |_| LinkError::Unreachable(Cause::new("the subscription is dropped"));
        if self.requests.send(request).await.is_err() {
            return Err(over(()));
        }
        confirmed.await.map_err(|_| over(()))?
    }
}
