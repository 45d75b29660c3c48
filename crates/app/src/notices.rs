//! What people are told about their orders: a list to read, and news while a page is open.
//!
//! A notice is a row that is written in the transaction it tells of. Whoever commits one says so to all processes, by way
//! of Redis; a process with an open page of that person then reads the rows. The word may be lost, so a page that
//! waits looks now and then by itself.

mod subscribe;

use domain::UserId;
use kv::Session;
use storage::notices::{self, Notice, NoticeId};

pub use subscribe::{NoticeSubscription, Notices, run_subscriber, subscribe};

use crate::{App, Error, Page};

/// The longest page.
pub const PAGE_MAX: u32 = notices::LIST_LIMIT;

/// The user's notices, newest first, and how many are unread in all.
#[derive(Clone, Debug)]
pub struct MyNotices {
    pub page: Page<Notice, NoticeId>,
    pub unread: u64,
}

pub async fn list_mine(
    app: &App,
    session: &Session,
    before: Option<NoticeId>,
    size: u32,
) -> Result<MyNotices, Error> {
    let owner = session.profile.user_id;
    let size = size.clamp(1, PAGE_MAX);
    let notices = notices::list(app.db(), owner, before, size).await?;
    let page = Page::of_size(notices, size as usize, |notice| notice.id);
    let unread = notices::count_unread(app.db(), owner).await?;
    Ok(MyNotices { page, unread })
}

/// Marks the asker's notices up to and including `last` as read, and tells how many are left.
pub async fn mark_read(app: &App, session: &Session, last: NoticeId) -> Result<u64, Error> {
    let owner = session.profile.user_id;
    notices::mark_read(app.db(), owner, last).await?;
    Ok(notices::count_unread(app.db(), owner).await?)
}

/// Says that these people have something new. Nothing depends on it: what was committed will be seen.
pub(crate) async fn notify(app: &App, users: &[UserId]) {
    if let Err(error) = app.kv().publish_news(users).await {
        tracing::debug!(%error, "notice notification not published; open pages poll later");
    }
}
