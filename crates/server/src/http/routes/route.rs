//! One line of the route table, and how lines become a router.

use std::collections::BTreeMap;

use axum::Router;
use axum::handler::Handler as _;
use axum::routing::MethodRouter;
use utoipa::openapi::path::PathItem;
use utoipa::openapi::{HttpMethod, RefOr, Schema};
use utoipa_axum::router::UtoipaMethodRouter;

use super::api_path::below_api;
use crate::http::dialect::Dialect;
use crate::http::failure::{Code, Failure};
use crate::http::request_middleware::RequestMiddleware;
use crate::http::state::HttpState;

/// The path in the `utoipa::path` attribute of every handler, which utoipa requires: the real one is in the route table.
pub(in crate::http) const IN_TABLE: &str = "";

/// A line of the route table.
pub(in crate::http) struct Route {
    path: &'static str,
    methods: MethodRouter<HttpState>,
    attributes: RouteAttributes,
    /// A page of the site, which pages of the original have no use for.
    site_only: bool,
    description: Option<RouteDescription>,
}

/// What OpenAPI says of a route.
pub(in crate::http) struct RouteDescription {
    pub(in crate::http) path: &'static str,
    pub(in crate::http) operation: PathItem,
    pub(in crate::http) schemas: Vec<(String, RefOr<Schema>)>,
}

/// How request middleware treats a route.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::http) struct RouteAttributes {
    /// Probes: an overloaded process is alive all the same.
    pub(in crate::http) skips_admission: bool,
    /// Claims: the flash-sale engine finishes each of them whether or not its client waits, and at their rate a task
    /// for each would be felt.
    pub(in crate::http) writes_inline: bool,
    /// Callbacks of other servers, which prove who they are by a signature.
    pub(in crate::http) takes_any_origin: bool,
    /// Instead of the limit in the settings.
    pub(in crate::http) body_limit_bytes: Option<usize>,
    /// What a successful `GET` counts as in the site's statistics.
    pub(in crate::http) visited: Option<Visited>,
}

/// A page that counts visits.
#[derive(Clone, Copy, Debug)]
pub(in crate::http) enum Visited {
    /// The shop whose id ends the path.
    Shop,
    /// The note whose id ends the path.
    Note,
    ShopList,
    /// A page of the web app, unless the path names a file.
    WebApp,
}

impl RouteAttributes {
    pub(super) const WEB_APP: Self = Self {
        skips_admission: false,
        writes_inline: false,
        takes_any_origin: false,
        body_limit_bytes: None,
        visited: Some(Visited::WebApp),
    };
}

pub(super) fn get(path: &'static str, handler: UtoipaMethodRouter<HttpState>) -> Route {
    Route::described(HttpMethod::Get, path, handler)
}

pub(super) fn post(path: &'static str, handler: UtoipaMethodRouter<HttpState>) -> Route {
    Route::described(HttpMethod::Post, path, handler)
}

pub(super) fn put(path: &'static str, handler: UtoipaMethodRouter<HttpState>) -> Route {
    Route::described(HttpMethod::Put, path, handler)
}

pub(super) fn delete(path: &'static str, handler: UtoipaMethodRouter<HttpState>) -> Route {
    Route::described(HttpMethod::Delete, path, handler)
}

/// A route that is no part of the described API.
pub(super) fn undescribed(path: &'static str, methods: MethodRouter<HttpState>) -> Route {
    Route {
        path,
        methods,
        attributes: RouteAttributes::default(),
        site_only: false,
        description: None,
    }
}

impl Route {
    /// # Panics
    /// If the handler's own attribute names another method.
    fn described(
        method: HttpMethod,
        path: &'static str,
        handler: UtoipaMethodRouter<HttpState>,
    ) -> Self {
        let (schemas, described, methods) = handler;
        let mut operations = described.paths.into_values();
        let operation = operations.next().expect("a handler has a description");
        let named = match method {
            HttpMethod::Get => &operation.get,
            HttpMethod::Post => &operation.post,
            HttpMethod::Put => &operation.put,
            _ => &operation.delete,
        };
        assert!(named.is_some(), "{path}: the handler has another method");
        Self {
            path,
            methods,
            attributes: RouteAttributes::default(),
            site_only: false,
            description: Some(RouteDescription {
                path,
                operation,
                schemas,
            }),
        }
    }

    pub(super) fn skips_admission(mut self) -> Self {
        self.attributes.skips_admission = true;
        self
    }

    pub(super) fn writes_inline(mut self) -> Self {
        self.attributes.writes_inline = true;
        self
    }

    pub(super) fn takes_any_origin(mut self) -> Self {
        self.attributes.takes_any_origin = true;
        self
    }

    pub(super) fn body_limit(mut self, bytes: usize) -> Self {
        self.attributes.body_limit_bytes = Some(bytes);
        self
    }

    pub(super) fn counts_visit(mut self, visited: Visited) -> Self {
        self.attributes.visited = Some(visited);
        self
    }

    pub(super) fn for_site_only(mut self) -> Self {
        self.site_only = true;
        self
    }

    /// Where a listener of this dialect has it, if it does. The nginx of the original strips `/api`.
    fn path_for(&self, dialect: Dialect) -> Option<&'static str> {
        match dialect {
            Dialect::Site => Some(self.path),
            Dialect::Original if self.site_only => None,
            Dialect::Original => Some(below_api(self.path).unwrap_or(self.path)),
        }
    }

    pub(in crate::http) fn into_description(self) -> Option<RouteDescription> {
        self.description
    }
}

/// Adds the routes of a listener of this dialect, each behind the middleware with its own attributes.
pub(super) fn add_to(
    router: Router<HttpState>,
    routes: Vec<Route>,
    dialect: Dialect,
    middleware: &RequestMiddleware,
) -> Router<HttpState> {
    let mut paths: BTreeMap<&str, (MethodRouter<HttpState>, RouteAttributes)> = BTreeMap::new();
    for route in routes {
        let Some(path) = route.path_for(dialect) else {
            continue;
        };
        let methods = route.methods.layer(middleware.with(route.attributes));
        let (others, _) = paths.remove(path).unwrap_or_default();
        paths.insert(path, (others.merge(methods), route.attributes));
    }
    paths
        .into_iter()
        .fold(router, |router, (path, (methods, attributes))| {
            let refuse = method_not_allowed.layer(middleware.with(attributes));
            router.route(path, methods.fallback(refuse))
        })
}

pub(super) async fn method_not_allowed() -> Failure {
    Failure::new(Code::MethodNotAllowed)
}

pub(super) async fn no_such_route() -> Failure {
    Failure::new(Code::NoSuchRoute)
}
