//! Requests with a name of their sender's choice: the first answer is kept for a day and given again.
//!
//! A name belongs to one request of one person. Whoever repeats it while it is worked on is told to wait; whoever uses it
//! for something else is told so. An answer that says that something of ours failed is not kept: trying again may help.
//!
//! Without Redis nobody can tell a repetition from the first time, so a request with a name is then refused.

use kv::{KeptAnswer, RequestBegun, RequestTurn, Session};
use sha2::{Digest as _, Sha256};

use crate::flash_sales::RequestKey;
use crate::write_limits::{self, Write};
use crate::{App, Error};

/// What to do about a request.
#[derive(Clone, Debug)]
pub enum IdempotentRequest {
    /// It is new: do it, then [`finish`].
    New(RequestTurn),
    Completed(KeptAnswer),
}

pub async fn begin(
    app: &App,
    session: &Session,
    key: &RequestKey,
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

/// Keeps the answer, or lets others try where there is none worth keeping. What cannot be kept now is done anew when the
/// request is repeated, and then refused by what it did the first time.
pub async fn finish(app: &App, turn: &RequestTurn, answer: Option<&KeptAnswer>) {
    let finished = match answer {
        Some(answer) => app.kv().finish_request(turn, answer).await,
        None => app.kv().leave_request(turn).await,
    };
    if let Err(error) = finished {
        tracing::warn!(%error, "reply of an idempotent request not stored");
    }
}

/// What is asked, in few characters: the same for the same request only.
pub fn fingerprint(method: &str, path: &str, body: &[u8]) -> String {
    let mut hasher = Sha256::new();
    for part in [method.as_bytes(), path.as_bytes(), body] {
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
