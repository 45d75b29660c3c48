//! A user's inbox in Redis, loaded from SQL when it is missing.

use domain::UserId;
use kv::{FEED_LENGTH, FeedItem, FeedPart};
use storage::notes;

use super::candidates::item;
use crate::{App, Error};

/// A load is discarded when a note is pushed or a follow changes meanwhile; SQL answers after this many attempts.
const TRIES: usize = 3;

/// At most `count` notes right before a moment; `None` if the inbox could not be loaded.
pub(super) async fn read(
    app: &App,
    reader: UserId,
    before: FeedItem,
    count: usize,
) -> Result<Option<FeedPart>, Error> {
    for _ in 0..TRIES {
        if let Some(part) = app.kv().read_feed(reader, before, count).await? {
            return Ok(Some(part));
        }
        load(app, reader).await?;
    }
    Ok(app.kv().read_feed(reader, before, count).await?)
}

/// Loads the notes of all followees, including authors with many fans: what is in the inbox need not be queried
/// elsewhere.
async fn load(app: &App, reader: UserId) -> Result<(), Error> {
    let load: u64 = rand::random();
    app.kv().begin_feed(reader, load).await?;
    let found = notes::list_feed(app.db(), reader, None, FEED_LENGTH as u64).await?;
    let part = FeedPart {
        is_cut: found.len() == FEED_LENGTH,
        items: found.into_iter().map(item).collect(),
    };
    app.kv().publish_feed(reader, load, &part).await?;
    Ok(())
}
