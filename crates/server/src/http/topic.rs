//! `/api/blog/of/topic` and `/api/topic/suggestions`: notes of a topic, and topics to choose from.

use app::notes::NoteSeen;
use app::topics;
use axum::extract::State;
use axum::response::Response;
use domain::NoteId;
use serde::{Deserialize, Serialize};
use storage::topics::CountedTopic;
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Envelope, Reply, write_json, written_reply};
use super::extract::{MaybeSigned, QueryParams, RequestCaller};
use super::failure::Failure;
use super::note::NoteView;
use super::paging::CursorParams;
use super::rendered_notes::write_notes;
use super::routes::IN_TABLE;
use super::state::HttpState;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct TopicParams {
    /// Without its signs. Case, width and punctuation do not count.
    name: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PrefixParams {
    /// How the topic begins; those of most notes if it is empty.
    q: String,
}

/// A page of the notes of a topic.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TopicPageView {
    /// As it was first written; empty for what cannot be a topic.
    name: String,
    /// How many notes it has in all.
    notes: u64,
    list: Vec<NoteView>,
    /// For the next page; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TopicView {
    name: String,
    /// How many notes it has.
    notes: u64,
}

impl From<CountedTopic> for TopicView {
    fn from(topic: CountedTopic) -> Self {
        Self {
            notes: topic.notes(),
            name: topic.name,
        }
    }
}

/// Notes of a topic, newest first, 10 a page. A topic that no note has is an empty list.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notes", params(TopicParams, CursorParams),
    responses((status = 200, body = Envelope<TopicPageView>)),
)]
pub(super) async fn list_notes_of_topic(
    State(state): State<HttpState>,
    MaybeSigned(reader): MaybeSigned,
    QueryParams(topic): QueryParams<TopicParams>,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Response, Failure> {
    let before = cursor.parse::<NoteId>()?;
    let found = topics::list_notes(state.app(), reader.as_deref(), &topic.name, before).await?;
    let (notes, next): (&[NoteSeen], _) = (&found.page.items, found.page.next);
    Ok(written_reply(|json| {
        json.extend_from_slice(b"{\"name\":");
        write_json(json, &found.name);
        json.extend_from_slice(b",\"notes\":");
        write_json(json, &found.notes);
        json.extend_from_slice(b",\"list\":");
        write_notes(json, notes, &state);
        if let Some(next) = next {
            json.extend_from_slice(format!(",\"cursor\":\"{next}\"").as_bytes());
        }
        json.push(b'}');
    }))
}

/// Topics for a text that is still being typed: those that begin with it, of most notes first; 8 at most.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notes", params(PrefixParams),
    responses((status = 200, body = Envelope<Vec<TopicView>>)),
)]
pub(super) async fn suggest_topics(
    State(state): State<HttpState>,
    QueryParams(prefix): QueryParams<PrefixParams>,
    RequestCaller(caller): RequestCaller,
) -> Result<Reply<Vec<TopicView>>, Failure> {
    app::search::admit(state.app(), caller.address)?;
    let found = topics::suggest(state.app(), &prefix.q).await?;
    Ok(Reply::new(found.into_iter().map(TopicView::from).collect()))
}
