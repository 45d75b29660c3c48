//! Word to all processes that people have new notices: who, never what. What they are is read from SQL.

use domain::UserId;
use link::{Event, Interest, Pushes, Script};

use crate::{Error, Kv};

static PUBLISH: Script = Script::new(include_str!("lua/publish.lua"));

/// Hears for whom there are new notices.
#[derive(Debug)]
pub struct NewsListener {
    pushes: Pushes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    For(Vec<UserId>),
    /// Something may have been missed, for anybody.
    Gap,
}

impl Kv {
    /// Says that these people have new notices.
    pub async fn publish_news(&self, users: &[UserId]) -> Result<(), Error> {
        if users.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = users.iter().map(ToString::to_string).collect();
        let verb = match self.link.is_cluster() {
            true => "SPUBLISH",
            false => "PUBLISH",
        };
        let args = (verb, ids.join(","));
        let told = self.link.eval(&PUBLISH, &[&self.keys.news()], args).await;
        told.map_err(Error::during("publish news"))
    }

    pub fn listen_for_news(&self) -> NewsListener {
        let interest = Interest::channels([self.keys.news()]);
        NewsListener {
            pushes: self.link.subscribe(interest),
        }
    }
}

impl NewsListener {
    /// The next word, as soon as there is one. Cancel-safe.
    pub async fn next(&mut self) -> News {
        loop {
            match self.pushes.next().await {
                Event::Message { payload, .. } => return News::For(read(&payload)),
                Event::Connected => return News::Gap,
                Event::Disconnected | Event::Invalidated(_) | Event::AllInvalidated => {}
            }
        }
    }
}

fn read(payload: &[u8]) -> Vec<UserId> {
    let text = str::from_utf8(payload).unwrap_or_default();
    let ids = text.split(',').filter_map(|id| id.parse().ok());
    ids.map(UserId::new).collect()
}
