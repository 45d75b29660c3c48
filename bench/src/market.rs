//! A site with a crowd in front of it: Redis, a database, a process that answers requests, people who are signed in, and
//! flash sales for them. The process that brings orders to SQL is a part of its own, so that it can be measured alone
//! or kept out of the way; publishing needs it, because a gate opens when nothing older is on its way.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use testkit::{Callgrind, CommandCounts, FaultProxy, Redis};
use tokio::time::Instant;

use crate::http::call;
use crate::load::{Answer, Requests, Tally, ask_all, ask_all_of};
use crate::process::Watched;
use crate::program::{Instrument, Program, ServerProcess, ServerSetting};
use crate::sql::{DatabaseKind, Sql};

/// An administrator of the demo data, and a shop of it.
const ADMIN: &str = "13800000003";
const SHOP: i64 = 1;

const HELLO: &str = "/healthz";

/// The default of `flash.partitions`.
const PARTITIONS: u16 = 4;

const WORK: &[&str] = &["serve", "--role", "worker"];

const RENEW_SESSIONS: &str = "for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[1]) end";
/// How long a session lives without being used: the default of `session.idle_secs`.
const SESSION_SECS: u32 = 1_800;

/// Buyers have opened the page ten minutes ago, and have sent nothing since.
const AGE_SECS: u32 = 600;
/// The time of the last use begins the value of a session.
const AGE_SESSIONS: &str = "local time = redis.call('TIME') \
    local seen = string.format('%013.0f', (time[1] - ARGV[2]) * 1000) \
    for _, key in ipairs(KEYS) do \
    if redis.call('EXISTS', key) == 0 then return redis.error_reply('no session: ' .. key) end \
    redis.call('SETRANGE', key, 0, seen) redis.call('EXPIRE', key, ARGV[1] - ARGV[2]) end";
/// Sessions in one call of a script: some milliseconds of Redis' time.
const SESSIONS_PER_CALL: usize = 1_000;
/// A process that has read nothing for so long has read ahead what changed.
const READ_AHEAD: Duration = Duration::from_millis(250);
/// A process that has written no use for so long has written all: twice the time that it gathers them for, and more.
const WRITTEN_BEHIND: Duration = Duration::from_millis(500);

/// The longest that Redis may take to make a thousand sessions.
const PREPARING_MS: &str = "30000";
/// Far above what any of this takes, so that only a loss reaches it.
const DRAIN_LIMIT: Duration = Duration::from_secs(300);
const POLL: Duration = Duration::from_millis(20);

/// What a market is opened with.
#[derive(Clone, Debug)]
pub(crate) struct MarketPlan {
    pub(crate) people: usize,
    pub(crate) sql: DatabaseKind,
    pub(crate) role: MarketRole,
    pub(crate) defaults: Defaults,
    /// Whether every reply of Redis can be held back.
    pub(crate) proxied: bool,
    /// What counts something about the process that answers requests.
    pub(crate) instrument: Instrument,
    pub(crate) settings: Vec<ServerSetting>,
}

/// What the process that answers requests does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarketRole {
    /// Nothing: there is a worker, until it is sent away.
    Web,
    /// Everything.
    All,
}

/// How far the settings of a market are those that a site has by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defaults {
    /// No limits on claims, and Redis flushes once a second.
    Changed,
    /// Everything by default, and Redis by a unix socket as a private one is. Only the bounds of the limits on claims are far
    /// away, because one address sends the claims of all and a person claims once a window: they are still counted.
    Kept,
}

#[derive(Debug)]
pub(crate) struct Market {
    pub(crate) web: ServerProcess,
    /// What it was started with.
    serve: [&'static str; 3],
    web_program: Program,
    worker_program: Program,
    /// Who brings orders to SQL, where the first process does not.
    worker: Option<ServerProcess>,
    pub(crate) redis: Redis,
    pub(crate) proxy: Option<FaultProxy>,
    pub(crate) sql: Sql,
    pub(crate) tokens: Vec<String>,
    admin: String,
    /// The orders that were handed out, by voucher.
    granted: BTreeMap<i64, Vec<i64>>,
}

impl Default for MarketPlan {
    fn default() -> Self {
        Self {
            people: 20_000,
            sql: DatabaseKind::Sqlite,
            role: MarketRole::Web,
            defaults: Defaults::Changed,
            proxied: false,
            instrument: Instrument::None,
            settings: Vec::new(),
        }
    }
}

impl Market {
    pub(crate) async fn open(plan: MarketPlan) -> Result<Self> {
        let redis = Redis::builder().sync_every_second().start().await;
        let sql = Sql::start(plan.sql).await?;
        let redis_url = match plan.defaults {
            Defaults::Changed => redis.url(),
            Defaults::Kept => format!("unix://{}", redis.socket().display()),
        };
        let mut prepared = settings(&plan, &sql, redis_url.clone());
        if plan.role == MarketRole::All {
            // It makes people and their sessions and never serves: a busy machine must not fail it.
            prepared.push(("redis.response_timeout_ms", PREPARING_MS.to_owned()));
        }
        let worker_program = Program::new(&prepared)?;
        worker_program.run(&["migrate"]).await?;
        worker_program.run(&["seed"]).await?;
        let tokens = match plan.people {
            0 => Vec::new(),
            people => sign_in_crowd(&worker_program, people).await?,
        };
        let proxy = match plan.proxied {
            true => Some(FaultProxy::start(redis.addr()).await),
            false => None,
        };
        let url = proxy
            .as_ref()
            .map(|proxy| format!("redis://{}", proxy.addr()));
        let web_settings = settings(&plan, &sql, url.unwrap_or(redis_url));
        let web_program = Program::with(&web_settings, plan.instrument)?;
        let role = match plan.role {
            MarketRole::Web => "web",
            MarketRole::All => "all",
        };
        let serve = ["serve", "--role", role];
        let web = web_program.serve(&serve).await?;
        let worker = match plan.role {
            MarketRole::Web => Some(worker_program.start(WORK)?),
            MarketRole::All => None,
        };
        let admin = sign_in(web.address, ADMIN).await?;
        let market = Self {
            web,
            serve,
            web_program,
            worker_program,
            worker,
            redis,
            proxy,
            sql,
            tokens,
            admin,
            granted: BTreeMap::new(),
        };
        if plan.defaults == Defaults::Kept {
            market.appendfsync("always").await?;
        }
        Ok(market)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.web.address
    }

    /// Ends the process that answers requests, starts it again and waits until it says that it is ready.
    pub(crate) async fn restart(&mut self) -> Result<()> {
        self.web.stop().await?;
        self.web = self.web_program.serve(&self.serve).await?;
        Ok(())
    }

    /// How often the process that answers requests has waited for the disk, if that is counted.
    pub(crate) fn fsyncs(&self) -> Result<usize> {
        self.web_program.fsyncs()
    }

    /// Counts the instructions of the process that answers requests, from now on.
    pub(crate) async fn callgrind(&self) -> Callgrind {
        Callgrind::attach(self.web.pid(), self.web_program.folder()).await
    }

    /// The most static reply of the same binary, through all of the middleware except admission, which probes bypass.
    pub(crate) async fn hello(&self, connections: usize, count: usize) -> Result<Tally> {
        let requests = Requests::repeat("GET", HELLO, None, count);
        let tally = ask_all(self.address(), connections, requests).await?;
        let all_fine = tally.answers.iter().all(|answer| answer.status == 200);
        ensure!(all_fine, "a probe was refused");
        Ok(tally)
    }

    /// A sale that is open.
    pub(crate) async fn publish(&self, stock: usize) -> Result<i64> {
        self.publish_from(stock, "2024-01-01T00:00:00").await
    }

    /// A sale that opens at a time on the site's clocks.
    pub(crate) async fn publish_from(&self, stock: usize, begin: &str) -> Result<i64> {
        let sale = json!({
            "shopId": SHOP, "title": "100元代金券", "payValue": 8000, "actualValue": 10000, "stock": stock,
            "beginTime": begin, "endTime": "2090-01-01T00:00:00",
        });
        let path = "/api/voucher/seckill";
        let id = call(self.address(), "POST", path, &self.admin, &sale).await?;
        id.as_i64().context("a sale has a number")
    }

    /// Sales that are open.
    pub(crate) async fn publish_many(&self, count: usize, stock: usize) -> Result<Vec<i64>> {
        let mut vouchers = Vec::with_capacity(count);
        for _ in 0..count {
            vouchers.push(self.publish(stock).await?);
        }
        Ok(vouchers)
    }

    /// Signs so many people in; those who were signed in before have new tokens.
    pub(crate) async fn sign_in_crowd(&mut self, people: usize) -> Result<()> {
        self.tokens = sign_in_crowd(&self.worker_program, people).await?;
        Ok(())
    }

    /// Everybody opens the site, as people do before a sale begins.
    pub(crate) async fn arrive(&self, connections: usize) -> Result<()> {
        self.arrive_some(self.tokens.len(), connections).await
    }

    /// The first of them, as many as these.
    pub(crate) async fn arrive_some(&self, people: usize, connections: usize) -> Result<()> {
        self.renew_sessions(people).await?;
        let mut requests = Requests::default();
        for token in &self.tokens[..people] {
            requests.push("GET", "/api/user/me", Some(token));
        }
        let tally = ask_all(self.address(), connections, requests).await?;
        tally.all_fine()?;
        Ok(())
    }

    /// Writes to the sessions of the first people, so that none of them has to be written to in the middle of a window.
    async fn renew_sessions(&self, people: usize) -> Result<()> {
        let args = [SESSION_SECS];
        self.change_sessions(RENEW_SESSIONS, &args, people).await
    }

    /// Lets the last request of the first people be ten minutes ago.
    pub(crate) async fn age_sessions(&self, people: usize) -> Result<()> {
        let args = [SESSION_SECS, AGE_SECS];
        self.change_sessions(AGE_SESSIONS, &args, people).await
    }

    /// Redis reports each changed session to the process, which reads it ahead if it has memory for sessions; that must not
    /// go on while something is measured.
    async fn change_sessions(&self, script: &str, args: &[u32], people: usize) -> Result<()> {
        let mut connection = self.redis.connection().await;
        for tokens in self.tokens[..people].chunks(SESSIONS_PER_CALL) {
            let mut change = redis::cmd("EVAL");
            change.arg(script).arg(tokens.len());
            change.arg(tokens.iter().map(session_key).collect::<Vec<_>>());
            let () = change.arg(args).query_async(&mut connection).await?;
        }
        self.wait_while_there_is("mget", READ_AHEAD).await
    }

    /// Uses of sessions are written when a rush is over.
    pub(crate) async fn wait_until_uses_are_written(&self) -> Result<()> {
        self.wait_while_there_is("setrange", WRITTEN_BEHIND).await
    }

    /// Until Redis has not received this command for so long.
    async fn wait_while_there_is(&self, command: &str, quiet: Duration) -> Result<()> {
        let limit = Instant::now() + DRAIN_LIMIT;
        loop {
            let before = self.commands().await;
            tokio::time::sleep(quiet).await;
            if self.commands().await.since(&before).of(command) == 0 {
                return Ok(());
            }
            ensure!(
                Instant::now() < limit,
                "Redis receives {command} without an end"
            );
        }
    }

    /// The claims of these people.
    pub(crate) fn claims(&self, voucher: i64, people: std::ops::Range<usize>) -> Requests {
        let path = format!("/api/voucher-order/seckill/{voucher}");
        let mut requests = Requests::default();
        for token in &self.tokens[people] {
            requests.push("POST", &path, Some(token));
        }
        requests
    }

    /// Every user claims a unit, and every user gets one.
    pub(crate) async fn sell_to_all(&mut self, voucher: i64, connections: usize) -> Result<Tally> {
        let everybody = 0..self.tokens.len();
        self.sell_to(voucher, everybody, connections).await
    }

    /// Each of these users claims a unit, and gets one.
    pub(crate) async fn sell_to(
        &mut self,
        voucher: i64,
        people: std::ops::Range<usize>,
        connections: usize,
    ) -> Result<Tally> {
        let requests = self.claims(voucher, people);
        let tally = ask_all_of(self.watched(), self.address(), connections, requests).await?;
        let tally = tally.all_fine()?;
        self.note(voucher, tally.answers.iter().filter_map(order_of));
        Ok(tally)
    }

    /// The processes whose time a claim takes.
    pub(crate) fn watched(&self) -> Watched {
        Watched {
            server: self.web.pid(),
            redis: self.redis.pid(),
        }
    }

    /// A few users claim a unit before all others, and get it.
    pub(crate) async fn open_with(
        &mut self,
        voucher: i64,
        people: std::ops::Range<usize>,
    ) -> Result<()> {
        self.sell_to(voucher, people, 1).await.map(drop)
    }

    /// Remembers what must be in SQL in the end.
    pub(crate) fn note(&mut self, voucher: i64, orders: impl Iterator<Item = i64>) {
        self.granted.entry(voucher).or_default().extend(orders);
    }

    pub(crate) async fn commands(&self) -> CommandCounts {
        self.redis.commands().await
    }

    pub(crate) async fn appendfsync(&self, when: &str) -> Result<()> {
        let mut connection = self.redis.connection().await;
        let mut set = redis::cmd("CONFIG");
        set.arg("SET").arg("appendfsync").arg(when);
        Ok(set.query_async(&mut connection).await?)
    }

    /// Orders that are on their way to SQL.
    pub(crate) async fn backlog(&self) -> Result<u64> {
        let mut connection = self.redis.connection().await;
        // By name: KEYS would keep Redis from its work for longer the more sessions there are.
        let keys: Vec<String> = (0..PARTITIONS)
            .map(|partition| format!("seckill:{{{partition}}}:backlog"))
            .collect();
        let mut values = redis::cmd("MGET");
        let values: Vec<Option<u64>> = values.arg(keys).query_async(&mut connection).await?;
        Ok(values.into_iter().flatten().sum())
    }

    /// Orders are brought to SQL from now on.
    pub(crate) fn start_worker(&mut self) -> Result<()> {
        self.worker = Some(self.worker_program.start(WORK)?);
        Ok(())
    }

    /// Orders wait in Redis from now on.
    pub(crate) async fn send_worker_away(&mut self) -> Result<()> {
        match self.worker.take() {
            Some(worker) => worker.end().await,
            None => Ok(()),
        }
    }

    pub(crate) async fn wait_until_drained(&self) -> Result<()> {
        let limit = Instant::now() + DRAIN_LIMIT;
        while self.backlog().await? > 0 {
            ensure!(
                Instant::now() < limit,
                "orders are stuck on their way to SQL"
            );
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// Waits until every effect of what was written is done.
    pub(crate) async fn wait_until_relayed(&self) -> Result<()> {
        let limit = Instant::now() + DRAIN_LIMIT;
        let count = "SELECT COUNT(*) FROM tb_outbox";
        while self.sql.numbers(count.to_owned()).await? != [0] {
            ensure!(Instant::now() < limit, "the outbox is stuck");
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// Every order that was handed out is in SQL, once, and no other is.
    pub(crate) async fn check(&self) -> Result<()> {
        self.wait_until_drained().await?;
        for (voucher, orders) in &self.granted {
            self.compare(*voucher, orders.clone()).await?;
        }
        Ok(())
    }

    /// The same of the sales since the last time, which are then forgotten.
    pub(crate) async fn settle(&mut self) -> Result<()> {
        self.wait_until_drained().await?;
        for (voucher, orders) in std::mem::take(&mut self.granted) {
            self.compare(voucher, orders).await?;
        }
        Ok(())
    }

    async fn compare(&self, voucher: i64, mut orders: Vec<i64>) -> Result<()> {
        orders.sort_unstable();
        let recorded = self.sql.order_ids(voucher).await?;
        ensure!(
            orders == recorded,
            "sale {voucher}: {} orders were handed out, {} are in SQL, and they are not the same",
            orders.len(),
            recorded.len()
        );
        Ok(())
    }

    /// The same, after draining what waits in Redis.
    pub(crate) async fn drain_and_check(&mut self) -> Result<()> {
        self.start_worker()?;
        self.check().await
    }
}

/// Where Redis keeps the session of this token.
fn session_key(token: &String) -> String {
    let hash = Sha256::new()
        .chain_update(token)
        .chain_update([0])
        .finalize();
    let digits = hash.iter().map(|byte| format!("{byte:02x}"));
    format!("login:session:{}", digits.collect::<String>())
}

pub(crate) fn order_of(answer: &Answer) -> Option<i64> {
    answer.order.filter(|_| answer.is_success)
}

fn settings(plan: &MarketPlan, sql: &Sql, redis_url: String) -> Vec<ServerSetting> {
    let mut settings = vec![
        ("redis.url", redis_url),
        ("database.url", sql.url()),
        ("flash.partitions", PARTITIONS.to_string()),
    ];
    match plan.defaults {
        Defaults::Changed => settings.extend([
            // All requests come from one address, and a person claims more often than people do.
            ("flash.claims_per_user_per_minute", "0".to_owned()),
            ("flash.claims_per_address_per_minute", "0".to_owned()),
            ("flash.backlog_limit", "5000000".to_owned()),
        ]),
        // The largest that there are.
        Defaults::Kept => settings.extend([
            ("flash.claims_per_user_per_minute", "1000000".to_owned()),
            (
                "flash.claims_per_address_per_minute",
                "100000000".to_owned(),
            ),
        ]),
    }
    settings.extend(plan.settings.iter().cloned());
    settings
}

async fn sign_in_crowd(worker_program: &Program, people: usize) -> Result<Vec<String>> {
    let file = worker_program.folder().join("tokens");
    let (count, out) = (people.to_string(), file.display().to_string());
    worker_program
        .run(&["dev", "sessions", "--count", &count, "--out", &out])
        .await?;
    let tokens = std::fs::read_to_string(file)?;
    Ok(tokens.lines().map(str::to_owned).collect())
}

/// By the ordinary sign-in; a demo site returns its codes.
async fn sign_in(address: SocketAddr, phone: &str) -> Result<String> {
    let path = format!("/api/user/code?phone={phone}");
    let sent = call(address, "POST", &path, "", &Value::Null).await?;
    let login = json!({ "phone": phone, "code": sent["demoCode"] });
    let token = call(address, "POST", "/api/user/login", "", &login).await?;
    let token = token.as_str().context("a sign-in returns a token")?;
    Ok(token.to_owned())
}
