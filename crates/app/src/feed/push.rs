//! Pushes a published note into the existing inboxes of the author's fans.
//!
//! Pushing is idempotent, so an interrupted relay starts over. Its length is bounded, because authors above the limit
//! are not pushed; fans are counted while pushing, so a wrong counter of an adopted database cannot make it
//! unbounded.

use domain::UserId;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use kv::FeedItem;
use storage::notes::{self, NotePublished, TimelinePosition};
use storage::{follows, users};

use super::candidates::item;
use super::unpushed;
use crate::{App, Error};

/// Fans per query.
const CHUNK: u64 = 1_000;

/// Inboxes written concurrently on one connection: enough to keep it busy without starving others.
const SIDE_BY_SIDE: usize = 32;

pub(crate) async fn apply_publication(app: &App, event: &NotePublished) -> Result<(), Error> {
    // A deleted or hidden note is not pushed; showing it again enqueues another event.
    let Some(shown) = notes::get(app.db(), event.id).await? else {
        return Ok(());
    };
    let moment = TimelinePosition {
        published_at: shown.note.created_at,
        note: event.id,
    };
    let fans = users::get_info(app.db(), event.author).await?;
    if fans.is_some_and(|info| info.fans > app.feeds().push_limit) {
        return unpushed::add(app, event.author).await;
    }
    push_to_fans(app, event.author, item(moment)).await
}

async fn push_to_fans(app: &App, author: UserId, item: FeedItem) -> Result<(), Error> {
    let (mut after, mut pushed) = (UserId::new(0), 0);
    loop {
        let fans = follows::list_fans(app.db(), author, after, CHUNK).await?;
        let Some(last) = fans.last() else {
            return Ok(());
        };
        after = *last;
        pushed += fans.len();
        if pushed > app.feeds().push_limit as usize {
            return unpushed::add(app, author).await;
        }
        let pushes = stream::iter(fans).map(|fan| app.kv().push_to_feed(fan, item));
        let pushes = pushes.buffer_unordered(SIDE_BY_SIDE);
        pushes.try_collect::<()>().await?;
    }
}
