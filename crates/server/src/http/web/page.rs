//! The page of the web app, with the card of what its address is about.
//!
//! All addresses have the page that the build wrote; its title and description give way to a card's. A page that was made is
//! kept by its own tags, so it can never be stale, and is compressed once.

use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use moka::future::Cache;

use super::card::{self, CardSite};
use super::subject::{Described, Subject};
use super::{Dist, INDEX, hex, is_of_router};
use crate::http::encoding::{AcceptedEncodings, compress_once};
use crate::http::failure::{Code, Failure};
use crate::http::state::HttpState;
use crate::http::{origin, revalidation};

/// About 10 MB when all of them are in use.
const PAGES: u64 = 2_000;

/// Replies differ by what the client can read.
const VARIES_BY: &str = "accept-encoding, accept-language";

/// Pages by their tags.
#[derive(Clone, Debug)]
pub(in crate::http) struct WebPages {
    pages: Cache<String, Page>,
}

#[derive(Clone, Debug)]
struct Page {
    /// A weak one: it means the page, however it is compressed.
    etag: String,
    plain: Bytes,
    brotli: Bytes,
    gzip: Bytes,
}

/// What is before and after the tags of a card.
#[derive(Debug)]
struct Template {
    before: String,
    after: String,
    hash: String,
}

impl WebPages {
    pub(in crate::http) fn new() -> Self {
        Self {
            pages: Cache::new(PAGES),
        }
    }

    async fn of(&self, template: &Template, tags: String) -> Page {
        let make = template.filled_with(&tags);
        self.pages
            .entry(tags.clone())
            .or_insert_with(make)
            .await
            .into_value()
    }
}

/// The page for an address: 404 for one that is about nothing there is.
pub(super) async fn serve(state: &HttpState, uri: &Uri, headers: &HeaderMap) -> Response {
    let Some(template) = template() else {
        return Failure::new(Code::NoSuchRoute).into_response();
    };
    let language = state.dialect().language(headers);
    let subject = Subject::of_path(uri.path()).filter(|_| is_of_router(uri.path()));
    let described = match subject {
        Some(subject) => subject.describe(state, language).await,
        None => Described::Unknown,
    };
    let is_there = is_of_router(uri.path()) && described != Described::Gone;
    let card = match &described {
        Described::As(card) => Some(card),
        Described::Gone | Described::Unknown => None,
    };
    let site = CardSite {
        name: &state.settings().site.name,
        origin: &origin::shown(headers, state),
        language,
    };
    let page = state
        .web_pages()
        .of(template, card::tags(card, &site))
        .await;
    let status = match is_there {
        true => StatusCode::OK,
        false => StatusCode::NOT_FOUND,
    };
    page.reply(status, headers)
}

impl Page {
    fn reply(self, status: StatusCode, headers: &HeaderMap) -> Response {
        let is_known = status == StatusCode::OK && revalidation::is_known(headers, &self.etag);
        let shared = [
            (ETAG, self.etag),
            (CACHE_CONTROL, "no-cache".to_owned()),
            (VARY, VARIES_BY.to_owned()),
        ];
        if is_known {
            return (StatusCode::NOT_MODIFIED, shared).into_response();
        }
        let media = [(CONTENT_TYPE, "text/html; charset=utf-8")];
        let accepted = AcceptedEncodings::of(headers);
        let codings = [("br", self.brotli), ("gzip", self.gzip)];
        let coded = codings
            .into_iter()
            .find(|(coding, _)| accepted.contains(coding));
        match coded {
            Some((coding, bytes)) => {
                (status, shared, media, [(CONTENT_ENCODING, coding)], bytes).into_response()
            }
            None => (status, shared, media, self.plain).into_response(),
        }
    }
}

/// Absent if the build has no page.
fn template() -> Option<&'static Template> {
    static TEMPLATE: OnceLock<Option<Template>> = OnceLock::new();
    let read = || {
        let file = Dist::get(INDEX)?;
        let html = String::from_utf8_lossy(&file.data);
        Some(Template::of(&html, hex(&file.metadata.sha256_hash()[..8])))
    };
    TEMPLATE.get_or_init(read).as_ref()
}

impl Template {
    /// The page without its title and description; a card's are put where the title was.
    fn of(html: &str, hash: String) -> Self {
        let html = without(html, "<meta name=\"description\"", ">");
        let (before, rest) = html.split_once("<title>").unwrap_or((&html, ""));
        let after = rest.split_once("</title>").map_or("", |(_, after)| after);
        Self {
            before: before.to_owned(),
            after: after.to_owned(),
            hash,
        }
    }

    async fn filled_with(&self, tags: &str) -> Page {
        let plain: Bytes = [&*self.before, tags, &*self.after].concat().into();
        let tags_hash = hash_of(tags);
        Page {
            etag: format!("W/\"{}-{tags_hash:016x}\"", self.hash),
            brotli: compress_once(plain.clone(), "br").await,
            gzip: compress_once(plain.clone(), "gzip").await,
            plain,
        }
    }
}

/// Without the first line from `start` to `end`, and its indent.
fn without(html: &str, start: &str, end: &str) -> String {
    let Some((before, rest)) = html.split_once(start) else {
        return html.to_owned();
    };
    let after = rest.split_once(end).map_or("", |(_, after)| after);
    [before.trim_end(), after].concat()
}

/// FNV-1a: every process of a site must find the same tag for the same page.
fn hash_of(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_apps_page_has_a_title_and_a_description_to_replace() {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/index.html");
        let html = std::fs::read_to_string(source).unwrap();
        let template = Template::of(&html, String::new());
        for part in [&template.before, &template.after] {
            assert!(!part.contains("title>"), "{part}");
            assert!(!part.contains("description"), "{part}");
        }
        assert!(template.before.contains("charset"), "{}", template.before);
        assert!(template.after.contains("</html>"), "{}", template.after);
    }
}
