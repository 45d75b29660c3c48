//! `/imgs/…`: pictures from the data folder, and from the bucket where there is one. Nothing in them may run, whatever a
//! browser makes of them.
//!
//! `?size=small` selects the small size; a picture without one is served in full.
//!
//! An uploaded picture is looked up before it is served: what belongs to a hidden note is shown to its owner
//! and to admins alone. So it may not be kept for long by caches that others share, and browsers ask again after an hour.

mod stand_ins;

use std::io::{self, ErrorKind};
use std::path::{Component, Path};

use app::pictures::{self, PictureAccess, Size, StoredFile};
use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts as _, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Response as HttpResponse, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use domain::{Role, UserId};
use tower_http::services::ServeDir;
use tower_http::services::fs::ServeFileSystemResponseBody;

use super::extract::MaybeSigned;
use super::failure::{Code, Failure};
use super::revalidation::is_known;
use super::state::HttpState;

/// What was never uploaded is part of the site, and a name never gets another content.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// What was uploaded may be hidden: shared caches show it for a minute longer, the browsers that have seen it for an hour.
const FOR_A_WHILE: HeaderValue =
    HeaderValue::from_static("public, max-age=3600, s-maxage=60, must-revalidate");

/// No browser may cache a hidden picture.
const NOT_KEPT: HeaderValue = HeaderValue::from_static("private, no-store");

const NOTHING_RUNS: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

/// Both sizes are JPEG.
const JPEG: HeaderValue = HeaderValue::from_static("image/jpeg");

const SMALL: &str = "size=small";

/// The suffix of a small file, and of a full one.
const SMALL_END: &str = "_s.jpg";
const FULL_END: &str = ".jpg";

#[derive(Clone, Debug)]
struct PictureFiles {
    state: HttpState,
    files: ServeDir,
}

/// An uploaded picture, and the sizes that the client accepts.
struct RequestedUpload {
    address: String,
    sizes: &'static [Size],
}

pub(super) fn routes(state: &HttpState) -> Router<HttpState> {
    let folder = state.settings().picture_folder();
    let files = PictureFiles {
        state: state.clone(),
        files: ServeDir::new(folder).append_index_html_on_directories(false),
    };
    Router::new().fallback(move |request| async move { files.answer(request).await })
}

impl PictureFiles {
    async fn answer(mut self, request: Request) -> Response {
        let (mut parts, _) = request.into_parts();
        let is_read = matches!(parts.method, Method::GET | Method::HEAD);
        let response = match RequestedUpload::read(&parts.uri).filter(|_| is_read) {
            Some(requested) => self.show_upload(&mut parts, &requested).await,
            None => self.find_of_site(&parts).await,
        };
        match response.status() {
            StatusCode::NOT_FOUND if is_read => stand_ins::find(&parts).unwrap_or(response),
            _ => response,
        }
    }

    /// A picture that was not uploaded, or a file of another kind.
    async fn find_of_site(&mut self, parts: &Parts) -> Response {
        if let Some(small) = small_of_site(&parts.uri) {
            let found = find(&mut self.files, request_for(parts, &small), IMMUTABLE).await;
            if found.status() != StatusCode::NOT_FOUND {
                return found;
            }
        }
        find(&mut self.files, request_for(parts, &parts.uri), IMMUTABLE).await
    }

    async fn show_upload(&mut self, parts: &mut Parts, requested: &RequestedUpload) -> Response {
        let keeping = match self.keeping(parts, &requested.address).await {
            Ok(Some(keeping)) => keeping,
            Ok(None) => return Failure::new(Code::NoSuchRoute).into_response(),
            Err(failure) => return failure.into_response(),
        };
        let tag = requested.tag();
        if is_known(&parts.headers, &tag) {
            return unchanged(&tag, keeping);
        }
        let mut response = self.find_upload(parts, requested, keeping).await;
        if response.status().is_success()
            && let Ok(tag) = HeaderValue::from_str(&tag)
        {
            response.headers_mut().insert(ETAG, tag);
        }
        response
    }

    /// How long the picture may be kept, or nothing if it is not for this reader.
    async fn keeping(
        &self,
        parts: &mut Parts,
        address: &str,
    ) -> Result<Option<HeaderValue>, Failure> {
        Ok(match pictures::access(self.state.app(), address).await? {
            PictureAccess::Anybody => Some(FOR_A_WHILE),
            PictureAccess::Owner(owner) if self.may_see(parts, owner).await => Some(NOT_KEPT),
            PictureAccess::Owner(_) | PictureAccess::Nobody => None,
        })
    }

    async fn may_see(&self, parts: &mut Parts, owner: UserId) -> bool {
        let Ok(MaybeSigned(reader)) = MaybeSigned::from_request_parts(parts, &self.state).await;
        reader.is_some_and(|reader| {
            reader.profile.user_id == owner || reader.profile.role == Role::Admin
        })
    }

    async fn find_upload(
        &mut self,
        parts: &Parts,
        requested: &RequestedUpload,
        keeping: HeaderValue,
    ) -> Response {
        if self.state.app().pictures().file_store().is_bucket() {
            match self
                .find_in_bucket(&requested.address, requested.sizes)
                .await
            {
                Ok(Some(found)) => return shown(found, keeping),
                Ok(None) => {}
                Err(failure) => return failure.into_response(),
            }
        }
        self.find_in_folder(parts, requested, keeping).await
    }

    async fn find_in_bucket(
        &self,
        address: &str,
        sizes: &[Size],
    ) -> Result<Option<StoredFile>, Failure> {
        for size in sizes {
            if let Some(found) = pictures::find(self.state.app(), address, *size).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    async fn find_in_folder(
        &mut self,
        parts: &Parts,
        requested: &RequestedUpload,
        keeping: HeaderValue,
    ) -> Response {
        for size in requested.sizes {
            let path = pictures::path_of(&requested.address, *size);
            let Some(uri) = path.and_then(|path| path.parse().ok()) else {
                continue;
            };
            let request = request_for(parts, &uri);
            let answer = find(&mut self.files, request, keeping.clone()).await;
            if answer.status() != StatusCode::NOT_FOUND {
                return answer;
            }
        }
        Failure::new(Code::NoSuchRoute).into_response()
    }
}

impl RequestedUpload {
    /// As the folder would understand the path: however it is written, it is the same file.
    fn read(uri: &Uri) -> Option<Self> {
        let path = plain_path(uri.path())?;
        if pictures::path_of(&path, Size::Full).is_some() {
            let sizes: &[Size] = match wants_small(uri) {
                true => &[Size::Small, Size::Full],
                false => &[Size::Full],
            };
            return Some(Self {
                address: path,
                sizes,
            });
        }
        let address = format!("{}{FULL_END}", path.strip_suffix(SMALL_END)?);
        pictures::path_of(&address, Size::Full)?;
        let sizes = &[Size::Small];
        Some(Self { address, sizes })
    }

    /// A picture never changes under its name, so the name identifies its content.
    fn tag(&self) -> String {
        let size = match self.sizes.contains(&Size::Small) {
            true => "small",
            false => "full",
        };
        format!("\"{}-{size}\"", self.address)
    }
}

/// The path with nothing encoded in it, no empty parts and no dots. Nothing if it leads upwards or is no text.
fn plain_path(path: &str) -> Option<String> {
    let decoded = decoded(path)?;
    let mut plain = String::with_capacity(decoded.len());
    for part in Path::new(decoded.trim_start_matches('/')).components() {
        match part {
            Component::Normal(part) => {
                plain.push('/');
                plain.push_str(part.to_str()?);
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::ParentDir => return None,
        }
    }
    Some(plain)
}

fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [byte, tail @ ..] = rest {
        let value = match (byte, tail) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        bytes.push(value.map_or(*byte, |(high, low)| high << 4 | low));
        rest = if value.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

/// The same request for a file of the folder.
fn request_for(parts: &Parts, uri: &Uri) -> Request {
    let mut request = Request::from_parts(parts.clone(), Body::empty());
    *request.uri_mut() = uri.clone();
    request
}

fn unchanged(tag: &str, keeping: HeaderValue) -> Response {
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    if let Ok(tag) = HeaderValue::from_str(tag) {
        response.headers_mut().insert(ETAG, tag);
    }
    guard(&mut response, keeping);
    response
}

/// The address of the small size, where that is wanted of a picture that was not uploaded.
fn small_of_site(uri: &Uri) -> Option<Uri> {
    let stem = uri.path().strip_suffix(FULL_END)?;
    let small = wants_small(uri).then(|| format!("{stem}{SMALL_END}"))?;
    small.parse().ok()
}

fn wants_small(uri: &Uri) -> bool {
    let query = uri.query().unwrap_or_default();
    query.split('&').any(|pair| pair == SMALL)
}

fn shown(found: StoredFile, keeping: HeaderValue) -> Response {
    let length = HeaderValue::from(found.length_bytes);
    let mut response = Body::from_stream(found.content).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, JPEG);
    headers.insert(CONTENT_LENGTH, length);
    guard(&mut response, keeping);
    response
}

/// A file that cannot be read for a moment is an error of ours and not an answer to be kept for a year.
async fn find(files: &mut ServeDir, request: Request, keeping: HeaderValue) -> Response {
    match files.try_call(request).await {
        Ok(response) => finish(response, keeping),
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

fn finish(response: HttpResponse<ServeFileSystemResponseBody>, keeping: HeaderValue) -> Response {
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
    guard(&mut response, keeping);
    response
}

fn guard(response: &mut Response, keeping: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, keeping);
    headers.insert(CONTENT_SECURITY_POLICY, NOTHING_RUNS);
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

    fn requested(path: &str) -> Option<(String, bool)> {
        let requested = RequestedUpload::read(&path.parse().unwrap())?;
        let is_small = requested.sizes.contains(&Size::Small);
        Some((requested.address, is_small))
    }

    /// The folder takes all of these for one file, so a look-up by one name must not be passed by with another.
    #[test]
    fn an_uploaded_picture_is_known_however_its_path_is_written() {
        let address = format!("/blogs/3/9/{ID}.jpg");
        for path in [
            address.clone(),
            format!("//blogs/3/9/{ID}.jpg"),
            format!("/./blogs/3//9/./{ID}.jpg"),
            format!("/%62logs/3/9/{ID}%2ejpg"),
            format!("/blogs%2F3%2f9/{ID}.jpg"),
        ] {
            assert_eq!(requested(&path), Some((address.clone(), false)), "{path}");
        }
        for path in [
            format!("/blogs/3/9/{ID}_s.jpg"),
            format!("/blogs/3/9/{ID}%5fs.jpg"),
            format!("/blogs/3/9/{ID}.jpg?size=small"),
        ] {
            assert_eq!(requested(&path), Some((address.clone(), true)), "{path}");
        }
        for path in [
            "/",
            "/icon.png",
            "/blogs/a.webp",
            "/%ff",
            "/../blogs/3/9/x.jpg",
        ] {
            assert_eq!(requested(path), None, "{path}");
        }
    }
}
