//! `/api/notices/settings`: which notices about other people a user wants.

use app::notices::{self, SocialKind};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::envelope::{Envelope, Reply};
use crate::http::extract::{JsonBody, Signed};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// Whether the user is told of each. Notices about orders and money are always sent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct NoticeSettings {
    /// Likes of their notes.
    likes: bool,
    /// Comments on their notes.
    comments: bool,
    /// Replies to their comments.
    replies: bool,
    /// New followers.
    follows: bool,
    /// Mentions of them in notes and comments; on if missing.
    #[serde(default = "on")]
    #[schema(required = true)]
    mentions: bool,
}

/// For pages of a version that did not know of mentions.
const fn on() -> bool {
    true
}

impl NoticeSettings {
    fn without(muted: &[SocialKind]) -> Self {
        let is_on = |kind| !muted.contains(&kind);
        Self {
            likes: is_on(SocialKind::NoteLiked),
            comments: is_on(SocialKind::NoteCommented),
            replies: is_on(SocialKind::CommentAnswered),
            follows: is_on(SocialKind::Followed),
            mentions: is_on(SocialKind::Mentioned),
        }
    }

    fn muted(self) -> Vec<SocialKind> {
        let is_off = |kind: &SocialKind| match kind {
            SocialKind::NoteLiked => !self.likes,
            SocialKind::NoteCommented => !self.comments,
            SocialKind::CommentAnswered => !self.replies,
            SocialKind::Followed => !self.follows,
            SocialKind::Mentioned => !self.mentions,
        };
        SocialKind::ALL.into_iter().filter(is_off).collect()
    }
}

/// Which notices about other people I want.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notices",
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<NoticeSettings>)),
)]
pub(in crate::http) async fn get_notice_settings(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<NoticeSettings>, Failure> {
    let muted = notices::list_muted(state.app(), &signed.session).await?;
    Ok(Reply::new(NoticeSettings::without(&muted)))
}

/// Say which notices about other people I want. Those that are there stay.
#[utoipa::path(
    put, path = IN_TABLE, tag = "notices", request_body = NoticeSettings,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<NoticeSettings>)),
)]
pub(in crate::http) async fn set_notice_settings(
    State(state): State<HttpState>,
    signed: Signed,
    JsonBody(wanted): JsonBody<NoticeSettings>,
) -> Result<Reply<NoticeSettings>, Failure> {
    notices::set_muted(state.app(), &signed.session, &wanted.muted()).await?;
    Ok(Reply::new(wanted))
}
