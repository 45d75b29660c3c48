//! `/imgs/…`: pictures from the data folder. Nothing in them may run, whatever a browser makes of them.

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use axum::http::{HeaderValue, Response as HttpResponse};
use axum::response::{IntoResponse, Response};
use tower::util::MapResponse;
use tower_http::services::ServeDir;
use tower_http::services::fs::ServeFileSystemResponseBody;

use super::failure::{Code, Failure};
use super::state::HttpState;

/// Names are generated and never used again, so a picture never changes under its name.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const NOTHING_RUNS: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

pub(super) fn routes(state: &HttpState) -> Router<HttpState> {
    let folder = state.settings().data_dir.join("imgs");
    let files = ServeDir::new(folder).append_index_html_on_directories(false);
    Router::new().fallback_service(MapResponse::new(files, finish))
}

fn finish(response: HttpResponse<ServeFileSystemResponseBody>) -> Response {
    let status = response.status();
    if status.is_client_error() {
        let code = if status == 405 {
            Code::MethodNotAllowed
        } else {
            Code::NoSuchRoute
        };
        return Failure::new(code).into_response();
    }
    let mut response = response.into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, IMMUTABLE);
    headers.insert(CONTENT_SECURITY_POLICY, NOTHING_RUNS);
    response
}
