//! `/tiles/map.pmtiles`: the operator's file of vector tiles, read in parts by the map of the web app.
//!
//! Nothing of the request leads to a path: there is one file, and its name is in the settings. It is opened for each
//! request, and ETag, length and bytes come from what was opened, so that a file that is replaced (by renaming another over it)
//! is never mixed with the one before: a page whose tag differs begins anew.

use std::fs::Metadata;
use std::io::{self, ErrorKind, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use supervise::LogRateLimit;
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};
use tokio_util::io::ReaderStream;

use super::byte_range::Wanted;
use super::failure::{Code, Failure};
use super::revalidation::is_known;
use super::state::HttpState;

/// Its file is in the settings.
pub(super) const ADDRESS: &str = "/tiles/map.pmtiles";

/// No compression: tiles are compressed already, and parts are counted in bytes of the file.
pub(super) const MEDIA_TYPE: &str = "application/vnd.pmtiles";

const READ_BYTES: usize = 64 * 1024;
/// Directories and tiles are far smaller. A part that is longer ends here, and its reply says so.
const PART_MAX_BYTES: u64 = 8 * 1_024 * 1_024;

/// A day without a question; after that the tag answers it.
const KEEPING: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Each visitor of the map reads a hundred parts.
static UNREADABLE: LogRateLimit = LogRateLimit::every(Duration::from_secs(60));

pub(super) async fn serve_tiles(
    State(state): State<HttpState>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let Some(tiles) = state.map_tiles() else {
        return Failure::new(Code::NoSuchRoute).into_response();
    };
    match respond(tiles.path(), &method, &headers).await {
        Ok(response) => response,
        Err(error) => {
            if let Some(held_back) = UNREADABLE.pass() {
                tracing::error!(%error, held_back, "map tiles could not be read");
            }
            let code = match error.kind() {
                ErrorKind::NotFound => Code::NoSuchRoute,
                _ => Code::Internal,
            };
            Failure::new(code).into_response()
        }
    }
}

async fn respond(path: &Path, method: &Method, headers: &HeaderMap) -> io::Result<Response> {
    let file = File::open(path).await?;
    let metadata = file.metadata().await?;
    let (tag, file_bytes) = (tag_of(&metadata), metadata.len());
    if is_known(headers, &tag) {
        return Ok(reply(StatusCode::NOT_MODIFIED, &tag, [], Body::empty()));
    }
    // Only GET has parts.
    let wanted = match *method {
        Method::GET => Wanted::of(headers, &tag, file_bytes, PART_MAX_BYTES),
        _ => Wanted::Whole,
    };
    Ok(match wanted {
        Wanted::Whole => {
            let body = stream(file, file_bytes);
            reply(StatusCode::OK, &tag, [length(file_bytes)], body)
        }
        Wanted::Part { first, last } => {
            let bytes = last - first + 1;
            let body = part(file, first, bytes).await?;
            let range = content_range(&format!("{first}-{last}"), file_bytes);
            reply(
                StatusCode::PARTIAL_CONTENT,
                &tag,
                [length(bytes), range],
                body,
            )
        }
        Wanted::Unsatisfiable => {
            let range = content_range("*", file_bytes);
            reply(
                StatusCode::RANGE_NOT_SATISFIABLE,
                &tag,
                [range],
                Body::empty(),
            )
        }
    })
}

async fn part(mut file: File, first: u64, bytes: u64) -> io::Result<Body> {
    file.seek(SeekFrom::Start(first)).await?;
    Ok(stream(file, bytes))
}

/// Each read is a job for another thread.
fn stream(file: File, bytes: u64) -> Body {
    Body::from_stream(ReaderStream::with_capacity(file.take(bytes), READ_BYTES))
}

/// Strong: parts of files with the same tag are put together.
fn tag_of(metadata: &Metadata) -> String {
    let (bytes, secs, nanos) = (metadata.len(), metadata.mtime(), metadata.mtime_nsec());
    format!("\"{bytes:x}-{secs:x}-{nanos:x}\"")
}

fn length(bytes: u64) -> (HeaderName, HeaderValue) {
    (CONTENT_LENGTH, HeaderValue::from(bytes))
}

fn content_range(part: &str, file_bytes: u64) -> (HeaderName, HeaderValue) {
    let range = HeaderValue::try_from(format!("bytes {part}/{file_bytes}"));
    (CONTENT_RANGE, range.expect("numbers are a header value"))
}

fn reply<const N: usize>(
    status: StatusCode,
    tag: &str,
    more: [(HeaderName, HeaderValue); N],
    body: Body,
) -> Response {
    let mut response = (status, more, body).into_response();
    let headers = response.headers_mut();
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    let tag = HeaderValue::try_from(tag);
    headers.insert(ETAG, tag.expect("numbers are a header value"));
    if status != StatusCode::RANGE_NOT_SATISFIABLE {
        headers.insert(CACHE_CONTROL, KEEPING);
    }
    response
}
