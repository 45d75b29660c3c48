//! The signed-in user of a request.

use std::convert::Infallible;
use std::sync::Arc;

use app::account;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use domain::SessionToken;
use kv::Session;

use crate::http::cookie;
use crate::http::dialect::Dialect;
use crate::http::failure::{Code, Failure};
use crate::http::origin;
use crate::http::state::HttpState;

/// A request with a live session.
#[derive(Debug)]
pub(in crate::http) struct Signed {
    pub(in crate::http) session: Arc<Session>,
    pub(in crate::http) token: SessionToken,
}

impl FromRequestParts<HttpState> for Signed {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &HttpState) -> Result<Self, Failure> {
        let token = token(parts, state)?.ok_or(Failure::new(Code::NotSignedIn))?;
        match account::find_session(state.app(), &token).await? {
            Some(session) => Ok(Self { session, token }),
            None => Err(Failure::new(Code::NotSignedIn)),
        }
    }
}

/// A request with a live session, or without one: an invalid token counts as none. So does a valid one while Redis does
/// not answer: public pages stay readable.
#[derive(Debug)]
pub(in crate::http) struct MaybeSigned(pub(in crate::http) Option<Arc<Session>>);

impl FromRequestParts<HttpState> for MaybeSigned {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &HttpState) -> Result<Self, Infallible> {
        let signed = Signed::from_request_parts(parts, state).await;
        Ok(Self(signed.ok().map(|signed| signed.session)))
    }
}

/// The token of the request, unchecked: for counting, never for access.
pub(in crate::http) fn shown_token(headers: &HeaderMap, is_https: bool) -> Option<SessionToken> {
    token_in_header(headers).or_else(|| cookie::read(headers, is_https))
}

fn token_in_header(headers: &HeaderMap) -> Option<SessionToken> {
    let header = headers.get(AUTHORIZATION)?;
    header.to_str().ok().and_then(SessionToken::parse)
}

/// The header counts before the cookie. A browser sends the cookie along with whatever page made it ask, so a write
/// by cookie must come from a page of ours; any other page is told to sign in, which pages of the original do on a 401.
/// Their listener knows no cookie.
fn token(parts: &Parts, state: &HttpState) -> Result<Option<SessionToken>, Failure> {
    if let Some(token) = token_in_header(&parts.headers) {
        return Ok(Some(token));
    }
    if state.dialect() == Dialect::Original {
        return Ok(None);
    }
    let token = cookie::read(&parts.headers, state.is_https());
    if token.is_some() && !parts.method.is_safe() && !origin::is_own(&parts.headers, state) {
        return Err(Failure::new(Code::ForeignSession));
    }
    Ok(token)
}
