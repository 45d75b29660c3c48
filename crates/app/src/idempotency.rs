//! Idempotent requests: the first reply to a key is stored for a day and replayed.
//!
//! A key belongs to one request of one user. A repetition during the request is refused with "wait"; a key reused for
//! another request is refused. A reply that reports a failure of ours is not stored, so a retry may succeed.
//!
//! Without Redis a repetition cannot be detected, so a request with a key is refused. Notes and comments keep their keys in
//! SQL instead, in the transaction that writes them: see [`write_key`].

mod key;

use kv::{KeptAnswer, RequestBegun, RequestTurn, Session};
use sha2::{Digest as _, Sha256};
use storage::write_keys::WriteKey;

use crate::write_limits::{self, Write};
use crate::{App, Error};
pub use key::{IdempotencyKey, InvalidKey, KEY_MAX_CHARS};

/// How to handle a request.
#[derive(Clone, Debug)]
pub enum IdempotentRequest {
    /// Execute it, then call [`finish`].
    New(RequestTurn),
    Completed(KeptAnswer),
}

pub async fn begin(
    app: &App,
    session: &Session,
    key: &IdempotencyKey,
    fingerprint: &str,
) -> Result<IdempotentRequest, Error> {
    write_limits::take(app, session, Write::NamedRequest).await?;
    let (user, owner) = (session.profile.user_id, rand::random());
    let begun = app
        .kv()
        .begin_request(user, key.as_str(), fingerprint, owner);
    match begun.await? {
        RequestBegun::Yours(turn) => Ok(IdempotentRequest::New(turn)),
        RequestBegun::Answered(answer) => Ok(IdempotentRequest::Completed(answer)),
        RequestBegun::Mismatch => Err(Error::IdempotencyMismatch),
        RequestBegun::InFlight { retry_after } => Err(Error::InProgress { retry_after }),
    }
}

/// Stores the reply, or releases the key where there is none worth storing. If storing fails, a repetition executes
/// again and is refused by the effects of the first execution.
pub async fn finish(app: &App, turn: &RequestTurn, answer: Option<&KeptAnswer>) {
    let finished = match answer {
        Some(answer) => app.kv().finish_request(turn, answer).await,
        None => app.kv().leave_request(turn).await,
    };
    if let Err(error) = finished {
        tracing::warn!(%error, "reply of an idempotent request not stored");
    }
}

/// A digest that identifies the request.
pub fn fingerprint(method: &str, path: &str, body: &[u8]) -> String {
    digest(&[method.as_bytes(), path.as_bytes(), body])
}

/// The key of a note or a comment that says these things, in this order.
pub(crate) fn write_key(key: &IdempotencyKey, said: &[&str]) -> WriteKey {
    let parts: Vec<&[u8]> = said.iter().map(|part| part.as_bytes()).collect();
    WriteKey {
        name: key.as_str().to_owned(),
        fingerprint: digest(&parts),
    }
}

fn digest(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
    let digest = hasher.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_tells_where_one_part_ends_and_the_next_begins() {
        let one = fingerprint("POST", "/a", b"b");
        assert_eq!(one, fingerprint("POST", "/a", b"b"));
        assert_ne!(one, fingerprint("POST", "/ab", b""));
        assert_ne!(one, fingerprint("PUT", "/a", b"b"));
    }
}
