//! The keys of a lock in Redis, and the requests that use them.
//!
//! All keys of a lock share one hash tag, so that every script stays in one slot of a Cluster. Only the server's clock
//! counts; requests carry durations, never times. Every request is idempotent: a repeated token gets the same reply.

use std::{fmt, sync::Arc, time::Duration};

use link::{LinkError, Script};

use crate::{
    Fence, Holder, Owner, Term,
    core::Core,
    limits::{ALIVE, DONE_TTL, FENCE_TTL, GRACE, MAX_DONE_TTL},
    token::Token,
};

/// The usual case comes before the functions that it does not need: Lua makes them anew in every call.
static MUTEX_ACQUIRE: Script = Script::new(concat!(
    include_str!("lua/mutex_limits.lua"),
    include_str!("lua/fence.lua"),
    include_str!("lua/mutex_acquire.lua"),
    include_str!("lua/queue.lua"),
    include_str!("lua/mutex_prelude.lua"),
    include_str!("lua/mutex_wait.lua"),
));
static MUTEX_RELEASE: Script = Script::new(concat!(
    include_str!("lua/mutex_limits.lua"),
    include_str!("lua/fence.lua"),
    include_str!("lua/mutex_release.lua"),
    include_str!("lua/queue.lua"),
    include_str!("lua/mutex_prelude.lua"),
    include_str!("lua/mutex_hand_over.lua"),
));
static SHARED_ACQUIRE: Script = Script::new(concat!(
    include_str!("lua/fence.lua"),
    include_str!("lua/queue.lua"),
    include_str!("lua/shared_prelude.lua"),
    include_str!("lua/shared_acquire.lua"),
));
static SHARED_RELEASE: Script = Script::new(concat!(
    include_str!("lua/fence.lua"),
    include_str!("lua/queue.lua"),
    include_str!("lua/shared_prelude.lua"),
    include_str!("lua/shared_release.lua"),
));
static SHARED_DOWNGRADE: Script = Script::new(concat!(
    include_str!("lua/fence.lua"),
    include_str!("lua/queue.lua"),
    include_str!("lua/shared_prelude.lua"),
    include_str!("lua/shared_downgrade.lua"),
));
static MUTEX_FORCE: Script = Script::new(concat!(
    include_str!("lua/mutex_limits.lua"),
    include_str!("lua/fence.lua"),
    include_str!("lua/queue.lua"),
    include_str!("lua/mutex_prelude.lua"),
    include_str!("lua/mutex_force.lua"),
));
static MUTEX_HOLDERS: Script = Script::new(include_str!("lua/mutex_holders.lua"));
static SHARED_HOLDERS: Script = Script::new(include_str!("lua/shared_holders.lua"));
static SHARED_RENEW: Script = Script::new(include_str!("lua/shared_renew.lua"));

const NO_ARGS: &[&str] = &[];

/// The kind of a lock; its label is part of the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockKind {
    Mutex,
    Fair,
    /// Its tokens name their owner.
    Reentrant,
    ReadWrite,
    Semaphore {
        permits: u32,
    },
}

/// A lock in Redis, as one process addresses it.
pub(crate) struct RemoteLock {
    pub(crate) core: Arc<Core>,
    pub(crate) kind: LockKind,
    name: String,
    owner: Option<Owner>,
    /// The prefix of all keys, hash tag included; the first key is the prefix itself.
    base: String,
    keys: [String; 4],
    /// The prefix of the wake channels of its waiters; the process id follows.
    channel: String,
}

/// A request to acquire the lock for a token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AcquireRequest {
    pub(crate) token: Token,
    pub(crate) term: Term,
    pub(crate) waits: bool,
    /// Whether an earlier request of this token may have reached the server.
    pub(crate) repeated: bool,
    /// The token of a lease of this process that this one replaces.
    pub(crate) replaces: Option<Token>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AcquireReply {
    Granted(Fence),
    /// Others hold the lock; the first of their leases ends after this time, if it is not renewed.
    Held(Duration),
    /// The semaphore is in use with this number of permits, and the request named another one.
    OtherPermits(u32),
}

/// Whether the token of a request holds the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ownership {
    Held,
    Gone,
    Taken,
}

impl LockKind {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Mutex => "mutex",
            Self::Fair => "fair",
            Self::Reentrant => "reentrant",
            Self::ReadWrite => "rw",
            Self::Semaphore { .. } => "semaphore",
        }
    }

    /// Whether the server keeps the capacity and refuses requests with another one. It is fixed for all other kinds.
    fn keeps_permits(self) -> bool {
        matches!(self, Self::Semaphore { .. })
    }

    /// How many shared holders there may be.
    pub(crate) fn capacity(self) -> u32 {
        match self {
            Self::Mutex | Self::Fair | Self::Reentrant => 1,
            Self::ReadWrite => u32::MAX,
            Self::Semaphore { permits } => permits,
        }
    }
}

impl RemoteLock {
    pub(crate) fn new(core: Arc<Core>, kind: LockKind, name: &str) -> Self {
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
            owner: None,
            core,
            kind,
        }
    }

    /// The same lock, whose tokens name this owner.
    pub(crate) fn of_owner(self, owner: Owner) -> Self {
        Self {
            owner: Some(owner),
            ..self
        }
    }

    /// The text of a token in Redis.
    pub(crate) fn text(&self, token: Token) -> String {
        match &self.owner {
            None => token.to_string(),
            Some(owner) => format!("{token}:{owner}"),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The first of its keys, which the names of the others begin with.
    pub(crate) fn key(&self) -> &str {
        &self.base
    }

    /// The address of its server.
    pub(crate) fn server(&self) -> String {
        self.core.link.target().address()
    }

    /// Whether both are the same lock, as far as addresses tell.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.key() == other.key() && self.server() == other.server()
    }

    /// The wake channel of this process.
    pub(crate) fn own_channel(&self) -> String {
        format!("{}{}", self.channel, self.core.process)
    }

    pub(crate) async fn acquire(&self, request: AcquireRequest) -> Result<AcquireReply, LinkError> {
        match self.kind {
            LockKind::Mutex => self.acquire_mutex(request).await,
            _ => self.acquire_shared(request).await,
        }
    }

    pub(crate) async fn renew(&self, token: Token, term: Term) -> Result<Ownership, LinkError> {
        if self.kind == LockKind::Mutex {
            return self.core.renewals.renew(&self.base, token, term).await;
        }
        let keys = [&self.base, &self.keys[3]];
        let args = (self.text(token), term.lease_ms());
        let reply = self.core.link.eval(&SHARED_RENEW, &keys, args).await?;
        Ok(Ownership::from_reply(reply))
    }

    /// Releases the lock of the token, or removes the token from the queue.
    pub(crate) async fn release(&self, token: Token) -> Result<Ownership, LinkError> {
        self.release_early(token, Duration::ZERO).await
    }

    /// As [`release`](Self::release), of a lease that lasts at least for `left`: a mutex then needs one write less.
    pub(crate) async fn release_early(
        &self,
        token: Token,
        left: Duration,
    ) -> Result<Ownership, LinkError> {
        let reply = match self.kind {
            LockKind::Mutex => self.release_mutex(token, left).await?,
            _ => self.release_shared(&self.text(token), "released").await?,
        };
        Ok(Ownership::from_reply(reply))
    }

    /// Exchanges the token of a writer for that of a reader; returns whether the writer held the lock.
    pub(crate) async fn downgrade(
        &self,
        writer: Token,
        reader: Token,
        term: Term,
    ) -> Result<bool, LinkError> {
        let [fence, queue, alive, grants] = &self.keys;
        let (writer, reader) = (self.text(writer), self.text(reader));
        let [writer_done, reader_done] = [&writer, &reader].map(|token| self.done_key(token));
        let keys = [
            &self.base,
            fence,
            queue,
            alive,
            grants,
            &writer_done,
            &reader_done,
        ];
        let args = (
            writer,
            reader,
            term.lease_ms(),
            millis(FENCE_TTL),
            self.core.publish_verb(),
            &self.channel,
            millis(GRACE),
            millis(DONE_TTL),
            self.kind.capacity(),
        );
        let reply: i64 = self.core.link.eval(&SHARED_DOWNGRADE, &keys, args).await?;
        Ok(reply == 1)
    }

    /// Who holds the lock, with the text of each token.
    pub(crate) async fn holders(&self) -> Result<Vec<(String, Holder)>, LinkError> {
        let link = &self.core.link;
        let rows: Vec<Vec<String>> = match self.kind {
            LockKind::Mutex => link.eval(&MUTEX_HOLDERS, &[&self.base], NO_ARGS).await?,
            _ => {
                let keys = [&self.base, &self.keys[3]];
                link.eval(&SHARED_HOLDERS, &keys, NO_ARGS).await?
            }
        };
        let holders = rows.into_iter().filter_map(|row| {
            let [token, fence, left_ms] = row.try_into().ok()?;
            let holder = Holder::parse(&token, &fence, &left_ms)?;
            Some((token, holder))
        });
        Ok(holders.collect())
    }

    /// Takes the lock from the holder with this token; returns whether it still held it.
    pub(crate) async fn force_release(&self, token: &str) -> Result<bool, LinkError> {
        if self.kind != LockKind::Mutex {
            return Ok(self.release_shared(token, "given up").await? == 1);
        }
        let [fence, queue, alive, _] = &self.keys;
        let done = self.done_key(token);
        let keys = [&self.base, fence, queue, alive, &done];
        let args = (token, &self.channel);
        let reply: i64 = self.core.link.eval(&MUTEX_FORCE, &keys, args).await?;
        Ok(reply == 1)
    }

    async fn release_mutex(&self, token: Token, left: Duration) -> Result<i64, LinkError> {
        let [fence, queue, alive, _] = &self.keys;
        let done = self.done_key(&token.to_string());
        let keys = [&self.base, fence, queue, alive, &done];
        let is_mark_kept = (DONE_TTL..=MAX_DONE_TTL).contains(&left);
        let args = (token.to_string(), u8::from(is_mark_kept), &self.channel);
        self.core.link.eval(&MUTEX_RELEASE, &keys, args).await
    }

    /// The mark says what a later release of the same token returns.
    async fn release_shared(&self, token: &str, mark: &str) -> Result<i64, LinkError> {
        let [fence, queue, alive, grants] = &self.keys;
        let done = self.done_key(token);
        let keys = [&self.base, fence, queue, alive, grants, &done];
        let args = (
            token,
            millis(DONE_TTL),
            self.kind.capacity(),
            millis(FENCE_TTL),
            self.core.publish_verb(),
            &self.channel,
            millis(GRACE),
            u8::from(self.kind.keeps_permits()),
            mark,
        );
        self.core.link.eval(&SHARED_RELEASE, &keys, args).await
    }

    async fn acquire_mutex(&self, request: AcquireRequest) -> Result<AcquireReply, LinkError> {
        let [fence, queue, alive, _] = &self.keys;
        let done = self.done_key(&request.token.to_string());
        let keys = [&self.base, fence, queue, alive, &done];
        let replaces = request.replaces.map(|token| token.to_string());
        let args = (
            request.token.to_string(),
            request.term.lease_ms(),
            u8::from(request.waits),
            u8::from(request.repeated),
            replaces.unwrap_or_default(),
            &self.channel,
        );
        let reply: i64 = self.core.link.eval(&MUTEX_ACQUIRE, &keys, args).await?;
        Ok(match reply {
            1.. => AcquireReply::Granted(Fence::new(reply.unsigned_abs())),
            // Also for a key without an expiry, which this crate never writes.
            0 => AcquireReply::Held(Duration::MAX),
            _ => AcquireReply::Held(Duration::from_millis(reply.unsigned_abs() - 1)),
        })
    }

    async fn acquire_shared(&self, request: AcquireRequest) -> Result<AcquireReply, LinkError> {
        let [fence, queue, alive, grants] = &self.keys;
        let token = self.text(request.token);
        let done = self.done_key(&token);
        let keys = [&self.base, fence, queue, alive, grants, &done];
        let args = (
            &token,
            request.term.lease_ms(),
            self.kind.capacity(),
            millis(FENCE_TTL),
            self.core.publish_verb(),
            &self.channel,
            millis(GRACE),
            u8::from(request.waits),
            millis(ALIVE),
            u8::from(self.kind.keeps_permits()),
        );
        let reply: (i64, i64) = self.core.link.eval(&SHARED_ACQUIRE, &keys, args).await?;
        Ok(match reply {
            (1, fence) => AcquireReply::Granted(Fence::new(fence.unsigned_abs())),
            (-1, permits) => AcquireReply::OtherPermits(permits.try_into().unwrap_or(u32::MAX)),
            // Negative for a token that has ended.
            (_, ms) => {
                AcquireReply::Held(ms.try_into().map_or(Duration::MAX, Duration::from_millis))
            }
        })
    }

    fn done_key(&self, token: &str) -> String {
        format!("{}:done:{token}", self.base)
    }
}

impl Ownership {
    pub(crate) fn from_reply(reply: i64) -> Self {
        match reply {
            1 => Self::Held,
            0 => Self::Gone,
            _ => Self::Taken,
        }
    }
}

impl fmt::Debug for RemoteLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RemoteLock({})", self.base)
    }
}

fn millis(duration: Duration) -> u64 {
    duration.as_millis().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
