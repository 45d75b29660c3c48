//! The release binary as one starts it, with a folder, a port and settings of its own.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;
use testkit::Callgrind;
use tokio::time::Instant;

use crate::http;

/// Demo data and its pictures take a few seconds; a busy machine takes more.
const START_LIMIT: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(100);
/// For scenarios that measure the time of the first reply.
const EAGER_POLL: Duration = Duration::from_millis(2);
const LOG: &str = "log";
const FSYNCS: &str = "fsyncs";

/// A setting by its name in the file.
pub(crate) type ServerSetting = (&'static str, String);

#[derive(Debug)]
pub(crate) struct Program {
    folder: TempDir,
    settings: Vec<ServerSetting>,
    instrument: Instrument,
}

/// What counts something about a process, and costs it time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Instrument {
    #[default]
    None,
    /// Callgrind counts the instructions of its one worker thread, at a fiftieth of the speed.
    Instructions,
    /// `strace` writes down every call that waits for the disk, and lets all others pass.
    Fsyncs,
}

/// A process that serves; killed when dropped.
#[derive(Debug)]
pub(crate) struct ServerProcess {
    process: Child,
    pub(crate) address: SocketAddr,
    log: PathBuf,
}

impl Program {
    pub(crate) fn new(settings: &[ServerSetting]) -> Result<Self> {
        Self::with(settings, Instrument::None)
    }

    pub(crate) fn with(settings: &[ServerSetting], instrument: Instrument) -> Result<Self> {
        Ok(Self {
            folder: tempfile::tempdir()?,
            settings: settings.to_vec(),
            instrument,
        })
    }

    /// How often the process has waited for the disk, with [`Instrument::Fsyncs`].
    pub(crate) fn fsyncs(&self) -> Result<usize> {
        let text = fs::read_to_string(self.folder().join(FSYNCS))
            .context("strace wrote nothing: scripts/ensure-tools strace installs it")?;
        // A call that another thread interrupts is there twice, the second time without its parenthesis.
        Ok(text.matches("sync(").count())
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a command of the program to its end.
    pub(crate) async fn run(&self, args: &[&str]) -> Result<()> {
        let command = self.command(args)?;
        let status = tokio::process::Command::from(command).status().await?;
        ensure!(
            status.success(),
            "tandian {args:?} failed:\n{}",
            self.log()?
        );
        Ok(())
    }

    /// Serves, and answers requests when this returns.
    pub(crate) async fn serve(&self, args: &[&str]) -> Result<ServerProcess> {
        let mut server = self.start(args)?;
        server.wait_until_ready().await?;
        Ok(server)
    }

    /// Starts a process and waits for nothing.
    pub(crate) fn start(&self, args: &[&str]) -> Result<ServerProcess> {
        let address = free_address()?;
        let mut command = self.command(args)?;
        command.env("TANDIAN_HTTP__ADDR", address.to_string());
        Ok(ServerProcess {
            process: command.spawn().context("the site cannot be started")?,
            address,
            log: self.folder().join(LOG),
        })
    }

    /// Metrics are on, as they are by default: counting is part of the cost.
    fn command(&self, args: &[&str]) -> Result<Command> {
        let log = File::create(self.folder().join(LOG))?;
        let mut command = match self.instrument {
            Instrument::None => Command::new(binary()?),
            Instrument::Instructions => under_callgrind(self.folder())?,
            Instrument::Fsyncs => under_strace(self.folder())?,
        };
        command
            .args(args)
            .current_dir(self.folder())
            .env("TANDIAN_DATA_DIR", self.folder().join("data"))
            .env("TANDIAN_METRICS__ADDR", free_address()?.to_string())
            .stdout(log.try_clone()?)
            .stderr(log);
        for (name, value) in &self.settings {
            let name = name.to_uppercase().replace('.', "__");
            command.env(format!("TANDIAN_{name}"), value);
        }
        Ok(command)
    }

    fn log(&self) -> Result<String> {
        Ok(fs::read_to_string(self.folder().join(LOG))?)
    }
}

impl ServerProcess {
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Polls a path without pause until it is answered with 200.
    pub(crate) async fn wait_for(&mut self, path: &str) -> Result<()> {
        self.wait(path, EAGER_POLL).await
    }

    /// Sends SIGTERM, and waits until it has ended.
    pub(crate) async fn end(mut self) -> Result<()> {
        self.stop().await
    }

    /// The same for a process that another one takes the place of.
    pub(crate) async fn stop(&mut self) -> Result<()> {
        let pid = self.process.id().to_string();
        let signalled = Command::new("kill").args(["-TERM", &pid]).status()?;
        ensure!(signalled.success(), "a process of ours cannot be signalled");
        let limit = Instant::now() + START_LIMIT;
        while self.process.try_wait()?.is_none() {
            ensure!(Instant::now() < limit, "a process does not stop");
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    async fn wait_until_ready(&mut self) -> Result<()> {
        self.wait("/readyz", POLL).await
    }

    async fn wait(&mut self, path: &str, poll: Duration) -> Result<()> {
        let limit = Instant::now() + START_LIMIT;
        while http::get_once(self.address, path).await.is_err() {
            if self.process.try_wait()?.is_some() || Instant::now() > limit {
                let log = fs::read_to_string(&self.log)?;
                bail!("the site did not start:\n{log}");
            }
            tokio::time::sleep(poll).await;
        }
        Ok(())
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // A private Redis ends with it, however it ends.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a server that is a part of this program, and returns when it answers.
pub(crate) async fn serve_own(folder: &Path, args: &[String]) -> Result<ServerProcess> {
    let address = free_address()?;
    let log_path = folder.join(LOG);
    let log = File::create(&log_path)?;
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(args)
        .args(["--listen", &address.to_string()])
        .stdout(log.try_clone()?)
        .stderr(log);
    let mut server = ServerProcess {
        process: command.spawn().context("a server cannot be started")?,
        address,
        log: log_path,
    };
    server.wait_until_ready().await?;
    Ok(server)
}

fn free_address() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?)
}

fn under_callgrind(folder: &Path) -> Result<Command> {
    let mut command = Command::new(Callgrind::program());
    command
        .args(Callgrind::arguments(None))
        .arg(binary()?)
        .env("TMPDIR", folder)
        .envs([Callgrind::ONE_WORKER]);
    Ok(command)
}

/// The tracer is a grandchild, so that the process is our own child as it is without it.
fn under_strace(folder: &Path) -> Result<Command> {
    let mut command = Command::new("strace");
    command
        .args([
            "-D",
            "-f",
            "-qq",
            "--seccomp-bpf",
            "-e",
            "trace=fsync,fdatasync",
            "-o",
        ])
        .arg(folder.join(FSYNCS))
        .arg(binary()?);
    Ok(command)
}

/// Built beside this program by `make bench`.
pub(crate) fn binary() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let binary = own.with_file_name("tandian");
    if !binary.exists() {
        bail!(
            "there is no {}: run `make bench`, which builds it",
            binary.display()
        );
    }
    Ok(binary)
}
