//! Bodies, bounded in bytes by the router's limit, and in time and pace by `http/body.rs`.

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;

use crate::http::body::BodyError;
use crate::http::dialect::Dialect;
use crate::http::failure::{Code, Failure};
use crate::http::state::HttpState;

/// A JSON body. Unknown members are ignored: old clients send more than we bind.
#[derive(Debug)]
pub(in crate::http) struct JsonBody<T>(pub(in crate::http) T);

impl<T: DeserializeOwned> FromRequest<HttpState> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &HttpState) -> Result<Self, Failure> {
        if !is_json(request.headers()) {
            let has_type = request.headers().contains_key(CONTENT_TYPE);
            return Err(match state.dialect() {
                // There a request without a body lacks a body, and not a type.
                Dialect::Original if !has_type => Failure::malformed("body", "is missing"),
                _ => Failure::new(Code::UnsupportedMediaType),
            });
        }
        let bytes = read(request, state).await?;
        from_json(&bytes).map(Self)
    }
}

pub(in crate::http) fn is_json(headers: &HeaderMap) -> bool {
    let media = media_type(headers);
    media == "application/json" || (media.starts_with("application/") && media.ends_with("+json"))
}

/// Lower case and without parameters, or empty.
pub(super) fn media_type(headers: &HeaderMap) -> String {
    let header = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let media = header
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default();
    media.trim().to_ascii_lowercase()
}

/// The whole body.
pub(in crate::http) async fn read(request: Request, state: &HttpState) -> Result<Bytes, Failure> {
    let read = Bytes::from_request(request, state).await;
    read.map_err(|error| match error {
        BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
            Failure::new(Code::BodyTooLarge)
        }
        error => unreadable(&error),
    })
}

/// What a body that ended in an error means to its sender.
pub(in crate::http) fn unreadable(error: &(dyn std::error::Error + 'static)) -> Failure {
    match BodyError::find_in(error) {
        Some(BodyError::TooSlow) => Failure::new(Code::BodyTooSlow),
        Some(BodyError::NoSlot) => Failure::busy(),
        None => Failure::malformed("body", "could not be read"),
    }
}

/// A form, as browsers and payment providers send it.
pub(in crate::http) fn from_form<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    let parsed = serde_urlencoded::from_bytes(bytes);
    parsed.map_err(|error| Failure::malformed("body", error.to_string()))
}

pub(in crate::http) fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let place = if path == "." { "body".to_owned() } else { path };
        Failure::malformed(&place, error.inner().to_string())
    })?;
    reader
        .end()
        .map_err(|error| Failure::malformed("body", error.to_string()))?;
    Ok(value)
}
