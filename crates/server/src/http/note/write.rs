//! `POST`, `PUT` and `DELETE /api/blog…`: publishing, changing, liking and deleting notes.
//!
//! Only what the input type names is bound; what is counted cannot be said.

use app::notes::{self, SubmittedNote};
use axum::extract::State;
use domain::{Aspects, NoteId, OpinionDraft, ShopId, UserId};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::{JsonBody, MaybeKeyed, PathParam, Signed};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// 1 to 5 for each aspect of a shop, in a note that gives stars; what is missing is not rated.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(in crate::http) struct NoteRatingsInput {
    /// Taste where one eats, effect or skill elsewhere.
    #[schema(nullable = false)]
    main: Option<i64>,
    #[schema(nullable = false)]
    surroundings: Option<i64>,
    #[schema(nullable = false)]
    service: Option<i64>,
}

fn opinion(ratings: Option<NoteRatingsInput>, dishes: Option<Vec<String>>) -> OpinionDraft {
    let ratings = ratings.unwrap_or_default();
    OpinionDraft {
        ratings: Aspects {
            main: ratings.main,
            surroundings: ratings.surroundings,
            service: ratings.service,
        },
        dishes: dishes.unwrap_or_default(),
    }
}

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
    /// Whom the content names after an `@`, 10 people at most. Of somebody whose name is not there it stays a text.
    #[schema(nullable = false, value_type = Option<Vec<i64>>)]
    mentions: Option<Vec<UserId>>,
    #[schema(nullable = false)]
    ratings: Option<NoteRatingsInput>,
    /// Up to 5 things that the author recommends, of 1 to 20 characters each.
    #[schema(nullable = false)]
    dishes: Option<Vec<String>>,
}

impl From<NewNoteInput> for SubmittedNote {
    fn from(input: NewNoteInput) -> Self {
        Self {
            shop_id: input.shop_id,
            title: input.title.unwrap_or_default(),
            content: input.content.unwrap_or_default(),
            images: input.images.unwrap_or_default(),
            stars: input.score,
            mentions: input.mentions.unwrap_or_default(),
            opinion: opinion(input.ratings, input.dishes),
        }
    }
}

/// Publish a note about a shop. The reply is its id. With a key that has published another text the code is
/// `note_already_published`, and `data.id` has that note.
#[utoipa::path(
    post, path = IN_TABLE, tag = "notes", request_body = NewNoteInput,
    security(("token" = []), ("cookie" = [])),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false, description = "Names this note, in 1 to 64 visible characters: sent again, it is the same note.")),
    responses((status = 200, body = Envelope<i64>)),
)]
pub(in crate::http) async fn publish_note(
    State(state): State<HttpState>,
    signed: Signed,
    MaybeKeyed(key): MaybeKeyed,
    JsonBody(input): JsonBody<NewNoteInput>,
) -> Result<Reply<i64>, Failure> {
    let id = notes::publish(state.app(), &signed.session, key.as_ref(), input.into()).await?;
    Ok(Reply::new(id.get()))
}

/// What a note is to say. What is missing is refused with a message, as what is empty.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct NoteEditInput {
    /// Plain text, 1 to 255 characters; tags are taken out.
    #[schema(nullable = false)]
    title: Option<String>,
    /// Plain text and `<br>`, 1 to 2048 characters; other tags are taken out.
    #[schema(nullable = false)]
    content: Option<String>,
    /// 1 to 9 pictures, separated by commas: those that the note has, and those that the author uploaded.
    #[schema(nullable = false)]
    images: Option<String>,
    /// Stars for the shop, 1 to 5; none if missing.
    #[schema(nullable = false)]
    score: Option<i64>,
    /// Whom the content names after an `@`, 10 people at most; nobody if missing.
    #[schema(nullable = false, value_type = Option<Vec<i64>>)]
    mentions: Option<Vec<UserId>>,
    #[schema(nullable = false)]
    ratings: Option<NoteRatingsInput>,
    /// Up to 5 things that the author recommends, of 1 to 20 characters each; none if missing.
    #[schema(nullable = false)]
    dishes: Option<Vec<String>>,
    /// The `edits` of the note that was read: a note that was changed since is not overwritten.
    edits: u32,
}

/// Change a note of mine; its shop stays. If it was changed since it was read the code is `note_changed`.
#[utoipa::path(
    put, path = IN_TABLE, tag = "notes", params(("id" = i64, Path)), request_body = NoteEditInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn edit_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<NoteId>,
    JsonBody(input): JsonBody<NoteEditInput>,
) -> Result<Reply<()>, Failure> {
    let draft = SubmittedNote {
        shop_id: None,
        title: input.title.unwrap_or_default(),
        content: input.content.unwrap_or_default(),
        images: input.images.unwrap_or_default(),
        stars: input.score,
        mentions: input.mentions.unwrap_or_default(),
        opinion: opinion(input.ratings, input.dishes),
    };
    notes::edit(state.app(), &signed.session, id, input.edits, draft).await?;
    Ok(Reply::done())
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
