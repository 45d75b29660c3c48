//! `/api/blog/draft…`: notes that are not published yet, on every device of their author.

use app::idempotency::IdempotencyKey;
use app::notes;
use axum::extract::State;
use domain::{Mention, ShopId, UnfinishedNote, UserId};
use serde::{Deserialize, Serialize};
use storage::note_drafts::{Draft, Saved};
use utoipa::ToSchema;

use super::{MentionView, NoteRatingsView};
use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::{JsonBody, PathParam, Signed};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// What is written so far; nothing has to be there.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct DraftContent {
    /// As typed, up to 1,000 characters.
    title: String,
    /// As typed, up to 10,000 characters.
    text: String,
    /// Up to 9 pictures that the author uploaded. They are kept as long as the draft.
    #[serde(default)]
    #[schema(required = false)]
    pictures: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<i64>)]
    shop_id: Option<ShopId>,
    /// Stars for the shop, 1 to 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    score: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ratings: Option<NoteRatingsView>,
    #[serde(default)]
    #[schema(required = false)]
    dishes: Vec<String>,
    /// Who was chosen to be mentioned.
    #[serde(default)]
    #[schema(required = false)]
    mentions: Vec<MentionView>,
}

impl From<UnfinishedNote> for DraftContent {
    fn from(note: UnfinishedNote) -> Self {
        Self {
            title: note.title,
            text: note.text,
            pictures: note.pictures,
            shop_id: note.shop,
            score: note.stars,
            ratings: NoteRatingsView::new(note.ratings),
            dishes: note.dishes,
            mentions: note.mentions.iter().map(MentionView::from).collect(),
        }
    }
}

impl From<DraftContent> for UnfinishedNote {
    fn from(content: DraftContent) -> Self {
        let mentions = content.mentions.into_iter().map(Mention::from);
        Self {
            title: content.title,
            text: content.text,
            pictures: content.pictures,
            shop: content.shop_id,
            stars: content.score,
            ratings: content.ratings.unwrap_or_default().into(),
            dishes: content.dishes,
            mentions: mentions.collect(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct DraftView {
    /// The `Idempotency-Key` that publishes it.
    key: String,
    /// A change names the one that it changes.
    revision: i64,
    saved_at_ms: i64,
    content: DraftContent,
}

impl From<Draft> for DraftView {
    fn from(draft: Draft) -> Self {
        Self {
            key: draft.key,
            revision: draft.revision,
            saved_at_ms: draft.saved_at.as_millisecond(),
            content: draft.note.into(),
        }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct DraftInput {
    /// Who wrote it. Where somebody else is signed in by now nothing is saved, and the code is `forbidden`.
    #[schema(value_type = i64)]
    user_id: UserId,
    /// That of the draft that was read; 0 for a new one.
    revision: i64,
    content: DraftContent,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct DraftSaved {
    revision: i64,
    saved_at_ms: i64,
}

impl From<Saved> for DraftSaved {
    fn from(saved: Saved) -> Self {
        Self {
            revision: saved.revision,
            saved_at_ms: saved.saved_at.as_millisecond(),
        }
    }
}

/// My drafts, 10 at most, what was saved last first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notes",
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<Vec<DraftView>>)),
)]
pub(in crate::http) async fn list_drafts(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<Vec<DraftView>>, Failure> {
    let drafts = notes::list_drafts(state.app(), &signed.session).await?;
    Ok(Reply::new(
        drafts.into_iter().map(DraftView::from).collect(),
    ))
}

/// Save a draft under the key that will publish it. If another device saved it since it was read the code is
/// `note_draft_changed`; if one deleted it, `note_draft_gone`; if it was published, `note_already_published`.
#[utoipa::path(
    put, path = IN_TABLE, tag = "notes", request_body = DraftInput,
    params(("key" = String, Path, description = "1 to 64 visible characters.")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<DraftSaved>)),
)]
pub(in crate::http) async fn save_draft(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(key): PathParam<String>,
    JsonBody(input): JsonBody<DraftInput>,
) -> Result<Reply<DraftSaved>, Failure> {
    let key = parsed(&key)?;
    let DraftInput {
        user_id,
        revision,
        content,
    } = input;
    let (app, note) = (state.app(), content.into());
    let saved = notes::save_draft(app, &signed.session, user_id, &key, revision, note);
    Ok(Reply::new(saved.await?.into()))
}

/// Delete a draft. Repeating it changes nothing.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "notes",
    params(("key" = String, Path, description = "1 to 64 visible characters.")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn delete_draft(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(key): PathParam<String>,
) -> Result<Reply<()>, Failure> {
    notes::delete_draft(state.app(), &signed.session, &parsed(&key)?).await?;
    Ok(Reply::done())
}

fn parsed(key: &str) -> Result<IdempotencyKey, Failure> {
    IdempotencyKey::parse(key).map_err(|problem| Failure::malformed("key", problem.to_string()))
}
