//! The command line: one file per command, each a function that a person can read top to bottom.
//!
//! A command that fails prints one line, `tandian: what: why`, and exits with 1; each wrong setting is a line of its own.

mod admin;
mod adopt;
mod archive;
mod demo;
#[cfg(feature = "demo")]
mod demo_start;
mod dev;
mod doctor;
mod migrate;
mod openapi;
mod outbox;
mod pictures;
mod print;
mod progress;
mod rebuild;
mod reconcile;
#[cfg(feature = "demo")]
mod seed;
mod serve;
mod settings;
mod site;

use std::future::Future;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

use crate::settings::{Effective, Settings, SettingsError};
use crate::telemetry;

#[derive(Debug, Parser)]
#[command(
    name = "tandian",
    version,
    about = "探店 · a self-hosted local-life site"
)]
pub struct Cli {
    /// Settings file; tandian.toml in the working folder when not given
    #[arg(long, global = true, value_name = "FILE", env = "TANDIAN_CONFIG")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the site until stopped
    Serve(serve::ServeArgs),
    /// Bring the database to the shape this version needs
    Migrate(migrate::MigrateArgs),
    /// Take over a database of hm-dianping: checks, a dry run, the migration, and what to do next
    Adopt(adopt::AdoptArgs),
    /// Fill the site with demo data; repeating it adds what is missing
    #[cfg(feature = "demo")]
    Seed(seed::SeedArgs),
    /// Rebuild counters, indexes and caches from the rows in SQL
    Rebuild(rebuild::RebuildArgs),
    /// Compare flash sales in Redis with SQL, and repair them on demand
    Reconcile(reconcile::ReconcileArgs),
    /// List pending effects of changes, and redrive dead-lettered ones
    #[command(subcommand)]
    Outbox(outbox::OutboxCommand),
    /// Move orders that ended long ago out of the way; list, export and check what was moved
    #[command(subcommand)]
    Archive(archive::Archive),
    /// Pictures that rows name on other hosts: list them, bring them home
    #[command(subcommand)]
    Pictures(pictures::PicturesCommand),
    /// What only the operator may do
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Demo data, once it has served its purpose
    #[command(subcommand)]
    Demo(demo::DemoCommand),
    /// Tools for development and load tests
    #[command(subcommand)]
    Dev(dev::DevCommand),
    /// Check everything the site depends on and print what to do
    Doctor,
    /// Print the settings in force and where each comes from
    Settings,
    /// Print the description of the HTTP API (OpenAPI, JSON)
    Openapi,
}

impl Cli {
    /// Runs the command; whatever goes wrong is on stderr when this returns.
    pub fn run(self) -> ExitCode {
        let code = self.try_run().unwrap_or_else(|error| {
            telemetry::flush();
            // Not `eprintln!`, which panics when stderr is closed or its disk is full.
            let _ = writeln!(io::stderr(), "tandian: {}", one_line(&error));
            ExitCode::FAILURE
        });
        telemetry::flush();
        code
    }

    fn try_run(self) -> anyhow::Result<ExitCode> {
        let effective = self.load_settings();
        match self.command {
            Command::Openapi => openapi::run(),
            Command::Settings => settings::run(&effective?),
            Command::Doctor => block_on(doctor::run(effective)),
            Command::Serve(args) => block_on(serve::run(with_logs(effective?)?, args)),
            Command::Migrate(args) => block_on(migrate::run(with_logs(effective?)?, args)),
            Command::Adopt(args) => block_on(adopt::run(with_logs(effective?)?, args)),
            #[cfg(feature = "demo")]
            Command::Seed(args) => block_on(seed::run(with_logs(effective?)?, args)),
            Command::Rebuild(args) => block_on(rebuild::run(with_logs(effective?)?, args)),
            Command::Reconcile(args) => block_on(reconcile::run(with_logs(effective?)?, args)),
            Command::Archive(archive) => block_on(archive::run(with_logs(effective?)?, archive)),
            Command::Outbox(outbox) => block_on(outbox::run(with_logs(effective?)?, outbox)),
            Command::Pictures(command) => block_on(pictures::run(with_logs(effective?)?, command)),
            Command::Admin(admin) => block_on(admin::run(with_logs(effective?)?, admin)),
            Command::Demo(demo) => block_on(demo::run(with_logs(effective?)?, demo)),
            Command::Dev(dev) => block_on(dev::run(with_logs(effective?)?, dev)),
        }
    }

    fn load_settings(&self) -> Result<Effective, SettingsError> {
        // Names that are not Unicode cannot be ours; `std::env::vars` would panic over them. A value that is not goes on
        // with marks in it, to be refused: left out, it would mean the default, such as development for TANDIAN_ENV.
        let env = std::env::vars_os().filter_map(|(name, value)| {
            Some((
                name.into_string().ok()?,
                value.to_string_lossy().into_owned(),
            ))
        });
        Effective::load(self.config.as_deref(), env)
    }
}

fn with_logs(effective: Effective) -> anyhow::Result<Settings> {
    telemetry::init(&effective.settings.log).context("cannot start logging")?;
    Ok(effective.settings)
}

fn block_on(command: impl Future<Output = anyhow::Result<ExitCode>>) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start threads")?;
    runtime.block_on(command)
}

/// The chain of causes, without those that repeat the previous one.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if line.contains(&cause) {
            continue;
        }
        if !line.is_empty() {
            line.push_str(": ");
        }
        line.push_str(&cause);
    }
    line
}
