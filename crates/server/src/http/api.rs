//! Routes under `/api`, each with its description.
//!
//! They are registered under their whole path. A nested router would take the prefix off the address of every request on
//! its way in, which costs the shortest replies a tenth of their time.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::MethodRouter;
use utoipa::openapi::{OpenApi, Paths};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use super::state::HttpState;

/// What the path of every route begins with; handlers name theirs without it.
const ROOT: &str = "/api";

/// Whether nobody but the API may answer under this path.
pub(super) fn is_under_root(path: &str) -> bool {
    below_root(path).is_some()
}

/// A path as handlers name it.
pub(super) fn below_root(path: &str) -> Option<&str> {
    let below = path.strip_prefix(ROOT);
    below.filter(|below| below.is_empty() || below.starts_with('/'))
}

#[derive(Default)]
pub(super) struct Api(OpenApiRouter<HttpState>);

impl Api {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds what `routes!` makes of handlers.
    pub(super) fn routes(self, handlers: UtoipaMethodRouter<HttpState>) -> Self {
        let (schemas, described, methods) = handlers;
        let mut paths = Paths::new();
        for (path, item) in described.paths {
            paths.paths.insert(format!("{ROOT}{path}"), item);
        }
        Self(self.0.routes((schemas, paths, methods)))
    }

    /// Adds a route that is not for the API's clients and has no description.
    pub(super) fn route(self, path: &str, methods: MethodRouter<HttpState>) -> Self {
        Self(self.0.route(&format!("{ROOT}{path}"), methods))
    }

    pub(super) fn merge(self, other: Self) -> Self {
        Self(self.0.merge(other.0))
    }

    /// Lets the routes so far take bodies of this size instead of the usual one.
    pub(super) fn with_body_limit(self, bytes: usize) -> Self {
        Self(self.0.layer(DefaultBodyLimit::max(bytes)))
    }

    pub(super) fn into_parts(self) -> (Router<HttpState>, OpenApi) {
        self.0.split_for_parts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_told_from_names_that_begin_like_it() {
        assert!(["/api", "/api/", "/api/x/y"].into_iter().all(is_under_root));
        assert!(!["/", "/apis", "/x/api"].into_iter().any(is_under_root));
        assert_eq!(below_root("/api/x/y"), Some("/x/y"));
    }
}
