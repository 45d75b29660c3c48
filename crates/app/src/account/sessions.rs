//! Sessions: finding the caller's, listing a user's, ending them.

use std::sync::Arc;

use domain::{SessionToken, UserId};
use jiff::Timestamp;
use kv::{Session, SessionHash};

use crate::{App, Error, Refusal};

/// One entry of the session list.
#[derive(Debug)]
pub struct SessionView {
    pub number: u32,
    pub is_current: bool,
    pub device: String,
    pub address: String,
    pub created_at: Timestamp,
    pub seen_at: Timestamp,
}

/// The session of a token. No round trip if the session cache has it; otherwise one, which misses of the same moment share.
pub async fn find_session(app: &App, token: &SessionToken) -> Result<Option<Arc<Session>>, Error> {
    Ok(app.sessions().find(token).await?)
}

/// Resolves when the session of this token has ended, for long-lived connections on its behalf.
pub fn session_end(app: &App, token: &SessionToken) -> impl Future<Output = ()> + Send + use<> {
    app.sessions().watch(SessionHash::of(token)).ended()
}

/// Ends the session of this token.
pub async fn logout(app: &App, session: &Session, token: &SessionToken) -> Result<(), Error> {
    let hash = SessionHash::of(token);
    app.sessions().end(session.profile.user_id, &hash).await?;
    Ok(())
}

pub async fn list_sessions(app: &App, session: &Session) -> Result<Vec<SessionView>, Error> {
    let seen = app.kv().list_sessions(session.profile.user_id).await?;
    let view = |line: kv::SessionSeen| SessionView {
        is_current: line.number == session.number,
        number: line.number,
        device: line.device,
        address: line.address,
        created_at: line.created_at,
        seen_at: line.seen_at,
    };
    Ok(seen.into_iter().map(view).collect())
}

/// Ends one of the user's own sessions by number.
pub async fn sign_out_session(app: &App, session: &Session, number: u32) -> Result<(), Error> {
    let user = session.profile.user_id;
    let seen = app.kv().list_sessions(user).await?;
    let line = seen
        .into_iter()
        .find(|line| line.number == number)
        .ok_or(Refusal::SessionNotFound)?;
    app.sessions().end(user, &line.hash).await?;
    Ok(())
}

/// Ends the sessions of a user that were opened until then, except the one of the number `kept`.
pub(super) async fn end_other_sessions(
    app: &App,
    user: UserId,
    kept: u32,
    opened_until: Timestamp,
) -> Result<(), Error> {
    for session in app.kv().list_sessions(user).await? {
        if session.number != kept && session.created_at <= opened_until {
            app.sessions().end(user, &session.hash).await?;
        }
    }
    Ok(())
}
