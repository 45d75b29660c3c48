//! Sessions: who a token belongs to.
//!
//! A session is one string under the SHA-256 of its token, so a dump of Redis opens no door. It carries what every
//! request needs of the user (id, name, picture, role): authentication costs one round trip and no SQL.
//! It ends when it was idle for long enough, and in any case at its absolute cap. The set `login:sessions:<id>` names
//! a person's sessions. It may name dead ones, and it misses none whose token was handed out: a session is named as soon
//! as it exists, so that nobody takes it for a dead one, and its token is handed out after that.
//!
//! A session carries the stamp of the site that made it. One with another stamp is dead: it was made in another
//! environment, or for another database, whose people are others.

use std::hash::{Hash, Hasher};
use std::time::Duration;

use domain::{Role, SessionToken, UserId};
use jiff::Timestamp;
use link::Script;

use crate::hash::{from_hex, sha256, to_hex};
use crate::session_record::{SessionRecord, profile_part, record_after_times};
use crate::{Error, Kv};

static CREATE: Script = Script::new(include_str!("lua/create_session.lua"));
static UPDATE: Script = Script::new(include_str!("lua/update_session.lua"));

/// The name of a session in Redis and in our caches. It cannot be used to sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionHash([u8; 32]);

/// What a session knows of its person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionProfile {
    pub user_id: UserId,
    pub nick_name: String,
    pub icon: String,
    pub role: Role,
}

/// A live session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub profile: SessionProfile,
    /// Names the session to its owner; unique among a person's sessions for all practical purposes.
    pub number: u32,
}

#[derive(Clone, Debug)]
pub struct NewSession<'a> {
    pub profile: &'a SessionProfile,
    pub number: u32,
    /// What the person will recognise the session by, already shortened and masked.
    pub device: &'a str,
    pub address: &'a str,
}

/// A line of "where I am signed in".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSeen {
    pub hash: SessionHash,
    pub number: u32,
    pub role: Role,
    pub device: String,
    pub address: String,
    pub created_at: Timestamp,
    pub seen_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct SessionLifetimes {
    pub idle: Duration,
    pub absolute: Duration,
    pub max_per_user: usize,
}

/// A session's last use is written at most this many times per idle period. More would cost Redis more writes and every
/// process more invalidations; with fewer, idle sessions live longer than they should.
const EXTENSIONS_PER_IDLE: u32 = 4;

impl SessionLifetimes {
    /// The use of a session is written if the last one that was written is older.
    pub(crate) fn between_extensions(&self) -> Duration {
        self.idle / EXTENSIONS_PER_IDLE
    }

    /// As scripts take them: life without use, absolute end.
    pub(crate) fn as_millis(&self) -> (String, String) {
        let text = |duration: Duration| duration.as_millis().to_string();
        (text(self.life_without_use()), text(self.absolute))
    }

    /// How long a session lives after a use that is written: its idle time after any use that follows and is not written.
    pub fn life_without_use(&self) -> Duration {
        self.idle + self.between_extensions()
    }
}

impl SessionHash {
    pub fn of(token: &SessionToken) -> Self {
        Self(sha256(&[token.as_str()]))
    }

    /// As it is written in Redis.
    pub(crate) fn to_hex(self) -> String {
        to_hex(&self.0)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Nothing, if it is no hash of ours.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        from_hex(text).map(Self)
    }
}

impl Hash for SessionHash {
    /// It is a hash already: a part of it spreads as well as the whole.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        state.write_u64(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
    }
}

impl Kv {
    /// Sessions carry `stamp` from here on, and those that carry another one are invalid. Set once, before the first
    /// session is made or read; all clones know it.
    pub fn stamp_sessions(&self, stamp: &str) {
        let kept = self.stamp.get_or_init(|| stamp.to_owned());
        debug_assert_eq!(kept, stamp, "a process serves one site");
    }

    /// Empty before it is set, which no site's stamp is.
    pub(crate) fn session_stamp(&self) -> &str {
        self.stamp.get().map_or("", String::as_str)
    }

    pub async fn create_session(
        &self,
        token: &SessionToken,
        session: &NewSession<'_>,
        lifetimes: &SessionLifetimes,
    ) -> Result<(), Error> {
        let hash = SessionHash::of(token);
        let profile = session.profile;
        let record = record_after_times(self.session_stamp(), session);
        let (life_ms, absolute_ms) = lifetimes.as_millis();
        let created = self
            .link
            .eval(
                &CREATE,
                &[&self.keys.session(&hash)],
                &[&life_ms, &absolute_ms, &record],
            )
            .await;
        let _: i64 = created.map_err(Error::during("create a session"))?;
        let count = self
            .enlist_session(profile.user_id, &hash, lifetimes)
            .await?;
        if count > lifetimes.max_per_user {
            self.end_oldest_sessions(profile.user_id, lifetimes.max_per_user)
                .await?;
        }
        Ok(())
    }

    /// Adds the hash to the user's set and returns the size of the set.
    async fn enlist_session(
        &self,
        user: UserId,
        hash: &SessionHash,
        lifetimes: &SessionLifetimes,
    ) -> Result<usize, Error> {
        let key = self.keys.sessions_of(user);
        let ttl_ms = u64::try_from(lifetimes.absolute.as_millis()).unwrap_or(u64::MAX);
        let mut pipe = redis::pipe();
        pipe.sadd(&key, hash.to_hex()).ignore();
        pipe.cmd("PEXPIRE").arg(&key).arg(ttl_ms).ignore();
        pipe.scard(&key);
        let (count,): (usize,) = self
            .link
            .pipe(&pipe)
            .await
            .map_err(Error::during("list a new session"))?;
        Ok(count)
    }

    async fn end_oldest_sessions(&self, user: UserId, keep: usize) -> Result<(), Error> {
        let newest_first = self.list_sessions(user).await?;
        for session in newest_first.iter().skip(keep) {
            self.end_session(user, &session.hash).await?;
        }
        Ok(())
    }

    /// Whether the session is there; its idle time goes on.
    pub async fn is_session_alive(&self, hash: &SessionHash) -> Result<bool, Error> {
        let mut cmd = redis::cmd("EXISTS");
        cmd.arg(self.keys.session(hash));
        let found = self.link.run(&cmd).await;
        found.map_err(Error::during("look for a session"))
    }

    /// A person's live sessions, newest first. Drops the names of dead ones on the way.
    pub async fn list_sessions(&self, user: UserId) -> Result<Vec<SessionSeen>, Error> {
        let mut sessions = Vec::new();
        for hash in self.session_hashes(user).await? {
            match self.look_at_session(&hash).await? {
                Some(session) => sessions.push(session),
                None => self.delist_session(user, &hash).await?,
            }
        }
        sessions.sort_by_key(|session| std::cmp::Reverse((session.created_at, session.number)));
        Ok(sessions)
    }

    async fn session_hashes(&self, user: UserId) -> Result<Vec<SessionHash>, Error> {
        let mut cmd = redis::cmd("SMEMBERS");
        cmd.arg(self.keys.sessions_of(user));
        let hashes: Vec<String> = self
            .link
            .run(&cmd)
            .await
            .map_err(Error::during("list sessions"))?;
        let named = hashes.iter().map(String::as_str);
        Ok(named.filter_map(SessionHash::from_hex).collect())
    }

    async fn look_at_session(&self, hash: &SessionHash) -> Result<Option<SessionSeen>, Error> {
        let mut cmd = redis::cmd("GET");
        cmd.arg(self.keys.session(hash));
        let record = self.link.run(&cmd).await;
        let record: Option<Vec<u8>> = record.map_err(Error::during("look at a session"))?;
        let record = record.unwrap_or_default();
        let moment = |ms: u64| {
            let ms = i64::try_from(ms).unwrap_or(i64::MAX);
            Timestamp::from_millisecond(ms).unwrap_or_default()
        };
        let record = SessionRecord::parse(&record, self.session_stamp());
        Ok(record.map(|record| SessionSeen {
            hash: *hash,
            number: record.number,
            role: record.role,
            device: record.device.to_owned(),
            address: record.address.to_owned(),
            created_at: moment(record.created_ms),
            seen_at: moment(record.seen_ms),
        }))
    }

    async fn delist_session(&self, user: UserId, hash: &SessionHash) -> Result<(), Error> {
        let mut cmd = redis::cmd("SREM");
        cmd.arg(self.keys.sessions_of(user)).arg(hash.to_hex());
        let found = self.link.run(&cmd).await;
        found.map_err(Error::during("forget a dead session"))
    }

    /// The token of this session is dead.
    pub async fn end_session(&self, user: UserId, hash: &SessionHash) -> Result<(), Error> {
        let mut cmd = redis::cmd("DEL");
        cmd.arg(self.keys.session(hash));
        let _: i64 = self
            .link
            .run(&cmd)
            .await
            .map_err(Error::during("end a session"))?;
        self.delist_session(user, hash).await
    }

    /// Ends every session of a user, and returns them.
    pub async fn end_all_sessions(&self, user: UserId) -> Result<Vec<SessionHash>, Error> {
        let hashes = self.session_hashes(user).await?;
        for hash in &hashes {
            self.end_session(user, hash).await?;
        }
        Ok(hashes)
    }

    /// Updates a user's name and picture in all their sessions, and returns those. What they may do never
    /// changes: a session ends with its person's role.
    pub async fn update_session_profiles(
        &self,
        profile: &SessionProfile,
    ) -> Result<Vec<SessionHash>, Error> {
        let hashes = self.session_hashes(profile.user_id).await?;
        let part = profile_part(profile);
        for hash in &hashes {
            let key = self.keys.session(hash);
            let updated = self.link.eval(&UPDATE, &[key], &part).await;
            let _: i64 = updated.map_err(Error::during("update a session"))?;
        }
        Ok(hashes)
    }

    /// Ends a user's sessions that were opened with another role, and returns them. Repeating it
    /// harms no session that was opened since.
    pub async fn end_sessions_of_other_roles(
        &self,
        user: UserId,
        role: Role,
    ) -> Result<Vec<SessionHash>, Error> {
        let mut ended = Vec::new();
        for hash in self.session_hashes(user).await? {
            let seen = self.look_at_session(&hash).await?;
            if seen.is_none_or(|seen| seen.role != role) {
                self.end_session(user, &hash).await?;
                ended.push(hash);
            }
        }
        Ok(ended)
    }
}
