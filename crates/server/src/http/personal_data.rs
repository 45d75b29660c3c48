//! `/api/user/confirmation`, `/api/user/export`, `/api/user/deletion`: a person's own data, and the end of an account.

use std::collections::BTreeMap;

use app::Refusal;
use app::account::{self, DeletionOutlook};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, SET_COOKIE};
use axum::response::{AppendHeaders, IntoResponse};
use domain::{ContactKind, LoginCode};
use futures_util::{StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use storage::account_deletion::{Obstacle, ObstacleKind};
use utoipa::ToSchema;

use super::contacts::ConfirmationParams;
use super::cookie;
use super::envelope::{Done, Envelope, Reply};
use super::extract::{JsonBody, QueryParams, RequestCaller, Signed};
use super::failure::{Causes, Failure, whole_secs};
use super::routes::IN_TABLE;
use super::state::HttpState;

const DAY_SECS: u64 = 24 * 3600;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConfirmationView {
    /// The account's number or address, masked.
    sent_to: String,
    /// The code itself, with the demo sender only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    demo_code: Option<String>,
    /// Seconds until another code may be asked for.
    retry_after_secs: u64,
}

/// Send a code to my own number or address, to confirm what must not be done by somebody who found my session.
#[utoipa::path(
    post, path = IN_TABLE, tag = "account", params(ConfirmationParams), security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<ConfirmationView>)),
)]
pub(super) async fn send_confirmation(
    State(state): State<HttpState>,
    RequestCaller(caller): RequestCaller,
    signed: Signed,
    QueryParams(params): QueryParams<ConfirmationParams>,
) -> Result<Reply<ConfirmationView>, Failure> {
    let kind = params.kind.map(ContactKind::from);
    let sent = account::send_confirmation(state.app(), &caller, &signed.session, kind).await?;
    Ok(Reply::new(ConfirmationView {
        sent_to: sent.sent_to,
        demo_code: sent.code.demo_code.map(|code| code.as_str().to_owned()),
        retry_after_secs: whole_secs(sent.code.retry_after),
    }))
}

#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ExportInput {
    /// A confirmation code; not needed shortly after signing in.
    #[schema(nullable = false)]
    code: Option<String>,
}

/// What the site has about a person; the export writes it piece by piece.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PersonalDataView {
    site: String,
    #[schema(format = DateTime)]
    exported_at: String,
    user_id: i64,
    /// By the names of tables, rows by the names of columns. Pictures are named by their addresses.
    tables: BTreeMap<String, Vec<serde_json::Value>>,
}

/// Everything this site has about me, as JSON. Right after signing in it takes no code.
#[utoipa::path(
    post, path = IN_TABLE, tag = "account", request_body = ExportInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<PersonalDataView>)),
)]
pub(super) async fn export(
    State(state): State<HttpState>,
    RequestCaller(caller): RequestCaller,
    signed: Signed,
    JsonBody(input): JsonBody<ExportInput>,
) -> Result<impl IntoResponse, Failure> {
    let code = input.code.as_deref().map(parse_code).transpose()?;
    let (app, session) = (state.app(), &signed.session);
    let pieces = account::export_personal_data(app, &caller, session, code.as_ref()).await?;
    let pieces = pieces.map(|piece| {
        piece.map(Bytes::from).inspect_err(|error| {
            tracing::warn!(error = %Causes(error), "export of personal data broke off");
        })
    });
    let begin = stream::iter([Ok(Bytes::from_static(b"{\"success\":true,\"data\":"))]);
    let end = stream::iter([Ok(Bytes::from_static(b"}"))]);
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, Body::from_stream(begin.chain(pieces).chain(end))))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeletionView {
    /// When the account is deleted, in milliseconds since 1970; absent unless that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    due_at_ms: Option<i64>,
    /// How many days one can change one's mind.
    grace_days: u64,
    /// To be settled first.
    obstacles: Vec<ObstacleView>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Obstacle)]
struct ObstacleView {
    kind: ObstacleKindView,
    /// How many; cents for a balance.
    count: i64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ObstacleKind)]
enum ObstacleKindView {
    DemoAccount,
    Role,
    Shops,
    UnpaidOrders,
    PaidOrders,
    Refunds,
    Payments,
    OrdersInDoubt,
    Balance,
}

impl From<Obstacle> for ObstacleView {
    fn from(obstacle: Obstacle) -> Self {
        Self {
            kind: match obstacle.kind {
                ObstacleKind::DemoAccount => ObstacleKindView::DemoAccount,
                ObstacleKind::Role => ObstacleKindView::Role,
                ObstacleKind::Shops => ObstacleKindView::Shops,
                ObstacleKind::UnpaidOrders => ObstacleKindView::UnpaidOrders,
                ObstacleKind::PaidOrders => ObstacleKindView::PaidOrders,
                ObstacleKind::Refunds => ObstacleKindView::Refunds,
                ObstacleKind::Payments => ObstacleKindView::Payments,
                ObstacleKind::OrdersInDoubt => ObstacleKindView::OrdersInDoubt,
                ObstacleKind::Balance => ObstacleKindView::Balance,
            },
            count: obstacle.count,
        }
    }
}

/// Whether my account is to be deleted, and what has to be settled before it can be.
#[utoipa::path(
    get, path = IN_TABLE, tag = "account", security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<DeletionView>)),
)]
pub(super) async fn get_deletion(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<DeletionView>, Failure> {
    let outlook = account::get_deletion(state.app(), &signed.session).await?;
    let DeletionOutlook { pending, obstacles } = outlook;
    Ok(Reply::new(DeletionView {
        due_at_ms: pending.map(|pending| pending.due_at.as_millisecond()),
        grace_days: state.app().rules().account.deletion_grace.as_secs() / DAY_SECS,
        obstacles: obstacles.into_iter().map(ObstacleView::from).collect(),
    }))
}

#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct DeletionInput {
    /// A confirmation code.
    code: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeletionDueView {
    /// In milliseconds since 1970. Until then whoever signs in can keep the account.
    due_at_ms: i64,
}

/// Have my account deleted, confirmed by a code. I am signed out everywhere; until the day comes I can sign in and keep it.
#[utoipa::path(
    post, path = IN_TABLE, tag = "account", request_body = DeletionInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<DeletionDueView>)),
)]
pub(super) async fn request_deletion(
    State(state): State<HttpState>,
    RequestCaller(caller): RequestCaller,
    signed: Signed,
    JsonBody(input): JsonBody<DeletionInput>,
) -> Result<impl IntoResponse, Failure> {
    let code = parse_code(&input.code)?;
    let app = state.app();
    let pending = account::request_deletion(app, &caller, &signed.session, &code).await?;
    let cookie = AppendHeaders([(SET_COOKIE, cookie::clear(state.is_https()))]);
    let due_at_ms = pending.due_at.as_millisecond();
    Ok((cookie, Reply::new(DeletionDueView { due_at_ms })))
}

/// Keep my account after all.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "account", security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn keep_account(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<()>, Failure> {
    account::keep_account(state.app(), &signed.session).await?;
    Ok(Reply::done())
}

/// What cannot be a code is wrong without being compared, so it costs no try.
fn parse_code(code: &str) -> Result<LoginCode, Refusal> {
    LoginCode::parse(code).ok_or(Refusal::CodeWrong)
}
