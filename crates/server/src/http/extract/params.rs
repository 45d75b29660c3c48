//! Values in the path.

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::http::failure::Failure;
use crate::http::state::HttpState;

/// The one parameter of a path.
#[derive(Debug)]
pub(in crate::http) struct PathParam<T>(pub(in crate::http) T);

impl<T: DeserializeOwned + Send> FromRequestParts<HttpState> for PathParam<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &HttpState) -> Result<Self, Failure> {
        let found: Result<Path<T>, PathRejection> = Path::from_request_parts(parts, state).await;
        match found {
            Ok(Path(value)) => Ok(Self(value)),
            Err(error) => Err(Failure::malformed("path", error.body_text())),
        }
    }
}
