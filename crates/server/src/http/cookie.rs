//! The session cookie: HttpOnly, SameSite, and bound to the host where TLS allows it.

use std::time::Duration;

use axum::http::header::{COOKIE, HeaderMap, HeaderValue};
use domain::SessionToken;

/// `__Host-` makes browsers refuse a cookie of this name from a neighbouring subdomain; it needs `Secure`.
const SECURE_NAME: &str = "__Host-tandian_session";
const PLAIN_NAME: &str = "tandian_session";

fn name(is_https: bool) -> &'static str {
    if is_https { SECURE_NAME } else { PLAIN_NAME }
}

pub(super) fn set(token: &SessionToken, lifetime: Duration, is_https: bool) -> HeaderValue {
    write(token.as_str(), lifetime.as_secs(), is_https)
}

pub(super) fn clear(is_https: bool) -> HeaderValue {
    write("", 0, is_https)
}

fn write(value: &str, max_age_secs: u64, is_https: bool) -> HeaderValue {
    let name = name(is_https);
    let secure = if is_https { "; Secure" } else { "" };
    let text =
        format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age_secs}{secure}");
    HeaderValue::from_str(&text).expect("names and hex are header values")
}

pub(super) fn read(headers: &HeaderMap, is_https: bool) -> Option<SessionToken> {
    let name = name(is_https);
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .and_then(|(_, value)| SessionToken::parse(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> SessionToken {
        SessionToken::from_random([9; 20])
    }

    #[test]
    fn a_cookie_that_was_set_is_read_among_others() {
        for is_https in [false, true] {
            let set = set(&token(), Duration::from_secs(60), is_https);
            let pair = set.to_str().unwrap().split(';').next().unwrap().to_owned();
            let mut headers = HeaderMap::new();
            headers.insert(COOKIE, format!("a=1; {pair}; b=2").parse().unwrap());
            assert_eq!(read(&headers, is_https), Some(token()));
            assert_eq!(read(&headers, !is_https), None);
        }
    }

    #[test]
    fn scripts_and_other_sites_cannot_use_it() {
        let cookie = set(&token(), Duration::from_secs(60), true);
        let text = cookie.to_str().unwrap();
        for part in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/", "Max-Age=60"] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("Domain"));
    }
}
