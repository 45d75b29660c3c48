//! Headers that requests carry once, and the `Idempotency-Key` among them.

use app::idempotency::IdempotencyKey;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};

use crate::http::failure::Failure;
use crate::http::state::HttpState;

/// Names a request, so that a repetition is known for one.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

pub(in crate::http) fn idempotency_key(
    headers: &HeaderMap,
) -> Result<Option<IdempotencyKey>, Failure> {
    let key = header(headers, &IDEMPOTENCY_KEY)?.map(IdempotencyKey::parse);
    key.transpose()
        .map_err(|problem| Failure::malformed("Idempotency-Key", problem.to_string()))
}

/// The `Idempotency-Key` of a request, if it has one.
#[derive(Clone, Debug)]
pub(in crate::http) struct MaybeKeyed(pub(in crate::http) Option<IdempotencyKey>);

impl FromRequestParts<HttpState> for MaybeKeyed {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &HttpState) -> Result<Self, Failure> {
        Ok(Self(idempotency_key(&parts.headers)?))
    }
}

/// The one value of a header; two of them would be two answers.
pub(in crate::http) fn header<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a str>, Failure> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => match value.to_str() {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(Failure::malformed(
                name.as_str(),
                "must be visible ASCII characters",
            )),
        },
        (Some(_), Some(_)) => Err(Failure::malformed(
            name.as_str(),
            "must be there at most once",
        )),
    }
}
