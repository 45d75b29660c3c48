//! Notices to users about their orders and about what others do with their notes: a list, and live updates while a page is
//! open.
//!
//! A notice is a row written in the transaction of its event. After the commit a notification goes to all processes
//! through Redis; a process with an open page of the user then reads the rows. The notification may be lost, so an
//! open page also polls.

mod social;
mod subscribe;

use std::collections::HashMap;

use domain::{OrderId, UserId};
use kv::Session;
use storage::notices::{self, Notice, NoticeId, SocialNotice};
use storage::orders::{self, Order};
use storage::users::{self, User};

pub use social::{SocialKind, list_muted, set_muted};
pub(crate) use social::{
    apply_comment, apply_follow, apply_like, apply_publication, apply_text_change, forget_note,
};
pub use subscribe::{NoticeSubscription, Notices, subscribe};

use crate::{App, Error, Page, PageSize};

/// A notice, with the order that it is about if its reader owns it, or what it says about other people.
#[derive(Clone, Debug)]
pub struct DescribedNotice {
    pub notice: Notice,
    pub order: Option<Order>,
    pub social: Option<DescribedEvent>,
}

/// What others did, and who did it last.
#[derive(Clone, Debug)]
pub struct DescribedEvent {
    pub says: SocialNotice,
    /// Absent if the account is gone.
    pub actor: Option<User>,
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
    let page = Page::new(notices, size, |notice| notice.id);
    let described = describe(app, owner, page.items.clone()).await?;
    forget_unsaid(app, owner, &page.items, &described).await?;
    let page = page.map_items(described);
    let unread = notices::count_unread(app.db(), owner).await?;
    Ok(MyNotices { page, unread })
}

/// What a notice was about may be gone or hidden: it is not listed, and must not count as unread for ever.
async fn forget_unsaid(
    app: &App,
    owner: UserId,
    notices: &[Notice],
    described: &[DescribedNotice],
) -> Result<(), Error> {
    let is_said = |notice: &&Notice| described.iter().any(|it| it.notice.id == notice.id);
    let unsaid = notices
        .iter()
        .filter(|it| it.read_at.is_none() && !is_said(it));
    let unsaid: Vec<NoticeId> = unsaid.map(|notice| notice.id).collect();
    Ok(notices::mark_some_read(app.db(), owner, &unsaid).await?)
}

/// In the order given; those that say nothing any more are left out.
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
    let mut said = describe_events(app, owner, &notices).await?;
    let described = |notice: Notice| {
        let social = said.remove(&notice.id);
        (notice.about.is_none() || social.is_some()).then(|| DescribedNotice {
            order: notice.order.and_then(|id| orders.get(&id).cloned()),
            social,
            notice,
        })
    };
    Ok(notices.into_iter().filter_map(described).collect())
}

async fn describe_events(
    app: &App,
    owner: UserId,
    notices: &[Notice],
) -> Result<HashMap<NoticeId, DescribedEvent>, Error> {
    let said = notices::describe_social(app.db(), owner, notices).await?;
    let actors: Vec<UserId> = said.values().map(|says| says.newest).collect();
    let actors = users::get_many(app.db(), &actors).await?;
    let actors: HashMap<UserId, User> = actors.into_iter().map(|user| (user.id, user)).collect();
    let event = |(id, says): (NoticeId, SocialNotice)| {
        let actor = actors.get(&says.newest).cloned();
        (id, DescribedEvent { says, actor })
    };
    Ok(said.into_iter().map(event).collect())
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
