//! The users that a user follows: a set of ids, with the mark `0`, which is no user's id, if SQL was read.
//!
//! A set without its mark does not exist: `None`, and the caller loads it. It is never changed: a change of a follow
//! has it deleted, and the next reader loads it again. A load announces itself by a number of its own before it reads
//! SQL and publishes only if nothing was forgotten since, so no set shows what was true before a change.

use std::collections::HashSet;

use domain::UserId;
use link::Script;

use crate::keys::ViewKeys;
use crate::{Error, Kv};

static PUBLISH: Script = Script::new(include_str!("lua/publish_follows.lua"));

/// So that a person who stays away costs no memory.
const KEPT_SECS: u64 = 24 * 3600;

/// Longer than any load takes; one that died is forgotten after it.
pub(crate) const LOADING_SECS: u64 = 60;

const MARK: i64 = 0;

impl Kv {
    /// How many people each of the two follows; `None` where SQL was not read yet. One round trip.
    pub async fn count_followees(&self, users: [UserId; 2]) -> Result<[Option<u64>; 2], Error> {
        let mut pipe = redis::pipe();
        for user in users {
            pipe.cmd("SCARD").arg(self.keys.follows(user).view);
        }
        let counted: [u64; 2] = self
            .link
            .pipe(&pipe)
            .await
            .map_err(Error::during("count followees"))?;
        // The mark is one of them.
        Ok(counted.map(|count| count.checked_sub(1)))
    }

    /// In no particular order; `None` if SQL was not read yet.
    pub async fn list_followees(&self, user: UserId) -> Result<Option<Vec<UserId>>, Error> {
        let key = self.keys.follows(user).view;
        let mut members: HashSet<i64> = self
            .link
            .run(redis::cmd("SMEMBERS").arg(key))
            .await
            .map_err(Error::during("list followees"))?;
        let is_loaded = members.remove(&MARK);
        Ok(is_loaded.then(|| members.into_iter().map(UserId::new).collect()))
    }

    /// Those of the people whom the person follows, in the order given; `None` if SQL was not read yet.
    pub async fn followed_among(
        &self,
        user: UserId,
        others: &[UserId],
    ) -> Result<Option<Vec<UserId>>, Error> {
        let mut cmd = redis::cmd("SMISMEMBER");
        cmd.arg(self.keys.follows(user).view).arg(MARK);
        for other in others {
            cmd.arg(other.get());
        }
        let is_member: Vec<bool> = self
            .link
            .run(&cmd)
            .await
            .map_err(Error::during("look for followees"))?;
        let Some((is_loaded, is_member)) = is_member.split_first() else {
            return Ok(None);
        };
        let followed = others
            .iter()
            .zip(is_member)
            .filter(|(_, is_member)| **is_member);
        Ok(is_loaded.then(|| followed.map(|(other, _)| *other).collect()))
    }

    /// Announces a load: SQL must be read after this.
    pub async fn begin_follows(&self, user: UserId, load: u64) -> Result<(), Error> {
        let begun = self.begin_view(&self.keys.follows(user), load).await;
        begun.map_err(Error::during("begin to load followees"))
    }

    /// Publishes what was read from SQL. `false` if it is stale: something changed, or another load began.
    pub async fn publish_follows(
        &self,
        user: UserId,
        load: u64,
        followees: &[UserId],
    ) -> Result<bool, Error> {
        let ViewKeys { view, loading } = self.keys.follows(user);
        let mut args = vec![load.to_string(), KEPT_SECS.to_string(), MARK.to_string()];
        args.extend(followees.iter().map(ToString::to_string));
        let published = self.link.eval(&PUBLISH, &[&view, &loading], args).await;
        published.map_err(Error::during("publish followees"))
    }

    /// Has the sets of these people loaded anew.
    pub async fn forget_follows(&self, users: &[UserId]) -> Result<(), Error> {
        let keys = users.iter().map(|user| self.keys.follows(*user));
        let forgotten = self.forget_views(keys).await;
        forgotten.map_err(Error::during("forget followees"))
    }

    pub(crate) async fn begin_view(
        &self,
        keys: &ViewKeys,
        load: u64,
    ) -> Result<(), link::LinkError> {
        let mut begin = redis::cmd("SET");
        begin.arg(&keys.loading).arg(load);
        begin.arg("EX").arg(LOADING_SECS);
        self.link.run(&begin).await
    }

    pub(crate) async fn forget_views(
        &self,
        keys: impl Iterator<Item = ViewKeys>,
    ) -> Result<(), link::LinkError> {
        let mut pipe = redis::pipe();
        for ViewKeys { view, loading } in keys {
            pipe.cmd("DEL").arg(view).arg(loading).ignore();
        }
        if pipe.is_empty() {
            return Ok(());
        }
        self.link.pipe(&pipe).await
    }
}
