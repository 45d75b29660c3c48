//! `/api/follow…`: following people.

use app::follows::{self, FollowAction, FollowList, ListedUser};
use axum::extract::State;
use domain::UserId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::account::UserView;
use super::envelope::{Done, Envelope, Reply};
use super::extract::{MaybeSigned, PathParam, QueryParams, Signed};
use super::failure::Failure;
use super::paging::{CursorPageView, CursorParams};
use super::routes::IN_TABLE;
use super::state::HttpState;

/// The end of the path: `true` or `false`, in every spelling that the original takes.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
pub(super) struct FollowWord(FollowAction);

impl TryFrom<String> for FollowWord {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Self, &'static str> {
        match &*word.trim().to_ascii_lowercase() {
            "true" | "on" | "yes" | "1" => Ok(Self(FollowAction::Follow)),
            "false" | "off" | "no" | "0" => Ok(Self(FollowAction::Unfollow)),
            _ => Err("expected true or false"),
        }
    }
}

/// Follow a user, or unfollow. Repeating it changes nothing.
#[utoipa::path(
    put, path = IN_TABLE, tag = "follows",
    params(("id" = i64, Path), ("follow" = bool, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn set_follow(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam((author, follow)): PathParam<(UserId, FollowWord)>,
) -> Result<Reply<()>, Failure> {
    follows::set(state.app(), &signed.session, author, follow.0).await?;
    Ok(Reply::done())
}

/// Whether the signed-in user follows this person.
#[utoipa::path(
    get, path = IN_TABLE, tag = "follows", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<bool>)),
)]
pub(super) async fn is_following(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(author): PathParam<UserId>,
) -> Result<Reply<bool>, Failure> {
    let is_following = follows::is_following(state.app(), &signed.session, author).await?;
    Ok(Reply::new(is_following))
}

/// Whom the signed-in user and this person both follow, by id; at most 100.
#[utoipa::path(
    get, path = IN_TABLE, tag = "follows", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<Vec<UserView>>)),
)]
pub(super) async fn list_common(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(other): PathParam<UserId>,
) -> Result<Reply<Vec<UserView>>, Failure> {
    let people = follows::list_common(state.app(), &signed.session, other).await?;
    Ok(Reply::new(people.into_iter().map(UserView::from).collect()))
}

/// A user on a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PersonView {
    #[serde(flatten)]
    user: UserView,
    /// Whether the signed-in user follows them; absent if nobody is signed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_followed: Option<bool>,
}

impl From<ListedUser> for PersonView {
    fn from(person: ListedUser) -> Self {
        Self {
            user: person.user.into(),
            is_followed: person.is_followed,
        }
    }
}

/// Who follows this person, 20 a page, the latest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "follows", params(("id" = i64, Path), CursorParams),
    responses((status = 200, body = Envelope<CursorPageView<PersonView>>)),
)]
pub(super) async fn list_fans(
    State(state): State<HttpState>,
    MaybeSigned(viewer): MaybeSigned,
    PathParam(person): PathParam<UserId>,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Reply<CursorPageView<PersonView>>, Failure> {
    let (viewer, list) = (viewer.as_deref(), FollowList::Fans);
    let page = follows::list_people(state.app(), viewer, person, list, cursor.parse()?).await?;
    Ok(Reply::new(CursorPageView::new(page, PersonView::from)))
}

/// Whom this person follows, 20 a page, the latest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "follows", params(("id" = i64, Path), CursorParams),
    responses((status = 200, body = Envelope<CursorPageView<PersonView>>)),
)]
pub(super) async fn list_followees(
    State(state): State<HttpState>,
    MaybeSigned(viewer): MaybeSigned,
    PathParam(person): PathParam<UserId>,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Reply<CursorPageView<PersonView>>, Failure> {
    let (viewer, list) = (viewer.as_deref(), FollowList::Followees);
    let page = follows::list_people(state.app(), viewer, person, list, cursor.parse()?).await?;
    Ok(Reply::new(CursorPageView::new(page, PersonView::from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_the_original_is_understood() {
        let read = |word: &str| FollowWord::try_from(word.to_owned());
        for word in ["true", "TRUE", "True", "on", "Yes", "1", " true "] {
            assert_eq!(read(word), Ok(FollowWord(FollowAction::Follow)), "{word}");
        }
        for word in ["false", "FALSE", "off", "NO", "0"] {
            assert_eq!(read(word), Ok(FollowWord(FollowAction::Unfollow)), "{word}");
        }
        for word in ["", "2", "t", "truth", "-1"] {
            assert!(read(word).is_err(), "{word}");
        }
    }
}
