//! Puts the parts together. The only place that knows all of them.
//!
//! `connect` opens what the use cases need; `build` adds the listeners; [`Server::run`] serves until it is told to stop.
//! Tests call the same functions with a listener on port 0.

use std::time::Duration;

use anyhow::Context as _;
use app::shops::Shops;
use app::{App, CodeSender, Rules, Smtp, Webhook};
use domain::{CodeShape, SiteZone};
use kv::{CodeLimits, Kv, SessionCache, SessionLifetimes};
use link::{Link, Options, Target, Tls};
use lock::Locks;
use metrics_exporter_prometheus::PrometheusHandle;
use storage::{Db, DbOptions};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::http::{self, HttpState};
use crate::metrics_page;
use crate::secret::SecretUrl;
use crate::settings::{self, Settings};
use crate::workers::{self, WorkerDied};

/// How often a quiet connection to Redis must show a sign of life. Short, because a session that was revoked while
/// the connection was silently dead stays good on this process until that is noticed.
const REDIS_HEARTBEAT: Duration = Duration::from_millis(500);

/// A server with its listeners, ready to run.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    settings: Settings,
    app: App,
    metrics: Option<(TcpListener, PrometheusHandle)>,
}

/// Opens SQL and Redis and checks that both answer.
pub async fn connect(settings: &Settings, redis_url: &SecretUrl) -> anyhow::Result<App> {
    install_tls();
    let db = connect_sql(settings).await?;
    let link = connect_redis(settings, redis_url).await?;
    let rules = rules(settings)?;
    let locks = Locks::with_options(
        link.clone(),
        lock::Options {
            prefix: format!("{}lock:", settings.redis.prefix),
            ..lock::Options::default()
        },
    );
    let shops = Shops::new(&link, &settings.redis.prefix, &db);
    let kv = Kv::new(link, &settings.redis.prefix);
    let kept = Duration::from_millis(settings.session.l1_ms);
    let sessions = SessionCache::new(kv.clone(), rules.session_lifetimes.clone(), kept);
    let sender = code_sender(&settings.code)?;
    Ok(App::new(db, kv, sessions, sender, locks, shops, rules))
}

/// Every TLS client of the process uses this implementation. Whoever comes second finds it there already.
fn install_tls() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

pub async fn connect_sql(settings: &Settings) -> anyhow::Result<Db> {
    let url = settings.database_url();
    let read_urls = settings.database.read_urls.iter();
    let options = DbOptions {
        read_urls: read_urls.map(|url| url.expose().to_owned()).collect(),
        max_connections: settings.database.max_connections,
        acquire_timeout: Duration::from_millis(settings.database.acquire_timeout_ms),
        ..DbOptions::new(url.expose())
    };
    let connected = Db::connect(&options).await;
    connected
        .with_context(|| format!("cannot open the database {url} (check TANDIAN_DATABASE__URL)"))
}

pub(crate) async fn connect_redis(settings: &Settings, url: &SecretUrl) -> anyhow::Result<Link> {
    let target = Target::parse(url.expose()).context("TANDIAN_REDIS__URL")?;
    let options = Options {
        connect_timeout: settings.redis.connect_timeout(),
        response_timeout: settings.redis.response_timeout(),
        heartbeat: REDIS_HEARTBEAT,
        tls: redis_tls(settings)?,
        ..Options::default()
    };
    let connected = Link::connect(&target, options).await;
    connected.with_context(|| format!("cannot reach Redis at {url} (check TANDIAN_REDIS__URL)"))
}

fn redis_tls(settings: &Settings) -> anyhow::Result<Tls> {
    let roots = match &settings.redis.ca_file {
        Some(file) => {
            let read = std::fs::read(file);
            Some(read.with_context(|| format!("cannot read redis.ca_file {}", file.display()))?)
        }
        None => None,
    };
    Ok(Tls {
        roots,
        ..Tls::default()
    })
}

fn rules(settings: &Settings) -> anyhow::Result<Rules> {
    let code = &settings.code;
    let session = &settings.session;
    Ok(Rules {
        site_name: settings.site.name.clone(),
        zone: SiteZone::named(&settings.site.time_zone)?,
        code_shape: CodeShape {
            length: code.length,
            letters: code.letters,
        },
        code_limits: CodeLimits {
            ttl: Duration::from_secs(code.ttl_secs),
            resend: Duration::from_secs(code.resend_secs),
            per_day: code.per_day,
            max_tries: code.max_tries,
            lock: Duration::from_secs(code.lock_secs),
        },
        codes_per_address_per_hour: code.per_address_per_hour,
        codes_total_per_minute: code.total_per_minute,
        logins_per_address_per_hour: code.logins_per_address_per_hour,
        session_lifetimes: SessionLifetimes {
            idle: Duration::from_secs(session.idle_secs),
            absolute: Duration::from_secs(session.absolute_secs),
            max_per_user: session.max_per_user,
        },
    })
}

fn code_sender(code: &settings::Code) -> anyhow::Result<CodeSender> {
    Ok(match code.sender {
        settings::CodeSender::Demo => CodeSender::Demo,
        settings::CodeSender::Smtp => {
            let url = code.smtp.url.as_ref().context("code.smtp.url is not set")?;
            let from = code
                .smtp
                .from
                .as_deref()
                .context("code.smtp.from is not set")?;
            CodeSender::Smtp(Smtp::new(url.expose(), from)?)
        }
        settings::CodeSender::Webhook => {
            let url = code
                .webhook
                .url
                .as_ref()
                .context("code.webhook.url is not set")?;
            let secret = code
                .webhook
                .secret
                .as_ref()
                .context("code.webhook.secret is not set")?;
            let timeout = Duration::from_millis(code.webhook.timeout_ms);
            let (url, secret) = (url.expose().to_owned(), secret.expose().to_owned());
            CodeSender::Webhook(Webhook::new(url, secret, timeout)?)
        }
    })
}

/// Takes the metrics listener only when there is something to show on it.
pub fn build(
    settings: Settings,
    app: App,
    listener: TcpListener,
    metrics: Option<(TcpListener, PrometheusHandle)>,
) -> Server {
    Server {
        listener,
        settings,
        app,
        metrics,
    }
}

impl Server {
    /// Serves until `shutdown` fires, every request in hand is answered and every write that was begun is done. A worker that dies ends all of it.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), WorkerDied> {
        let grace = self.settings.http.shutdown_grace();
        let db = self.app.db().clone();
        let metrics_page = self.metrics.map(|(listener, handle)| {
            let router = metrics_page::router(handle);
            let in_hand = TaskTracker::new();
            let served = http::serve(listener, router, in_hand, shutdown.clone(), grace);
            tokio::spawn(served)
        });
        let (visits, intake) = app::visits::counter();
        let mut workers = workers::start(&self.app, intake);
        let in_hand = TaskTracker::new();
        let state = HttpState::new(
            self.app,
            self.settings,
            shutdown.clone(),
            in_hand.clone(),
            visits,
        );
        let router = http::router(state);
        let serve = http::serve(self.listener, router, in_hand, shutdown.clone(), grace);
        tokio::pin!(serve);
        let ended = tokio::select! {
            () = &mut serve => Ok(()),
            died = workers.died() => {
                shutdown.cancel();
                serve.await;
                Err(died)
            }
        };
        workers.stop().await;
        if let Some(page) = metrics_page {
            // It ended by the same token; its outcome changes nothing.
            let _ = page.await;
        }
        if let Err(error) = db.close().await {
            tracing::warn!(%error, "the database did not close cleanly");
        }
        ended
    }
}
