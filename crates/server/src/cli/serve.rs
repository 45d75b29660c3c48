//! `tandian serve`: opens everything in an order that fails early, serves until a signal, and closes in reverse order.
//!
//! The ports come first: a second server on the same port must not start a Redis. The private Redis stops last, because
//! requests in flight still need it.

use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use metrics_exporter_prometheus::PrometheusHandle;
use storage::Db;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

#[cfg(feature = "demo")]
use super::demo_start;
use super::site::migrate_or_refuse;
use crate::data_directory_access::DataDirectoryAccess;
use crate::settings::Settings;
use crate::startup::{Listeners, ProcessRole};
use crate::{http, metrics_page, startup, telemetry};

#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    /// Fill an empty site with demo data and print how to try it
    #[cfg(feature = "demo")]
    #[arg(long)]
    demo: bool,
    /// What this process does, when several share the work
    #[arg(long, value_enum, default_value_t = RoleArg::All)]
    role: RoleArg,
}

impl ServeArgs {
    fn is_demo(&self) -> bool {
        #[cfg(feature = "demo")]
        let is_demo = self.demo;
        #[cfg(not(feature = "demo"))]
        let is_demo = false;
        is_demo
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RoleArg {
    /// Everything
    All,
    /// Answer requests
    Web,
    /// Bring orders to SQL and do the other work beside the requests
    Worker,
}

pub(super) async fn run(settings: Settings, args: ServeArgs) -> anyhow::Result<ExitCode> {
    if args.is_demo() && settings.is_production() {
        bail!("--demo is refused in production: everybody knows the demo accounts");
    }
    if args.role != RoleArg::All && settings.redis.url.is_none() {
        bail!("--role is for processes that share one Redis: set TANDIAN_REDIS__URL");
    }
    let shutdown = CancellationToken::new();
    stop_on_signals(shutdown.clone())?;
    let role = bind_role(args.role, &settings)?;
    // Looked at once more when the server is built; a demo takes minutes until then.
    startup::OperatorFiles::read(&role, &settings)?;
    let metrics = match settings.metrics.addr {
        Some(addr) => Some(listen_for_metrics(addr)?),
        None => None,
    };
    let directory = DataDirectoryAccess::for_server(&settings).await?;
    let served = serve(&settings, &args, &directory, role, metrics, shutdown).await;
    directory.close().await;
    served.map(|()| ExitCode::SUCCESS)
}

async fn serve(
    settings: &Settings,
    args: &ServeArgs,
    directory: &DataDirectoryAccess,
    role: ProcessRole,
    metrics: Option<(TcpListener, PrometheusHandle)>,
    shutdown: CancellationToken,
) -> anyhow::Result<()> {
    let app = startup::connect(settings, &directory.redis_url()).await?;
    migrate(app.db(), args).await?;
    #[cfg(feature = "demo")]
    if args.demo {
        tokio::select! {
            prepared = demo_start::prepare(&app, directory) => prepared?,
            // The next start goes on where this one stopped.
            () = shutdown.cancelled() => return Ok(app.db().close().await?),
        }
        demo_start::renew_sales(&app, &shutdown);
    }
    let (address, original) = (role.address()?, role.original_address()?);
    let server = startup::build(settings.clone(), app.clone(), role, metrics).await?;
    match address {
        Some(address) => {
            #[cfg(feature = "demo")]
            if args.demo {
                demo_start::print_welcome(settings, &app, address).await?;
            }
            tracing::info!(%address, url = settings.public_url(), "serving");
            if let Some(address) = original {
                tracing::info!(%address, "serving pages of the original");
            }
        }
        None => tracing::info!("worker started"),
    }
    drop(app);
    // It holds all settings, which are too much for the stack of every caller.
    Box::pin(server.run(shutdown)).await?;
    tracing::info!("server stopped");
    Ok(())
}

fn bind_role(role: RoleArg, settings: &Settings) -> anyhow::Result<ProcessRole> {
    Ok(match role {
        RoleArg::All => ProcessRole::All(listen_for_requests(settings)?),
        RoleArg::Web => ProcessRole::Web(listen_for_requests(settings)?),
        RoleArg::Worker => ProcessRole::Worker,
    })
}

fn listen_for_requests(settings: &Settings) -> anyhow::Result<Listeners> {
    let original = settings.compat.addr;
    Ok(Listeners {
        site: listen(settings.http.addr, "TANDIAN_HTTP__ADDR")?,
        original: original
            .map(|addr| listen(addr, "TANDIAN_COMPAT__ADDR"))
            .transpose()?,
    })
}

fn listen(addr: SocketAddr, setting: &str) -> anyhow::Result<TcpListener> {
    http::listen(addr).with_context(|| {
        format!("cannot listen on {addr} (stop the program that does, or set {setting})")
    })
}

fn listen_for_metrics(addr: SocketAddr) -> anyhow::Result<(TcpListener, PrometheusHandle)> {
    let listener = listen(addr, "TANDIAN_METRICS__ADDR")?;
    let handle = metrics_page::install_recorder().context("cannot count")?;
    Ok((listener, handle))
}

async fn migrate(db: &Db, args: &ServeArgs) -> anyhow::Result<()> {
    if !args.is_demo() {
        return migrate_or_refuse(db).await;
    }
    if db.holds_original_rows().await? {
        bail!(
            "the database holds rows of hm-dianping: run `tandian adopt`, which asks before it changes anything, \
             then `tandian serve` (or name an empty database in TANDIAN_DATABASE__URL for the demo)"
        );
    }
    db.migrate().await?;
    Ok(())
}

/// The first signal shuts down gracefully, the second exits at once: the kernel then signals the private Redis.
fn stop_on_signals(shutdown: CancellationToken) -> anyhow::Result<()> {
    let listen_to = |kind| signal(kind).context("cannot listen to signals");
    let mut interrupt = listen_to(SignalKind::interrupt())?;
    let mut terminate = listen_to(SignalKind::terminate())?;
    let mut hang_up = listen_to(SignalKind::hangup())?;
    supervise::spawn_once("signals", async move {
        any(&mut interrupt, &mut terminate, &mut hang_up).await;
        tracing::info!("server stopping: finishing the requests in flight");
        shutdown.cancel();
        any(&mut interrupt, &mut terminate, &mut hang_up).await;
        tracing::warn!("second signal: server exits at once");
        telemetry::flush();
        std::process::exit(1);
    });
    Ok(())
}

async fn any(interrupt: &mut Signal, terminate: &mut Signal, hang_up: &mut Signal) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
    }
}
