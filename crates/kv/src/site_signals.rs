//! Signals to all processes, on one subscription: that users have new notices, and that the outbox has new rows. What they are
//! about is read from SQL.

use domain::UserId;
use link::{Event, Interest, Script, Subscription};

use crate::{Error, Kv};

static PUBLISH: Script = Script::new(include_str!("lua/publish.lua"));

/// Receives the signals of all processes.
#[derive(Debug)]
pub struct SignalSubscriber {
    subscription: Subscription,
    outbox: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteSignal {
    /// These users have new notices.
    Notices(Vec<UserId>),
    /// The outbox has new rows.
    Outbox,
    /// From here on every signal arrives. Earlier ones may be missing.
    Subscribed,
    /// From here on signals may be missing.
    Unsubscribed,
}

impl Kv {
    /// Signals that these users have new notices.
    pub async fn publish_notice_signal(&self, users: &[UserId]) -> Result<(), Error> {
        if users.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = users.iter().map(ToString::to_string).collect();
        let published = self.publish(self.keys.notice_signals(), ids.join(","));
        published
            .await
            .map_err(Error::during("publish a notice signal"))
    }

    /// Signals that the outbox has new rows.
    pub async fn publish_outbox_signal(&self) -> Result<(), Error> {
        let published = self.publish(self.keys.outbox_signals(), String::new());
        published
            .await
            .map_err(Error::during("publish an outbox signal"))
    }

    async fn publish(&self, channel: String, message: String) -> Result<(), link::LinkError> {
        let verb = match self.link.is_cluster() {
            true => "SPUBLISH",
            false => "PUBLISH",
        };
        let args = (verb, message);
        self.link.eval(&PUBLISH, &[&channel], args).await
    }

    pub fn subscribe_to_signals(&self) -> SignalSubscriber {
        let outbox = self.keys.outbox_signals();
        let interest = Interest::channels([self.keys.notice_signals(), outbox.clone()]);
        SignalSubscriber {
            subscription: self.link.subscribe(interest),
            outbox,
        }
    }
}

impl SignalSubscriber {
    /// Waits for the next signal. Cancel-safe.
    pub async fn next(&mut self) -> SiteSignal {
        loop {
            return match self.subscription.next().await {
                Event::Message { channel, .. } if channel == self.outbox => SiteSignal::Outbox,
                Event::Message { payload, .. } => SiteSignal::Notices(read(&payload)),
                Event::Connected => SiteSignal::Subscribed,
                Event::Disconnected => SiteSignal::Unsubscribed,
                _ => continue,
            };
        }
    }
}

fn read(payload: &[u8]) -> Vec<UserId> {
    let text = str::from_utf8(payload).unwrap_or_default();
    let ids = text.split(',').filter_map(|id| id.parse().ok());
    ids.map(UserId::new).collect()
}
