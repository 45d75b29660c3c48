//! Sessions for thousands of people at once, for load tests.
//!
//! Each is written by the script that signing in uses, so it is the same in every field and lifetime. The sets that name
//! them are written after them, as there: whatever a set names has been alive.

use domain::{SessionToken, UserId};
use link::Script;
use redis::Pipeline;

use crate::session_record::record_after_times;
use crate::sessions::SessionHash;
use crate::{Error, Kv, NewSession, SessionLifetimes};

static CREATE: Script = Script::new(include_str!("lua/create_session.lua"));

/// Per pipeline: enough to amortise the round trip, few enough not to delay other callers behind it.
const SESSIONS_PER_PIPELINE: usize = 1_000;

/// A session to be, with the token that will open it.
#[derive(Clone, Debug)]
pub struct BulkSession<'a> {
    pub token: &'a SessionToken,
    pub session: NewSession<'a>,
}

impl Kv {
    /// Gives every person named exactly one session; those they had before end.
    pub async fn create_sessions_in_bulk(
        &self,
        sessions: &[BulkSession<'_>],
        lifetimes: &SessionLifetimes,
    ) -> Result<(), Error> {
        for chunk in sessions.chunks(SESSIONS_PER_PIPELINE) {
            self.end_sessions_of_all(chunk).await?;
            self.send(&self.create_all(chunk, lifetimes)).await?;
            self.send(&self.enlist_all(chunk, lifetimes)).await?;
        }
        Ok(())
    }

    async fn end_sessions_of_all(&self, sessions: &[BulkSession<'_>]) -> Result<(), Error> {
        let mut list = Pipeline::with_capacity(sessions.len());
        let mut forget = Pipeline::with_capacity(sessions.len());
        for session in sessions {
            let set = self.keys.sessions_of(session.user());
            list.smembers(&set);
            forget.del(&set).ignore();
        }
        let listed = self.link.pipe(&list).await;
        let named: Vec<Vec<String>> = listed.map_err(Error::during("list sessions"))?;
        let mut end = Pipeline::new();
        for hash in named.into_iter().flatten() {
            if let Some(hash) = SessionHash::from_hex(&hash) {
                end.del(self.keys.session(&hash)).ignore();
            }
        }
        self.send(&end).await?;
        self.send(&forget).await
    }

    fn enlist_all(&self, sessions: &[BulkSession<'_>], lifetimes: &SessionLifetimes) -> Pipeline {
        let ttl_ms = u64::try_from(lifetimes.absolute.as_millis()).unwrap_or(u64::MAX);
        let mut pipe = Pipeline::with_capacity(sessions.len() * 2);
        for session in sessions {
            let key = self.keys.sessions_of(session.user());
            let hash = SessionHash::of(session.token);
            pipe.sadd(&key, hash.to_hex()).ignore();
            pipe.cmd("PEXPIRE").arg(&key).arg(ttl_ms).ignore();
        }
        pipe
    }

    /// The source goes along each time: a server that forgot the script in between would fail half a pipeline.
    fn create_all(&self, sessions: &[BulkSession<'_>], lifetimes: &SessionLifetimes) -> Pipeline {
        let (life_ms, absolute_ms) = lifetimes.as_millis();
        let mut pipe = Pipeline::with_capacity(sessions.len());
        for BulkSession { token, session } in sessions {
            let cmd = pipe.cmd("EVAL").arg(CREATE.source()).arg(1);
            cmd.arg(self.keys.session(&SessionHash::of(token)))
                .arg(&*life_ms)
                .arg(&*absolute_ms)
                .arg(record_after_times(self.session_stamp(), session))
                .ignore();
        }
        pipe
    }

    async fn send(&self, pipe: &Pipeline) -> Result<(), Error> {
        if pipe.is_empty() {
            return Ok(());
        }
        let sent = self.link.pipe(pipe).await;
        sent.map_err(Error::during("create sessions in bulk"))
    }
}

impl BulkSession<'_> {
    fn user(&self) -> UserId {
        self.session.profile.user_id
    }
}
