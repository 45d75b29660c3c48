//! Compression: which one a client may be given, and giving it.
//!
//! Only replies that are worth it come near the compression of `tower-http`; as a layer it would wrap each of them. A plain
//! reply is always good enough: a client that refuses even that (`identity;q=0`, `*;q=0`) would get none at all, and only
//! after the work is done, when a write has happened and its reply is wanted.

use std::convert::Infallible;
use std::future::ready;

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, HeaderValue};
use axum::response::Response;
use tower::{Layer as _, ServiceExt as _, service_fn};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate as _};

/// What fits one packet arrives no sooner for being smaller.
const COMPRESSED_FROM_BYTES: u64 = 1_024;

/// What a client likes besides plain replies.
#[derive(Debug)]
pub(super) struct Wishes(Option<HeaderValue>);

impl Wishes {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut lines = headers.get_all(ACCEPT_ENCODING).iter();
        let wishes = match (lines.next(), lines.next()) {
            (None, _) => None,
            (Some(only), None) if !only.to_str().is_ok_and(speaks_of_plain) => Some(only.clone()),
            _ => without_plain(headers),
        };
        Self(wishes)
    }

    /// Whether the client takes replies in this coding.
    pub(super) fn include(&self, coding: &str) -> bool {
        let wishes = self.0.as_ref().and_then(|wishes| wishes.to_str().ok());
        let mut entries = wishes.unwrap_or_default().split(',');
        entries.any(|entry| {
            let (name, weight) = entry.split_once(';').unwrap_or((entry, ""));
            let weight = weight.trim().strip_prefix("q=");
            let is_refused = weight.is_some_and(|q| q.trim().parse() == Ok(0.0));
            name.trim().eq_ignore_ascii_case(coding) && !is_refused
        })
    }
}

/// All lines as one, and what is said about plain replies struck out.
fn without_plain(headers: &HeaderMap) -> Option<HeaderValue> {
    let lines = headers.get_all(ACCEPT_ENCODING);
    let texts = lines.iter().filter_map(|line| line.to_str().ok());
    let entries = texts.flat_map(|text| text.split(','));
    let wishes: Vec<&str> = entries.filter(|entry| !speaks_of_plain(entry)).collect();
    let wishes = HeaderValue::from_str(&wishes.join(","));
    Some(wishes.expect("parts of header values, joined by commas, are one"))
}

fn speaks_of_plain(line: &str) -> bool {
    line.split(',').any(|entry| {
        let coding = entry.split(';').next().unwrap_or_default().trim();
        coding == "*" || coding.eq_ignore_ascii_case("identity")
    })
}

/// The reply as the client likes it best. Fast rather than small: it is made anew for every request, and the last tenth of
/// the bytes would cost more than finding and writing the reply.
pub(super) async fn compress(response: Response, wishes: Wishes) -> Response {
    let size = response.body().size_hint().exact();
    if size.is_some_and(|bytes| bytes <= COMPRESSED_FROM_BYTES) {
        return response;
    }
    let mut request = Request::new(());
    if let Some(wishes) = wishes.0 {
        request.headers_mut().insert(ACCEPT_ENCODING, wishes);
    }
    let mut response = Some(response);
    let answer = service_fn(move |_| {
        let response = response.take().expect("one request is made of it");
        ready(Ok::<_, Infallible>(response))
    });
    let worth_it = DefaultPredicate::new().and(NotForContentType::const_new("image/"));
    let compression = CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(worth_it);
    let Ok(packed) = compression.layer(answer).oneshot(request).await;
    packed.map(Body::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes_in(lines: &[&'static str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(ACCEPT_ENCODING, HeaderValue::from_static(line));
        }
        let wishes = Wishes::of(&headers).0;
        wishes.map(|wishes| wishes.to_str().unwrap().to_owned())
    }

    #[test]
    fn plain_replies_cannot_be_refused() {
        assert_eq!(wishes_in(&["identity;q=0, *;q=0"]).unwrap(), "");
        assert_eq!(wishes_in(&["br;q=1, *;q=0"]).unwrap(), "br;q=1");
        assert_eq!(wishes_in(&["gzip", "Identity; q=0"]).unwrap(), "gzip");
    }

    #[test]
    fn a_coding_is_taken_by_those_who_name_it() {
        let takes = |line: &'static str, coding| {
            Wishes(Some(HeaderValue::from_static(line))).include(coding)
        };
        assert!(takes("gzip, deflate, br, zstd", "br"));
        assert!(takes("gzip;q=0.5,BR;q=0.001", "br"));
        assert!(!takes("gzip, br;q=0", "br"));
        assert!(!takes("gzip, br; q=0.000", "br"));
        assert!(!takes("x-br", "br"));
        assert!(!Wishes(None).include("br"));
    }

    #[test]
    fn other_wishes_stay_as_they_are() {
        let wishes = wishes_in(&["gzip, br;q=0.5"]).unwrap();
        assert_eq!(wishes, "gzip, br;q=0.5");
        let wishes = wishes_in(&["gzip, br;q=0.5", "zstd"]).unwrap();
        assert_eq!(wishes, "gzip, br;q=0.5,zstd");
        assert_eq!(wishes_in(&[]), None);
    }
}
