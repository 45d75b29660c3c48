//! A Lua script together with its hash.
//!
//! The hash is computed once, from the very source that is sent when the server does not know it, so the two cannot
//! disagree.

use std::sync::OnceLock;

use redis::{Cmd, ToRedisArgs, ToSingleRedisArg};

/// A script, usually a `static`: `static CLAIM: Script = Script::new(include_str!("claim.lua"));`
#[derive(Debug)]
pub struct Script {
    source: &'static str,
    sha1: OnceLock<String>,
}

impl Script {
    /// A script with this source.
    pub const fn new(source: &'static str) -> Self {
        Self {
            source,
            sha1: OnceLock::new(),
        }
    }

    /// The source.
    pub fn source(&self) -> &'static str {
        self.source
    }

    /// SHA-1 of the source in lower-case hex, by which the server knows it.
    pub fn sha1(&self) -> &str {
        self.sha1
            .get_or_init(|| redis::Script::new(self.source).get_hash().to_owned())
    }

    /// The call by hash. Fails with `NOSCRIPT` on a server that has not seen the source since its start.
    pub(crate) fn by_hash<K, A>(&self, keys: &[K], args: &A) -> Cmd
    where
        K: ToSingleRedisArg,
        A: ToRedisArgs,
    {
        call("EVALSHA", self.sha1(), keys, args)
    }

    /// The call by source, after which the server knows the hash.
    pub(crate) fn by_source<K, A>(&self, keys: &[K], args: &A) -> Cmd
    where
        K: ToSingleRedisArg,
        A: ToRedisArgs,
    {
        call("EVAL", self.source, keys, args)
    }
}

fn call<K: ToSingleRedisArg, A: ToRedisArgs>(
    name: &str,
    script: &str,
    keys: &[K],
    args: &A,
) -> Cmd {
    let mut cmd = redis::cmd(name);
    cmd.arg(script).arg(keys.len());
    for key in keys {
        cmd.arg(key);
    }
    cmd.arg(args);
    cmd
}
