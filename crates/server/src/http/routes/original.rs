//! What `compat.addr` serves: the routes of the table without `/api`, the pictures, and nothing else.
//!
//! The original's framework reads `//shop//1/` as `/shop/1`, so this listener does too.

use std::borrow::Cow;

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use tower::util::MapRequest;

use super::route::{self, RouteAttributes, add_to};
use super::{PICTURES, table};
use crate::http::dialect::Dialect;
use crate::http::pictures;
use crate::http::request_middleware::RequestMiddleware;
use crate::http::state::HttpState;

/// Everything that pages of the original ask for. The state shares its limits with that of the site's listener.
pub fn router(state: &HttpState) -> Router {
    let state = state.speaking(Dialect::Original);
    let middleware = RequestMiddleware::new(state.clone());
    let rest = Router::new()
        .nest(PICTURES, pictures::routes(&state))
        .fallback(route::no_such_route)
        .layer(middleware.with(RouteAttributes::default()));
    let routes = add_to(rest, table(), Dialect::Original, &middleware).with_state(state);
    // Paths are made plain before a route is looked for.
    Router::new().fallback_service(MapRequest::new(routes, plain_request))
}

fn plain_request(mut request: Request) -> Request {
    if let Cow::Owned(path) = plain(request.uri().path()) {
        let with_query = match request.uri().query() {
            Some(query) => format!("{path}?{query}"),
            None => path,
        };
        // A path of which slashes were taken away is still a path.
        if let Ok(path) = PathAndQuery::try_from(with_query) {
            *request.uri_mut() = Uri::from(path);
        }
    }
    request
}

/// Without empty parts, and without a slash at the end.
fn plain(path: &str) -> Cow<'_, str> {
    let is_plain = !path.contains("//") && (path.len() <= 1 || !path.ends_with('/'));
    if is_plain {
        return Cow::Borrowed(path);
    }
    let parts = path.split('/').filter(|part| !part.is_empty());
    let plain: String = parts.flat_map(|part| ["/", part]).collect();
    match plain.is_empty() {
        true => Cow::Borrowed("/"),
        false => Cow::Owned(plain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_parts_of_a_path_are_left_out() {
        for (written, read) in [
            ("/shop/1", "/shop/1"),
            ("//shop//1/", "/shop/1"),
            ("/imgs//types/ms.png", "/imgs/types/ms.png"),
            ("/", "/"),
            ("///", "/"),
            ("*", "*"),
        ] {
            assert_eq!(plain(written), read);
        }
    }

    #[test]
    fn the_query_stays_as_it_is() {
        let uri = "/shop//of/type/?&typeId=1&&current=1";
        let request = Request::builder()
            .uri(uri)
            .body(Default::default())
            .unwrap();
        let plain = plain_request(request);
        assert_eq!(plain.uri(), "/shop/of/type?&typeId=1&&current=1");
    }
}
