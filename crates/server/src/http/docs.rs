//! `/docs`: the viewer of the API's description, from our own files, readable on a phone.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::openapi;

/// The viewer's page is well below.
const PAGE_MAX_BYTES: usize = 64 * 1024;
const HEAD: &str = "<head>";
const VIEWPORT: &str = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    // The viewer would otherwise send the description's address to a validator on the internet.
    let viewer = Config::default().validator_url("none");
    let docs = SwaggerUi::new("/docs")
        .url("/openapi.json", openapi::document())
        .config(viewer);
    Router::from(docs).layer(map_response(with_viewport))
}

/// The viewer's page names no viewport, and a phone would lay it out for a wide window.
async fn with_viewport(response: Response) -> Response {
    let media = response.headers().get(CONTENT_TYPE);
    if !media.is_some_and(|media| media.as_bytes().starts_with(b"text/html")) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(page) = to_bytes(body, PAGE_MAX_BYTES).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let page = String::from_utf8_lossy(&page).replacen(HEAD, &format!("{HEAD}\n    {VIEWPORT}"), 1);
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(page))
}
