//! What handlers see: the use cases, the settings, and the limits that belong to this listener.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use app::App;
use app::visits::VisitCounter;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::admission::Admission;
use super::failure::Failure;
use super::health::Readiness;
use super::lab::LabReports;
use super::per_address::{AddressPlace, PerAddress};
use super::rendered::RenderedShops;
use crate::settings::Settings;

/// How soon somebody may try again whose address has as many streams open as it may.
const STREAM_RETRY_AFTER: Duration = Duration::from_secs(10);

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct HttpState {
    parts: Arc<Parts>,
}

#[derive(Debug)]
struct Parts {
    app: App,
    settings: Settings,
    is_https: bool,
    admission: Admission,
    rendered_shops: RenderedShops,
    lab_reports: LabReports,
    readiness: Readiness,
    streams: PerAddress,
    shutdown: CancellationToken,
    visits: VisitCounter,
}

impl HttpState {
    /// `in_hand` counts the work that must be finished before the process ends.
    pub fn new(
        app: App,
        settings: Settings,
        shutdown: CancellationToken,
        in_hand: TaskTracker,
        visits: VisitCounter,
    ) -> Self {
        let http = &settings.http;
        let parts = Parts {
            app,
            is_https: settings.public_url().starts_with("https://"),
            admission: Admission::new(
                http.max_in_flight,
                http.request_timeout(),
                http.minimum_pace(),
                in_hand,
            ),
            rendered_shops: RenderedShops::new(),
            lab_reports: LabReports::default(),
            readiness: Readiness::default(),
            streams: PerAddress::new(http.max_streams_per_address),
            settings,
            shutdown,
            visits,
        };
        Self {
            parts: Arc::new(parts),
        }
    }

    pub fn app(&self) -> &App {
        &self.parts.app
    }

    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    pub(super) fn admission(&self) -> &Admission {
        &self.parts.admission
    }

    pub(super) fn readiness(&self) -> &Readiness {
        &self.parts.readiness
    }

    /// A place for an open stream of this address, for as long as it is kept. A proxy that does not say for whom it asks
    /// has no limit: everybody would share it.
    pub(super) fn open_stream(&self, address: IpAddr) -> Result<Option<AddressPlace>, Failure> {
        if self.settings().http.trusts(address) {
            return Ok(None);
        }
        let place = self.parts.streams.take(address);
        place
            .map(Some)
            .ok_or_else(|| Failure::too_many(STREAM_RETRY_AFTER))
    }

    pub(super) fn visits(&self) -> &VisitCounter {
        &self.parts.visits
    }

    pub(super) fn rendered_shops(&self) -> &RenderedShops {
        &self.parts.rendered_shops
    }

    pub(super) fn lab_reports(&self) -> &LabReports {
        &self.parts.lab_reports
    }

    /// Whether people reach the site over TLS, which a proxy in front of us ends.
    pub(super) fn is_https(&self) -> bool {
        self.parts.is_https
    }

    /// Fires when this process is told to stop.
    pub(super) fn shutdown(&self) -> &CancellationToken {
        &self.parts.shutdown
    }

    /// Whether this process has been told to stop and only finishes what is in hand.
    pub(super) fn is_leaving(&self) -> bool {
        self.parts.shutdown.is_cancelled()
    }
}
