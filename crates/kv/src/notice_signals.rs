//! Signals to all processes that users have new notices: user ids only. The notices themselves are read from SQL.

use domain::UserId;
use link::{Event, Interest, Script, Subscription};

use crate::{Error, Kv};

static PUBLISH: Script = Script::new(include_str!("lua/publish.lua"));

/// Receives the signals of all processes.
#[derive(Debug)]
pub struct NoticeSubscriber {
    subscription: Subscription,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeSignal {
    For(Vec<UserId>),
    /// The subscription was lost: signals for any user may be missing.
    Gap,
}

impl Kv {
    /// Signals that these users have new notices.
    pub async fn publish_notice_signal(&self, users: &[UserId]) -> Result<(), Error> {
        if users.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = users.iter().map(ToString::to_string).collect();
        let verb = match self.link.is_cluster() {
            true => "SPUBLISH",
            false => "PUBLISH",
        };
        let args = (verb, ids.join(","));
        let channel = self.keys.notice_signals();
        let published = self.link.eval(&PUBLISH, &[&channel], args).await;
        published.map_err(Error::during("publish a notice signal"))
    }

    pub fn subscribe_to_notices(&self) -> NoticeSubscriber {
        let interest = Interest::channels([self.keys.notice_signals()]);
        NoticeSubscriber {
            subscription: self.link.subscribe(interest),
        }
    }
}

impl NoticeSubscriber {
    /// Waits for the next signal. Cancel-safe.
    pub async fn next(&mut self) -> NoticeSignal {
        loop {
            match self.subscription.next().await {
                Event::Message { payload, .. } => return NoticeSignal::For(read(&payload)),
                Event::Connected => return NoticeSignal::Gap,
                _ => {}
            }
        }
    }
}

fn read(payload: &[u8]) -> Vec<UserId> {
    let text = str::from_utf8(payload).unwrap_or_default();
    let ids = text.split(',').filter_map(|id| id.parse().ok());
    ids.map(UserId::new).collect()
}
