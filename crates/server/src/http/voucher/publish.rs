//! What merchants say about vouchers: publishing them, putting them on the shelf and off, changing a sale that runs.
//!
//! Only what the input types name is bound. Old clients send `type` and `status` along: which kind it is says the path, and
//! a new voucher is on the shelf.

use app::vouchers::{self, SaleChange};
use axum::extract::State;
use domain::{SaleDraft, ShopId, VoucherDraft, VoucherId, VoucherStatus};
use jiff::Timestamp;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::dialect::Dialect;
use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::{JsonBody, PathParam, Signed};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct NewVoucherInput {
    #[schema(value_type = i64)]
    shop_id: ShopId,
    title: String,
    #[schema(nullable = false)]
    sub_title: Option<String>,
    #[schema(nullable = false)]
    rules: Option<String>,
    /// In cents; at most `actualValue`.
    pay_value: i64,
    /// In cents.
    actual_value: i64,
}

impl From<NewVoucherInput> for VoucherDraft {
    fn from(input: NewVoucherInput) -> Self {
        Self {
            title: input.title,
            sub_title: input.sub_title,
            rules: input.rules,
            pay_value_cents: input.pay_value,
            actual_value_cents: input.actual_value,
        }
    }
}

/// Publish an ordinary voucher of a shop of mine. The reply is its id.
#[utoipa::path(
    post, path = IN_TABLE, tag = "vouchers", request_body = NewVoucherInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<i64>)),
)]
pub(in crate::http) async fn publish(
    State(state): State<HttpState>,
    signed: Signed,
    JsonBody(input): JsonBody<NewVoucherInput>,
) -> Result<Reply<i64>, Failure> {
    let shop = input.shop_id;
    let id = vouchers::publish(state.app(), &signed.session, shop, input.into()).await?;
    Ok(Reply::new(id.get()))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct NewSaleInput {
    #[serde(flatten)]
    voucher: NewVoucherInput,
    /// Pieces.
    stock: u32,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    begin_time: String,
    end_time: String,
    /// Pieces that one person may hold, from 1 to 99; 1 if missing.
    #[schema(nullable = false)]
    limit_per_user: Option<u8>,
    /// Over how many parts of the site the sale is spread; the site's own choice if missing.
    #[schema(nullable = false)]
    spread: Option<u16>,
}

/// Publish a flash sale of a shop of mine. The reply is the voucher's id; people can claim as soon as it is there.
#[utoipa::path(
    post, path = IN_TABLE, tag = "vouchers", request_body = NewSaleInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<i64>)),
)]
pub(in crate::http) async fn publish_sale(
    State(state): State<HttpState>,
    signed: Signed,
    JsonBody(input): JsonBody<NewSaleInput>,
) -> Result<Reply<i64>, Failure> {
    let (app, shop) = (state.app(), input.voucher.shop_id);
    let sale = SaleDraft {
        stock: input.stock,
        begin_at: moment(&state, "beginTime", &input.begin_time)?,
        end_at: moment(&state, "endTime", &input.end_time)?,
        limit_per_user: input.limit_per_user.unwrap_or(1),
        spread: input.spread.unwrap_or(app.flash_sales().usual_spread()),
    };
    let draft = input.voucher.into();
    let id = vouchers::publish_sale(app, &signed.session, shop, draft, sale).await?;
    Ok(Reply::new(id.get()))
}

/// The same as `/voucher/seckill`.
#[utoipa::path(
    post, path = IN_TABLE, tag = "vouchers", request_body = NewSaleInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<i64>)),
)]
pub(in crate::http) async fn publish_sale_by_other_path(
    state: State<HttpState>,
    signed: Signed,
    input: JsonBody<NewSaleInput>,
) -> Result<Reply<i64>, Failure> {
    publish_sale(state, signed, input).await
}

/// The original reads a time that ends in `Z` as a clock time too. Elsewhere that is refused: it looks like UTC.
fn moment(state: &HttpState, place: &str, text: &str) -> Result<Timestamp, Failure> {
    let text = match state.dialect() {
        Dialect::Original => text.strip_suffix('Z').unwrap_or(text),
        Dialect::Site => text,
    };
    let moment = state.app().rules().zone.moment(text);
    moment.ok_or_else(|| Failure::malformed(place, "is not a time such as 2026-11-15T18:10:39"))
}

#[derive(Debug, Deserialize, ToSchema)]
pub(in crate::http) struct StatusInput {
    /// 1 on the shelf, 2 off.
    #[schema(minimum = 1, maximum = 2)]
    status: i64,
}

/// Put a voucher of mine on the shelf or take it off. Off the shelf nobody can claim, at once and everywhere.
#[utoipa::path(
    put, path = IN_TABLE, tag = "vouchers", request_body = StatusInput, params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn set_status(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<VoucherId>,
    JsonBody(input): JsonBody<StatusInput>,
) -> Result<Reply<()>, Failure> {
    let status = match input.status {
        1 => VoucherStatus::OnShelf,
        2 => VoucherStatus::OffShelf,
        _ => return Err(Failure::malformed("status", "must be 1 or 2")),
    };
    vouchers::set_status(state.app(), &signed.session, id, status).await?;
    Ok(Reply::done())
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct SaleChangeInput {
    /// Pieces in all, sold ones included.
    #[schema(nullable = false)]
    stock: Option<u32>,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    #[schema(nullable = false)]
    begin_time: Option<String>,
    #[schema(nullable = false)]
    end_time: Option<String>,
}

/// Change a flash sale of mine, also while it runs: absent fields stay as they are.
#[utoipa::path(
    put, path = IN_TABLE, tag = "vouchers", request_body = SaleChangeInput, params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn change_sale(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<VoucherId>,
    JsonBody(input): JsonBody<SaleChangeInput>,
) -> Result<Reply<()>, Failure> {
    let at = |place: &str, text: Option<String>| {
        text.map(|text| moment(&state, place, &text)).transpose()
    };
    let change = SaleChange {
        stock: input.stock,
        begin_at: at("beginTime", input.begin_time)?,
        end_at: at("endTime", input.end_time)?,
    };
    vouchers::change_sale(state.app(), &signed.session, id, change).await?;
    Ok(Reply::done())
}
