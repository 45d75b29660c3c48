//! `/api/lab`: the lab's report on the versions of the flash sale.
//!
//! The report that came with the release is part of the binary. Whoever runs the lab beside the site (`make lab`) has a
//! newer one in the data folder, which is shown instead; one that cannot be read is as good as none.
//!
//! A report is read and written as replies once, and again when the file is another one; browsers ask whether theirs is
//! still the present one. The recorded schedules are most of a report, so the page loads those of a version when a reader
//! opens it.

pub(super) mod crowd;
mod view;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use axum::RequestExt as _;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use serde::Serialize;

use super::envelope::{Envelope, Reply};
use super::extract::PathParam;
use super::failure::{Code, Failure};
use super::revalidation;
use super::routes::IN_TABLE;
use super::state::HttpState;
pub(super) use crowd::LabCrowds;
use view::{LabView, RecordedReport, RecordingsView};

/// The report of the release.
const RELEASED: &str = include_str!("../../../lab/report.json");

/// Where the lab writes its own, in the data folder.
const OWN: &str = "lab/report.json";

/// Several times what a lab writes; whatever is larger is no report.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The cached replies. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct LabReports {
    kept: Arc<Mutex<Option<Arc<CachedReplies>>>>,
}

/// What is sent of one report.
#[derive(Debug)]
struct CachedReplies {
    /// The file it was made from; none for the report of the release.
    stamp: Option<FileStamp>,
    report: CachedReply,
    /// By the id of a version.
    recordings: HashMap<String, CachedReply>,
}

#[derive(Clone, Debug)]
struct CachedReply {
    etag: String,
    body: Bytes,
}

/// A report as it was read from a file.
struct ReadReport {
    view: LabView,
    recordings: Vec<RecordingsView>,
}

/// Identifies a version of the file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileStamp {
    modified: SystemTime,
    bytes: u64,
}

/// The road of the flash sale: every version, what attacks found, and its code.
#[utoipa::path(
    get, path = IN_TABLE, tag = "site",
    responses((status = 200, body = Envelope<LabView>)),
)]
pub(super) async fn get_lab(State(state): State<HttpState>, request: Request) -> Response {
    let replies = state
        .lab_reports()
        .replies(&state.settings().data_dir)
        .await;
    send(request, replies.report.clone()).await
}

/// The recorded schedules of a version: every step, what each process saw, what Redis and SQL hold after it.
#[utoipa::path(
    get, path = IN_TABLE, tag = "site",
    params(("id" = String, Path, description = "The id of a version of the report.")),
    responses((status = 200, body = Envelope<RecordingsView>)),
)]
pub(super) async fn get_recordings(
    State(state): State<HttpState>,
    PathParam(id): PathParam<String>,
    request: Request,
) -> Result<Response, Failure> {
    let replies = state
        .lab_reports()
        .replies(&state.settings().data_dir)
        .await;
    let Some(reply) = replies.recordings.get(&id).cloned() else {
        read_off(request).await;
        return Err(Failure::new(Code::LabVersionUnknown));
    };
    Ok(send(request, reply).await)
}

/// Sends the reply, or that the client has it.
async fn send(request: Request, CachedReply { etag, body }: CachedReply) -> Response {
    let is_known = revalidation::is_known(request.headers(), &etag);
    read_off(request).await;
    let shared = [(ETAG, etag), (CACHE_CONTROL, "no-cache".to_owned())];
    if is_known {
        return (StatusCode::NOT_MODIFIED, shared).into_response();
    }
    (shared, [(CONTENT_TYPE, "application/json")], body).into_response()
}

/// Reads a body that the route does not need. The kernel resets a connection with unread bytes, and this reply, which is
/// large and ready at once, would be lost with it.
async fn read_off(request: Request) {
    let mut sent = request.with_limited_body().into_body().into_data_stream();
    while let Some(Ok(_)) = sent.next().await {}
}

impl LabReports {
    /// The replies of the present report, made anew only if the file is another one than last time.
    async fn replies(&self, data_dir: &Path) -> Arc<CachedReplies> {
        let path = data_dir.join(OWN);
        let stamp = FileStamp::of(&path).await;
        if let Some(kept) = self.kept(stamp) {
            return kept;
        }
        let own = match stamp {
            Some(_) => read(&path).await,
            None => None,
        };
        let kept = Arc::new(CachedReplies::of(stamp, own.unwrap_or_else(released)));
        let mut present = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        *present = Some(kept.clone());
        kept
    }

    fn kept(&self, stamp: Option<FileStamp>) -> Option<Arc<CachedReplies>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone().filter(|kept| kept.stamp == stamp)
    }
}

impl CachedReplies {
    fn of(stamp: Option<FileStamp>, report: ReadReport) -> Self {
        let recordings = report.recordings.into_iter();
        Self {
            stamp,
            report: CachedReply::of(report.view),
            recordings: recordings
                .map(|recording| (recording.id.clone(), CachedReply::of(recording)))
                .collect(),
        }
    }
}

impl CachedReply {
    fn of(content: impl Serialize) -> Self {
        let body = Reply::new(content).into_bytes();
        let mut hasher = DefaultHasher::new();
        body.hash(&mut hasher);
        // A weak one: it means the report, however it is compressed.
        let etag = format!("W/\"{:016x}\"", hasher.finish());
        Self { etag, body }
    }
}

impl FileStamp {
    /// None if there is no file that could be a report.
    async fn of(path: &Path) -> Option<Self> {
        let file = tokio::fs::metadata(path).await.ok()?;
        let bytes = file.len();
        let modified = file.modified().ok()?;
        (bytes <= MAX_BYTES).then_some(Self { modified, bytes })
    }
}

impl ReadReport {
    /// A schedule that did no harm is part of the recordings alone: the page shows it when a reader plays it.
    fn parse(text: &[u8]) -> serde_json::Result<Self> {
        let mut view: LabView = serde_json::from_slice(text)?;
        let recorded: RecordedReport = serde_json::from_slice(text)?;
        let findings = view.versions.iter_mut().flat_map(|it| &mut it.findings);
        for finding in findings.filter(|it| it.verdict.is_right()) {
            finding.moments.clear();
        }
        Ok(Self {
            view,
            recordings: recorded.into_recordings(),
        })
    }
}

async fn read(path: &Path) -> Option<ReadReport> {
    let text = tokio::fs::read(path).await.ok()?;
    let read = ReadReport::parse(&text);
    read.inspect_err(|error| tracing::warn!(%error, "the lab's report cannot be read"))
        .ok()
}

fn released() -> ReadReport {
    ReadReport::parse(RELEASED.as_bytes()).expect("the report of the release is read by a test")
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn with_own(text: &str) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("lab")).unwrap();
        std::fs::write(folder.path().join(OWN), text).unwrap();
        folder
    }

    fn text_of(made_at: &str) -> String {
        let mut report = released().view;
        report.made_at = made_at.to_owned();
        serde_json::to_string(&report).unwrap()
    }

    #[test]
    fn the_report_of_the_release_can_be_read() {
        let report = released().view;
        assert!(!report.versions.is_empty());
        assert!(report.experiments.iter().all(|it| !it.ways.is_empty()));
        let mut codes = report.versions.iter().map(|version| &version.code);
        assert!(codes.all(|code| !code.is_empty()));
    }

    #[tokio::test]
    async fn a_report_that_cannot_be_read_is_as_good_as_none() {
        let released = CachedReply::of(released().view).etag;
        let none = tempfile::tempdir().unwrap();
        let broken = with_own("{");
        let huge = with_own(&" ".repeat(usize::try_from(MAX_BYTES).unwrap() + 1));
        for folder in [none, broken, huge] {
            let reports = LabReports::default();
            let replies = reports.replies(folder.path()).await;
            assert_eq!(replies.report.etag, released);
        }
    }

    #[tokio::test]
    async fn a_report_is_read_once_until_the_file_is_another_one() {
        let folder = with_own(&text_of("one"));
        let reports = LabReports::default();
        let first = reports.replies(folder.path()).await;
        let again = reports.replies(folder.path()).await;
        // The same bytes in memory, not only equal ones.
        assert_eq!(first.report.body.as_ptr(), again.report.body.as_ptr());

        std::fs::write(folder.path().join(OWN), text_of("another")).unwrap();
        let other = reports.replies(folder.path()).await;
        assert_ne!(first.report.etag, other.report.etag);
        assert!(String::from_utf8_lossy(&other.report.body).contains("\"another\""));
    }
}
