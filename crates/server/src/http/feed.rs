//! `/api/blog/of/follow`: the feed.
//!
//! The original's fields carry a place in the order of notes instead of a count: `minTime` is the millisecond of the last
//! note of a page and `offset` its id, and clients send both back as they came. Notes of one millisecond come by id,
//! so nothing is repeated or skipped, whatever is published or deleted between two pages.

use app::feed;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use domain::NoteId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use storage::notes::TimelinePosition;
use utoipa::{IntoParams, ToSchema};

use super::dialect::Dialect;
use super::envelope::{Envelope, Reply, written_reply};
use super::extract::{QueryParams, Signed};
use super::failure::Failure;
use super::note::NoteView;
use super::rendered_notes::write_notes;
use super::routes::IN_TABLE;
use super::state::HttpState;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(super) struct FeedQuery {
    /// The `minTime` of the page before, in milliseconds, inclusive; for the first page a moment to come, or nothing.
    #[param(nullable = false)]
    last_id: Option<i64>,
    /// The `offset` of the page before; 0 or nothing if no note of that millisecond was seen.
    #[param(nullable = false)]
    offset: Option<i64>,
}

impl FeedQuery {
    fn before(&self) -> TimelinePosition {
        let seen = self.offset.filter(|id| *id > 0).map(NoteId::new);
        TimelinePosition {
            published_at: self.last_id.map_or(Timestamp::MAX, instant),
            note: seen.unwrap_or(TimelinePosition::END.note),
        }
    }
}

/// Beyond the ends of time there are no notes: the ends do as well.
fn instant(ms: i64) -> Timestamp {
    let end = match ms < 0 {
        true => Timestamp::MIN,
        false => Timestamp::MAX,
    };
    Timestamp::from_millisecond(ms).unwrap_or(end)
}

// The description of a page; `write_notes` writes its list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FeedView {
    list: Vec<NoteView>,
    /// For the `lastId` of the next page.
    min_time: i64,
    /// For the `offset` of the next page.
    offset: i64,
}

/// Notes of those whom the signed-in user follows, newest first, 10 a page; no data when none are left.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notes", params(FeedQuery),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<FeedView>)),
)]
pub(super) async fn read_feed(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(query): QueryParams<FeedQuery>,
) -> Result<Response, Failure> {
    // Pages of the original always send it.
    if query.last_id.is_none() && state.dialect() == Dialect::Original {
        return Err(Failure::missing("lastId", "is missing"));
    }
    let page = feed::read(state.app(), &signed.session, query.before()).await?;
    let Some(last) = page.next else {
        return Ok(Reply::<FeedView>::maybe(None).into_response());
    };
    Ok(written_reply(|json| {
        json.extend_from_slice(b"{\"list\":");
        write_notes(json, &page.items, &state);
        let (min_time, offset) = (last.published_at.as_millisecond(), last.note.get());
        let cursor = format!(",\"minTime\":{min_time},\"offset\":{offset}}}");
        json.extend_from_slice(cursor.as_bytes());
    }))
}
