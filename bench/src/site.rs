//! The product as `serve --demo` starts it, in a release build: demo data, SQLite and a private Redis.

use std::net::SocketAddr;

use anyhow::Result;
use link::{Link, Options, Target};

use crate::program::{Program, ServerProcess};

/// Thousands of visitors come from this machine alone.
const EVERYBODY: usize = 1_000_000;
const PER_ADDRESS: &str = "HTTP__MAX_CONNECTIONS_PER_ADDRESS";

#[derive(Debug)]
pub(crate) struct BenchSite {
    server: ServerProcess,
    program: Program,
    pub(crate) address: SocketAddr,
}

impl BenchSite {
    pub(crate) async fn start() -> Result<Self> {
        let program = Program::new(&[(PER_ADDRESS, EVERYBODY.to_string())])?;
        let server = program.serve(&["serve", "--demo"]).await?;
        let address = server.address;
        Ok(Self {
            server,
            program,
            address,
        })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.server.pid()
    }

    /// A connection of our own to the site's private Redis.
    pub(crate) async fn redis(&self) -> Result<Link> {
        let socket = self.program.folder().join("data/redis.sock");
        let target = Target::parse(&format!("unix://{}", socket.display()))?;
        Ok(Link::connect(&target, Options::default()).await?)
    }
}
