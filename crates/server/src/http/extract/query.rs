//! Values in the query. It may begin with `&`, and may name things we do not know: old clients do both.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::http::failure::Failure;
use crate::http::state::HttpState;

/// The parameters after the question mark.
#[derive(Debug)]
pub(in crate::http) struct QueryParams<T>(pub(in crate::http) T);

impl<T: DeserializeOwned> FromRequestParts<HttpState> for QueryParams<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &HttpState) -> Result<Self, Failure> {
        let query = parts.uri.query().unwrap_or_default();
        match serde_urlencoded::from_str(query) {
            Ok(params) => Ok(Self(params)),
            Err(error) => Err(Failure::malformed("query", error.to_string())),
        }
    }
}
