//! Cross-site request forgery: whether a page of another site made the browser send a request.
//!
//! Browsers say so, in `Sec-Fetch-Site` or in `Origin`, which no page can change. A write that they say is foreign is
//! refused, whether or not it carries a session: a page full of hidden forms must not make its visitors ask for codes
//! either. Programs that are no browsers send neither header and are not concerned. A request with a token in its
//! `Authorization` header is deliberate: a page of another site cannot send one, because we never permit it (no CORS).
//!
//! Pages of the original are served by a proxy that does not pass their host on, so there only a browser that says
//! `cross-site` is believed; no cookie of theirs opens a session.

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};

use super::dialect::Dialect;
use super::state::HttpState;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The longest name of the DNS, with a port.
const HOST_MAX_BYTES: usize = 259;

/// Whether a write with these headers comes from a page of another site.
pub(super) fn is_foreign(headers: &HeaderMap, state: &HttpState) -> bool {
    if headers.contains_key(AUTHORIZATION) {
        return false;
    }
    if state.dialect() == Dialect::Original {
        return text(headers, &SEC_FETCH_SITE) == Some("cross-site");
    }
    match text(headers, &SEC_FETCH_SITE) {
        Some("same-origin" | "none") => false,
        Some(_) => !is_own(headers, state),
        None => headers.contains_key(ORIGIN) && !is_own(headers, state),
    }
}

/// Whether the page was one of ours. Own means the public address of the settings, or, where none is set, the host that
/// the request was sent to.
pub(super) fn is_own(headers: &HeaderMap, state: &HttpState) -> bool {
    let Some(origin) = text(headers, &ORIGIN) else {
        return false;
    };
    if state.settings().http.public_url.is_some() {
        return origin == state.settings().public_url();
    }
    let origin_host = origin.split_once("://").map(|(_, host)| host);
    origin_host.is_some() && origin_host == text(headers, &HOST)
}

/// The site's origin as links must name it: the public address of the settings, or, where none is set, the host that the
/// request was sent to.
pub(super) fn shown(headers: &HeaderMap, state: &HttpState) -> String {
    let host = text(headers, &HOST).filter(|host| is_host(host));
    match host {
        Some(host) if state.settings().http.public_url.is_none() => format!("http://{host}"),
        _ => state.settings().public_url(),
    }
}

/// A name or an address, and perhaps a port: nothing that could end an attribute or an authority.
fn is_host(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    (1..=HOST_MAX_BYTES).contains(&text.len()) && text.bytes().all(is_allowed)
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_or_an_address_and_a_port() {
        for good in [
            "example.com",
            "127.0.0.1:8080",
            "[::1]:8080",
            "a_b.example:443",
        ] {
            assert!(is_host(good), "{good}");
        }
        let long = "a".repeat(HOST_MAX_BYTES + 1);
        for bad in [
            "",
            "a/b",
            "a b",
            "u@example.com",
            "a\"b",
            "店.example",
            &long,
        ] {
            assert!(!is_host(bad), "{bad}");
        }
    }
}
