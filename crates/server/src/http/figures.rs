//! The figures of every request: how many by route, method and status, and how long they took.
//!
//! Finding a figure by its name and labels costs more than counting does, so each thread keeps the ones it has met. They
//! are few: routes and methods come from a fixed list, and so do, in effect, statuses.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use metrics::{Counter, Histogram};

thread_local! {
    static ROUTES: RefCell<HashMap<String, Route>> = RefCell::default();
}

/// What a thread has met of one route.
struct Route {
    seconds: Histogram,
    /// A handful, so looking through them is finding them.
    requests: Vec<(Method, StatusCode, Counter)>,
}

/// Counts a request that was answered. `route` is one of the router's own, or a word for all others.
pub(super) fn count(method: &Method, route: &str, status: StatusCode, took: Duration) {
    ROUTES.with_borrow_mut(|routes| {
        if !routes.contains_key(route) {
            routes.insert(route.to_owned(), Route::new(route));
        }
        if let Some(known) = routes.get_mut(route) {
            known.requests(method, route, status).increment(1);
            known.seconds.record(took);
        }
    });
}

impl Route {
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

/// Anybody can make up a method; each would be a figure of its own for as long as the process lives. `CONNECT`, which
/// no route knows, stands for all of them.
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
    fn made_up_methods_are_one_figure() {
        let made_up = Method::from_bytes(b"BREW").unwrap();
        assert_eq!(label(listed(&made_up)), "other");
        assert_eq!(label(listed(&Method::CONNECT)), "other");
        assert_eq!(label(listed(&Method::PATCH)), "PATCH");
    }

    #[test]
    fn a_route_keeps_one_counter_per_method_and_status() {
        let mut route = Route::new("/x");
        for status in [StatusCode::OK, StatusCode::OK, StatusCode::NOT_FOUND] {
            route.requests(&Method::GET, "/x", status);
        }
        assert_eq!(route.requests.len(), 2);
    }
}
