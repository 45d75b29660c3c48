//! The product itself, as one starts it: the release binary with demo data on a folder and a port of its own.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use link::{Link, Options, Target};
use tempfile::TempDir;
use tokio::time::Instant;

use crate::http;

/// Demo data and its pictures take a few seconds; a busy machine takes more.
const START_LIMIT: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(crate) struct Site {
    process: Child,
    folder: TempDir,
    pub(crate) address: SocketAddr,
}

impl Site {
    pub(crate) async fn start() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
            .local_addr()?
            .port();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let log = File::create(folder.path().join("log"))?;
        let process = Command::new(binary()?)
            .args(["serve", "--demo"])
            .current_dir(folder.path())
            .env("TANDIAN_DATA_DIR", folder.path().join("data"))
            .env("TANDIAN_HTTP__ADDR", address.to_string())
            .env("TANDIAN_METRICS__ADDR", "")
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .context("the site cannot be started")?;
        let mut site = Self {
            process,
            folder,
            address,
        };
        site.wait_until_ready().await?;
        Ok(site)
    }

    async fn wait_until_ready(&mut self) -> Result<()> {
        let limit = Instant::now() + START_LIMIT;
        while http::get_once(self.address, "/readyz").await.is_err() {
            if self.process.try_wait()?.is_some() || Instant::now() > limit {
                let log = std::fs::read_to_string(self.folder.path().join("log"))?;
                bail!("the site did not start:\n{log}");
            }
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// A connection of our own to the site's private Redis.
    pub(crate) async fn redis(&self) -> Result<Link> {
        let socket = self.folder.path().join("data/redis.sock");
        let target = Target::parse(&format!("unix://{}", socket.display()))?;
        Ok(Link::connect(&target, Options::default()).await?)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // Its Redis ends with it, however it ends.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Built beside this program by `make bench`.
fn binary() -> Result<PathBuf> {
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
