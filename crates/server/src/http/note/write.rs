//! `POST`, `PUT` and `DELETE /api/blog…`: publishing, liking and deleting notes.
//!
//! Only what the input type names is bound; what is counted cannot be said.

use app::notes::{self, SubmittedNote};
use axum::extract::State;
use domain::{NoteId, ShopId};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::{JsonBody, PathParam, Signed};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// What is missing is refused with a message, as what is empty.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct NewNoteInput {
    /// Plain text, 1 to 255 characters; tags are taken out.
    #[schema(nullable = false)]
    title: Option<String>,
    /// Plain text and `<br>`, 1 to 2048 characters; other tags are taken out.
    #[schema(nullable = false)]
    content: Option<String>,
    /// 1 to 9 pictures that the author uploaded, separated by commas, with `/imgs` or without.
    #[schema(nullable = false)]
    images: Option<String>,
    #[schema(nullable = false, value_type = Option<i64>)]
    shop_id: Option<ShopId>,
    /// Stars for the shop, 1 to 5.
    #[schema(nullable = false)]
    score: Option<i64>,
}

impl From<NewNoteInput> for SubmittedNote {
    fn from(input: NewNoteInput) -> Self {
        Self {
            shop_id: input.shop_id,
            title: input.title.unwrap_or_default(),
            content: input.content.unwrap_or_default(),
            images: input.images.unwrap_or_default(),
            stars: input.score,
        }
    }
}

/// Publish a note about a shop. The reply is its id.
#[utoipa::path(
    post, path = IN_TABLE, tag = "notes", request_body = NewNoteInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<i64>)),
)]
pub(in crate::http) async fn publish_note(
    State(state): State<HttpState>,
    signed: Signed,
    JsonBody(input): JsonBody<NewNoteInput>,
) -> Result<Reply<i64>, Failure> {
    let id = notes::publish(state.app(), &signed.session, input.into()).await?;
    Ok(Reply::new(id.get()))
}

/// Toggle the like of a note.
#[utoipa::path(
    put, path = IN_TABLE, tag = "notes", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn like_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<NoteId>,
) -> Result<Reply<()>, Failure> {
    notes::like(state.app(), &signed.session, id).await?;
    Ok(Reply::done())
}

/// Delete a note of mine, or any as an admin. It is gone from every list at once.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "notes", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn delete_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<NoteId>,
) -> Result<Reply<()>, Failure> {
    notes::delete(state.app(), &signed.session, id).await?;
    Ok(Reply::done())
}
