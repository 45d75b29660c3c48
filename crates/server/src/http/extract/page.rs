//! The page number of a list.

use serde::Deserialize;
use utoipa::IntoParams;

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

/// Clamped to the first page, and to the largest number.
pub(in crate::http) fn page_of(current: Option<i64>) -> u32 {
    let number = current.unwrap_or(1).max(1);
    u32::try_from(number).unwrap_or(u32::MAX)
}
