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
pub(super) struct Api {
    router: OpenApiRouter<HttpState>,
    callbacks: Vec<String>,
}

impl Api {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds what `routes!` makes of handlers.
    pub(super) fn routes(mut self, handlers: UtoipaMethodRouter<HttpState>) -> Self {
        let (schemas, described, methods) = handlers;
        let mut paths = Paths::new();
        for (path, item) in described.paths {
            paths.paths.insert(format!("{ROOT}{path}"), item);
        }
        self.router = self.router.routes((schemas, paths, methods));
        self
    }

    /// Adds a route for servers of others, which prove who they are by a signature: it takes writes from any origin, and
    /// has no description.
    pub(super) fn callback(mut self, path: &str, methods: MethodRouter<HttpState>) -> Self {
        let path = format!("{ROOT}{path}");
        self.router = self.router.route(&path, methods);
        self.callbacks.push(path);
        self
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.router = self.router.merge(other.router);
        self.callbacks.extend(other.callbacks);
        self
    }

    /// The paths of all callbacks.
    pub(super) fn callbacks(&self) -> &[String] {
        &self.callbacks
    }

    /// Lets the routes so far take bodies of this size instead of the usual one.
    pub(super) fn with_body_limit(mut self, bytes: usize) -> Self {
        self.router = self.router.layer(DefaultBodyLimit::max(bytes));
        self
    }

    pub(super) fn into_parts(self) -> (Router<HttpState>, OpenApi) {
        self.router.split_for_parts()
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
