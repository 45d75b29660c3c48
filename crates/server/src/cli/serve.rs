//! `tandian serve`: opens everything in an order that fails early, serves until a signal, and closes in reverse order.
//!
//! The ports come first: a second server on the same port must not start a Redis. The private Redis stops last, because
//! requests in flight still need it.

use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use app::App;
use app::seed::{self, DemoPlan, Progress, SeedError};
use clap::ValueEnum;
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusHandle;
use storage::Db;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::print::print;
use super::progress::ProgressLine;
use super::site::migrate_or_refuse;
use crate::data_directory_access::DataDirectoryAccess;
use crate::settings::Settings;
use crate::startup::ProcessRole;
use crate::{http, metrics_page, startup, telemetry};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Fill an empty site with demo data and say how to try it
    #[arg(long)]
    demo: bool,
    /// What this process does, when several share the work
    #[arg(long, value_enum, default_value_t = RoleArg::All)]
    role: RoleArg,
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

pub(super) async fn run(settings: Settings, args: Args) -> anyhow::Result<ExitCode> {
    if args.demo && settings.is_production() {
        bail!("--demo is refused in production: everybody knows the demo accounts");
    }
    if args.role != RoleArg::All && settings.redis.url.is_none() {
        bail!("--role is for processes that share one Redis: set TANDIAN_REDIS__URL");
    }
    let shutdown = CancellationToken::new();
    stop_on_signals(shutdown.clone())?;
    let role = bind_role(args.role, settings.http.addr)?;
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
    args: &Args,
    directory: &DataDirectoryAccess,
    role: ProcessRole,
    metrics: Option<(TcpListener, PrometheusHandle)>,
    shutdown: CancellationToken,
) -> anyhow::Result<()> {
    let app = startup::connect(settings, &directory.redis_url()).await?;
    migrate(app.db(), args).await?;
    if args.demo {
        tokio::select! {
            prepared = prepare_demo(&app, directory) => prepared?,
            // The next start goes on where this one stopped.
            () = shutdown.cancelled() => return Ok(app.db().close().await?),
        }
    }
    let address = role.address()?;
    let server = startup::build(settings.clone(), app.clone(), role, metrics).await?;
    match address {
        Some(address) => {
            if args.demo {
                // A stdout that cannot be written is no reason not to serve.
                if let Err(error) = print(&welcome(settings, &app, address).await?) {
                    tracing::warn!(%error, "start message not printed");
                }
            }
            tracing::info!(%address, url = settings.public_url(), "serving");
        }
        None => tracing::info!("worker started"),
    }
    drop(app);
    server.run(shutdown).await?;
    tracing::info!("server stopped");
    Ok(())
}

fn bind_role(role: RoleArg, addr: SocketAddr) -> anyhow::Result<ProcessRole> {
    Ok(match role {
        RoleArg::All => ProcessRole::All(listen(addr, "TANDIAN_HTTP__ADDR")?),
        RoleArg::Web => ProcessRole::Web(listen(addr, "TANDIAN_HTTP__ADDR")?),
        RoleArg::Worker => ProcessRole::Worker,
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

async fn migrate(db: &Db, args: &Args) -> anyhow::Result<()> {
    if args.demo {
        db.migrate().await?;
        return Ok(());
    }
    migrate_or_refuse(db).await
}

/// Fills an empty site, and opens the flash sales of a demo site again. A site with data of its own stays as it is.
async fn prepare_demo(app: &App, directory: &DataDirectoryAccess) -> anyhow::Result<()> {
    let plan = DemoPlan {
        scale: 1,
        now: Timestamp::now(),
    };
    let mut line = ProgressLine::new();
    let mut show = |Progress { what, done, total }| line.show(what, done, total);
    match seed::prepare_demo_site(app, plan, &directory.data().imgs(), &mut show).await {
        Err(error @ (SeedError::SiteInUse | SeedError::NumbersTaken(_))) => {
            tracing::warn!(%error, "demo data not added");
            Ok(())
        }
        prepared => Ok(prepared.map(|_| ())?),
    }
}

async fn welcome(settings: &Settings, app: &App, address: SocketAddr) -> anyhow::Result<String> {
    let url = match &settings.http.public_url {
        Some(url) => url.clone(),
        None => format!("http://{address}"),
    };
    let mut text = format!("\n  Tandian is at {url}\n\n");
    let accounts = app::site::list_demo_accounts(app).await?;
    if !accounts.is_empty() {
        text.push_str("  Sign in by phone; the code appears on the page:\n");
    }
    for account in accounts {
        let role = match account.role {
            domain::Role::User => "visitor",
            other => other.as_str(),
        };
        text.push_str(&format!(
            "    {}  {role:<8}  {}\n",
            account.phone, account.nick_name
        ));
    }
    text.push_str(
        "\n  Try first: sign in as the visitor and win a flash sale of the home page; the API is at ",
    );
    text.push_str(&format!(
        "{url}/docs\n  Stop with Ctrl-C; data stays in {}\n\n",
        settings.data_dir.display()
    ));
    Ok(text)
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
