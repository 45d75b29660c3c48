//! L2: entries in Redis, and the protocol by which processes share them.
//!
//! An entry has three keys in one hash slot. The **value** lives until its hard expiry. The **lease** says who is
//! loading: a random token, renewed as long as that one lives. The **tombstone** says that the row changed and, if known,
//! the version it has at least.
//!
//! | step | what it does |
//! |---|---|
//! | read | `GET` and `PTTL` of the value; how long it is fresh follows from the two |
//! | lease | takes the lease, unless there is a fresh value by now or another one has the lease |
//! | fill | stores the value if the lease is still the caller's and no newer version is known |
//! | renew | prolongs the lease while the loader works |
//! | release | gives the lease back after a load that failed |
//! | invalidate | drops value and lease, leaves a tombstone |
//!
//! The invariant: a value that was read before an invalidation is not stored after it. The invalidation takes the
//! lease away, and without the lease nothing is stored; whoever loads later does so under a lease, and from a row, that
//! came after it.
//!
//! A server that does not answer is avoided for a while (see [`breaker`](crate::breaker)); each call is bounded.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use link::{Link, LinkError, Script};

use crate::{
    Loader,
    breaker::Breaker,
    entry::{self, Entry, Stamp, Version},
    keys::Keys,
    meter::Meter,
};

static LEASE: Script = Script::new(include_str!("remote/lease.lua"));
static FILL: Script = Script::new(include_str!("remote/fill.lua"));
static RENEW: Script = Script::new(include_str!("remote/renew.lua"));
static RELEASE: Script = Script::new(include_str!("remote/release.lua"));
static INVALIDATE: Script = Script::new(include_str!("remote/invalidate.lua"));

/// Redis cannot be asked, or did not answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Away;

pub(crate) struct Remote {
    pub(crate) link: Link,
    pub(crate) keys: Keys,
    pub(crate) breaker: Breaker,
    pub(crate) timeout: Duration,
    pub(crate) lease_ttl: Duration,
    pub(crate) tombstone_ttl: Duration,
}

/// What became of a wish to load.
pub(crate) enum Leased<V> {
    /// Somebody stored a fresh entry meanwhile.
    Found(Entry<V>),
    Granted,
    /// Another one is loading.
    Taken,
    /// Something is stored that does not decode. It is to be replaced, and has this stamp.
    Garbage(Stamp),
}

/// What became of a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filled {
    Stored,
    Refused,
}

impl Remote {
    /// What Redis holds of each key, in one round trip per server.
    pub(crate) async fn read<L: Loader>(
        &self,
        keys: &[&L::Key],
        meter: &Meter,
    ) -> Result<impl Iterator<Item = Option<Entry<L::Value>>> + use<L>, Away> {
        let mut pipeline = redis::Pipeline::with_capacity(keys.len() * 2);
        for key in keys {
            let name = self.keys.value(*key);
            pipeline.cmd("GET").arg(&name);
            pipeline.cmd("PTTL").arg(&name);
        }
        let asked = self.link.pipe::<Vec<redis::Value>>(&pipeline);
        let answers = self.ask("read", meter, asked).await?;
        let mut answers = answers.into_iter();
        Ok(std::iter::from_fn(move || {
            let (value, left) = (answers.next()?, answers.next()?);
            Some(decode::<L>(&value, &left))
        }))
    }

    /// Asks for the lease, with the entry in mind that shall be replaced.
    pub(crate) async fn lease<L: Loader>(
        &self,
        key: &L::Key,
        token: Stamp,
        replacing: Option<Stamp>,
        meter: &Meter,
    ) -> Result<Leased<L::Value>, Away> {
        let keys = [self.keys.value(key), self.keys.lease(key)];
        let args = [
            token.0.to_vec(),
            millis(self.lease_ttl),
            replacing.map_or_else(Vec::new, |stamp| stamp.0.to_vec()),
            entry::schema_mark::<L>().to_vec(),
        ];
        let asked = self.link.eval(&LEASE, &keys, &args[..]);
        let (code, value, left): (u8, redis::Value, redis::Value) =
            self.ask("lease", meter, asked).await?;
        match code {
            0 => Ok(decode::<L>(&value, &left).map_or_else(|| garbage(&value), Leased::Found)),
            1 => Ok(Leased::Granted),
            _ => Ok(Leased::Taken),
        }
    }

    pub(crate) async fn fill<L: Loader>(
        &self,
        key: &L::Key,
        entry: &Entry<L::Value>,
        meter: &Meter,
    ) -> Result<Filled, Away> {
        let Some(bytes) = entry::encode::<L>(entry) else {
            tracing::error!("a value cannot be encoded, so it is not shared");
            return Err(Away);
        };
        let keys = self.keys.all(key);
        let keys = [keys.value, keys.lease, keys.tombstone];
        let args = [entry.stamp.0.to_vec(), bytes, millis(entry.usable_for)];
        let asked = self.link.eval::<i64>(&FILL, &keys, &args[..]);
        match self.ask("fill", meter, asked).await? {
            1 => Ok(Filled::Stored),
            _ => Ok(Filled::Refused),
        }
    }

    /// Best effort: a lease that is not renewed goes to another one, and then our fill is refused.
    pub(crate) async fn renew<K: crate::Key>(&self, key: &K, token: Stamp, meter: &Meter) {
        let keys = [self.keys.lease(key)];
        let args = [token.0.to_vec(), millis(self.lease_ttl)];
        let asked = self.link.eval::<i64>(&RENEW, &keys, &args[..]);
        let _ = self.ask("renew", meter, asked).await;
    }

    /// Best effort: a lease that is not given back ends by itself.
    pub(crate) async fn release<K: crate::Key>(&self, key: &K, token: Stamp, meter: &Meter) {
        let keys = [self.keys.lease(key)];
        let asked = self.link.eval::<i64>(&RELEASE, &keys, &token.0[..]);
        let _ = self.ask("release", meter, asked).await;
    }

    /// Tried whatever the breaker thinks, and as long as the link allows: it must happen.
    pub(crate) async fn invalidate<K: crate::Key>(
        &self,
        key: &K,
        version: Version,
    ) -> Result<(), LinkError> {
        let keys = self.keys.all(key);
        let keys = [keys.value, keys.lease, keys.tombstone];
        let args = [version.0.to_vec(), millis(self.tombstone_ttl)];
        self.link.eval(&INVALIDATE, &keys, &args[..]).await
    }

    async fn ask<T>(
        &self,
        operation: &'static str,
        meter: &Meter,
        asked: impl Future<Output = Result<T, LinkError>>,
    ) -> Result<T, Away> {
        let since = Instant::now();
        let answer = tokio::time::timeout(self.timeout, asked).await;
        meter.l2_took(operation, since);
        match answer {
            Ok(Ok(answer)) => {
                self.breaker.succeeded();
                return Ok(answer);
            }
            Ok(Err(error)) => tracing::debug!(operation, %error, "redis gave no answer"),
            Err(_) => tracing::debug!(operation, "redis did not answer in time"),
        }
        meter.l2_errors.add(1);
        self.breaker.failed(Instant::now());
        Err(Away)
    }
}

fn decode<L: Loader>(value: &redis::Value, left: &redis::Value) -> Option<Entry<L::Value>> {
    match (value, left) {
        (redis::Value::BulkString(bytes), redis::Value::Int(left_ms)) => {
            // Negative: it has just ended, or somebody took its expiry away. Either way it is not fresh.
            let left = Duration::from_millis((*left_ms).try_into().unwrap_or(0));
            entry::decode::<L>(bytes, left)
        }
        _ => None,
    }
}

fn garbage<V>(value: &redis::Value) -> Leased<V> {
    match value {
        redis::Value::BulkString(bytes) => Leased::Garbage(entry::stamp_of(bytes)),
        _ => Leased::Taken,
    }
}

/// Redis takes no expiry of zero.
fn millis(duration: Duration) -> Vec<u8> {
    duration.as_millis().max(1).to_string().into_bytes()
}
