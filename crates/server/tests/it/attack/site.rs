//! The site that is attacked: a process of its own, whose size can be looked at, and a way to its data.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use testkit::{Client, Redis, Tandian, TestApp, wait_until};

use crate::contract::{self, Storm};

/// Connections of the attack are closed by then, even on a machine that does other things.
const SETTLE_LIMIT: Duration = Duration::from_secs(120);

/// Requests that every page and pool is met by.
const WARM_UP: usize = 300;

/// Descriptors that may be open beyond those of before: pools that were filled meanwhile.
pub(super) const MORE_FILES: usize = 64;
/// Threads beyond those of before: tokio keeps idle ones for ten seconds.
pub(super) const MORE_THREADS: usize = 64;
/// Memory beyond that of before. Caches and pools fill up to their own bounds, an allocator keeps what it had; a leak of
/// two hundred bytes a request would show.
pub(super) const MORE_MEMORY_KIB: usize = 192 * 1024;

pub(super) struct Site {
    /// Shares SQL and Redis with the process, for what an attacker could not do: signing people in, looking at rows.
    pub(super) app: TestApp,
    pub(super) redis: Redis,
    pub(super) storm: Storm,
    server: Tandian,
}

/// The program under attack: `ATTACK_PROGRAM` names another build of it.
fn program() -> String {
    let named = std::env::var("ATTACK_PROGRAM");
    named.unwrap_or_else(|_| env!("CARGO_BIN_EXE_tandian").to_owned())
}

/// How large a process is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) memory_kib: usize,
    pub(super) peak_kib: usize,
    pub(super) files: usize,
    pub(super) threads: usize,
    pub(super) redis_keys: usize,
}

impl Site {
    pub(super) async fn open() -> Self {
        let redis = Redis::builder().sync_every_second().start().await;
        let app = contract::with_limits(TestApp::builder().redis_url(redis.url()));
        let app = app.spawn().await;
        let sql = format!("sqlite://{}/tandian.db", app.data_dir().display());
        let mut settings = vec![
            ("database.url", sql),
            ("redis.url", redis.url()),
            ("redis.prefix", app.prefix().to_owned()),
            ("redis.response_timeout_ms", "10000".to_owned()),
            ("database.acquire_timeout_ms", "10000".to_owned()),
            ("database.query_timeout_ms", "10000".to_owned()),
            // An attacker has as many addresses as a botnet; here they are what a proxy of ours says.
            ("http.trusted_proxies", "127.0.0.0/8".to_owned()),
            ("pictures.max_per_user", "1000000".to_owned()),
            ("pictures.uploads_per_user_per_hour", "1000000".to_owned()),
            ("log.format", "json".to_owned()),
        ];
        settings.extend(contract::limits().map(|(name, value)| (name, value.to_string())));
        let server = Tandian::new(program(), &["serve"], &settings);
        // Before it starts, so that it learns of the shops.
        let storm = Storm::prepare(&app, address_of(&server)).await;
        contract::furnish(&app).await;
        server.start();
        server.wait_until_ready().await;
        Self {
            app,
            redis,
            storm,
            server,
        }
    }

    /// What a site that has been up for a while has loaded, so that it does not count as growth.
    pub(super) async fn warm_up(&self, seed: u64) {
        let problems = self.storm.send(seed ^ 1, WARM_UP).await;
        assert!(problems.is_empty(), "{problems:?}");
    }

    pub(super) fn visitor(&self) -> Client {
        Client::new(self.server.url())
    }

    /// As it is now.
    pub(super) async fn size(&self) -> Size {
        let process = PathBuf::from(format!("/proc/{}", self.server.pid()));
        let status = std::fs::read_to_string(process.join("status")).expect("it runs");
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|rest| rest.split_whitespace().next());
            number.and_then(|it| it.parse().ok()).expect("a number")
        };
        let files = std::fs::read_dir(process.join("fd")).expect("it is ours");
        let mut redis = self.redis.connection().await;
        let counted = redis::cmd("DBSIZE").query_async(&mut redis).await;
        let redis_keys: usize = counted.expect("a Redis of our own");
        Size {
            memory_kib: field("VmRSS:"),
            peak_kib: field("VmHWM:"),
            files: files.count(),
            threads: field("Threads:"),
            redis_keys,
        }
    }

    /// Waits until the connections of the attack are gone.
    pub(super) async fn settle(&self, before: &Size) -> Size {
        wait_until("its connections are closed", SETTLE_LIMIT, async || {
            let size = self.size().await;
            size.files <= before.files + MORE_FILES && size.threads <= before.threads + MORE_THREADS
        })
        .await;
        self.size().await
    }

    /// Lines of the log that no attack may cause.
    pub(super) fn complaints(&self) -> Vec<String> {
        let log = std::fs::read(self.server.folder().join("service.log")).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let is_complaint = |line: &&str| line.contains("panicked") || line.contains("\"ERROR\"");
        log.lines()
            .filter(is_complaint)
            .map(str::to_owned)
            .collect()
    }

    pub(super) async fn assert_serves(&self) {
        assert_eq!(self.visitor().get("/readyz").await.status, 200);
    }
}

fn address_of(server: &Tandian) -> SocketAddr {
    let url = server.url();
    let address = url.strip_prefix("http://").expect("an address of ours");
    address.parse().expect("an address of ours")
}
