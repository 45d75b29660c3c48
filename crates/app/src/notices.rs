//! Notices to users about their orders: a list, and live updates while a page is open.
//!
//! A notice is a row written in the transaction of its event. After the commit a notification goes to all processes
//! through Redis; a process with an open page of the user then reads the rows. The notification may be lost, so an
//! open page also polls.

mod subscribe;

use std::collections::HashMap;

use domain::{OrderId, UserId};
use kv::Session;
use storage::notices::{self, Notice, NoticeId};
use storage::orders::{self, Order};

pub use subscribe::{NoticeSubscription, Notices, subscribe};

use crate::{App, Error, Page, PageSize};

/// A notice, and the order that it is about if its reader owns it.
#[derive(Clone, Debug)]
pub struct DescribedNotice {
    pub notice: Notice,
    pub order: Option<Order>,
}

/// The user's notices, newest first, and how many are unread in all.
#[derive(Clone, Debug)]
pub struct MyNotices {
    pub page: Page<DescribedNotice, NoticeId>,
    pub unread: u64,
}

pub async fn list_mine(
    app: &App,
    session: &Session,
    before: Option<NoticeId>,
    size: PageSize,
) -> Result<MyNotices, Error> {
    let owner = session.profile.user_id;
    let notices = notices::list(app.db(), owner, before, size.rows()).await?;
    let notices = describe(app, owner, notices).await?;
    let page = Page::new(notices, size, |described| described.notice.id);
    let unread = notices::count_unread(app.db(), owner).await?;
    Ok(MyNotices { page, unread })
}

async fn describe(
    app: &App,
    owner: UserId,
    notices: Vec<Notice>,
) -> Result<Vec<DescribedNotice>, Error> {
    let mut ids: Vec<OrderId> = notices.iter().filter_map(|notice| notice.order).collect();
    ids.sort_unstable();
    ids.dedup();
    let orders = orders::list_by_ids(app.db(), owner, &ids).await?;
    let orders: HashMap<OrderId, Order> =
        orders.into_iter().map(|order| (order.id, order)).collect();
    let described = |notice: Notice| DescribedNotice {
        order: notice.order.and_then(|id| orders.get(&id).cloned()),
        notice,
    };
    Ok(notices.into_iter().map(described).collect())
}

/// Marks the caller's notices up to and including `last` as read; returns the number of unread ones.
pub async fn mark_read(app: &App, session: &Session, last: NoticeId) -> Result<u64, Error> {
    let owner = session.profile.user_id;
    notices::mark_read(app.db(), owner, last).await?;
    Ok(notices::count_unread(app.db(), owner).await?)
}

/// Notifies the open pages of these users. Best effort: pages also poll.
pub(crate) async fn notify(app: &App, users: &[UserId]) {
    if let Err(error) = app.kv().publish_notice_signal(users).await {
        tracing::debug!(%error, "notice notification not published; open pages poll later");
    }
}
