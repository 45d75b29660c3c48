//! Candidates for a page of a feed: from the inbox and the unpushed authors, or from SQL alone.

use domain::UserId;
use jiff::Timestamp;
use kv::{FeedItem, FeedPart};
use storage::follows;
use storage::notes::{self, TimelinePosition};

use super::{inbox, unpushed};
use crate::{App, Error};

/// The next `count` notes before a moment, newest first; fewer only at the end. Some may be deleted or by unfollowed
/// authors.
pub(super) async fn find(
    app: &App,
    reader: UserId,
    before: TimelinePosition,
    count: usize,
) -> Result<Vec<TimelinePosition>, Error> {
    match by_inbox(app, reader, before, count).await {
        Ok(Some(found)) => Ok(found),
        Ok(None) => by_sql(app, reader, before, count).await,
        Err(error) if error.is_outage() => by_sql(app, reader, before, count).await,
        Err(error) => Err(error),
    }
}

async fn by_sql(
    app: &App,
    reader: UserId,
    before: TimelinePosition,
    count: usize,
) -> Result<Vec<TimelinePosition>, Error> {
    Ok(notes::list_feed(app.db(), reader, Some(before), count as u64).await?)
}

/// `None` if the inbox is missing or does not reach that far back.
async fn by_inbox(
    app: &App,
    reader: UserId,
    before: TimelinePosition,
    count: usize,
) -> Result<Option<Vec<TimelinePosition>>, Error> {
    let Some(part) = inbox::read(app, reader, item(before), count).await? else {
        return Ok(None);
    };
    let FeedPart { items, is_cut } = part;
    if is_cut && items.len() < count {
        return Ok(None);
    }
    let mut found: Vec<TimelinePosition> = items.into_iter().filter_map(moment).collect();
    let beside = of_unpushed_authors(app, reader, before, count).await?;
    if !beside.is_empty() {
        found.extend(beside);
        found.sort_unstable_by(|a, b| b.cmp(a));
        // A note pushed before its author had too many fans is in both.
        found.dedup();
        found.truncate(count);
    }
    Ok(Some(found))
}

async fn of_unpushed_authors(
    app: &App,
    reader: UserId,
    before: TimelinePosition,
    count: usize,
) -> Result<Vec<TimelinePosition>, Error> {
    let authors = unpushed::list(app).await?;
    if authors.is_empty() {
        return Ok(Vec::new());
    }
    let followed = follows::followed_among(app.db(), reader, &authors).await?;
    let found = notes::list_timeline(app.db(), &followed, Some(before), count as u64).await?;
    Ok(found)
}

pub(super) fn item(moment: TimelinePosition) -> FeedItem {
    FeedItem {
        published_at_ms: moment.published_at.as_millisecond(),
        note: moment.note,
    }
}

/// An entry with an impossible time is ignored.
fn moment(item: FeedItem) -> Option<TimelinePosition> {
    let published_at = Timestamp::from_millisecond(item.published_at_ms).ok()?;
    Some(TimelinePosition {
        published_at,
        note: item.note,
    })
}
