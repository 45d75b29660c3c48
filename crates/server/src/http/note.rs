//! `/api/blog…`: notes, read by everybody; writing and liking them is in `write.rs`.

pub(super) mod dishes;
pub(super) mod drafts;
pub(super) mod moderation;
pub(super) mod write;

use app::notes::{self, NoteSeen};
use axum::extract::State;
use axum::response::Response;
use domain::note::STARS_MAX;
use domain::{Dish, Mention, NoteId, Ratings, ShopId, TieBreak, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::account::UserView;
use super::dialect::Dialect;
use super::envelope::{Envelope, Reply, written_reply};
use super::extract::{MaybeSigned, PathParam, QueryParams, Signed};
use super::failure::Failure;
use super::paging::PageParams;
use super::rendered_notes::{write_note, write_notes};
use super::routes::IN_TABLE;
use super::shop::HereParams;
use super::state::HttpState;

/// What a note gives its shop for each aspect, 1 to 5; what it says nothing of is absent.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
pub(super) struct NoteRatingsView {
    /// Taste where one eats, effect or skill elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    main: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    surroundings: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    service: Option<u8>,
}

impl From<NoteRatingsView> for Ratings {
    fn from(ratings: NoteRatingsView) -> Self {
        let NoteRatingsView {
            main,
            surroundings,
            service,
        } = ratings;
        Self {
            main,
            surroundings,
            service,
        }
    }
}

impl NoteRatingsView {
    fn new(ratings: Ratings) -> Option<Self> {
        let Ratings {
            main,
            surroundings,
            service,
        } = ratings;
        (ratings != Ratings::default()).then_some(Self {
            main,
            surroundings,
            service,
        })
    }
}

/// A note as its readers see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoteView {
    #[schema(value_type = i64)]
    id: NoteId,
    #[schema(value_type = i64)]
    shop_id: ShopId,
    #[schema(value_type = i64)]
    user_id: UserId,
    /// The author's picture and name; empty if the account is gone.
    icon: String,
    name: String,
    /// Whether the signed-in user likes it; absent if nobody is signed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_like: Option<bool>,
    /// Plain text.
    title: String,
    /// Addresses of pictures, separated by commas.
    images: String,
    /// Plain text and `<br>`.
    content: String,
    liked: u32,
    comments: u32,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    create_time: String,
    update_time: String,
    /// Stars for the shop, 1 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    score: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = true)]
    created_at_ms: Option<i64>,
    /// How often its author changed it; an edit names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32, required = true)]
    edits: Option<u32>,
    /// When its author changed it last; absent if never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    edited_at_ms: Option<i64>,
    /// Who is named in the content, after an `@`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    mentions: Vec<MentionView>,
    /// Topics in the content, as `#name#` or `#name`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    topics: Vec<String>,
    /// Absent if it rates no aspect.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ratings: Option<NoteRatingsView>,
    /// What it recommends; absent if nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    dishes: Option<Vec<String>>,
}

/// Somebody who is named in a text.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MentionView {
    #[schema(value_type = i64)]
    user_id: UserId,
    /// As the text has it; the person may have another name by now.
    name: String,
}

impl From<MentionView> for Mention {
    fn from(mention: MentionView) -> Self {
        let MentionView { user_id, name } = mention;
        Self {
            user: user_id,
            name,
        }
    }
}

impl From<&Mention> for MentionView {
    fn from(mention: &Mention) -> Self {
        Self {
            user_id: mention.user,
            name: mention.name.clone(),
        }
    }
}

impl NoteView {
    /// As its reader sees it at this moment.
    pub(super) fn new(seen: &NoteSeen, state: &HttpState) -> Self {
        Self {
            is_like: seen.is_liked,
            liked: seen.likes,
            comments: seen.comments,
            ..Self::without_counters(seen, state)
        }
    }

    /// What stays the same from request to request; the rest is as of a note that nobody has seen yet.
    pub(super) fn without_counters(seen: &NoteSeen, state: &HttpState) -> Self {
        let (dialect, zone) = (state.dialect(), &state.app().rules().zone);
        let text = &*seen.text;
        let author = seen.author.as_deref().cloned().unwrap_or_default();
        let dishes = text
            .opinion
            .dishes
            .iter()
            .map(|dish| dish.name().to_owned());
        let dishes: Vec<String> = dishes.collect();
        Self {
            id: text.id,
            shop_id: text.shop_id,
            user_id: text.author,
            icon: author.icon,
            name: author.name,
            is_like: None,
            title: text.title.clone(),
            images: text.images.clone(),
            content: text.content.clone(),
            liked: 0,
            comments: 0,
            create_time: zone.wall_clock(text.created_at),
            update_time: zone.wall_clock(text.updated_at),
            score: text.stars.and_then(|stars| dialect.addition(stars)),
            created_at_ms: dialect.addition(text.created_at.as_millisecond()),
            edits: dialect.addition(text.edits),
            edited_at_ms: text
                .edited_at
                .and_then(|at| dialect.addition(at.as_millisecond())),
            mentions: dialect
                .addition(text.mentions.iter().map(MentionView::from).collect())
                .unwrap_or_default(),
            topics: dialect.addition(text.topics.clone()).unwrap_or_default(),
            ratings: NoteRatingsView::new(text.opinion.ratings)
                .and_then(|ratings| dialect.addition(ratings)),
            dishes: dialect.addition(dishes).filter(|dishes| !dishes.is_empty()),
        }
    }
}

/// A list of notes as a reply.
fn reply_with(seen: &[NoteSeen], state: &HttpState) -> Response {
    written_reply(|json| write_notes(json, seen, state))
}

/// Among equals the site lists the newest first; the original lists its rows as they were written.
fn tie_break(state: &HttpState) -> TieBreak {
    match state.dialect() {
        Dialect::Site => TieBreak::Newest,
        Dialect::Original => TieBreak::Oldest,
    }
}

/// Notes, 10 a page: the most liked first, then the newest.
///
/// With a position only those about shops within 50 kilometres, of the 300 most liked.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notes", params(PageParams, HereParams),
    responses((status = 200, body = Envelope<Vec<NoteView>>)),
)]
pub(super) async fn list_hot_notes(
    State(state): State<HttpState>,
    MaybeSigned(reader): MaybeSigned,
    QueryParams(page): QueryParams<PageParams>,
    QueryParams(here): QueryParams<HereParams>,
) -> Result<Response, Failure> {
    let (reader, tie_break, page) = (reader.as_deref(), tie_break(&state), page.number());
    let found = match here.position()? {
        Some(here) => notes::list_hot_around(state.app(), reader, page, here).await?,
        None => notes::list_hot(state.app(), reader, page, tie_break).await?,
    };
    Ok(reply_with(&found, &state))
}

/// One note.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notes", params(("id" = i64, Path)),
    responses((status = 200, body = Envelope<NoteView>)),
)]
pub(super) async fn get_note(
    State(state): State<HttpState>,
    MaybeSigned(reader): MaybeSigned,
    PathParam(id): PathParam<NoteId>,
) -> Result<Response, Failure> {
    let note = notes::get(state.app(), reader.as_deref(), id).await?;
    Ok(written_reply(|json| write_note(json, &note, &state)))
}

/// The first five who like a note, earliest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notes", params(("id" = i64, Path)),
    responses((status = 200, body = Envelope<Vec<UserView>>)),
)]
pub(super) async fn list_likers(
    State(state): State<HttpState>,
    MaybeSigned(reader): MaybeSigned,
    PathParam(id): PathParam<NoteId>,
) -> Result<Reply<Vec<UserView>>, Failure> {
    let likers = notes::list_first_likers(state.app(), reader.as_deref(), id).await?;
    Ok(Reply::new(likers.into_iter().map(UserView::from).collect()))
}

/// My notes, 10 a page, newest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notes", params(PageParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<Vec<NoteView>>)),
)]
pub(super) async fn list_my_notes(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(page): QueryParams<PageParams>,
) -> Result<Response, Failure> {
    let (me, session) = (signed.session.profile.user_id, Some(&*signed.session));
    let first = tie_break(&state);
    let found = notes::list_of_author(state.app(), session, me, page.number(), first).await?;
    Ok(reply_with(&found, &state))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct OfUserParams {
    /// Whose notes.
    #[param(value_type = i64)]
    id: UserId,
}

/// A person's notes, 10 a page, newest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notes", params(OfUserParams, PageParams),
    responses((status = 200, body = Envelope<Vec<NoteView>>)),
)]
pub(super) async fn list_notes_of_user(
    State(state): State<HttpState>,
    MaybeSigned(reader): MaybeSigned,
    QueryParams(params): QueryParams<OfUserParams>,
    QueryParams(page): QueryParams<PageParams>,
) -> Result<Response, Failure> {
    let (page, first) = (page.number(), tie_break(&state));
    let reader = reader.as_deref();
    let found = notes::list_of_author(state.app(), reader, params.id, page, first).await?;
    Ok(reply_with(&found, &state))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct OfShopParams {
    /// About which shop.
    #[param(value_type = i64)]
    id: ShopId,
    /// Only notes that gave so many stars, 1 to 5.
    #[param(nullable = false)]
    stars: Option<i64>,
    /// Only notes that recommend this; not together with stars.
    #[param(nullable = false)]
    dish: Option<String>,
}

impl OfShopParams {
    fn dish(&self) -> Result<Option<Dish>, Failure> {
        let Some(name) = &self.dish else {
            return Ok(None);
        };
        if self.stars.is_some() {
            return Err(Failure::malformed(
                "dish",
                "not together with stars".to_owned(),
            ));
        }
        let problem = || Failure::malformed("dish", "must be a name".to_owned());
        Dish::parse(name).map(Some).ok_or_else(problem)
    }

    fn stars(&self) -> Result<Option<u8>, Failure> {
        let Some(given) = self.stars else {
            return Ok(None);
        };
        let stars = u8::try_from(given).ok();
        let stars = stars.filter(|stars| (1..=STARS_MAX).contains(stars));
        let problem = || Failure::malformed("stars", format!("must be from 1 to {STARS_MAX}"));
        stars.map(Some).ok_or_else(problem)
    }
}

/// Notes about a shop, 10 a page, newest first: all of them, those that gave so many stars, or those that recommend something.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notes", params(OfShopParams, PageParams),
    responses((status = 200, body = Envelope<Vec<NoteView>>)),
)]
pub(super) async fn list_notes_of_shop(
    State(state): State<HttpState>,
    MaybeSigned(reader): MaybeSigned,
    QueryParams(params): QueryParams<OfShopParams>,
    QueryParams(page): QueryParams<PageParams>,
) -> Result<Response, Failure> {
    let (stars, dish, page) = (params.stars()?, params.dish()?, page.number());
    let (app, reader) = (state.app(), reader.as_deref());
    let found = match dish {
        Some(dish) => notes::list_of_dish(app, reader, params.id, &dish, page).await?,
        None => notes::list_of_shop(app, reader, params.id, stars, page).await?,
    };
    Ok(reply_with(&found, &state))
}
