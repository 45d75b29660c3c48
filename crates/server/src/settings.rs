//! Settings: embedded defaults, then a file, then the environment; checked as a whole before anything is opened.
//!
//! A `Settings` exists only when every value is in its range and the values fit each other, so nothing checks them again.

mod check;
mod exposure;
mod file_access;
mod layers;
mod network;
mod place;
mod print;
mod problem;
mod rules;
mod schema;
mod table;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use figment::Figment;

use crate::http::MinimumPace;
use crate::secret::SecretUrl;
pub use exposure::{Exposure, ExposureVerdict};
use layers::Layers;
pub use network::{Network, NotANetwork};
use problem::Problem;
pub use problem::{Problems, SettingsError};
pub use table::*;

impl Settings {
    /// `env` is the process environment in real life; tests pass their own.
    pub fn load(
        config: Option<&Path>,
        env: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, SettingsError> {
        Effective::load(config, env).map(|effective| effective.settings)
    }

    pub fn is_production(&self) -> bool {
        self.env == Environment::Production
    }

    /// The site's origin, without a trailing slash.
    pub fn public_url(&self) -> String {
        let plain = || format!("http://{}", self.http.addr);
        self.http.public_url.clone().unwrap_or_else(plain)
    }

    /// What `/imgs` shows.
    pub fn picture_folder(&self) -> PathBuf {
        self.data_dir.join("imgs")
    }

    pub fn database_url(&self) -> SecretUrl {
        let file = || SecretUrl::new(format!("sqlite://{}/tandian.db", self.data_dir.display()));
        self.database.url.clone().unwrap_or_else(file)
    }
}

impl Http {
    pub fn request_timeout(&self) -> Duration {
        Duration::from_secs(self.request_timeout_secs)
    }

    /// How fast clients must send bodies and read replies.
    pub fn minimum_pace(&self) -> MinimumPace {
        MinimumPace {
            window: Duration::from_secs(self.stall_secs),
            bytes_per_sec: self.min_bytes_per_sec,
        }
    }

    pub fn keep_alive(&self) -> Duration {
        Duration::from_secs(self.keep_alive_secs)
    }

    pub fn shutdown_grace(&self) -> Duration {
        Duration::from_secs(self.shutdown_grace_secs)
    }

    /// Whether `X-Forwarded-For` of this peer is believed.
    pub fn trusts(&self, peer: std::net::IpAddr) -> bool {
        self.trusted_proxies
            .iter()
            .any(|proxy| proxy.contains(peer))
    }
}

impl Database {
    /// The TLS mode of the connection to this URL.
    pub fn tls_of(&self, url: &str) -> DatabaseTls {
        if self.tls != DatabaseTls::Auto {
            return self.tls;
        }
        let named = place::parameter(url, "ssl-mode").or(place::parameter(url, "sslmode"));
        let named = named.map(str::to_ascii_uppercase);
        match named.as_deref() {
            Some("VERIFY_IDENTITY") => DatabaseTls::VerifyFull,
            Some("VERIFY_CA") => DatabaseTls::VerifyCa,
            Some("REQUIRED") => DatabaseTls::Required,
            Some("DISABLED") => DatabaseTls::Off,
            _ if self.ca_file.is_some() => DatabaseTls::VerifyFull,
            _ => DatabaseTls::Auto,
        }
    }
}

impl Redis {
    pub fn connect_timeout(&self) -> Duration {
        Duration::from_millis(self.connect_timeout_ms)
    }

    pub fn response_timeout(&self) -> Duration {
        Duration::from_millis(self.response_timeout_ms)
    }
}

impl Order {
    pub fn pay_within(&self) -> Duration {
        Duration::from_secs(self.pay_deadline_secs)
    }

    /// `None` if reminders are off.
    pub fn remind_before(&self) -> Option<Duration> {
        (self.remind_secs > 0).then(|| Duration::from_secs(self.remind_secs))
    }
}

/// Settings together with where each value came from.
#[derive(Debug)]
pub struct Effective {
    pub settings: Settings,
    merged: Figment,
    /// The file that was read, if there was one.
    file: Option<PathBuf>,
}

impl Effective {
    pub fn load(
        config: Option<&Path>,
        env: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, SettingsError> {
        let Layers {
            merged,
            file,
            problems,
        } = Layers::read(config, env)?;
        Problems::none_or(problems)?;
        let settings: Settings = merged
            .extract()
            .map_err(|error| SettingsError::Shape(Box::new(error)))?;
        let effective = Self {
            settings,
            merged,
            file,
        };
        Problems::none_or(effective.problems())?;
        Ok(effective)
    }

    fn problems(&self) -> Vec<Problem> {
        let mut complaints = check::complaints(&self.settings);
        let exposures = self.exposures().into_iter();
        let refused = exposures.filter(|exposure| exposure.verdict == ExposureVerdict::Refused);
        complaints.extend(refused.map(|exposure| {
            (
                exposure.key,
                format!("{}: {}", exposure.what, exposure.remedy),
            )
        }));
        let problem = |(key, complaint)| {
            let origin = print::origin(key, &self.merged);
            Problem::in_file(key, &origin, complaint)
        };
        complaints.into_iter().map(problem).collect()
    }

    /// What others could see or use, accepted or not. Whoever holds an `Effective` has none that is refused.
    pub fn exposures(&self) -> Vec<Exposure> {
        if !self.settings.is_production() {
            return exposure::of_development(&self.settings);
        }
        let mut found = exposure::of_production(&self.settings);
        let secret = self.file.as_deref().zip(self.first_secret_in_file());
        found.extend(secret.and_then(|(file, key)| exposure::of_settings_file(file, key)));
        found
    }

    fn first_secret_in_file(&self) -> Option<&'static str> {
        let file = self.file.as_ref()?.display().to_string();
        let is_there = |key: &&schema::Key| {
            let value = self.merged.find_value(&key.path).ok();
            let is_secret = value.is_some_and(|value| key.kind.is_secret(&value));
            is_secret && print::origin(&key.path, &self.merged) == file
        };
        let key = schema::KEYS.iter().find(is_there)?;
        Some(&key.path)
    }

    /// A TOML file with each value's origin in a comment, and no secrets.
    pub fn print(&self) -> String {
        print::print(&self.merged)
    }
}
