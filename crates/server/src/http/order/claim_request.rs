//! The user who claims in a flash sale, with what the request says about itself.

use app::flash_sales::{Claimant, RequestKey};
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;

use crate::http::extract::{Signed, address_of};
use crate::http::failure::Failure;
use crate::http::state::HttpState;

/// Names a request, so that a repetition is known for one.
pub(super) const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// What the page of an open sale was given, where the site asks for it.
const CLAIM_TOKEN: &str = "x-claim-token";

/// What stands in the headers of a claim.
#[derive(Debug)]
pub(in crate::http) struct ClaimRequest {
    pub(super) claimant: Claimant,
    pub(super) key: Option<RequestKey>,
    pub(super) token: Option<String>,
}

impl FromRequestParts<HttpState> for ClaimRequest {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &HttpState) -> Result<Self, Failure> {
        // Without Redis no session can be read and nothing can be bought: to the buyer both are the same.
        let signed = Signed::from_request_parts(parts, state).await;
        let session = signed.map_err(Failure::into_sale_busy)?.session;
        let user_id = session.profile.user_id;
        let key = match header(&parts.headers, IDEMPOTENCY_KEY)? {
            Some(text) => Some(request_key(text)?),
            None => None,
        };
        let token = header(&parts.headers, CLAIM_TOKEN)?;
        Ok(Self {
            claimant: Claimant {
                user_id,
                address: address_of(&parts.extensions, &parts.headers, state),
            },
            key,
            token: token.map(str::to_owned),
        })
    }
}

pub(super) fn request_key(text: &str) -> Result<RequestKey, Failure> {
    RequestKey::parse(text)
        .map_err(|problem| Failure::malformed("Idempotency-Key", problem.to_string()))
}

/// The one value of a header; two of them would be two answers.
pub(super) fn header<'a>(
    headers: &'a HeaderMap,
    name: &'static str,
) -> Result<Option<&'a str>, Failure> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => match value.to_str() {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(Failure::malformed(name, "must be visible ASCII characters")),
        },
        (Some(_), Some(_)) => Err(Failure::malformed(name, "must be there at most once")),
    }
}
