//! `/api/follow…`: following people.

use app::Page;
use app::follows::{self, FollowAction, FollowList, Person};
use axum::extract::State;
use domain::UserId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::account::UserView;
use super::envelope::{Done, Envelope, Reply};
use super::extract::{MaybeSigned, PathParam, QueryParams, Signed};
use super::failure::Failure;
use super::routes::IN_TABLE;
use super::state::HttpState;

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
    PathParam((author, follow)): PathParam<(UserId, bool)>,
) -> Result<Reply<()>, Failure> {
    let action = if follow {
        FollowAction::Follow
    } else {
        FollowAction::Unfollow
    };
    follows::set(state.app(), &signed.session, author, action).await?;
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

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PeopleQuery {
    /// The `next` of the page before; missing for the first page.
    #[param(nullable = false)]
    cursor: Option<i64>,
}

/// A user on a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PersonView {
    #[serde(flatten)]
    user: UserView,
    /// Whether the signed-in user follows them; absent if nobody is signed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_followed: Option<bool>,
}

impl From<Person> for PersonView {
    fn from(person: Person) -> Self {
        Self {
            user: person.user.into(),
            is_followed: person.is_followed,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PeopleView {
    list: Vec<PersonView>,
    /// What the next page is asked for with; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next: Option<i64>,
}

impl From<Page<Person, i64>> for PeopleView {
    fn from(page: Page<Person, i64>) -> Self {
        Self {
            list: page.items.into_iter().map(PersonView::from).collect(),
            next: page.next,
        }
    }
}

/// Who follows this person, 20 a page, the latest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "follows", params(("id" = i64, Path), PeopleQuery),
    responses((status = 200, body = Envelope<PeopleView>)),
)]
pub(super) async fn list_fans(
    State(state): State<HttpState>,
    MaybeSigned(viewer): MaybeSigned,
    PathParam(person): PathParam<UserId>,
    QueryParams(query): QueryParams<PeopleQuery>,
) -> Result<Reply<PeopleView>, Failure> {
    let (viewer, list) = (viewer.as_deref(), FollowList::Fans);
    let page = follows::list_people(state.app(), viewer, person, list, query.cursor).await?;
    Ok(Reply::new(page.into()))
}

/// Whom this person follows, 20 a page, the latest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "follows", params(("id" = i64, Path), PeopleQuery),
    responses((status = 200, body = Envelope<PeopleView>)),
)]
pub(super) async fn list_followees(
    State(state): State<HttpState>,
    MaybeSigned(viewer): MaybeSigned,
    PathParam(person): PathParam<UserId>,
    QueryParams(query): QueryParams<PeopleQuery>,
) -> Result<Reply<PeopleView>, Failure> {
    let (viewer, list) = (viewer.as_deref(), FollowList::Followees);
    let page = follows::list_people(state.app(), viewer, person, list, query.cursor).await?;
    Ok(Reply::new(page.into()))
}
