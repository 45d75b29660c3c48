//! What handlers see: the use cases, the settings, and the limits that belong to this listener.

use std::sync::Arc;

use app::App;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::settings::Settings;

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
    in_flight: Arc<Semaphore>,
}

/// A place among the requests in flight, given back on drop. Probes have one outside the count: an overloaded
/// process is alive all the same.
#[derive(Debug)]
pub(super) struct Place {
    _permit: Option<OwnedSemaphorePermit>,
}

impl HttpState {
    pub fn new(app: App, settings: Settings) -> Self {
        let in_flight = Arc::new(Semaphore::new(settings.http.max_in_flight));
        let is_https = settings.public_url().starts_with("https://");
        let parts = Parts {
            is_https,
            app,
            settings,
            in_flight,
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

    /// `None` when the house is full.
    pub(super) fn take_place(&self, is_probe: bool) -> Option<Place> {
        if is_probe {
            return Some(Place { _permit: None });
        }
        let permit = self.parts.in_flight.clone().try_acquire_owned().ok()?;
        Some(Place {
            _permit: Some(permit),
        })
    }

    /// Whether people reach the site over TLS, which a proxy in front of us ends.
    pub(super) fn is_https(&self) -> bool {
        self.parts.is_https
    }
}
