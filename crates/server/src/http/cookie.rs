//! The cookies of a session and of a device: HttpOnly, SameSite, and bound to the host where TLS allows it.

use std::time::Duration;

use axum::http::header::{COOKIE, HeaderMap, HeaderValue};
use domain::{DeviceToken, SessionToken};

/// A cookie's name with TLS and without. `__Host-` makes browsers refuse a cookie of this name from a neighbouring
/// subdomain; it needs `Secure`.
type Name = (&'static str, &'static str);

const SESSION: Name = ("__Host-tandian_session", "tandian_session");
const DEVICE: Name = ("__Host-tandian_device", "tandian_device");

/// As long as the server remembers a device.
pub(super) const DEVICE_LIFETIME: Duration = Duration::from_secs(180 * 24 * 3600);

fn pick((secure, plain): Name, is_https: bool) -> &'static str {
    if is_https { secure } else { plain }
}

pub(super) fn set(token: &SessionToken, lifetime: Duration, is_https: bool) -> HeaderValue {
    write(SESSION, token.as_str(), lifetime.as_secs(), is_https)
}

pub(super) fn clear(is_https: bool) -> HeaderValue {
    write(SESSION, "", 0, is_https)
}

/// Signing out keeps it: a returning user should be recognised.
pub(super) fn set_device(device: &DeviceToken, is_https: bool) -> HeaderValue {
    let lifetime_secs = DEVICE_LIFETIME.as_secs();
    write(DEVICE, device.as_str(), lifetime_secs, is_https)
}

fn write(name: Name, value: &str, max_age_secs: u64, is_https: bool) -> HeaderValue {
    let name = pick(name, is_https);
    let secure = if is_https { "; Secure" } else { "" };
    let text =
        format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age_secs}{secure}");
    HeaderValue::from_str(&text).expect("names and hex are header values")
}

pub(super) fn read(headers: &HeaderMap, is_https: bool) -> Option<SessionToken> {
    find(headers, SESSION, is_https).and_then(SessionToken::parse)
}

pub(super) fn read_device(headers: &HeaderMap, is_https: bool) -> Option<DeviceToken> {
    find(headers, DEVICE, is_https).and_then(DeviceToken::parse)
}

fn find(headers: &HeaderMap, name: Name, is_https: bool) -> Option<&str> {
    let name = pick(name, is_https);
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
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
