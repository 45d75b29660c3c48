//! `/api/blog-comments…`: comments on notes, in two levels; what admins do about them is in `moderation.rs`.

pub(super) mod moderation;

use app::comments::{self, CommentSeen, SubmittedComment, ThreadSeen};
use axum::extract::State;
use domain::{CommentId, NoteId, SiteZone, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Done, Envelope, Reply};
use super::extract::{JsonBody, MaybeKeyed, MaybeSigned, PathParam, QueryParams, Signed};
use super::failure::Failure;
use super::note::MentionView;
use super::paging::PageParams;
use super::routes::IN_TABLE;
use super::state::HttpState;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommentView {
    #[schema(value_type = i64)]
    id: CommentId,
    #[schema(value_type = i64)]
    blog_id: NoteId,
    #[schema(value_type = i64)]
    user_id: UserId,
    /// The author's picture and name; empty if the account is gone.
    icon: String,
    name: String,
    /// The first comment of its thread; 0 for that one itself.
    parent_id: i64,
    /// What it answers; 0 if that is nothing in particular.
    answer_id: i64,
    /// Plain text.
    content: String,
    /// Who is named in it, after an `@`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    mentions: Vec<MentionView>,
    liked: u32,
    /// Whether the signed-in user likes it; absent if nobody is signed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_like: Option<bool>,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    create_time: String,
    created_at_ms: i64,
}

impl CommentView {
    fn new(seen: CommentSeen, zone: &SiteZone) -> Self {
        let CommentSeen { comment, is_liked } = seen;
        Self {
            id: comment.id,
            blog_id: comment.note,
            user_id: comment.author,
            icon: comment.author_icon,
            name: comment.author_name,
            parent_id: comment.parent.map_or(0, CommentId::get),
            answer_id: comment.answers.map_or(0, CommentId::get),
            mentions: comment.mentions.iter().map(MentionView::from).collect(),
            content: comment.content,
            liked: comment.likes,
            is_like: is_liked,
            create_time: zone.wall_clock(comment.created_at),
            created_at_ms: comment.created_at.as_millisecond(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadView {
    #[serde(flatten)]
    first: CommentView,
    /// The first three, oldest first.
    replies: Vec<CommentView>,
    /// How many there are in all.
    reply_count: u32,
}

impl ThreadView {
    fn new(seen: ThreadSeen, zone: &SiteZone) -> Self {
        let replies = seen.replies.into_iter();
        Self {
            first: CommentView::new(seen.first, zone),
            replies: replies.map(|it| CommentView::new(it, zone)).collect(),
            reply_count: seen.reply_count,
        }
    }
}

/// Comments on a note, 10 threads a page, newest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "comments",
    params(("id" = i64, Path, description = "The note."), PageParams),
    responses((status = 200, body = Envelope<Vec<ThreadView>>)),
)]
pub(super) async fn list_threads(
    State(state): State<HttpState>,
    MaybeSigned(reader): MaybeSigned,
    PathParam(note): PathParam<NoteId>,
    QueryParams(page): QueryParams<PageParams>,
) -> Result<Reply<Vec<ThreadView>>, Failure> {
    let page = page.number();
    let threads = comments::list_threads(state.app(), reader.as_deref(), note, page).await?;
    let zone = &state.app().rules().zone;
    let view = |thread| ThreadView::new(thread, zone);
    Ok(Reply::new(threads.into_iter().map(view).collect()))
}

/// Replies of a thread, 10 a page, oldest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "comments",
    params(("id" = i64, Path, description = "The first comment of the thread."), PageParams),
    responses((status = 200, body = Envelope<Vec<CommentView>>)),
)]
pub(super) async fn list_replies(
    State(state): State<HttpState>,
    MaybeSigned(reader): MaybeSigned,
    PathParam(thread): PathParam<CommentId>,
    QueryParams(page): QueryParams<PageParams>,
) -> Result<Reply<Vec<CommentView>>, Failure> {
    let page = page.number();
    let replies = comments::list_replies(state.app(), reader.as_deref(), thread, page).await?;
    let zone = &state.app().rules().zone;
    let view = |reply| CommentView::new(reply, zone);
    Ok(Reply::new(replies.into_iter().map(view).collect()))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewCommentInput {
    #[schema(value_type = i64)]
    blog_id: NoteId,
    /// Plain text, 1 to 255 characters; tags are taken out.
    content: String,
    /// The thread it belongs to; 0 or missing for a new one.
    #[schema(nullable = false, value_type = Option<i64>)]
    parent_id: Option<CommentId>,
    /// The comment it answers; 0 or missing if none in particular.
    #[schema(nullable = false, value_type = Option<i64>)]
    answer_id: Option<CommentId>,
    /// Whom it names after an `@`, 5 people at most. Of somebody whose name is not there it stays a text.
    #[schema(nullable = false, value_type = Option<Vec<i64>>)]
    mentions: Option<Vec<UserId>>,
}

impl From<NewCommentInput> for SubmittedComment {
    fn from(input: NewCommentInput) -> Self {
        // The original's clients say 0 for none.
        let named = |id: Option<CommentId>| id.filter(|id| id.get() != 0);
        Self {
            note: input.blog_id,
            parent: named(input.parent_id),
            answers: named(input.answer_id),
            content: input.content,
            mentions: input.mentions.unwrap_or_default(),
        }
    }
}

/// Comment on a note, or answer a comment. The reply is the id.
#[utoipa::path(
    post, path = IN_TABLE, tag = "comments", request_body = NewCommentInput,
    security(("token" = []), ("cookie" = [])),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false, description = "Names this comment, in 1 to 64 visible characters: sent again, it is the same comment.")),
    responses((status = 200, body = Envelope<i64>)),
)]
pub(super) async fn create_comment(
    State(state): State<HttpState>,
    signed: Signed,
    MaybeKeyed(key): MaybeKeyed,
    JsonBody(input): JsonBody<NewCommentInput>,
) -> Result<Reply<i64>, Failure> {
    let id = comments::create(state.app(), &signed.session, key.as_ref(), input.into()).await?;
    Ok(Reply::new(id.get()))
}

/// Toggle the like of a comment.
#[utoipa::path(
    put, path = IN_TABLE, tag = "comments", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn like_comment(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<CommentId>,
) -> Result<Reply<()>, Failure> {
    comments::like(state.app(), &signed.session, id).await?;
    Ok(Reply::done())
}

/// Delete a comment of mine, or any as an admin. The first of a thread takes its replies with it.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "comments",
    params(("id" = i64, Path, description = "The comment.")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn delete_comment(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<CommentId>,
) -> Result<Reply<()>, Failure> {
    comments::delete(state.app(), &signed.session, id).await?;
    Ok(Reply::done())
}

#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ReportInput {
    /// What is wrong; at most 255 characters of it are kept.
    #[schema(nullable = false)]
    pub(super) reason: Option<String>,
}

/// Tell the moderators that something is wrong with a comment. A person counts once.
#[utoipa::path(
    post, path = IN_TABLE, tag = "comments", params(("id" = i64, Path)),
    request_body = ReportInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn report_comment(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<CommentId>,
    JsonBody(input): JsonBody<ReportInput>,
) -> Result<Reply<()>, Failure> {
    let reason = input.reason.unwrap_or_default();
    comments::report(state.app(), &signed.session, id, &reason).await?;
    Ok(Reply::done())
}
