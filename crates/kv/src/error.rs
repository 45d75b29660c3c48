//! What can go wrong between us and Redis.

use link::LinkError;
use thiserror::Error;

#[derive(Clone, Debug, Error)]
#[error("Redis could not {operation}")]
pub struct Error {
    operation: &'static str,
    #[source]
    source: LinkError,
}

impl Error {
    pub(crate) fn during(operation: &'static str) -> impl Fn(LinkError) -> Self {
        move |source| Self { operation, source }
    }

    /// Whether Redis is unreachable or overloaded, so that a later retry is sensible.
    pub fn is_outage(&self) -> bool {
        self.source.is_outage()
    }
}
