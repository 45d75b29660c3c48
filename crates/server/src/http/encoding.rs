//! Response compression, by what the client accepts.
//!
//! Only replies large enough to compress reach the compression of `tower-http`; as a layer it would wrap each of them. An
//! uncompressed reply is always acceptable: honouring a client that excludes it (`identity;q=0`, `*;q=0`) would mean no
//! reply at all, after the write has happened.

use std::convert::Infallible;
use std::future::ready;

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, HeaderValue};
use axum::response::Response;
use tower::{Layer as _, ServiceExt as _, service_fn};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate as _};

use super::map_tiles;

/// A reply that fits one packet arrives no sooner for being smaller.
const COMPRESSED_FROM_BYTES: u64 = 1_024;

/// What a client accepts besides uncompressed replies.
#[derive(Debug)]
pub(super) struct AcceptedEncodings(Option<HeaderValue>);

impl AcceptedEncodings {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut lines = headers.get_all(ACCEPT_ENCODING).iter();
        let accepted = match (lines.next(), lines.next()) {
            (None, _) => None,
            (Some(only), None) if !only.to_str().is_ok_and(names_identity) => Some(only.clone()),
            _ => without_identity(headers),
        };
        Self(accepted)
    }

    /// Whether the client takes replies in this coding.
    pub(super) fn contains(&self, coding: &str) -> bool {
        let accepted = self.0.as_ref().and_then(|accepted| accepted.to_str().ok());
        let mut entries = accepted.unwrap_or_default().split(',');
        entries.any(|entry| {
            let (name, weight) = entry.split_once(';').unwrap_or((entry, ""));
            let weight = weight.trim().strip_prefix("q=");
            let is_refused = weight.is_some_and(|q| q.trim().parse() == Ok(0.0));
            name.trim().eq_ignore_ascii_case(coding) && !is_refused
        })
    }
}

/// All header values joined, without the entries about uncompressed replies.
fn without_identity(headers: &HeaderMap) -> Option<HeaderValue> {
    let lines = headers.get_all(ACCEPT_ENCODING);
    let texts = lines.iter().filter_map(|line| line.to_str().ok());
    let entries = texts.flat_map(|text| text.split(','));
    let accepted: Vec<&str> = entries.filter(|entry| !names_identity(entry)).collect();
    let accepted = HeaderValue::from_str(&accepted.join(","));
    Some(accepted.expect("parts of header values, joined by commas, are one"))
}

fn names_identity(line: &str) -> bool {
    line.split(',').any(|entry| {
        let coding = entry.split(';').next().unwrap_or_default().trim();
        coding == "*" || coding.eq_ignore_ascii_case("identity")
    })
}

/// Compresses the reply if the client accepts that. Fast rather than small: compression runs for every request, and the
/// last tenth of the bytes would cost more than producing the reply.
pub(super) async fn compress(response: Response, accepted: AcceptedEncodings) -> Response {
    compress_to(CompressionLevel::Fastest, response, accepted).await
}

/// A text in this coding, for a reply that is compressed once and sent many times.
pub(super) async fn compress_once(text: Bytes, coding: &'static str) -> Bytes {
    let accepted = AcceptedEncodings(Some(HeaderValue::from_static(coding)));
    let reply = Response::new(Body::from(text));
    let compressed = compress_to(CompressionLevel::Default, reply, accepted).await;
    let bytes = to_bytes(compressed.into_body(), usize::MAX).await;
    bytes.expect("compressing what is in memory cannot fail")
}

async fn compress_to(
    level: CompressionLevel,
    response: Response,
    accepted: AcceptedEncodings,
) -> Response {
    let size = response.body().size_hint().exact();
    if size.is_some_and(|bytes| bytes <= COMPRESSED_FROM_BYTES) {
        return response;
    }
    let mut request = Request::new(());
    if let Some(accepted) = accepted.0 {
        request.headers_mut().insert(ACCEPT_ENCODING, accepted);
    }
    let mut response = Some(response);
    let uncompressed = service_fn(move |_| {
        let response = response.take().expect("one request is made of it");
        ready(Ok::<_, Infallible>(response))
    });
    let worth_it = DefaultPredicate::new()
        .and(NotForContentType::const_new("image/"))
        .and(NotForContentType::const_new(map_tiles::MEDIA_TYPE));
    let compression = CompressionLayer::new()
        .quality(level)
        .compress_when(worth_it);
    let Ok(compressed) = compression.layer(uncompressed).oneshot(request).await;
    compressed.map(Body::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted_in(lines: &[&'static str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(ACCEPT_ENCODING, HeaderValue::from_static(line));
        }
        let accepted = AcceptedEncodings::of(&headers).0;
        accepted.map(|accepted| accepted.to_str().unwrap().to_owned())
    }

    #[test]
    fn uncompressed_replies_cannot_be_excluded() {
        assert_eq!(accepted_in(&["identity;q=0, *;q=0"]).unwrap(), "");
        assert_eq!(accepted_in(&["br;q=1, *;q=0"]).unwrap(), "br;q=1");
        assert_eq!(accepted_in(&["gzip", "Identity; q=0"]).unwrap(), "gzip");
    }

    #[test]
    fn a_client_accepts_the_codings_that_it_names() {
        let takes = |line: &'static str, coding| {
            AcceptedEncodings(Some(HeaderValue::from_static(line))).contains(coding)
        };
        assert!(takes("gzip, deflate, br, zstd", "br"));
        assert!(takes("gzip;q=0.5,BR;q=0.001", "br"));
        assert!(!takes("gzip, br;q=0", "br"));
        assert!(!takes("gzip, br; q=0.000", "br"));
        assert!(!takes("x-br", "br"));
        assert!(!AcceptedEncodings(None).contains("br"));
    }

    #[test]
    fn other_encodings_stay_as_they_are() {
        let accepted = accepted_in(&["gzip, br;q=0.5"]).unwrap();
        assert_eq!(accepted, "gzip, br;q=0.5");
        let accepted = accepted_in(&["gzip, br;q=0.5", "zstd"]).unwrap();
        assert_eq!(accepted, "gzip, br;q=0.5,zstd");
        assert_eq!(accepted_in(&[]), None);
    }
}
