//! Following people: who follows whom, and whom two people both follow.
//!
//! SQL is the source of truth. Redis keeps each user's followees as a set for intersections. A change drops that set
//! and the user's feed: right after the commit by this process, if Redis answers, and again by the outbox. The next
//! reader loads both from SQL, which brings old notes of a followed author into the feed and removes those of an
//! unfollowed one.

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
pub use storage::follows::{FollowAction, FollowList};

use crate::write_limits::{self, Write};
use crate::{App, Error, Page, PageSize, Refusal};

/// People on one page of fans or of those followed.
const PEOPLE_PER_PAGE: PageSize = PageSize::new(20);

/// How long a caller waits for Redis after the commit; the outbox applies the change anyway.
const APPLY_TIMEOUT: Duration = Duration::from_millis(500);

/// A user on a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedUser {
    pub user: User,
    /// Whether the viewer follows them; absent if nobody is signed in.
    pub is_followed: Option<bool>,
}

/// Follows or unfollows a user. Idempotent.
pub async fn set(
    app: &App,
    session: &Session,
    author: UserId,
    action: FollowAction,
) -> Result<(), Error> {
    let user = session.profile.user_id;
    if user == author {
        return Err(Refusal::SelfFollow.into());
    }
    write_limits::take(app, session, Write::Follow).await?;
    let set = follows::set(app.db(), user, author, action).await?;
    let is_changed = set.map_err(|refusal| match refusal {
        FollowRefusal::NoSuchAuthor => Refusal::UserNotFound,
        FollowRefusal::Blocked => Refusal::InteractionRefused,
        FollowRefusal::Blocking => Refusal::PersonBlocked,
        FollowRefusal::TooMany => Refusal::FollowLimit,
    })?;
    if is_changed {
        app.outbox().wake();
        apply_now(apply_change(app, &FollowChanged { user, author })).await;
    }
    Ok(())
}

pub async fn is_following(app: &App, session: &Session, author: UserId) -> Result<bool, Error> {
    Ok(follows::is_following(app.db(), session.profile.user_id, author).await?)
}

/// Fans of a person or those whom they follow, the latest follow first, of those before the cursor.
pub async fn list_people(
    app: &App,
    viewer: Option<&Session>,
    person: UserId,
    list: FollowList,
    before: Option<i64>,
) -> Result<Page<ListedUser, i64>, Error> {
    let rows = PEOPLE_PER_PAGE.rows();
    let lines = follows::list_page(app.db(), person, list, before, rows).await?;
    let page = Page::new(lines, PEOPLE_PER_PAGE, |line: &Follow| line.cursor);
    let ids: Vec<UserId> = page.items.iter().map(|line| line.other).collect();
    let people = see_people(app, viewer, &ids).await?;
    Ok(page.map_items(people))
}

/// These people as the viewer sees them, in this order. Deleted accounts are left out.
pub(crate) async fn see_people(
    app: &App,
    viewer: Option<&Session>,
    ids: &[UserId],
) -> Result<Vec<ListedUser>, Error> {
    let followed = match viewer {
        Some(session) => Some(followed_among(app, session, ids).await?),
        None => None,
    };
    let seen = |user: User| ListedUser {
        is_followed: followed
            .as_ref()
            .map(|followed| followed.contains(&user.id)),
        user,
    };
    let people = people_in_order(app, ids).await?;
    Ok(people.into_iter().map(seen).collect())
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

/// Applies a changed follow: drops the user's set and feed in Redis. Idempotent.
pub(crate) async fn apply_change(app: &App, change: &FollowChanged) -> Result<(), Error> {
    app.kv().forget_follows(&[change.user]).await?;
    Ok(app.kv().forget_feeds(&[change.user]).await?)
}

/// Deleted accounts are left out.
async fn people_in_order(app: &App, ids: &[UserId]) -> Result<Vec<User>, Error> {
    let found = users::get_many(app.db(), ids).await?;
    let mut by_id: HashMap<UserId, User> = found.into_iter().map(|it| (it.id, it)).collect();
    Ok(ids.iter().filter_map(|id| by_id.remove(id)).collect())
}

async fn apply_now(work: impl Future<Output = Result<(), Error>>) {
    match tokio::time::timeout(APPLY_TIMEOUT, work).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "follow sets not updated, outbox retries"),
        Err(_) => tracing::debug!("follow set update timed out, outbox retries"),
    }
}
