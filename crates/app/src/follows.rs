//! Following people: who follows whom, and whom two people both follow.
//!
//! SQL is the truth. Redis keeps whom a person follows as a set, for intersections. A change has it forgotten, together
//! with the person's feed: right after the commit by this process, as far as Redis answers, and once more by the outbox.
//! Whoever asks next has both loaded from SQL, which is how following brings old notes into a feed and unfollowing takes
//! them out.

mod common;
mod rebuild;
mod sets;

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::time::Duration;

use domain::UserId;
use kv::Session;
use storage::follows::{self, Follow, FollowChanged, FollowRefusal};
use storage::users::{self, User};

pub use common::list_common;
pub(crate) use rebuild::{forget_of_all, rebuild};
pub use storage::follows::{Side, Wish};

use crate::write_limits::{self, Write};
use crate::{App, Error, Refusal};

/// People on one page of fans or of those followed.
pub const PEOPLE_PER_PAGE: usize = 20;

/// How long somebody waits for Redis after their change is committed; the outbox will see to it anyway.
const AT_ONCE: Duration = Duration::from_millis(500);

/// Somebody on a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub user: User,
    /// Whether the asker follows them; absent if nobody is signed in.
    pub is_followed: Option<bool>,
}

/// One page of a list of people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People {
    pub people: Vec<Person>,
    /// What the next page is asked for with, if there may be one.
    pub next: Option<i64>,
}

/// Lets the asker follow somebody, or no longer. Twice is once.
pub async fn set(app: &App, session: &Session, author: UserId, wish: Wish) -> Result<(), Error> {
    let user = session.profile.user_id;
    if user == author {
        return Err(Refusal::SelfFollow.into());
    }
    write_limits::take(app, session, Write::Follow).await?;
    let set = follows::set(app.db(), user, author, wish).await?;
    let is_changed = set.map_err(|refusal| match refusal {
        FollowRefusal::NoSuchAuthor => Refusal::UserNotFound,
        FollowRefusal::TooMany => Refusal::FollowLimit,
    })?;
    if is_changed {
        app.outbox().wake();
        at_once(follow_change(app, &FollowChanged { user, author })).await;
    }
    Ok(())
}

pub async fn is_following(app: &App, session: &Session, author: UserId) -> Result<bool, Error> {
    Ok(follows::is_following(app.db(), session.profile.user_id, author).await?)
}

/// Fans of a person or those whom they follow, the latest follow first, of those before the cursor.
pub async fn list_people(
    app: &App,
    asker: Option<&Session>,
    person: UserId,
    side: Side,
    before: Option<i64>,
) -> Result<People, Error> {
    let size = PEOPLE_PER_PAGE as u64;
    let lines = follows::list_page(app.db(), person, side, before, size).await?;
    let is_full = lines.len() == PEOPLE_PER_PAGE;
    let next = lines.last().filter(|_| is_full).map(|line| line.cursor);
    let ids: Vec<UserId> = lines.iter().map(|line: &Follow| line.other).collect();
    let followed = match asker {
        Some(session) => Some(followed_among(app, session, &ids).await?),
        None => None,
    };
    let seen = |user: User| Person {
        is_followed: followed
            .as_ref()
            .map(|followed| followed.contains(&user.id)),
        user,
    };
    let people = people_in_order(app, &ids).await?;
    let people = people.into_iter().map(seen).collect();
    Ok(People { people, next })
}

async fn followed_among(
    app: &App,
    session: &Session,
    people: &[UserId],
) -> Result<HashSet<UserId>, Error> {
    let me = session.profile.user_id;
    let followed = follows::followed_among(app.db(), me, people).await?;
    Ok(followed.into_iter().collect())
}

/// Has what Redis knows of the person's follows loaded anew; repeating it changes nothing.
pub(crate) async fn follow_change(app: &App, change: &FollowChanged) -> Result<(), Error> {
    app.kv().forget_follows(&[change.user]).await?;
    Ok(app.kv().forget_feeds(&[change.user]).await?)
}

/// Accounts that are gone are left out.
async fn people_in_order(app: &App, ids: &[UserId]) -> Result<Vec<User>, Error> {
    let found = users::get_many(app.db(), ids).await?;
    let mut by_id: HashMap<UserId, User> = found.into_iter().map(|it| (it.id, it)).collect();
    Ok(ids.iter().filter_map(|id| by_id.remove(id)).collect())
}

async fn at_once(work: impl Future<Output = Result<(), Error>>) {
    match tokio::time::timeout(AT_ONCE, work).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "a follow will show a little later"),
        Err(_) => tracing::debug!("a follow takes a moment to show"),
    }
}
