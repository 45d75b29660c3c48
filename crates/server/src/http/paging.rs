//! Paging, for every list of the API but the feed, whose fields are the original's (`feed.rs`).
//!
//! Lists of the original are numbered: `current` in, an array out ([`PageParams`]). All other lists go by cursor:
//! `cursor` in, `list` and the next `cursor` out ([`CursorParams`], [`CursorPageView`]). A cursor is text that clients
//! send back as it came. A list with more parameters of its own takes them as a second `QueryParams`.

use std::str::FromStr;

use app::{Page, PageSize};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::failure::Failure;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PageParams {
    /// Page, from 1.
    #[param(nullable = false)]
    current: Option<i64>,
}

impl PageParams {
    /// Clamped to the first page, and to the largest number.
    pub(super) fn number(&self) -> u32 {
        let number = self.current.unwrap_or(1).max(1);
        u32::try_from(number).unwrap_or(u32::MAX)
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct CursorParams {
    /// The `cursor` of the page before; missing for the first page.
    #[param(nullable = false)]
    cursor: Option<String>,
}

impl CursorParams {
    /// `None` for the first page.
    pub(super) fn parse<C: FromStr>(&self) -> Result<Option<C>, Failure> {
        let cursor = self.cursor.as_deref().filter(|text| !text.is_empty());
        let parsed = cursor.map(str::parse).transpose();
        parsed.map_err(|_| Failure::malformed("cursor", "is not one that a page gave"))
    }
}

/// For lists by cursor whose clients choose the size.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PageSizeParams {
    /// Items on a page, at most 50.
    #[param(nullable = false)]
    size: Option<i64>,
}

impl PageSizeParams {
    /// Clamped to what a page may show.
    pub(super) fn or(&self, usual: PageSize) -> PageSize {
        let clamped = |size: i64| PageSize::new(u32::try_from(size.max(1)).unwrap_or(u32::MAX));
        self.size.map_or(usual, clamped)
    }
}

/// One page of a list by cursor.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CursorPageView<T> {
    list: Vec<T>,
    /// For the next page; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    cursor: Option<String>,
}

impl<T> CursorPageView<T> {
    pub(super) fn new<I, C: ToString>(page: Page<I, C>, view: impl FnMut(I) -> T) -> Self {
        Self {
            list: page.items.into_iter().map(view).collect(),
            cursor: page.next.map(|cursor| cursor.to_string()),
        }
    }
}
