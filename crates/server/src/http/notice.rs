//! `/api/notices…`: notices about orders and about other people, as a list and live; what is wanted of them is in
//! `settings.rs`.

pub(super) mod settings;

use std::convert::Infallible;
use std::time::Duration;

use app::notices::{self, DescribedEvent, DescribedNotice, NoticeSubscription};
use app::{PageSize, account};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::{NoteId, SiteZone, UserId};
use futures_util::{Stream, StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use storage::notices::NoticeId;
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use super::envelope::{Envelope, Reply};
use super::extract::{ClientAddress, JsonBody, QueryParams, Signed};
use super::failure::{Causes, Failure};
use super::paging::{CursorPageView, CursorParams, PageSizeParams};
use super::routes::IN_TABLE;
use super::state::HttpState;
use super::streams;

/// So that proxies do not take a quiet stream for a dead one.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

const USUAL_PAGE: PageSize = PageSize::new(20);

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NoticeView {
    id: i64,
    /// `order_paid`, `order_expiring`, `order_cancelled`, `order_expired`, `order_refunded`, `order_redeemed`,
    /// `order_lost`, `payment_returned`, `account_kept`, `contact_changed`, `phone_released`, or `refund_outside` to admins. About other people: `note_liked`,
    /// `note_commented`, `comment_answered`, `followed` or `mentioned`.
    kind: &'static str,
    /// The order that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order_id: Option<String>,
    /// The title of that order's voucher.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    shop_name: Option<String>,
    /// The price of that order, in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    amount: Option<i64>,
    /// What other people did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    event: Option<EventView>,
    is_read: bool,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    create_time: String,
    created_at_ms: i64,
}

/// What other people did; one notice stands for all who did it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EventView {
    /// Who did it last; the name is empty if the account is gone.
    #[schema(value_type = i64)]
    user_id: UserId,
    name: String,
    icon: String,
    /// How many did it, that one included.
    people: u32,
    /// The note that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<i64>)]
    blog_id: Option<NoteId>,
    /// Of that note.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    blog_title: String,
    /// The newest comment; plain text.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    content: String,
}

impl EventView {
    fn new(DescribedEvent { says, actor }: DescribedEvent) -> Self {
        let (name, icon) = actor
            .map(|user| (user.nick_name, user.icon))
            .unwrap_or_default();
        Self {
            user_id: says.newest,
            name,
            icon,
            people: says.people,
            blog_id: says.note,
            blog_title: says.title,
            content: says.words,
        }
    }
}

impl NoticeView {
    fn new(described: DescribedNotice, zone: &SiteZone) -> Self {
        let DescribedNotice {
            notice,
            order,
            social,
        } = described;
        let amount = order.as_ref().map(|order| order.pay_value_cents);
        let (title, shop_name) = order.map(|order| (order.title, order.shop_name)).unzip();
        Self {
            id: notice.id.get(),
            kind: notice.kind.as_str(),
            order_id: notice.order.map(|id| id.to_string()),
            title: title.filter(|title| !title.is_empty()),
            shop_name: shop_name.flatten(),
            amount,
            event: social.map(EventView::new),
            is_read: notice.read_at.is_some(),
            create_time: zone.wall_clock(notice.created_at),
            created_at_ms: notice.created_at.as_millisecond(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MyNoticesView {
    #[serde(flatten)]
    page: CursorPageView<NoticeView>,
    unread: u64,
}

/// Notices about my orders and about what others do with my notes, newest first, 20 a page if `size` is missing.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notices", params(CursorParams, PageSizeParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<MyNoticesView>)),
)]
pub(super) async fn list_notices(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(cursor): QueryParams<CursorParams>,
    QueryParams(size): QueryParams<PageSizeParams>,
) -> Result<Reply<MyNoticesView>, Failure> {
    let (before, size) = (cursor.parse()?, size.or(USUAL_PAGE));
    let mine = notices::list_mine(state.app(), &signed.session, before, size).await?;
    let zone = &state.app().rules().zone;
    let view = |notice| NoticeView::new(notice, zone);
    Ok(Reply::new(MyNoticesView {
        page: CursorPageView::new(mine.page, view),
        unread: mine.unread,
    }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReadInput {
    /// The newest one that was read; those before it count as read too.
    last_id: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct UnreadView {
    unread: u64,
}

/// Mark my notices as read.
#[utoipa::path(
    post, path = IN_TABLE, tag = "notices", request_body = ReadInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<UnreadView>)),
)]
pub(super) async fn mark_read(
    State(state): State<HttpState>,
    signed: Signed,
    JsonBody(input): JsonBody<ReadInput>,
) -> Result<Reply<UnreadView>, Failure> {
    let last = NoticeId::new(input.last_id);
    let unread = notices::mark_read(state.app(), &signed.session, last).await?;
    Ok(Reply::new(UnreadView { unread }))
}

/// New notices of mine, live: server-sent events `notice`, each with its id. A page that was away sends `Last-Event-ID`,
/// as browsers do by themselves, and gets what it missed. It ends with its session, and the server may end it at any time.
#[utoipa::path(
    get, path = IN_TABLE, tag = "notices",
    params(("Last-Event-ID" = Option<String>, Header, nullable = false, description = "The last notice that was seen.")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, content_type = "text/event-stream", body = String)),
)]
pub(super) async fn follow_notices(
    State(state): State<HttpState>,
    ClientAddress(address): ClientAddress,
    signed: Signed,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Failure> {
    let permit = state.open_stream(address)?;
    let listening = notices::subscribe(state.app(), &signed.session, last_seen(&headers)).await?;
    let zone = state.app().rules().zone.clone();
    let session_end = account::session_end(state.app(), &signed.token);
    let events = events(listening, zone, state.shutdown().clone());
    let events = streams::with_permit(events.take_until(session_end), permit);
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    Ok((streams::UNBUFFERED, events))
}

/// A header that is no id counts as absent.
fn last_seen(headers: &HeaderMap) -> Option<NoticeId> {
    let last = headers.get("last-event-id")?.to_str().ok()?;
    last.parse().ok()
}

/// Ends at shutdown, or when notices cannot be read: the page reconnects.
fn events(
    listening: NoticeSubscription,
    zone: SiteZone,
    shutdown: CancellationToken,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let start = (listening, zone, shutdown);
    stream::unfold(start, |(mut listening, zone, shutdown)| async move {
        let notice = tokio::select! {
            () = shutdown.cancelled() => return None,
            notice = listening.next() => notice,
        };
        let notice = match notice {
            Ok(notice) => notice,
            Err(error) => {
                tracing::warn!(error = %Causes(&error), "notice stream closed: notices cannot be read");
                return None;
            }
        };
        let view = NoticeView::new(notice, &zone);
        let event = Event::default().event("notice").id(view.id.to_string());
        let event = event.json_data(view).expect("views are plain structs");
        Some((Ok(event), (listening, zone, shutdown)))
    })
}
