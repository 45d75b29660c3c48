//! The user who claims in a flash sale, with what the request says about itself.

use app::Language;
use app::flash_sales::Claimant;
use app::idempotency::IdempotencyKey;
use axum::extract::FromRequestParts;
use axum::http::HeaderName;
use axum::http::request::Parts;

use crate::http::extract::{Signed, address_of, header, idempotency_key};
use crate::http::failure::Failure;
use crate::http::state::HttpState;

/// What the page of an open sale was given, where the site asks for it.
const CLAIM_TOKEN: HeaderName = HeaderName::from_static("x-claim-token");

/// What stands in the headers of a claim.
#[derive(Debug)]
pub(in crate::http) struct ClaimRequest {
    pub(super) claimant: Claimant,
    pub(super) key: Option<IdempotencyKey>,
    pub(super) token: Option<String>,
    pub(super) language: Language,
}

impl FromRequestParts<HttpState> for ClaimRequest {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &HttpState) -> Result<Self, Failure> {
        // Without Redis no session can be read and nothing can be bought: to the buyer both are the same.
        let signed = Signed::from_request_parts(parts, state).await;
        let session = signed.map_err(Failure::into_sale_busy)?.session;
        let user_id = session.profile.user_id;
        let key = idempotency_key(&parts.headers)?;
        let token = header(&parts.headers, &CLAIM_TOKEN)?;
        Ok(Self {
            claimant: Claimant {
                user_id,
                address: address_of(&parts.extensions, &parts.headers, state),
            },
            key,
            token: token.map(str::to_owned),
            language: state.dialect().language(&parts.headers),
        })
    }
}
