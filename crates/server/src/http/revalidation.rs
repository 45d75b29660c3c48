//! Whether a client already has what it asks for.

use axum::http::HeaderMap;
use axum::http::header::IF_NONE_MATCH;

/// Whether the client names this tag as its own.
pub(super) fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let tags = headers.get(IF_NONE_MATCH);
    let tags = tags.and_then(|tags| tags.to_str().ok()).unwrap_or_default();
    tags.split(',').any(|tag| tag.trim() == etag)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn one_of_several_tags_is_enough() {
        let mut headers = HeaderMap::new();
        assert!(!is_known(&headers, "W/\"b\""));
        let tags = HeaderValue::from_static("W/\"a\", W/\"b\"");
        headers.insert(IF_NONE_MATCH, tags);
        assert!(is_known(&headers, "W/\"b\""));
        assert!(!is_known(&headers, "W/\"c\""));
    }
}
