//! What people are told about their orders: a list to read, and news while a page is open.
//!
//! A notice is a row that is written in the transaction it tells of. Whoever commits one says so to all processes, by way
//! of Redis; a process with an open page of that person then reads the rows. The word may be lost, so a page that
//! waits looks now and then by itself.

mod listen;

use domain::UserId;
use kv::Session;
use storage::notices::{self, Notice, NoticeId};

pub use listen::{Listening, Notices, listen, run_listening};

use crate::{App, Error};

/// The longest page.
pub const PAGE_MAX: u32 = notices::LIST_LIMIT;

/// One page of a list, newest first.
#[derive(Clone, Debug)]
pub struct Page {
    pub notices: Vec<Notice>,
    /// Where the next page begins; absent on the last one.
    pub next: Option<NoticeId>,
    pub unread: u64,
}

pub async fn list_mine(
    app: &App,
    session: &Session,
    before: Option<NoticeId>,
    size: u32,
) -> Result<Page, Error> {
    let owner = session.profile.user_id;
    let size = size.clamp(1, PAGE_MAX);
    let notices = notices::list(app.db(), owner, before, size).await?;
    let is_full = notices.len() == size as usize;
    let next = notices.last().map(|notice| notice.id).filter(|_| is_full);
    let unread = notices::count_unread(app.db(), owner).await?;
    Ok(Page {
        notices,
        next,
        unread,
    })
}

/// Marks the asker's notices up to and including `last` as read, and tells how many are left.
pub async fn mark_read(app: &App, session: &Session, last: NoticeId) -> Result<u64, Error> {
    let owner = session.profile.user_id;
    notices::mark_read(app.db(), owner, last).await?;
    Ok(notices::count_unread(app.db(), owner).await?)
}

/// Says that these people have something new. Nothing depends on it: what was committed will be seen.
pub(crate) async fn tell(app: &App, users: &[UserId]) {
    if let Err(error) = app.kv().publish_news(users).await {
        tracing::debug!(%error, "open pages will learn a little later");
    }
}
