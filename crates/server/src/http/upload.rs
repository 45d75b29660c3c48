//! `/api/upload/blog…`: sending a picture and taking it back. What becomes of it is shown under `/imgs`.

use app::pictures::{self, MAX_BYTES};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::body::BodyError;
use super::dialect::Dialect;
use super::envelope::{Done, Envelope, Reply};
use super::extract::{QueryParams, Signed, unreadable_body};
use super::failure::{Code, Failure};
use super::routes::IN_TABLE;
use super::state::HttpState;

/// The part of the form that holds the picture.
const PART: &str = "file";

/// More than a picture may have: a browser reads no reply before it has sent everything, so a client that sends a few
/// megabytes too many must be able to finish and read the refusal. Bytes beyond the picture limit are read and dropped.
pub(super) const BODY_LIMIT_BYTES: usize = 32 * 1024 * 1024;

#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes what is read from the form")]
struct PictureForm {
    /// JPEG, PNG or WebP, at most 10 MB and 40 megapixels.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
}

/// Send a picture. It is re-encoded in two sizes, upright and without whatever else was in the file; the answer is its
/// name, which a note or a shop may use with `/imgs` before it. `?size=small` after that address shows the small one.
#[utoipa::path(
    post, path = IN_TABLE, tag = "pictures",
    security(("token" = []), ("cookie" = [])),
    request_body(content = PictureForm, content_type = "multipart/form-data"),
    responses((status = 200, body = Envelope<String>)),
)]
pub(super) async fn send_picture(
    State(state): State<HttpState>,
    signed: Signed,
    request: Request,
) -> Result<Reply<String>, Failure> {
    let upload = pictures::begin_upload(state.app(), &signed.session).await?;
    let file = read_form(request, &state).await?;
    let name = pictures::upload(state.app(), &signed.session, upload, file).await?;
    Ok(Reply::new(name))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct NameQuery {
    /// As the upload answered it, with or without `/imgs` before it.
    name: String,
}

/// Delete a picture of one's own that nothing uses.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "pictures", params(NameQuery),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn delete_picture(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(query): QueryParams<NameQuery>,
) -> Result<Reply<()>, Failure> {
    pictures::delete(state.app(), &signed.session, &query.name).await?;
    Ok(Reply::done())
}

/// The same for clients of the original, which delete by GET.
#[utoipa::path(
    get, path = IN_TABLE, tag = "pictures", params(NameQuery),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn delete_picture_by_get(
    State(state): State<HttpState>,
    headers: HeaderMap,
    signed: Signed,
    QueryParams(query): QueryParams<NameQuery>,
) -> Result<Reply<()>, Failure> {
    if !is_deliberate(&headers) {
        return Err(Failure::new(Code::ForeignSession));
    }
    pictures::delete(state.app(), &signed.session, &query.name).await?;
    Ok(Reply::done())
}

/// A link on any page makes a browser send a GET, cookie and all; but not a token, and not the word that the page was
/// one of ours.
fn is_deliberate(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site");
    headers.contains_key(AUTHORIZATION) || site.is_some_and(|site| site == "same-origin")
}

/// The one picture of the form. Parts of other names are passed over, as unknown members of JSON are.
async fn read_form(request: Request, state: &HttpState) -> Result<Vec<u8>, Failure> {
    let form = Multipart::from_request(request, state).await;
    let mut form = form.map_err(|_| match state.dialect() {
        Dialect::Site => Failure::new(Code::UnsupportedMediaType),
        Dialect::Original => Failure::malformed("body", "is no form that can be read"),
    })?;
    let mut file = None;
    while let Some(part) = form.next_field().await.map_err(unreadable)? {
        if part.name() != Some(PART) {
            continue;
        }
        if file.is_some() {
            return Err(Failure::malformed(PART, "is there more than once"));
        }
        file = Some(read_part(part).await?);
    }
    file.ok_or_else(|| Failure::missing(PART, "is missing"))
}

/// Holds no more than a picture may have, and reads what is left all the same.
async fn read_part(mut part: Field<'_>) -> Result<Vec<u8>, Failure> {
    let mut file = Vec::new();
    let mut is_too_large = false;
    while let Some(chunk) = part.chunk().await.map_err(unreadable)? {
        is_too_large |= file.len() + chunk.len() > MAX_BYTES;
        if is_too_large {
            file = Vec::new();
        } else {
            file.extend_from_slice(&chunk);
        }
    }
    match is_too_large {
        true => Err(Failure::new(Code::ImageTooLarge)),
        false => Ok(file),
    }
}

fn unreadable(error: MultipartError) -> Failure {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Failure::new(Code::BodyTooLarge),
        _ if BodyError::find_in(&error).is_some() => unreadable_body(&error),
        _ => Failure::malformed("body", "is no form that can be read"),
    }
}
