//! Where a lock lives in Redis, and the requests about it.
//!
//! All keys of a lock share one hash tag, so that every script keeps to one slot of a Cluster. The server's clock alone
//! decides; durations are the only times that are sent. Every request may be repeated: asking again with the same token
//! gives the same answer.

use std::{fmt, sync::Arc, time::Duration};

use link::{LinkError, Script};

use crate::{
    Fence, Term,
    core::Core,
    limits::{ALIVE, COHORT_GRANTS, DONE_TTL, FENCE_TTL, GRACE},
    token::Token,
};

static MUTEX_ACQUIRE: Script = Script::new(concat!(
    include_str!("lua/queue.lua"),
    include_str!("lua/mutex_prelude.lua"),
    include_str!("lua/mutex_acquire.lua"),
));
static MUTEX_RELEASE: Script = Script::new(concat!(
    include_str!("lua/queue.lua"),
    include_str!("lua/mutex_prelude.lua"),
    include_str!("lua/mutex_release.lua"),
));
static MUTEX_RENEW: Script = Script::new(include_str!("lua/mutex_renew.lua"));
static SHARED_ACQUIRE: Script = Script::new(concat!(
    include_str!("lua/queue.lua"),
    include_str!("lua/shared_prelude.lua"),
    include_str!("lua/shared_acquire.lua"),
));
static SHARED_RELEASE: Script = Script::new(concat!(
    include_str!("lua/queue.lua"),
    include_str!("lua/shared_prelude.lua"),
    include_str!("lua/shared_release.lua"),
));
static SHARED_RENEW: Script = Script::new(include_str!("lua/shared_renew.lua"));

/// The primitive that a lock is; its name is part of the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Mutex,
    Fair,
    ReadWrite,
    Semaphore { permits: u32 },
}

/// One lock of one process.
pub(crate) struct Site {
    pub(crate) core: Arc<Core>,
    pub(crate) kind: Kind,
    name: String,
    /// What all keys begin with, hash tag included; the first key is this itself.
    base: String,
    keys: [String; 4],
    /// What the channels begin with that its waiters listen to; the rest is their process.
    channel: String,
}

/// What is asked for on behalf of a token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) token: Token,
    pub(crate) term: Term,
    pub(crate) waits: bool,
    /// Whether the token may be in line, or even granted, by an earlier request.
    pub(crate) repeated: bool,
    /// A holder of this process whose place the token takes.
    pub(crate) heir_of: Option<Token>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Granted(Fence),
    /// A lease ends after this time, if it is not renewed.
    Held(Duration),
}

/// Whether a lock was the asker's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ownership {
    Yours,
    Gone,
    Taken,
}

impl Kind {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Mutex => "mutex",
            Self::Fair => "fair",
            Self::ReadWrite => "rw",
            Self::Semaphore { .. } => "semaphore",
        }
    }

    /// How many shared holders there may be.
    fn capacity(self) -> u32 {
        match self {
            Self::Mutex | Self::Fair => 1,
            Self::ReadWrite => u32::MAX,
            Self::Semaphore { permits } => permits,
        }
    }
}

impl Site {
    pub(crate) fn new(core: Arc<Core>, kind: Kind, name: &str) -> Self {
        let base = format!("{}{{{}:{name}}}", core.options.prefix, kind.label());
        let [fence, queue, alive, grants] =
            ["fence", "queue", "alive", "grants"].map(|part| format!("{base}:{part}"));
        let channel = match core.link.is_cluster() {
            true => format!("{base}:wake:"),
            false => core.channel_prefix(),
        };
        Self {
            keys: [fence, queue, alive, grants],
            base,
            channel,
            name: name.to_owned(),
            core,
            kind,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Where waiters of this process are woken.
    pub(crate) fn own_channel(&self) -> String {
        format!("{}{}", self.channel, self.core.process)
    }

    pub(crate) async fn acquire(&self, request: Request) -> Result<Reply, LinkError> {
        let reply = match self.kind {
            Kind::Mutex => self.acquire_mutex(request).await?,
            _ => self.acquire_seat(request).await?,
        };
        Ok(match reply {
            (1, fence) => Reply::Granted(Fence::new(fence.unsigned_abs())),
            // A negative time is that of a key without an end, which is not ours.
            (_, ms) => Reply::Held(ms.try_into().map_or(Duration::MAX, Duration::from_millis)),
        })
    }

    pub(crate) async fn renew(&self, token: Token, term: Term) -> Result<Ownership, LinkError> {
        let args = (token.to_string(), millis(term.lease()));
        let link = &self.core.link;
        let answer = match self.kind {
            Kind::Mutex => link.eval(&MUTEX_RENEW, &[&self.base], args).await?,
            _ => {
                let keys = [&self.base, &self.keys[3]];
                link.eval(&SHARED_RENEW, &keys, args).await?
            }
        };
        Ok(Ownership::read(answer))
    }

    /// Releases what the token holds and gives up its place in line; whichever it has.
    pub(crate) async fn release(&self, token: Token) -> Result<Ownership, LinkError> {
        let [fence, queue, alive, grants] = &self.keys;
        let done = self.done_key(token);
        let args = (
            token.to_string(),
            millis(DONE_TTL),
            match self.kind {
                Kind::Mutex => COHORT_GRANTS,
                kind => kind.capacity().into(),
            },
            millis(FENCE_TTL),
            self.core.publish_verb(),
            &self.channel,
            millis(GRACE),
        );
        let link = &self.core.link;
        let answer = match self.kind {
            Kind::Mutex => {
                let keys = [&self.base, fence, queue, alive, &done];
                link.eval(&MUTEX_RELEASE, &keys, args).await?
            }
            _ => {
                let keys = [&self.base, fence, queue, alive, grants, &done];
                link.eval(&SHARED_RELEASE, &keys, args).await?
            }
        };
        Ok(Ownership::read(answer))
    }

    async fn acquire_mutex(&self, request: Request) -> Result<(i64, i64), LinkError> {
        let [fence, queue, alive, _] = &self.keys;
        let done = self.done_key(request.token);
        let keys = [&self.base, fence, queue, alive, &done];
        let heir_of = request.heir_of.map(|token| token.to_string());
        let args = (
            request.token.to_string(),
            millis(request.term.lease()),
            COHORT_GRANTS,
            millis(FENCE_TTL),
            self.core.publish_verb(),
            &self.channel,
            millis(GRACE),
            u8::from(request.waits),
            u8::from(request.repeated),
            millis(ALIVE),
            heir_of.unwrap_or_default(),
        );
        self.core.link.eval(&MUTEX_ACQUIRE, &keys, args).await
    }

    async fn acquire_seat(&self, request: Request) -> Result<(i64, i64), LinkError> {
        let [fence, queue, alive, grants] = &self.keys;
        let done = self.done_key(request.token);
        let keys = [&self.base, fence, queue, alive, grants, &done];
        let args = (
            request.token.to_string(),
            millis(request.term.lease()),
            self.kind.capacity(),
            millis(FENCE_TTL),
            self.core.publish_verb(),
            &self.channel,
            millis(GRACE),
            u8::from(request.waits),
            millis(ALIVE),
        );
        self.core.link.eval(&SHARED_ACQUIRE, &keys, args).await
    }

    fn done_key(&self, token: Token) -> String {
        format!("{}:done:{token}", self.base)
    }
}

impl Ownership {
    fn read(answer: i64) -> Self {
        match answer {
            1 => Self::Yours,
            0 => Self::Gone,
            _ => Self::Taken,
        }
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Site({})", self.base)
    }
}

fn millis(duration: Duration) -> u64 {
    duration.as_millis().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
