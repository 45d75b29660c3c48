//! `/imgs/…`: pictures from the data folder. Nothing in them may run, whatever a browser makes of them.

use std::io::{self, ErrorKind};

use axum::Router;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use axum::http::{HeaderValue, Response as HttpResponse};
use axum::response::{IntoResponse, Response};
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
    Router::new().fallback(move |request| find(files.clone(), request))
}

/// A file that cannot be read for a moment is an error of ours and not an answer to be kept for a year.
async fn find(mut files: ServeDir, request: Request) -> Response {
    match files.try_call(request).await {
        Ok(response) => finish(response),
        Err(error) if names_no_file(&error) => Failure::new(Code::NoSuchRoute).into_response(),
        Err(error) => {
            tracing::error!(%error, "a picture could not be read");
            Failure::new(Code::Internal).into_response()
        }
    }
}

/// Whether it is the visitor's path that no file can have, rather than the disk that fails.
fn names_no_file(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
            | ErrorKind::PermissionDenied
    )
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
