//! A whole server in this process: real HTTP on port 0, its own database, its own corner of a real Redis.
//!
//! The same functions start it that start the product; only the listener and the settings differ. Dropping a
//! [`TestApp`] stops it.

mod client;
mod tandian;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use server::secret::SecretUrl;
use server::settings::Settings;
use server::startup::{self, Listeners, ProcessRole};
use server::workers::WorkerDied;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

pub use self::client::{Client, HttpReply};
pub use self::tandian::Tandian;
use crate::{Database, MariaDb, Redis, RedisCluster, unique_prefix, wait_until};

/// A busy test machine is slow, not broken; tests of outages set their own limits.
pub const PATIENT_SETTINGS: [(&str, &str); 3] = [
    ("TANDIAN_REDIS__RESPONSE_TIMEOUT_MS", "10000"),
    ("TANDIAN_DATABASE__ACQUIRE_TIMEOUT_MS", "10000"),
    ("TANDIAN_DATABASE__QUERY_TIMEOUT_MS", "10000"),
];

#[derive(Debug)]
pub struct TestApp {
    address: SocketAddr,
    original_address: SocketAddr,
    core: app::App,
    services: TestServices,
    task: JoinHandle<Result<(), WorkerDied>>,
    shutdown: DropGuard,
}

/// Where a server keeps its data, so that a second one can share it.
#[derive(Clone, Debug)]
struct TestServices {
    folder: Arc<TempDir>,
    sql_url: String,
    _database: Option<Arc<Database>>,
    redis_url: String,
    prefix: String,
}

/// Chooses services and settings for a [`TestApp`].
#[derive(Debug, Default)]
pub struct TestAppBuilder {
    settings: Vec<(String, String)>,
    on_mariadb: bool,
    without_workers: bool,
    sql_url: Option<String>,
    redis_url: Option<String>,
    beside: Option<TestServices>,
}

/// Long enough for a connection of its own on a busy machine.
const LISTENING_LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

impl TestApp {
    /// On SQLite and the shared Redis, with the default settings.
    pub async fn spawn() -> Self {
        Self::builder().spawn().await
    }

    pub fn builder() -> TestAppBuilder {
        TestAppBuilder::default()
    }

    /// Another server on the same SQL and the same Redis.
    pub fn beside(&self) -> TestAppBuilder {
        TestAppBuilder {
            beside: Some(self.services.clone()),
            ..TestAppBuilder::default()
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where pages of the original are answered.
    pub fn original_url(&self) -> String {
        format!("http://{}", self.original_address)
    }

    pub fn original_address(&self) -> SocketAddr {
        self.original_address
    }

    /// The use cases behind the HTTP, for building data and for looking at results.
    pub fn core(&self) -> &app::App {
        &self.core
    }

    /// What every Redis key of this server begins with.
    pub fn prefix(&self) -> &str {
        &self.services.prefix
    }

    /// Where its SQL is, for tests that look past the use cases.
    pub fn sql_url(&self) -> &str {
        &self.services.sql_url
    }

    pub fn data_dir(&self) -> &std::path::Path {
        self.services.folder.path()
    }

    /// A client without a session.
    pub fn visitor(&self) -> Client {
        Client::new(self.url())
    }

    /// Signs the holder of `phone` in through the front door.
    pub async fn sign_in(&self, phone: &str) -> Client {
        let visitor = self.visitor();
        let to = serde_json::json!({ "phone": phone });
        let sent = visitor.post_json("/api/user/code", &to).await;
        let code = sent.data()["demoCode"].as_str().map(str::to_owned);
        let code = code.unwrap_or_else(|| panic!("no demo code in {sent:?}"));
        let body = serde_json::json!({ "phone": phone, "code": code });
        let answer = visitor.post_json("/api/user/login", &body).await;
        let token = answer.data().as_str().map(str::to_owned);
        visitor.with_token(token.unwrap_or_else(|| panic!("no token in {answer:?}")))
    }

    /// Waits until sessions are served from memory, as they are in a server that has been up for a moment.
    pub async fn wait_until_listening(&self) {
        let sessions = self.core.sessions();
        wait_until("sessions are listened for", LISTENING_LIMIT, || async {
            sessions.is_subscribed()
        })
        .await;
    }

    /// Ends it as Ctrl-C does, and waits for the end.
    pub async fn stop(self) {
        drop(self.shutdown);
        let ended = self.task.await.expect("the server ended well");
        ended.expect("no worker died");
    }
}

impl TestAppBuilder {
    /// Sets one setting by its name in the file, such as `code.max_tries`.
    pub fn setting(mut self, name: &str, value: impl ToString) -> Self {
        let variable = format!("TANDIAN_{}", name.to_uppercase().replace('.', "__"));
        self.settings.push((variable, value.to_string()));
        self
    }

    /// Only answers requests, for tests that count what those cost: locks of background jobs cost commands too.
    pub fn without_workers(mut self) -> Self {
        self.without_workers = true;
        self
    }

    pub fn on_mariadb(mut self) -> Self {
        self.on_mariadb = true;
        self
    }

    /// On a database of the caller's, for instance behind a fault proxy.
    pub fn sql_url(mut self, url: impl Into<String>) -> Self {
        self.sql_url = Some(url.into());
        self
    }

    pub fn redis_url(mut self, url: impl Into<String>) -> Self {
        self.redis_url = Some(url.into());
        self
    }

    pub fn on_cluster(self, cluster: &RedisCluster) -> Self {
        self.redis_url(cluster.url())
    }

    pub async fn spawn(mut self) -> TestApp {
        let services = self.choose_places().await;
        let without_workers = self.without_workers;
        let settings = self.load_settings(&services);
        let core = startup::connect(&settings, &SecretUrl::new(&*services.redis_url))
            .await
            .expect("the services of a test answer");
        core.db().migrate().await.expect("a new database migrates");
        let (site, address) = listen().await;
        let (original, original_address) = listen().await;
        let listeners = Listeners {
            site,
            original: Some(original),
        };
        let shutdown = CancellationToken::new();
        let role = match without_workers {
            true => ProcessRole::Web(listeners),
            false => ProcessRole::All(listeners),
        };
        let server = startup::build(settings, core.clone(), role, None)
            .await
            .expect("a new site can begin");
        TestApp {
            address,
            original_address,
            core,
            services,
            task: tokio::spawn(server.run(shutdown.clone())),
            shutdown: shutdown.drop_guard(),
        }
    }

    async fn choose_places(&mut self) -> TestServices {
        if let Some(mut services) = self.beside.take() {
            // Another way to the same data is still beside it.
            services.redis_url = self.redis_url.take().unwrap_or(services.redis_url);
            services.sql_url = self.sql_url.take().unwrap_or(services.sql_url);
            return services;
        }
        let folder = tempfile::tempdir().expect("a folder for a test can be made");
        let database = match self.on_mariadb {
            true => Some(MariaDb::shared().await.create_database().await),
            false => None,
        };
        let sql_url = match (&self.sql_url, &database) {
            (Some(url), _) => url.clone(),
            (None, Some(database)) => database.url().to_owned(),
            (None, None) => format!("sqlite://{}/tandian.db", folder.path().display()),
        };
        let redis_url = match &self.redis_url {
            Some(url) => url.clone(),
            None => Redis::shared().await.url(),
        };
        TestServices {
            folder: Arc::new(folder),
            sql_url,
            _database: database.map(Arc::new),
            redis_url,
            prefix: unique_prefix(),
        }
    }

    #[track_caller]
    fn load_settings(self, services: &TestServices) -> Settings {
        let own = [
            (
                "TANDIAN_DATA_DIR",
                services.folder.path().display().to_string(),
            ),
            ("TANDIAN_DATABASE__URL", services.sql_url.clone()),
            ("TANDIAN_REDIS__URL", services.redis_url.clone()),
            ("TANDIAN_REDIS__PREFIX", services.prefix.clone()),
            // Tests write rows behind the back of the process, which would have read the tables at its start.
            ("TANDIAN_CACHE__WARM_UP_SHOPS", "0".to_owned()),
        ];
        let own = own.map(|(name, value)| (name.to_owned(), value));
        let patient = PATIENT_SETTINGS.map(|(name, value)| (name.to_owned(), value.to_owned()));
        // One person of a test does what a thousand do on a site.
        let kinds = [
            "COMMENTS",
            "LIKES",
            "FOLLOWS",
            "FAVOURITES",
            "NOTES",
            "PURCHASES",
            "NAMED_REQUESTS",
        ];
        let unlimited = kinds.map(|kind| {
            let name = format!("TANDIAN_LIMITS__{kind}_PER_USER_PER_HOUR");
            (name, "1000000".to_owned())
        });
        let own = patient.into_iter().chain(own).chain(unlimited);
        let env: BTreeMap<String, String> = own.chain(self.settings).collect();
        Settings::load(None, env.into_iter())
            .unwrap_or_else(|error| panic!("settings of a test: {error}"))
    }
}

async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
    let listener = listener.expect("there is a free port");
    let address = listener.local_addr();
    (listener, address.expect("a bound listener has an address"))
}
