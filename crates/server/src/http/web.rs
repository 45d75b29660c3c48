//! The web app, embedded in the binary.
//!
//! Files under `assets/` carry a hash in their name and never change; everything else is revalidated by ETag. The build
//! compresses most files, and clients that accept the encoding get them as built. A path of the app's router is a page of
//! the app (a deep link). Any other path without a file extension is the app too, which then shows its page for unknown
//! addresses, and has the status 404; one with an extension is a plain 404. So is whatever belongs to the API, with `/api`
//! before it or without: a client of the original that asks here must not take a page for an answer.
//!
//! A page carries the card of what its address is about (`page.rs`), for those who only read its first bytes: messengers and
//! other sites that show a shared link.

mod card;
mod page;
mod subject;

use axum::extract::State;
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY,
};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

pub(super) use page::WebPages;

use super::encoding::AcceptedEncodings;
use super::failure::{Code, Failure};
use super::revalidation;
use super::routes::is_api_path;
use super::state::HttpState;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/dist"]
struct Dist;

const INDEX: &str = "index.html";

pub(super) async fn serve_asset(
    State(state): State<HttpState>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if is_api_path(uri.path()) || is_of_original(uri.path()) {
        return Failure::new(Code::NoSuchRoute).into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return Failure::new(Code::MethodNotAllowed).into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if let Some(file) = Dist::get(path) {
        return respond(path, file, &headers);
    }
    let has_extension = path.rsplit('/').next().unwrap_or_default().contains('.');
    if has_extension || !accepts_page(&headers) {
        return Failure::new(Code::NoSuchRoute).into_response();
    }
    page::serve(&state, &uri, &headers).await
}

/// Whether the app's router has a page for this path.
fn is_of_router(path: &str) -> bool {
    let path = path.strip_suffix('/').unwrap_or(path);
    let fits = |(part, given): (&str, &str)| match part {
        NUMBER => !given.is_empty() && given.bytes().all(|byte| byte.is_ascii_digit()),
        _ if part.starts_with(':') => !given.is_empty(),
        _ => part == given,
    };
    PAGES.iter().any(|page| {
        let as_long = page.split('/').count() == path.split('/').count();
        as_long && page.split('/').zip(path.split('/')).all(fits)
    })
}

/// A part of a path that is a number.
const NUMBER: &str = r":id(\\d+)";

/// The paths of `web/src/router.ts`, as they are written there; a test compares them.
const PAGES: &[&str] = &[
    "",
    "/shops/:type",
    "/search",
    "/map",
    "/shop/:id",
    "/sale/:id",
    "/orders",
    "/orders/:id",
    "/order/:id",
    "/pay/:id",
    "/redeem",
    "/notices",
    r"/note/:id(\\d+)",
    r"/note/:id(\\d+)/edit",
    "/publish",
    r"/user/:id(\\d+)",
    r"/user/:id(\\d+)/follows",
    r"/user/:id(\\d+)/fans",
    "/topic/:name",
    "/feed",
    "/sign-in",
    "/me",
    "/me/check-ins",
    "/me/edit",
    "/me/favourites",
    "/me/balance",
    "/me/blocked",
    "/me/settings",
    "/me/data",
    "/privacy",
    "/terms",
    "/lab",
    "/lab/course",
];

/// Whether the original's back end answers this path, which is no page of the web app.
fn is_of_original(path: &str) -> bool {
    let root = path.split('/').find(|part| !part.is_empty());
    root.is_some_and(|root| ORIGINAL_ROOTS.contains(&root)) && !is_of_router(path)
}

/// The first parts of the original's paths.
const ORIGINAL_ROOTS: [&str; 10] = [
    "blog",
    "blog-comments",
    "follow",
    "shop",
    "shop-type",
    "upload",
    "user",
    "voucher",
    "voucher-order",
    "vouchers",
];

/// A script that asks for JSON, as axios does, cannot use a page. Browsers name pages, and simple clients anything.
fn accepts_page(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).iter();
    let accepted: String = lines.filter_map(|line| line.to_str().ok()).collect();
    accepted.contains("text/html") || !accepted.contains("application/json")
}

fn respond(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = hex(&file.metadata.sha256_hash()[..16]);
    // A weak one: it means the file, however it is compressed.
    let etag = format!("W/\"{hash}\"");
    let cache = if name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let is_known = revalidation::is_known(headers, &etag);
    let shared = [
        (ETAG, etag),
        (CACHE_CONTROL, cache.to_owned()),
        (VARY, ACCEPT_ENCODING.to_string()),
    ];
    if is_known {
        return (StatusCode::NOT_MODIFIED, shared).into_response();
    }
    let media = [(CONTENT_TYPE, media_type(name))];
    match compressed(name, &AcceptedEncodings::of(headers)) {
        Some((coding, file)) => {
            (shared, media, [(CONTENT_ENCODING, coding)], file.data).into_response()
        }
        None => (shared, media, file.data).into_response(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The precompressed file, if the client accepts one.
fn compressed(name: &str, accepted: &AcceptedEncodings) -> Option<(&'static str, EmbeddedFile)> {
    let encodings = [("br", ".br"), ("gzip", ".gz")];
    encodings.into_iter().find_map(|(coding, suffix)| {
        let is_accepted = accepted.contains(coding);
        let file = is_accepted.then(|| Dist::get(&format!("{name}{suffix}")));
        file.flatten().map(|file| (coding, file))
    })
}

/// Our texts are UTF-8, and a page says so before its first byte is parsed.
fn media_type(name: &str) -> String {
    let media = mime_guess::from_path(name).first_or_octet_stream();
    match media.type_() {
        mime_guess::mime::TEXT => format!("{media}; charset=utf-8"),
        _ => media.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_are_those_of_the_web_apps_router() {
        let router = include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../web/src/router.ts"
        ));
        let paths = router.lines().filter_map(|line| {
            let path = line.trim().strip_prefix("path: \"")?.split('"').next()?;
            Some(path.strip_suffix('/').unwrap_or(path))
        });
        let paths: Vec<&str> = paths.filter(|path| !path.contains("(.*)")).collect();
        assert_eq!(paths, PAGES);
    }

    #[test]
    fn an_address_of_no_page_is_unknown() {
        for path in [
            "/",
            "/me/",
            "/shop/7",
            "/note/7",
            "/user/7/fans",
            "/lab/course",
        ] {
            assert!(is_of_router(path), "{path}");
        }
        for path in [
            "/no/such/page",
            "/me/none",
            "/shop",
            "/shop/",
            "/note/x",
            "/note/",
            "/user/7/x",
            "//",
            "/7",
        ] {
            assert!(!is_of_router(path), "{path}");
        }
    }

    #[test]
    fn paths_of_the_original_are_no_pages() {
        for path in [
            "/user/me",
            "/user/info/1",
            "/user/sign/count",
            "/user/1/orders",
            "/shop",
            "/shop/of/type",
            "/shop-type/list",
            "/blog/4",
            "/blog/of/follow",
            "/blog-comments/4",
            "/follow/or/not/2",
            "/voucher/list/1",
            "/voucher-order/1",
            "/vouchers/seckill",
            "//upload//blog",
        ] {
            assert!(is_of_original(path), "{path}");
        }
    }
}
