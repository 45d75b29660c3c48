//! What servers send unasked: messages of channels and invalidations of keys.
//!
//! Pushes travel on connections of their own, one per master (see [`feed`]), which mend themselves like those for
//! commands. Delivery is at most once, so the point of this module is that a gap is never silent: whoever listens sees
//! [`Event::Disconnected`] where messages may begin to be missing, and [`Event::Connected`] where they are complete
//! again. A listener that is too slow makes such a gap itself: the connection that overflows is given up, and the
//! listener is told like for any other loss.
//!
//! One task, the director, owns the list of channels and of feeds. In a Cluster it hands each channel to the master of
//! its slot (`SSUBSCRIBE`), and starts all feeds anew when the map of slots changes.

mod director;
mod feed;

use tokio::sync::{mpsc, oneshot};
use tokio_util::task::AbortOnDropHandle;

use crate::{Link, LinkError, error::Cause};

/// Events kept for a listener that is busy.
const DEFAULT_CAPACITY: usize = 1024;

/// What to listen for: `Interest::channels(["news"]).and_keys(["cache:"])`.
#[derive(Clone, Debug)]
pub struct Interest {
    channels: Vec<String>,
    prefixes: Vec<String>,
    capacity: usize,
}

/// What a listener is told, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Every channel is subscribed and every prefix is tracked from here on. What was sent before may be missing.
    Connected,
    /// From here on something may be missing. Messages that still follow are true.
    Disconnected,
    Message {
        channel: String,
        payload: Vec<u8>,
    },
    /// These keys were written, expired or evicted.
    Invalidated(Vec<Vec<u8>>),
    /// Every key is gone: the database was flushed.
    AllInvalidated,
}

/// The listener. Dropping it closes its connections.
#[derive(Debug)]
pub struct Pushes {
    events: mpsc::Receiver<Event>,
    channels: Channels,
    _director: AbortOnDropHandle<()>,
}

/// Changes which channels a listener hears; cheap to clone.
#[derive(Clone, Debug)]
pub struct Channels {
    orders: mpsc::Sender<Order>,
}

/// A change of the channels, and where to say that the server has confirmed it.
#[derive(Debug)]
struct Order {
    change: Change,
    done: oneshot::Sender<Result<(), LinkError>>,
}

#[derive(Clone, Debug)]
enum Change {
    Add(String),
    Remove(String),
}

impl Interest {
    /// Listens to these channels. In a Cluster they are sharded channels, to be written to with `SPUBLISH`.
    pub fn channels(channels: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            channels: channels.into_iter().map(Into::into).collect(),
            prefixes: Vec::new(),
            capacity: DEFAULT_CAPACITY,
        }
    }

    /// Listens for changes of all keys that begin with one of these; no prefix may begin with another one.
    pub fn keys(prefixes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::channels(Vec::<String>::new()).and_keys(prefixes)
    }

    /// Listens for changes of these keys as well.
    #[must_use]
    pub fn and_keys(mut self, prefixes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.prefixes.extend(prefixes.into_iter().map(Into::into));
        self
    }

    /// Keeps at most this many events for a listener that is busy; one more is a gap.
    #[must_use]
    pub fn capacity(self, capacity: usize) -> Self {
        Self { capacity, ..self }
    }
}

impl Pushes {
    pub(crate) fn spawn(link: Link, interest: Interest) -> Self {
        let (event_sender, events) = mpsc::channel(interest.capacity);
        // An order waits for the one before it, so a queue would only hide that.
        let (orders, order_receiver) = mpsc::channel(1);
        let director = director::direct(link, interest, event_sender, order_receiver);
        Self {
            events,
            channels: Channels { orders },
            _director: AbortOnDropHandle::new(tokio::spawn(director)),
        }
    }

    /// The next event, as soon as there is one. Cancel-safe.
    pub async fn next(&mut self) -> Event {
        match self.events.recv().await {
            Some(event) => event,
            // The director ends with this value and not before.
            None => std::future::pending().await,
        }
    }

    pub fn channels(&self) -> Channels {
        self.channels.clone()
    }
}

impl Channels {
    /// Subscribes to a channel and returns when the server has confirmed: every later message will be heard. On an
    /// error the channel stays wanted, and [`Event::Connected`] will follow once it is subscribed.
    pub async fn add(&self, channel: impl Into<String>) -> Result<(), LinkError> {
        self.order(Change::Add(channel.into())).await
    }

    pub async fn remove(&self, channel: impl Into<String>) -> Result<(), LinkError> {
        self.order(Change::Remove(channel.into())).await
    }

    async fn order(&self, change: Change) -> Result<(), LinkError> {
        let (done, confirmed) = oneshot::channel();
        let order = Order { change, done };
        let over = |_| LinkError::Unreachable(Cause::new("the listener is gone"));
        if self.orders.send(order).await.is_err() {
            return Err(over(()));
        }
        confirmed.await.map_err(|_| over(()))?
    }
}
