//! The caller of a request: address, user agent, device, language.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

use app::Caller;
use axum::extract::FromRequestParts;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName};

use crate::http::cookie;
use crate::http::serve::RequestConnection;
use crate::http::state::HttpState;
use crate::settings::Http;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Browsers send about a hundred characters; the rest is not worth keeping.
const USER_AGENT_MAX_CHARS: usize = 256;

/// The [`Caller`] of a request.
#[derive(Debug)]
pub(in crate::http) struct RequestCaller(pub(in crate::http) Caller);

impl FromRequestParts<HttpState> for RequestCaller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &HttpState) -> Result<Self, Infallible> {
        Ok(Self(caller_of(&parts.extensions, &parts.headers, state)))
    }
}

/// The address of a request's [`Caller`], without the rest.
#[derive(Debug)]
pub(in crate::http) struct ClientAddress(pub(in crate::http) IpAddr);

impl FromRequestParts<HttpState> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &HttpState) -> Result<Self, Infallible> {
        Ok(Self(address_of(&parts.extensions, &parts.headers, state)))
    }
}

pub(in crate::http) fn caller_of(
    extensions: &Extensions,
    headers: &HeaderMap,
    state: &HttpState,
) -> Caller {
    let agent = headers
        .get(USER_AGENT)
        .and_then(|value| value.to_str().ok());
    Caller {
        address: address_of(extensions, headers, state),
        user_agent: agent
            .unwrap_or_default()
            .chars()
            .take(USER_AGENT_MAX_CHARS)
            .collect(),
        device: cookie::read_device(headers, state.is_https()),
        language: state.dialect().language(headers),
    }
}

/// The address alone, which is cheaper.
pub(in crate::http) fn address_of(
    extensions: &Extensions,
    headers: &HeaderMap,
    state: &HttpState,
) -> IpAddr {
    let peer = extensions
        .get::<RequestConnection>()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |it| it.peer.ip());
    client_address(peer, headers, &state.settings().http)
}

/// The nearest address that is not one of our own proxies. What stands to the left of it in `X-Forwarded-For` was
/// written by the client and proves nothing.
fn client_address(peer: IpAddr, headers: &HeaderMap, settings: &Http) -> IpAddr {
    let from_nearest = headers
        .get_all(X_FORWARDED_FOR)
        .iter()
        .rev()
        .flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    let addresses = from_nearest.map_while(|address| address.trim().parse().ok());
    let mut nearest = peer;
    for address in addresses {
        if !settings.trusts(nearest) {
            break;
        }
        nearest = address;
    }
    nearest
}
