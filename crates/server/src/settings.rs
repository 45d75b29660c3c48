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
#[cfg(test)]
mod tests;

use std::net::SocketAddr;
use std::num::{NonZeroU16, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use figment::Figment;
use serde::{Deserialize, Deserializer};

use crate::http::MinimumPace;
use crate::secret::{Secret, SecretUrl};
pub use exposure::{Exposure, Verdict};
use layers::Layers;
pub use network::{Network, NotANetwork};
use problem::Problem;
pub use problem::{Problems, SettingsError};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub env: Environment,
    pub data_dir: PathBuf,
    pub site: Site,
    pub http: Http,
    pub metrics: Metrics,
    pub log: Log,
    pub disk: Disk,
    pub database: Database,
    pub redis: Redis,
    pub session: Session,
    pub code: Code,
    pub flash: Flash,
    pub order: Order,
    pub payment: Payment,
    pub notice: Notice,
    pub outbox: Outbox,
    pub feed: Feed,
    pub pictures: Pictures,
    pub retention: Retention,
    pub limits: Limits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Environment {
    Development,
    Production,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    pub name: String,
    pub time_zone: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Http {
    pub addr: SocketAddr,
    #[serde(deserialize_with = "empty_is_none")]
    pub public_url: Option<String>,
    pub trusted_proxies: Vec<Network>,
    pub body_limit_bytes: usize,
    pub request_timeout_secs: u64,
    pub max_in_flight: usize,
    pub max_connections: usize,
    pub max_connections_per_address: usize,
    pub max_streams_per_address: usize,
    pub min_bytes_per_sec: u64,
    pub stall_secs: u64,
    pub keep_alive_secs: u64,
    pub shutdown_grace_secs: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    #[serde(deserialize_with = "empty_is_none")]
    pub addr: Option<SocketAddr>,
    pub allow_public: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    pub format: LogFormat,
    pub filter: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Auto,
    Human,
    Json,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disk {
    pub warn_free_mib: u64,
    pub refuse_free_mib: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    #[serde(deserialize_with = "empty_is_none")]
    pub url: Option<SecretUrl>,
    pub read_urls: Vec<SecretUrl>,
    pub tls: DatabaseTls,
    #[serde(deserialize_with = "empty_is_none")]
    pub ca_file: Option<PathBuf>,
    pub allow_plaintext: bool,
    pub max_connections: u32,
    pub acquire_timeout_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DatabaseTls {
    /// As the URL says; by the authority, if there is one; else if the server offers it.
    Auto,
    Off,
    /// Encrypted, without checking the certificate.
    Required,
    /// Encrypted, with a certificate that the authority signed.
    VerifyCa,
    /// Encrypted to whom the URL names.
    VerifyFull,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Redis {
    #[serde(deserialize_with = "empty_is_none")]
    pub url: Option<SecretUrl>,
    pub prefix: String,
    pub connect_timeout_ms: u64,
    pub response_timeout_ms: u64,
    #[serde(deserialize_with = "empty_is_none")]
    pub ca_file: Option<PathBuf>,
    pub allow_plaintext: bool,
    pub allow_no_password: bool,
    pub server: String,
    pub appendfsync: AppendFsync,
    pub max_memory_mib: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AppendFsync {
    Always,
    Everysec,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    pub idle_secs: u64,
    pub absolute_secs: u64,
    pub l1_ms: u64,
    pub max_per_user: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Code {
    pub sender: CodeSender,
    pub allow_public_demo: bool,
    pub length: usize,
    pub letters: bool,
    pub ttl_secs: u64,
    pub resend_secs: u64,
    pub per_day: u32,
    pub per_day_kept: u32,
    pub per_day_per_address: u32,
    pub max_tries: u32,
    pub lock_secs: u64,
    pub per_address_per_hour: u32,
    pub logins_per_address_per_hour: u32,
    pub total_per_minute: u32,
    pub smtp: Smtp,
    pub webhook: Webhook,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CodeSender {
    Demo,
    Smtp,
    Webhook,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Smtp {
    #[serde(deserialize_with = "empty_is_none")]
    pub url: Option<SecretUrl>,
    #[serde(deserialize_with = "empty_is_none")]
    pub from: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    #[serde(deserialize_with = "empty_is_none")]
    pub url: Option<SecretUrl>,
    #[serde(deserialize_with = "empty_is_none")]
    pub secret: Option<Secret>,
    pub timeout_ms: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flash {
    pub transport: Transport,
    pub partitions: NonZeroU16,
    pub spread: NonZeroU16,
    pub ids: OrderIds,
    pub queue: usize,
    pub backlog_limit: u64,
    pub drain_batch: NonZeroUsize,
    pub drain_parallel: NonZeroUsize,
    /// 0 sets no limit.
    pub drain_orders_per_sec: u32,
    pub replicas: u32,
    pub claims_per_user_per_minute: u32,
    pub claims_per_address_per_minute: u32,
    pub claim_token: bool,
    #[serde(deserialize_with = "empty_is_none")]
    pub claim_token_secret: Option<Secret>,
    pub reconcile_secs: u64,
    pub max_watchers: usize,
    pub rabbitmq: RabbitMq,
    pub kafka: Kafka,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    Stream,
    RabbitMq,
    Kafka,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderIds {
    Counter,
    Snowflake,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RabbitMq {
    #[serde(deserialize_with = "empty_is_none")]
    pub url: Option<SecretUrl>,
    #[serde(deserialize_with = "empty_is_none")]
    pub ca_file: Option<PathBuf>,
    pub allow_plaintext: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kafka {
    pub brokers: Vec<String>,
    pub tls: bool,
    #[serde(deserialize_with = "empty_is_none")]
    pub ca_file: Option<PathBuf>,
    pub sasl: KafkaSasl,
    #[serde(deserialize_with = "empty_is_none")]
    pub user: Option<String>,
    #[serde(deserialize_with = "empty_is_none")]
    pub password: Option<Secret>,
    pub allow_plaintext: bool,
}

/// How to log in to Kafka.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KafkaSasl {
    None,
    Plain,
    #[serde(rename = "scram-sha-256")]
    ScramSha256,
    #[serde(rename = "scram-sha-512")]
    ScramSha512,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    pub pay_deadline_secs: u64,
    pub remind_secs: u64,
    pub max_unpaid_per_user: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payment {
    pub provider: PaymentProvider,
    pub cashier: bool,
    pub ask_after_secs: u64,
    pub alipay: Alipay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaymentProvider {
    Sandbox,
    Alipay,
    None,
}

/// Keys and certificates are files: they are long, and do not belong into an environment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alipay {
    pub gateway: String,
    #[serde(deserialize_with = "empty_is_none")]
    pub app_id: Option<String>,
    #[serde(deserialize_with = "empty_is_none")]
    pub seller_id: Option<String>,
    #[serde(deserialize_with = "empty_is_none")]
    pub app_private_key_file: Option<PathBuf>,
    #[serde(deserialize_with = "empty_is_none")]
    pub alipay_public_key_file: Option<PathBuf>,
    #[serde(deserialize_with = "empty_is_none")]
    pub app_cert_file: Option<PathBuf>,
    #[serde(deserialize_with = "empty_is_none")]
    pub alipay_cert_file: Option<PathBuf>,
    #[serde(deserialize_with = "empty_is_none")]
    pub alipay_root_cert_file: Option<PathBuf>,
    pub timeout_ms: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notice {
    pub max_listeners: usize,
}

/// How long what is kept; see `docs/guide/retention.md`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    pub every_secs: u64,
    pub batch: u32,
    pub notices_days: u32,
    pub visits_days: u32,
    pub audit_days: u32,
    pub check_ins_days: u32,
    pub dead_orders_days: u32,
    pub id_marks_days: u32,
    pub orders_days: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outbox {
    pub max_attempts: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feed {
    pub push_limit: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pictures {
    pub store: PictureStore,
    pub max_per_user: u64,
    pub uploads_per_user_per_hour: u32,
    pub max_in_hand: usize,
    pub max_in_hand_per_user: usize,
    pub s3: S3,
}

/// What one person may do in an hour.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    pub comments_per_user_per_hour: u32,
    pub likes_per_user_per_hour: u32,
    pub follows_per_user_per_hour: u32,
    pub notes_per_user_per_hour: u32,
    pub purchases_per_user_per_hour: u32,
    pub named_requests_per_user_per_hour: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PictureStore {
    Folder,
    S3,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct S3 {
    #[serde(deserialize_with = "empty_is_none")]
    pub endpoint: Option<String>,
    pub region: String,
    #[serde(deserialize_with = "empty_is_none")]
    pub bucket: Option<String>,
    #[serde(deserialize_with = "empty_is_none")]
    pub access_key: Option<String>,
    #[serde(deserialize_with = "empty_is_none")]
    pub secret_key: Option<Secret>,
    pub allow_plaintext: bool,
}

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
        let refused = exposures.filter(|exposure| exposure.verdict == Verdict::Refused);
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
            let value = self.merged.find_value(key.path).ok();
            let is_secret = value.is_some_and(|value| key.kind.is_secret(&value));
            is_secret && print::origin(key.path, &self.merged) == file
        };
        schema::KEYS.iter().find(is_there).map(|key| key.path)
    }

    /// A TOML file with each value's origin in a comment, and no secrets.
    pub fn print(&self) -> String {
        print::print(&self.merged)
    }
}

/// In TOML there is no null: an empty text stands for "not set".
fn empty_is_none<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: serde::de::DeserializeOwned,
{
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    let text = serde::de::value::StringDeserializer::new(text);
    T::deserialize(text).map(Some)
}
