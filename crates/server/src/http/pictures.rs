//! `/imgs/…`: pictures from the data folder, and from the bucket where there is one. Nothing in them may run, whatever a
//! browser makes of them.
//!
//! `?size=small` asks for the small print; a picture that has none is shown as it is.

use std::io::{self, ErrorKind};

use app::App;
use app::pictures::{self, Found, Size};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, Method, Response as HttpResponse, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use tower_http::services::ServeDir;
use tower_http::services::fs::ServeFileSystemResponseBody;

use super::failure::{Code, Failure};
use super::state::HttpState;

/// Names are generated and never used again, so a picture never changes under its name.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const NOTHING_RUNS: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

/// What prints are.
const JPEG: HeaderValue = HeaderValue::from_static("image/jpeg");

const SMALL: &str = "size=small";

#[derive(Clone, Debug)]
struct Gallery {
    app: App,
    files: ServeDir,
}

pub(super) fn routes(state: &HttpState) -> Router<HttpState> {
    let folder = state.settings().picture_folder();
    let gallery = Gallery {
        app: state.app().clone(),
        files: ServeDir::new(folder).append_index_html_on_directories(false),
    };
    Router::new().fallback(move |request| async move { gallery.answer(request).await })
}

impl Gallery {
    async fn answer(self, request: Request) -> Response {
        let sizes: &[Size] = match wants_small(request.uri()) {
            true => &[Size::Small, Size::Full],
            false => &[Size::Full],
        };
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        if is_read && self.app.pictures().shelf().is_bucket() {
            match self.find_in_bucket(request.uri().path(), sizes).await {
                Ok(Some(found)) => return shown(found),
                Ok(None) => {}
                Err(failure) => return failure.into_response(),
            }
        }
        self.find_in_folder(request, sizes).await
    }

    async fn find_in_bucket(&self, path: &str, sizes: &[Size]) -> Result<Option<Found>, Failure> {
        for size in sizes {
            if let Some(found) = pictures::find(&self.app, path, *size).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    async fn find_in_folder(mut self, request: Request, sizes: &[Size]) -> Response {
        let (parts, _) = request.into_parts();
        if sizes.contains(&Size::Small)
            && let Some(small) = pictures::path_of(parts.uri.path(), Size::Small)
            && let Ok(uri) = small.parse()
        {
            let mut request = Request::from_parts(parts.clone(), Body::empty());
            *request.uri_mut() = uri;
            let answer = find(&mut self.files, request).await;
            if answer.status() != StatusCode::NOT_FOUND {
                return answer;
            }
        }
        find(&mut self.files, Request::from_parts(parts, Body::empty())).await
    }
}

fn wants_small(uri: &Uri) -> bool {
    let query = uri.query().unwrap_or_default();
    query.split('&').any(|pair| pair == SMALL)
}

fn shown(found: Found) -> Response {
    let length = HeaderValue::from(found.length_bytes);
    let mut response = Body::from_stream(found.content).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, JPEG);
    headers.insert(CONTENT_LENGTH, length);
    guard(&mut response);
    response
}

/// A file that cannot be read for a moment is an error of ours and not an answer to be kept for a year.
async fn find(files: &mut ServeDir, request: Request) -> Response {
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
    guard(&mut response);
    response
}

fn guard(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, IMMUTABLE);
    headers.insert(CONTENT_SECURITY_POLICY, NOTHING_RUNS);
}
