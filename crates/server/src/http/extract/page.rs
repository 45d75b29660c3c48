//! Paging parameters: page numbers, cursors and page sizes.

use std::str::FromStr;

use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::failure::Failure;

/// For lists that take nothing else.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::http) struct PageParams {
    /// Page, from 1.
    #[param(nullable = false)]
    current: Option<i64>,
}

impl PageParams {
    pub(in crate::http) fn page(&self) -> u32 {
        page_of(self.current)
    }
}

/// The cursor of the page before; `None` for the first page.
pub(in crate::http) fn cursor_of<T: FromStr>(cursor: Option<&str>) -> Result<Option<T>, Failure> {
    let cursor = cursor.filter(|text| !text.is_empty());
    let parsed = cursor.map(str::parse).transpose();
    parsed.map_err(|_| Failure::malformed("cursor", "is not one that a page gave"))
}

/// Clamped to at least one and at most `max` rows.
pub(in crate::http) fn page_size(size: Option<i64>, usual: u32, max: u32) -> u32 {
    let size = size.unwrap_or(usual.into()).clamp(1, max.into());
    u32::try_from(size).unwrap_or(max)
}

/// Clamped to the first page, and to the largest number.
pub(in crate::http) fn page_of(current: Option<i64>) -> u32 {
    let number = current.unwrap_or(1).max(1);
    u32::try_from(number).unwrap_or(u32::MAX)
}
