//! Whom a listener speaks to: the site's own clients, or pages of the original.
//!
//! Both listeners have the same routes, handlers, limits and middleware; the dialect is a part of [`HttpState`] and says
//! how a reply is written. For pages of the original
//! - paths have no `/api` before them, which their nginx strips;
//! - a session is the token in the `authorization` header and nothing else, as it was there: their nginx does not pass
//!   the `Host` on, so that nobody could tell whether a cookie came from a page of this site;
//! - objects have the original's members alone, in its order, and order ids are numbers;
//! - whatever a person should read is HTTP 200, because those pages hide the text of any other status; 401 has no body;
//! - messages are Chinese, as the pages are.

use app::Language;
use axum::http::HeaderMap;

use super::language;

/// How the replies of a listener are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `http.addr`: the API that `openapi.json` describes.
    Site,
    /// `compat.addr`: the original's.
    Original,
}

impl Dialect {
    pub(super) fn language(self, headers: &HeaderMap) -> Language {
        match self {
            Self::Site => language::preferred(headers),
            Self::Original => Language::Chinese,
        }
    }

    /// What the original's objects do not have.
    pub(super) fn addition<T>(self, value: T) -> Option<T> {
        match self {
            Self::Site => Some(value),
            Self::Original => None,
        }
    }
}
