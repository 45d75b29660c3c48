//! What handlers see: the use cases, the settings, the limits of the process, and the dialect of their listener.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use app::App;
use app::visits::VisitCounter;
use axum::http::HeaderValue;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::admission::Admission;
use super::dialect::Dialect;
use super::failure::Failure;
use super::health::Readiness;
use super::lab::{LabCrowds, LabReports};
use super::per_address::{AddressPermit, PerAddressLimit};
use super::rendered::RenderedShops;
use super::rendered_notes::RenderedNotes;
use super::request_middleware::content_security_policy;
use super::web::WebPages;
use crate::settings::Settings;
use crate::startup::{Documents, OperatorFiles};
use crate::tiles_file::TilesFile;

/// How soon a client may retry whose address has reached the limit of open streams.
const STREAM_RETRY_AFTER: Duration = Duration::from_secs(10);

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct HttpState {
    parts: Arc<Parts>,
    dialect: Dialect,
}

#[derive(Debug)]
struct Parts {
    app: App,
    settings: Settings,
    files: OperatorFiles,
    is_https: bool,
    content_security_policy: HeaderValue,
    admission: Admission,
    /// By dialect.
    rendered_shops: [RenderedShops; 2],
    /// By dialect.
    rendered_notes: [RenderedNotes; 2],
    web_pages: WebPages,
    lab_reports: LabReports,
    lab_crowds: LabCrowds,
    readiness: Readiness,
    streams: PerAddressLimit,
    shutdown: CancellationToken,
    visits: VisitCounter,
}

impl HttpState {
    /// `in_flight` tracks the work that must finish before the process ends.
    pub fn new(
        app: App,
        settings: Settings,
        files: OperatorFiles,
        shutdown: CancellationToken,
        in_flight: TaskTracker,
        visits: VisitCounter,
    ) -> Self {
        let http = &settings.http;
        let parts = Parts {
            app,
            is_https: settings.public_url().starts_with("https://"),
            content_security_policy: content_security_policy(&settings.pictures.outside_hosts),
            admission: Admission::new(
                http.max_in_flight,
                http.request_timeout(),
                http.minimum_pace(),
                in_flight,
            ),
            rendered_shops: [RenderedShops::new(), RenderedShops::new()],
            rendered_notes: [RenderedNotes::new(), RenderedNotes::new()],
            web_pages: WebPages::new(),
            lab_reports: LabReports::default(),
            lab_crowds: LabCrowds::default(),
            readiness: Readiness::default(),
            streams: PerAddressLimit::new(http.max_streams_per_address),
            settings,
            files,
            shutdown,
            visits,
        };
        Self {
            parts: Arc::new(parts),
            dialect: Dialect::Site,
        }
    }

    /// The same for another listener: everything but the dialect is shared.
    pub(super) fn speaking(&self, dialect: Dialect) -> Self {
        let parts = Arc::clone(&self.parts);
        Self { parts, dialect }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub fn app(&self) -> &App {
        &self.parts.app
    }

    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    /// The operator's own privacy notice and terms.
    pub(super) fn documents(&self) -> &Documents {
        &self.parts.files.documents
    }

    pub(super) fn admission(&self) -> &Admission {
        &self.parts.admission
    }

    /// The warm-up of the process has ended.
    pub fn note_warm(&self) {
        self.readiness().note_warm();
    }

    pub(super) fn readiness(&self) -> &Readiness {
        &self.parts.readiness
    }

    /// A permit for an open stream of this address. A proxy that does not forward client addresses has no limit: all
    /// clients would share it.
    pub(super) fn open_stream(&self, address: IpAddr) -> Result<Option<AddressPermit>, Failure> {
        if self.settings().http.trusts(address) {
            return Ok(None);
        }
        let permit = self.parts.streams.acquire(address);
        permit
            .map(Some)
            .ok_or_else(|| Failure::too_many(STREAM_RETRY_AFTER))
    }

    pub(super) fn visits(&self) -> &VisitCounter {
        &self.parts.visits
    }

    pub(super) fn rendered_notes(&self) -> &RenderedNotes {
        self.of_dialect(&self.parts.rendered_notes)
    }

    pub(super) fn rendered_shops(&self) -> &RenderedShops {
        self.of_dialect(&self.parts.rendered_shops)
    }

    fn of_dialect<'a, T>(&self, [site, original]: &'a [T; 2]) -> &'a T {
        match self.dialect {
            Dialect::Site => site,
            Dialect::Original => original,
        }
    }

    pub(super) fn web_pages(&self) -> &WebPages {
        &self.parts.web_pages
    }

    pub(super) fn lab_reports(&self) -> &LabReports {
        &self.parts.lab_reports
    }

    pub(super) fn lab_crowds(&self) -> &LabCrowds {
        &self.parts.lab_crowds
    }

    /// The file that the map draws streets from, if there is one.
    pub(super) fn map_tiles(&self) -> Option<&TilesFile> {
        self.parts.files.map_tiles.as_ref()
    }

    /// Whether people reach the site over TLS, which a proxy in front of us ends.
    pub(super) fn is_https(&self) -> bool {
        self.parts.is_https
    }

    pub(super) fn content_security_policy(&self) -> &HeaderValue {
        &self.parts.content_security_policy
    }

    /// Fires when shutdown begins.
    pub(super) fn shutdown(&self) -> &CancellationToken {
        &self.parts.shutdown
    }

    /// Whether shutdown has begun.
    pub(super) fn is_shutting_down(&self) -> bool {
        self.parts.shutdown.is_cancelled()
    }
}
