//! Blocking people: who is blocked cannot follow, comment on or mention who blocks them, and is not seen by them.
//!
//! SQL is the source of truth, and decides every write. What a signed-in reader sees in a list of which SQL is asked for this
//! reader alone, such as comments, is left out by that query. Lists whose queries readers share, the hot list and the search,
//! are filtered afterwards with the reader's list of blocked people, which comes from a cache: a guest has none, and for a
//! reader it is in memory. It is invalidated after the commit and once more by the outbox.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use cache::{Cache, CacheHub, LoadedRows, Loader};
use domain::UserId;
use jiff::Timestamp;
use kv::Session;
use storage::Db;
use storage::blocks::{self, Block, BlockRefusal, BlocksChanged};
use storage::follows::FollowChanged;
use storage::users::{self, User};

use crate::write_limits::{self, Write};
use crate::{App, Error, Page, PageSize, Refusal, follows};

const PEOPLE_PER_PAGE: PageSize = PageSize::new(20);

/// Readers whose lists are in the memory of a process: a few megabytes, because hardly anybody blocks many.
const LISTS_IN_MEMORY: u64 = 10_000;

const FRESH: Duration = Duration::from_secs(30 * 60);

/// How long a caller waits for Redis after the commit; the outbox applies the change anyway.
const APPLY_TIMEOUT: Duration = Duration::from_millis(500);

/// Whom readers block.
#[derive(Debug)]
pub struct Blocks {
    lists: Cache<BlockLoader>,
}

/// Loads from the primary: a lagging replica would restore what was just invalidated.
#[derive(Clone, Debug)]
struct BlockLoader {
    db: Db,
}

/// A person on the list of those whom the caller blocks.
#[derive(Clone, Debug)]
pub struct BlockedPerson {
    pub id: UserId,
    pub blocked_at: Timestamp,
    /// Absent once the account is gone.
    pub user: Option<User>,
}

/// Those whom a reader blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockedPeople {
    /// Sorted; absent for a guest.
    ids: Option<Arc<Vec<UserId>>>,
}

impl Blocks {
    /// Must be called within a tokio runtime.
    pub fn new(caches: &CacheHub, db: &Db) -> Self {
        Self {
            lists: caches
                .builder("blocks", BlockLoader { db: db.clone() })
                .soft_ttl(FRESH)
                .hard_ttl(FRESH)
                .l1_capacity(LISTS_IN_MEMORY)
                .build()
                .expect("the constants above fit each other"),
        }
    }
}

impl BlockedPeople {
    pub(crate) fn are_none(&self) -> bool {
        self.ids.as_ref().is_none_or(|ids| ids.is_empty())
    }

    pub(crate) fn contains(&self, person: UserId) -> bool {
        let ids = self.ids.as_ref();
        ids.is_some_and(|ids| ids.binary_search(&person).is_ok())
    }
}

/// Blocks a person and ends the follows between the two. Idempotent.
pub async fn block(app: &App, session: &Session, person: UserId) -> Result<(), Error> {
    let user = session.profile.user_id;
    if user == person {
        return Err(Refusal::SelfBlock.into());
    }
    write_limits::take(app, session, Write::Follow).await?;
    let blocked = blocks::block(app.db(), user, person).await?;
    let is_changed = blocked.map_err(|refusal| match refusal {
        BlockRefusal::NoSuchPerson => Refusal::UserNotFound,
        BlockRefusal::TooMany => Refusal::BlockLimit,
    })?;
    if is_changed {
        app.outbox().wake();
        apply_now(app, user, Some(person)).await;
    }
    Ok(())
}

/// Idempotent. Follows that the block has ended do not come back.
pub async fn unblock(app: &App, session: &Session, person: UserId) -> Result<(), Error> {
    let user = session.profile.user_id;
    write_limits::take(app, session, Write::Follow).await?;
    if blocks::unblock(app.db(), user, person).await? {
        app.outbox().wake();
        apply_now(app, user, None).await;
    }
    Ok(())
}

/// Whether the caller blocks the person.
pub async fn is_blocked_by_me(app: &App, session: &Session, person: UserId) -> Result<bool, Error> {
    is_blocked(app, session.profile.user_id, person).await
}

/// Whether `blocker` blocks `person`, as SQL has it.
pub async fn is_blocked(app: &App, blocker: UserId, person: UserId) -> Result<bool, Error> {
    Ok(blocks::is_blocked(app.db(), blocker, person).await?)
}

/// Those of `people` who block `person`, in no particular order: whom the person cannot mention, for instance.
pub async fn blockers_among(
    app: &App,
    people: &[UserId],
    person: UserId,
) -> Result<Vec<UserId>, Error> {
    Ok(blocks::blockers_among(app.db(), people, person).await?)
}

/// A page of those whom the caller blocks, the latest first.
pub async fn list_mine(
    app: &App,
    session: &Session,
    before: Option<i64>,
) -> Result<Page<BlockedPerson, i64>, Error> {
    let (user, rows) = (session.profile.user_id, PEOPLE_PER_PAGE.rows());
    let rows = blocks::list_page(app.db(), user, before, rows).await?;
    let page = Page::new(rows, PEOPLE_PER_PAGE, |row: &Block| row.cursor);
    let ids: Vec<UserId> = page.items.iter().map(|row| row.person).collect();
    let found = users::get_many(app.db(), &ids).await?;
    let mut by_id: HashMap<UserId, User> = found.into_iter().map(|it| (it.id, it)).collect();
    let people = page.items.iter().map(|row| BlockedPerson {
        id: row.person,
        blocked_at: row.blocked_at,
        user: by_id.remove(&row.person),
    });
    let people = people.collect();
    Ok(page.map_items(people))
}

/// Whom the reader blocks; nobody for a guest, which costs nothing.
pub(crate) async fn of_reader(app: &App, reader: Option<&Session>) -> Result<BlockedPeople, Error> {
    let Some(session) = reader else {
        return Ok(BlockedPeople::default());
    };
    let ids = app.blocks().lists.get(&session.profile.user_id).await?;
    Ok(BlockedPeople { ids })
}

/// Applies a changed list: invalidates it. Idempotent.
pub(crate) async fn apply_change(app: &App, change: &BlocksChanged) -> Result<(), Error> {
    let dropped = app.blocks().lists.invalidate(&change.user).await;
    dropped.map_err(Error::Announce)
}

/// Right after the commit, if Redis answers: the list, and the follows that a new block has ended.
async fn apply_now(app: &App, user: UserId, blocked: Option<UserId>) {
    let work = async {
        apply_change(app, &BlocksChanged { user }).await?;
        let Some(author) = blocked else {
            return Ok(());
        };
        follows::apply_change(app, &FollowChanged { user, author }).await?;
        let back = FollowChanged {
            user: author,
            author: user,
        };
        follows::apply_change(app, &back).await
    };
    match tokio::time::timeout(APPLY_TIMEOUT, work).await {
        Ok(Ok(())) => {}
        Ok(Err::<(), Error>(error)) => {
            tracing::debug!(%error, "list of blocked people not updated, outbox retries");
        }
        Err(_) => tracing::debug!("update of blocked people timed out, outbox retries"),
    }
}

impl Loader for BlockLoader {
    type Key = UserId;
    type Value = Vec<UserId>;
    type Error = storage::Error;

    async fn load(&self, user: &UserId) -> Result<Option<Vec<UserId>>, storage::Error> {
        Ok(Some(blocks::list_all(&self.db, *user).await?))
    }

    async fn load_many(&self, users: &[UserId]) -> Result<LoadedRows<Self>, storage::Error> {
        let mut lists = LoadedRows::<Self>::with_capacity(users.len());
        for user in users {
            lists.push((*user, blocks::list_all(&self.db, *user).await?));
        }
        Ok(lists)
    }
}
