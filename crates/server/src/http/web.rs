//! The web app, embedded in the binary.
//!
//! Files under `assets/` carry a hash in their name and never change; everything else is revalidated by ETag. An
//! unknown path without a file extension is a page of the app (a deep link), one with an extension is a 404.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::failure::{Code, Failure};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/dist"]
struct Dist;

const INDEX: &str = "index.html";

pub(super) async fn serve_asset(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Failure::new(Code::MethodNotAllowed).into_response();
    }
    let path = uri.path().trim_start_matches('/');
    let is_page = !path.rsplit('/').next().unwrap_or_default().contains('.');
    let found = match Dist::get(path) {
        Some(file) => Some((path, file)),
        None if is_page => Dist::get(INDEX).map(|file| (INDEX, file)),
        None => None,
    };
    match found {
        Some((name, file)) => respond(name, file, &headers),
        None => Failure::new(Code::NoSuchRoute).into_response(),
    }
}

fn respond(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash: String = file.metadata.sha256_hash()[..16]
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    let etag = format!("\"{hash}\"");
    let cache = if name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let is_known = headers.get(IF_NONE_MATCH).is_some_and(|known| {
        // Compression turns the tag into a weak one; for a cached copy they mean the same.
        known.to_str().is_ok_and(|known| {
            known
                .split(',')
                .any(|tag| tag.trim().trim_start_matches("W/") == etag)
        })
    });
    let shared = [(ETAG, etag), (CACHE_CONTROL, cache.to_owned())];
    if is_known {
        return (StatusCode::NOT_MODIFIED, shared).into_response();
    }
    let media = media_type(name);
    (shared, [(CONTENT_TYPE, media)], file.data).into_response()
}

/// Our texts are UTF-8, and a page says so before its first byte is parsed.
fn media_type(name: &str) -> String {
    let media = mime_guess::from_path(name).first_or_octet_stream();
    match media.type_() {
        mime_guess::mime::TEXT => format!("{media}; charset=utf-8"),
        _ => media.to_string(),
    }
}
