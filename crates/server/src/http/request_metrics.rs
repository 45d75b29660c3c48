//! Request metrics: how many requests by route, method and status, and how long they took.
//!
//! Looking a metric up by name and labels costs more than counting, so each thread caches its handles. They are few:
//! routes and methods come from a fixed list, and so do, in effect, statuses.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use metrics::{Counter, Histogram};

thread_local! {
    static ROUTES: RefCell<HashMap<String, RouteMetrics>> = RefCell::default();
}

/// The handles of one route.
struct RouteMetrics {
    seconds: Histogram,
    /// A handful, so a linear search is enough.
    requests: Vec<(Method, StatusCode, Counter)>,
}

/// Counts an answered request. `route` is a path of the route table, or `other`.
pub(super) fn count(method: &Method, route: &str, status: StatusCode, took: Duration) {
    ROUTES.with_borrow_mut(|routes| {
        if !routes.contains_key(route) {
            routes.insert(route.to_owned(), RouteMetrics::new(route));
        }
        if let Some(known) = routes.get_mut(route) {
            known.requests(method, route, status).increment(1);
            known.seconds.record(took);
        }
    });
}

impl RouteMetrics {
    fn new(route: &str) -> Self {
        Self {
            seconds: metrics::histogram!("tandian_http_request_seconds", "route" => route.to_owned()),
            requests: Vec::new(),
        }
    }

    fn requests(&mut self, method: &Method, route: &str, status: StatusCode) -> &Counter {
        let method = listed(method);
        let is_it =
            |(known, code, _): &(Method, StatusCode, Counter)| known == method && *code == status;
        let place = self.requests.iter().position(is_it).unwrap_or_else(|| {
            let counter = counter(method, route, status);
            self.requests.push((method.clone(), status, counter));
            self.requests.len() - 1
        });
        &self.requests[place].2
    }
}

fn counter(method: &Method, route: &str, status: StatusCode) -> Counter {
    let labels = [
        ("method", label(method).to_owned()),
        ("route", route.to_owned()),
        ("status", status.as_str().to_owned()),
    ];
    metrics::counter!("tandian_http_requests_total", &labels)
}

/// A client can invent methods, and each would add a metric for the life of the process. `CONNECT`, which no route
/// takes, stands for all of them.
fn listed(method: &Method) -> &Method {
    let known = [
        &Method::GET,
        &Method::HEAD,
        &Method::POST,
        &Method::PUT,
        &Method::DELETE,
        &Method::PATCH,
        &Method::OPTIONS,
    ];
    if known.contains(&method) {
        method
    } else {
        &Method::CONNECT
    }
}

fn label(listed: &Method) -> &str {
    if *listed == Method::CONNECT {
        "other"
    } else {
        listed.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invented_methods_share_one_metric() {
        let invented = Method::from_bytes(b"BREW").unwrap();
        assert_eq!(label(listed(&invented)), "other");
        assert_eq!(label(listed(&Method::CONNECT)), "other");
        assert_eq!(label(listed(&Method::PATCH)), "PATCH");
    }

    #[test]
    fn a_route_keeps_one_counter_per_method_and_status() {
        let mut route = RouteMetrics::new("/x");
        for status in [StatusCode::OK, StatusCode::OK, StatusCode::NOT_FOUND] {
            route.requests(&Method::GET, "/x", status);
        }
        assert_eq!(route.requests.len(), 2);
    }
}
