//! What follows from a publication: the note goes into the inboxes of the author's fans, as far as they are there.
//!
//! Pushing twice changes nothing, so a relay that was interrupted begins again. Its length has a bound, because authors
//! above the limit are not pushed; the fans are counted as they come, so a wrong counter of an adopted database cannot
//! make it endless.

use domain::UserId;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use kv::FeedItem;
use storage::notes::{self, Moment, NotePublished};
use storage::{follows, users};

use super::candidates::item;
use super::unpushed;
use crate::{App, Error};

/// Fans per query.
const CHUNK: u64 = 1_000;

/// Inboxes written side by side, on one connection: enough to keep it busy, and little enough to leave it to others.
const SIDE_BY_SIDE: usize = 32;

pub(crate) async fn follow_publication(app: &App, told: &NotePublished) -> Result<(), Error> {
    // One that is gone or hidden by now is pushed nowhere; shown again, it is told of again.
    let Some(shown) = notes::get(app.db(), told.id).await? else {
        return Ok(());
    };
    let moment = Moment {
        published_at: shown.note.created_at,
        note: told.id,
    };
    let fans = users::get_info(app.db(), told.author).await?;
    if fans.is_some_and(|info| info.fans > app.feeds().push_limit) {
        return unpushed::add(app, told.author).await;
    }
    push_to_fans(app, told.author, item(moment)).await
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
