//! Puts the parts together. The only place that knows all of them.
//!
//! `connect` opens what the use cases need; `build` adds the listeners; [`Server::run`] serves until shutdown.
//! Tests call the same functions with a listener on port 0.

mod authority;
mod code_senders;
mod documents;
pub(crate) mod environment;
pub(crate) mod open_files;
mod operator_files;
mod pictures;

mod trade;

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use anyhow::Context as _;
use app::blocks::Blocks;
use app::disk::{Disk, DiskLimits};
use app::feed::Feeds;
use app::flash_sales::{ClaimRates, Engine, FlashSales, SaleRules, SqlLedger};
use app::notes::Notes;
use app::notices::Notices;
use app::outbox::OutboxWakeup;
use app::retention::RetentionRules;
use app::shops::Shops;
use app::visits::VisitCounter;
use app::warm_up::WarmUpLimits;
use app::{AccountRules, App, AppParts, PasswordRules, Rules, WriteLimits};
use cache::CacheHub;
use domain::{CodeShape, SiteZone};
use flash::{DrainOptions, FlashOptions, IdKind, Transport};
use kv::{CodeLimits, Kv, SessionCache, SessionLifetimes};
use link::{Link, Options, Target, Tls};
use lock::Locks;
use metrics_exporter_prometheus::PrometheusHandle;
use storage::{Db, DbOptions, SqlTls};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::http::{self, HttpState};
use crate::metrics_page;
use crate::secret::SecretUrl;
use crate::settings::{self, Settings};
use crate::workers::{WorkerDied, Workers};
use authority::read_authority;
pub(crate) use code_senders::code_sender;
pub use documents::Documents;
pub use operator_files::OperatorFiles;

/// How often a quiet connection to Redis must show a sign of life. Short, because a session that was revoked while
/// the connection was silently dead stays good on this process until that is noticed.
const REDIS_HEARTBEAT: Duration = Duration::from_millis(500);

/// The sockets by which requests come in.
#[derive(Debug)]
pub struct Listeners {
    pub site: TcpListener,
    /// For pages of the original.
    pub original: Option<TcpListener>,
}

/// Which part of the work a process does.
#[derive(Debug)]
pub enum ProcessRole {
    All(Listeners),
    /// Serves requests; workers run in other processes.
    Web(Listeners),
    /// Runs the workers.
    Worker,
}

/// A server with its listeners, ready to run.
#[derive(Debug)]
pub struct Server {
    role: ProcessRole,
    settings: Settings,
    files: OperatorFiles,
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
    let caches = CacheHub::new(link.clone(), &settings.redis.prefix);
    let shops = Shops::new(&caches, &db);
    let notes = Notes::new(&caches, &db);
    let blocks = Blocks::new(&caches, &db);
    let outbox = OutboxWakeup::default();
    let flash_sales = flash_sales(settings, redis_url, &link, &locks, &db, &outbox).await?;
    let orders = trade::orders(settings, &link, &locks, &flash_sales);
    let kv = Kv::new(link, &settings.redis.prefix);
    let payments = trade::payments(settings, &kv)?;
    let capacity_bytes = settings.session.memory_mib.saturating_mul(1024 * 1024);
    let sessions = SessionCache::new(kv.clone(), rules.session_lifetimes.clone(), capacity_bytes);
    let sender = code_sender(settings)?;
    Ok(App::new(AppParts {
        db,
        kv,
        sessions,
        sender,
        locks,
        shops,
        notes,
        blocks,
        flash_sales,
        orders,
        payments,
        notices: Notices::new(settings.notice.max_listeners),
        feeds: Feeds::new(settings.feed.push_limit),
        pictures: pictures::pictures(settings)?,
        disk: disk(settings),
        outbox,
        retention: retention(&settings.retention),
        rules,
    }))
}

/// Claims depend on the data folder only if Redis or SQL keeps its files there.
fn disk(settings: &Settings) -> Disk {
    const MIB: u64 = 1024 * 1024;
    let keeps_orders = settings.redis.url.is_none() || settings.database.url.is_none();
    let refuse_below = settings.disk.refuse_free_mib * MIB;
    Disk::new(DiskLimits {
        folder: settings.data_dir.clone(),
        warn_below_bytes: settings.disk.warn_free_mib * MIB,
        refuse_below_bytes: if keeps_orders { refuse_below } else { 0 },
    })
}

/// Waiting for copies holds up a connection, so then sales have one of their own.
async fn flash_sales(
    settings: &Settings,
    redis_url: &SecretUrl,
    link: &Link,
    locks: &Locks,
    db: &Db,
    outbox: &OutboxWakeup,
) -> anyhow::Result<FlashSales> {
    let flash = &settings.flash;
    let link = match flash.replicas {
        0 => link.clone(),
        _ => connect_redis(settings, redis_url).await?,
    };
    let ledger = SqlLedger::new(db.clone(), settings.order.pay_within(), outbox.clone());
    let engine = Engine::new(link, locks.clone(), ledger, flash_options(settings)?);
    Ok(FlashSales::new(engine, sale_rules(flash)))
}

fn flash_options(settings: &Settings) -> anyhow::Result<FlashOptions> {
    let flash = &settings.flash;
    Ok(FlashOptions {
        // The names of the original, which the data of running sites has.
        prefix: format!("{}seckill:", settings.redis.prefix),
        id_prefix: Some(format!("{}icr:", settings.redis.prefix)),
        partitions: flash.partitions,
        queue_bound: flash.queue,
        backlog_limit: flash.backlog_limit,
        replicas: flash.replicas,
        order_ids: match flash.ids {
            settings::OrderIds::Counter => IdKind::Counted,
            settings::OrderIds::Snowflake => IdKind::Snowflake,
        },
        transport: transport(settings)?,
        drain: DrainOptions {
            batch_limit: flash.drain_batch,
            parallel: flash.drain_parallel,
            orders_per_sec: NonZeroU32::new(flash.drain_orders_per_sec),
        },
        ..FlashOptions::default()
    })
}

/// Queues and topics are the site's own, as keys in Redis are.
fn transport(settings: &Settings) -> anyhow::Result<Transport> {
    let flash = &settings.flash;
    Ok(match flash.transport {
        settings::Transport::Stream => Transport::Stream,
        #[cfg(feature = "rabbitmq")]
        settings::Transport::RabbitMq => {
            let url = flash.rabbitmq.url.as_ref();
            let url = url.context("flash.rabbitmq.url is not set")?;
            Transport::RabbitMq(flash::RabbitMqOptions {
                url: url.expose().into(),
                prefix: format!("{}tandian.", settings.redis.prefix),
                authority: read_authority(&flash.rabbitmq.ca_file, "flash.rabbitmq.ca_file")?,
            })
        }
        #[cfg(not(feature = "rabbitmq"))]
        settings::Transport::RabbitMq => anyhow::bail!("rabbitmq is not part of this build"),
        #[cfg(feature = "kafka")]
        settings::Transport::Kafka => Transport::Kafka(flash::KafkaOptions {
            brokers: flash.kafka.brokers.join(","),
            // Topics know no colons.
            prefix: format!("{}tandian.", settings.redis.prefix.replace(':', "_")),
            settings: kafka_security(&flash.kafka)?,
        }),
        #[cfg(not(feature = "kafka"))]
        settings::Transport::Kafka => anyhow::bail!("kafka is not part of this build"),
    })
}

/// In the words of librdkafka.
#[cfg(feature = "kafka")]
fn kafka_security(kafka: &settings::Kafka) -> anyhow::Result<Vec<(String, secrecy::SecretString)>> {
    use secrecy::ExposeSecret as _;

    let mechanism = match kafka.sasl {
        settings::KafkaSasl::None => None,
        settings::KafkaSasl::Plain => Some("PLAIN"),
        settings::KafkaSasl::ScramSha256 => Some("SCRAM-SHA-256"),
        settings::KafkaSasl::ScramSha512 => Some("SCRAM-SHA-512"),
    };
    let protocol = match (kafka.tls, mechanism) {
        (false, None) => return Ok(Vec::new()),
        (true, None) => "ssl",
        (false, Some(_)) => "sasl_plaintext",
        (true, Some(_)) => "sasl_ssl",
    };
    let mut chosen = vec![("security.protocol", protocol.to_owned())];
    if let Some(pem) = read_authority(&kafka.ca_file, "flash.kafka.ca_file")? {
        chosen.push(("ssl.ca.pem", pem));
    }
    if let Some(mechanism) = mechanism {
        let user = kafka.user.clone().context("flash.kafka.user is not set")?;
        let password = kafka.password.as_ref();
        let password = password.context("flash.kafka.password is not set")?;
        chosen.extend([
            ("sasl.mechanisms", mechanism.to_owned()),
            ("sasl.username", user),
            ("sasl.password", password.expose_secret().to_owned()),
        ]);
    }
    let owned = |(name, value): (&str, String)| (name.to_owned(), value.into());
    Ok(chosen.into_iter().map(owned).collect())
}

fn sale_rules(flash: &settings::Flash) -> SaleRules {
    let limit = |per_minute: u32| (per_minute > 0).then_some(per_minute);
    let secret = flash
        .claim_token_secret
        .as_ref()
        .filter(|_| flash.claim_token);
    SaleRules {
        rates: ClaimRates {
            per_user: limit(flash.claims_per_user_per_minute),
            per_address: limit(flash.claims_per_address_per_minute),
        },
        token_secret: secret.cloned(),
        usual_spread: flash.spread,
        reconcile_every: Duration::from_secs(flash.reconcile_secs),
        max_watchers: flash.max_watchers,
    }
}

fn retention(kept: &settings::Retention) -> RetentionRules {
    RetentionRules {
        every: Duration::from_secs(kept.every_secs),
        batch: kept.batch,
        notices_days: kept.notices_days,
        visits_days: kept.visits_days,
        audit_days: kept.audit_days,
        check_ins_days: kept.check_ins_days,
        dead_orders_days: kept.dead_orders_days,
        id_marks_days: kept.id_marks_days,
        orders_days: kept.orders_days,
    }
}

/// Every TLS client of the process uses this implementation. A second call changes nothing.
fn install_tls() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

pub async fn connect_sql(settings: &Settings) -> anyhow::Result<Db> {
    install_tls();
    read_authority(&settings.database.ca_file, "database.ca_file")?;
    let url = settings.database_url();
    let read_urls = settings.database.read_urls.iter();
    let options = DbOptions {
        read_urls: read_urls.map(|url| url.expose().to_owned()).collect(),
        tls: match settings.database.tls {
            settings::DatabaseTls::Auto => SqlTls::Auto,
            settings::DatabaseTls::Off => SqlTls::Off,
            settings::DatabaseTls::Required => SqlTls::Required,
            settings::DatabaseTls::VerifyCa => SqlTls::VerifyCa,
            settings::DatabaseTls::VerifyFull => SqlTls::VerifyFull,
        },
        ca_file: settings.database.ca_file.clone(),
        max_connections: settings.database.max_connections,
        acquire_timeout: Duration::from_millis(settings.database.acquire_timeout_ms),
        query_timeout: Duration::from_millis(settings.database.query_timeout_ms),
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

pub(crate) fn redis_tls(settings: &Settings) -> anyhow::Result<Tls> {
    let roots = read_authority(&settings.redis.ca_file, "redis.ca_file")?;
    Ok(Tls {
        roots: roots.map(String::into_bytes),
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
            per_day_kept: code.per_day_kept,
            per_day_per_address: code.per_day_per_address,
            max_tries: code.max_tries,
            lock: Duration::from_secs(code.lock_secs),
        },
        codes_per_address_per_hour: code.per_address_per_hour,
        codes_total_per_minute: code.total_per_minute,
        logins_per_address_per_hour: code.logins_per_address_per_hour,
        passwords: PasswordRules {
            are_allowed: settings.password.enabled,
            per_address_per_hour: settings.password.per_address_per_hour,
            max_parallel: settings.password.max_parallel,
        },
        account: AccountRules {
            deletion_grace: Duration::from_secs(settings.account.deletion_grace_days * 24 * 3600),
            deletion_settle: Duration::from_secs(settings.account.deletion_settle_secs),
            recent_sign_in: Duration::from_secs(settings.account.recent_sign_in_secs),
            exports_per_day: settings.account.exports_per_user_per_day,
            recycled_after: (settings.account.recycled_after_days > 0)
                .then(|| Duration::from_secs(settings.account.recycled_after_days * 24 * 3600)),
        },
        session_lifetimes: SessionLifetimes {
            idle: Duration::from_secs(session.idle_secs),
            absolute: Duration::from_secs(session.absolute_secs),
            max_per_user: session.max_per_user,
        },
        outbox_max_attempts: settings.outbox.max_attempts,
        write_limits: write_limits(&settings.limits),
    })
}

fn write_limits(limits: &settings::Limits) -> WriteLimits {
    WriteLimits {
        comments: limits.comments_per_user_per_hour,
        likes: limits.likes_per_user_per_hour,
        follows: limits.follows_per_user_per_hour,
        favourites: limits.favourites_per_user_per_hour,
        notes: limits.notes_per_user_per_hour,
        purchases: limits.purchases_per_user_per_hour,
        named_requests: limits.named_requests_per_user_per_hour,
    }
}

/// Takes the metrics listener only when there is something to show on it. The tables must be there by now.
pub async fn build(
    settings: Settings,
    app: App,
    role: ProcessRole,
    metrics: Option<(TcpListener, PrometheusHandle)>,
) -> anyhow::Result<Server> {
    let files = OperatorFiles::read(&role, &settings)?;
    environment::enter(&settings, &app).await?;
    let settled = app.flash_sales().engine().check_partitions().await;
    settled.context("flash sales cannot begin (check TANDIAN_FLASH__PARTITIONS)")?;
    Ok(Server {
        role,
        settings,
        files,
        app,
        metrics,
    })
}

impl ProcessRole {
    /// Where the site is served, if it is.
    pub fn address(&self) -> io::Result<Option<SocketAddr>> {
        match self {
            Self::All(listeners) | Self::Web(listeners) => listeners.site.local_addr().map(Some),
            Self::Worker => Ok(None),
        }
    }

    /// Where pages of the original are answered, if they are.
    pub fn original_address(&self) -> io::Result<Option<SocketAddr>> {
        match self {
            Self::All(listeners) | Self::Web(listeners) => {
                let original = listeners.original.as_ref();
                original.map(TcpListener::local_addr).transpose()
            }
            Self::Worker => Ok(None),
        }
    }
}

impl Server {
    /// Serves until `shutdown` fires, every request in flight is answered and every write that was begun is done. A worker that dies stops the server.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), WorkerDied> {
        let Self {
            role,
            settings,
            files,
            app,
            metrics,
        } = self;
        let limits = serve_limits(&settings.http);
        let db = app.db().clone();
        let metrics_page = metrics.map(|(listener, handle)| {
            let router = metrics_page::router(handle);
            let in_flight = TaskTracker::new();
            let served = http::serve(listener, router, in_flight, shutdown.clone(), limits);
            supervise::spawn_once("metrics page", served)
        });
        let (visits, intake) = app::visits::counter();
        let mut workers = Workers::start(&app, &role, intake);
        let sessions = app.sessions().clone();
        let serve = answer(role, app, settings, files, visits, shutdown.clone());
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
        if let Err(error) = sessions.write_uses().await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "last uses of sessions not written"
            );
        }
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

/// Serves requests until shutdown, on both listeners within the same limits; without a listener it only waits.
async fn answer(
    role: ProcessRole,
    app: App,
    settings: Settings,
    files: OperatorFiles,
    visits: VisitCounter,
    shutdown: CancellationToken,
) {
    let Listeners { site, original } = match role {
        ProcessRole::All(listeners) | ProcessRole::Web(listeners) => listeners,
        ProcessRole::Worker => return shutdown.cancelled().await,
    };
    app.sessions().start_prefetch();
    let limits = serve_limits(&settings.http);
    let in_flight = TaskTracker::new();
    let state = HttpState::new(
        app,
        settings,
        files,
        shutdown.clone(),
        in_flight.clone(),
        visits,
    );
    let for_original = async {
        if let Some(listener) = original {
            let router = http::original_router(&state);
            let (in_flight, shutdown) = (in_flight.clone(), shutdown.clone());
            http::serve(listener, router, in_flight, shutdown, limits.clone()).await;
        }
    };
    let limits_of_warm_up = WarmUpLimits {
        shops: state.settings().cache.warm_up_shops,
        time: Duration::from_millis(state.settings().cache.warm_up_ms),
    };
    let warm_up = async {
        let warm_up = app::warm_up::run(state.app(), limits_of_warm_up);
        shutdown.run_until_cancelled(warm_up).await;
        state.note_warm();
    };
    let router = http::router(state.clone());
    let for_site = http::serve(
        site,
        router,
        in_flight.clone(),
        shutdown.clone(),
        limits.clone(),
    );
    tokio::join!(for_site, for_original, warm_up);
}

fn serve_limits(http: &settings::Http) -> http::ServeLimits {
    let connections = http::ConnectionLimits {
        most: open_files::within(http.max_connections),
        most_per_address: http.max_connections_per_address,
        exempt: http.trusted_proxies.clone(),
    };
    http::ServeLimits::new(
        http.keep_alive(),
        http.minimum_pace(),
        http.shutdown_grace(),
        connections,
    )
}
