//! A site of several processes, each of which may be killed at any moment, and its one flash sale.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::Value;
use storage::flash_sales::Holding;
use storage::{Db, orders};
use testkit::{Client, MariaDb, RabbitMq, Redis, Tandian, TestApp, wait_for, wait_until};

use super::services::{Shape, Sql, Store};
use super::{Promise, record};
use crate::flash::Market;

/// How soon a process that ended is started again, as an init system would.
const RESTART_AFTER: Duration = Duration::from_millis(50);

/// Signing a great crowd in takes a minute.
const SIGN_IN_LIMIT: Duration = Duration::from_secs(300);

/// Into how many parts a site divides its sales unless told otherwise, with a queue for each, and one for the dead.
const PARTITIONS: usize = 4;
const QUEUES_LIMIT: Duration = Duration::from_secs(180);

/// Within this time of the return of a database every request succeeds again (docs/guide/promises.md).
const RECOVERY: Duration = Duration::from_secs(5);

/// How a process ends at its fail point.
const SIGABRT: i32 = 6;

/// The status of an order that was cancelled, on the wire.
const CANCELLED: i64 = 4;

/// What a round is played with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) people: u32,
    pub(super) stock: u32,
    pub(super) redis: Shape,
    pub(super) on_mariadb: bool,
    pub(super) by_rabbitmq: bool,
    /// Over how many partitions the sale is spread.
    pub(super) spread: u16,
    /// Copies of Redis that must have a claim.
    pub(super) replicas: u32,
    /// What each process does.
    pub(super) roles: &'static [&'static str],
    /// Where the first process dies.
    pub(super) fail_point: Option<&'static str>,
    pub(super) promise: Promise,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            people: 300 * super::scale(),
            stock: 120 * super::scale(),
            redis: Shape::Single,
            on_mariadb: false,
            by_rabbitmq: false,
            spread: 1,
            replicas: 0,
            roles: &["all", "all"],
            fail_point: None,
            promise: Promise::Everything,
        }
    }
}

pub(super) struct Site {
    pub(super) store: Store,
    sql: Sql,
    broker: Option<RabbitMq>,
    pub(super) servers: Vec<Tandian>,
    /// Runs commands, never serves.
    desk: Tandian,
    prefix: String,
    plan: Plan,
    voucher: i64,
    /// One token a person.
    tokens: Mutex<Vec<String>>,
    visitor: Client,
    ends: Mutex<Vec<ExitStatus>>,
    /// Orders that were cancelled.
    returned: Mutex<BTreeSet<String>>,
}

impl Site {
    /// Everything runs, the sale is open, and everybody is signed in.
    pub(super) async fn open(plan: Plan) -> Self {
        let store = Store::start(plan.redis).await;
        let sql = Sql::start(plan.on_mariadb).await;
        let broker = match plan.by_rabbitmq {
            true => Some(RabbitMq::start().await),
            false => None,
        };
        let (prefix, voucher) = publish(&store, &sql, &plan).await;
        let mut settings = vec![
            ("database.url", sql.url()),
            ("redis.url", store.url()),
            ("redis.prefix", prefix.clone()),
            ("log.format", "human".to_owned()),
            ("flash.replicas", plan.replicas.to_string()),
            ("flash.claims_per_user_per_minute", "0".to_owned()),
            ("flash.claims_per_address_per_minute", "0".to_owned()),
        ];
        if let Some(broker) = &broker {
            settings.push(("flash.transport", "rabbitmq".to_owned()));
            settings.push(("flash.rabbitmq.url", broker.url()));
        }
        let program = super::program();
        let server = |role: &&str| Tandian::new(&program, &["serve", "--role", *role], &settings);
        let site = Self {
            servers: plan.roles.iter().map(server).collect(),
            desk: Tandian::new(&program, &[], &settings),
            visitor: Client::new(String::new()),
            tokens: Mutex::default(),
            ends: Mutex::default(),
            returned: Mutex::default(),
            store,
            sql,
            broker,
            prefix,
            plan,
            voucher,
        };
        site.sign_everybody_in().await;
        site.start().await;
        site
    }

    async fn start(&self) {
        for (number, server) in self.servers.iter().enumerate() {
            match self.plan.fail_point {
                Some(point) if number == 0 => server.start_with(&[("TANDIAN_FAIL_POINT", point)]),
                _ => server.start(),
            }
        }
        for (server, role) in self.servers.iter().zip(self.plan.roles) {
            if *role != "worker" {
                server.wait_until_ready().await;
            }
        }
        if let Some(broker) = &self.broker {
            // The broker answers a declaration seconds before it is on disk, and then forgets the queue if it is killed.
            wait_until("the queues of all partitions", QUEUES_LIMIT, async || {
                let queues = broker.control(&["list_queues", "name"]).await;
                queues.lines().count() > PARTITIONS
            })
            .await;
            broker.sync_definitions().await;
        }
    }

    /// New sessions for the same people.
    pub(super) async fn sign_everybody_in(&self) {
        let count = self.plan.people.to_string();
        let args = ["dev", "sessions", "--count", &count, "--out", "tokens"];
        let file = self.desk.folder().join("tokens");
        // Sentinels of a busy machine may be in the middle of an election.
        wait_until("everybody to be signed in", SIGN_IN_LIMIT, async || {
            let _ = std::fs::remove_file(&file);
            self.desk.run(&args).await.status.success()
        })
        .await;
        let tokens = std::fs::read_to_string(&file).unwrap();
        *lock(&self.tokens) = tokens.lines().map(str::to_owned).collect();
    }

    pub(super) fn people(&self) -> usize {
        self.plan.people as usize
    }

    pub(super) fn stock(&self) -> u32 {
        self.plan.stock
    }

    pub(super) fn voucher(&self) -> i64 {
        self.voucher
    }

    pub(super) fn sql_url(&self) -> String {
        self.sql.url()
    }

    #[track_caller]
    pub(super) fn redis(&self) -> &Redis {
        match &self.store {
            Store::Single(redis) | Store::Proxied(redis, _) => redis,
            Store::Sentinel(_) | Store::Cluster(_) => panic!("there are several"),
        }
    }

    /// What the one Redis answers to a command.
    pub(super) async fn ask<T: redis::FromRedisValue>(&self, words: &[&[u8]]) -> T {
        let mut connection = self.redis().connection().await;
        let mut command = redis::Cmd::new();
        command.arg(words);
        command.query_async(&mut connection).await.unwrap()
    }

    /// Keys of the one Redis, by what follows the site's prefix.
    pub(super) async fn keys(&self, pattern: &str) -> Vec<String> {
        let pattern = format!("{}{pattern}", self.prefix);
        self.ask(&[b"KEYS", pattern.as_bytes()]).await
    }

    #[track_caller]
    pub(super) fn mariadb(&self) -> &MariaDb {
        match &self.sql {
            Sql::MariaDb(server, _) => server,
            Sql::Sqlite(_) => panic!("this site is on SQLite"),
        }
    }

    pub(super) fn rabbitmq(&self) -> &RabbitMq {
        self.broker.as_ref().expect("this site has a broker")
    }

    /// A person at any server that answers people.
    pub(super) fn client(&self, person: usize, random: &mut StdRng) -> Client {
        let doors = self.servers.iter().zip(self.plan.roles);
        let doors: Vec<_> = doors.filter(|(_, role)| **role != "worker").collect();
        let (server, _) = doors[random.random_range(0..doors.len())];
        self.client_at(person, server.url())
    }

    fn client_at(&self, person: usize, url: String) -> Client {
        let token = lock(&self.tokens)[person].clone();
        self.visitor.clone().at(url).with_token(token)
    }

    /// Does `work` while processes that end are started again, without a fail point.
    pub(super) async fn look_after<T>(&self, work: impl Future<Output = T>) -> T {
        let keep = async {
            loop {
                tokio::time::sleep(RESTART_AFTER).await;
                for server in &self.servers {
                    if let Some(end) = server.take_end() {
                        if end.signal() == Some(SIGABRT) {
                            record::fault("server aborted at a fail point");
                        }
                        lock(&self.ends).push(end);
                    }
                    server.start_if_down();
                }
            }
        };
        tokio::select! {
            result = work => result,
            () = keep => unreachable!("it never ends"),
        }
    }

    /// Cancels an order in SQL, which leaves it to the processes to give its piece back.
    pub(super) async fn take_back(&self, db: &Db, holding: &Holding) {
        let cancelled = orders::cancel(db, holding.user_id, holding.order).await;
        cancelled
            .unwrap()
            .expect("an unpaid order can be cancelled");
        lock(&self.returned).insert(holding.order.to_string());
        record::fault("order cancelled");
    }

    pub(super) fn returned(&self) -> BTreeSet<String> {
        lock(&self.returned).clone()
    }

    /// How processes ended by themselves.
    pub(super) fn ends(&self) -> Vec<ExitStatus> {
        lock(&self.ends).clone()
    }

    /// Everything that was taken away is there again.
    pub(super) async fn repair(&self) {
        match &self.store {
            Store::Single(redis) if !redis.is_running() => redis.start_again().await,
            Store::Proxied(_, proxy) => proxy.pass().await,
            _ => {}
        }
    }

    /// The end of every log, for the message of a failure.
    pub(super) fn logs(&self) -> String {
        let logs = self.servers.iter().map(Tandian::log_tail);
        logs.collect::<Vec<_>>().join("\n---\n")
    }

    /// Each buyer finds the one order among their own.
    pub(super) async fn assert_buyers_see(&self, orders: &BTreeMap<usize, String>) {
        let door = self.plan.roles.iter().position(|role| *role != "worker");
        let url = self.servers[door.expect("somebody answers")].url();
        for (person, order) in orders {
            let client = self.client_at(*person, url.clone());
            // A database that was killed costs connections of before it a refusal each.
            let mine = wait_for("an answer", RECOVERY, async || {
                let answer = client.get("/api/voucher-order/of/me").await;
                (answer.status != 503).then(|| answer.data())
            })
            .await;
            let mine = mine["list"].as_array().unwrap().iter();
            let mine: Vec<&Value> = mine.filter(|order| order["status"] != CANCELLED).collect();
            assert_eq!(mine.len(), 1, "person {person} has {mine:?}");
            assert_eq!(mine[0]["id"], order.as_str(), "of person {person}");
        }
        record::held("a buyer's list shows that one order", orders.len());
    }

    /// Redis and SQL tell the same story.
    pub(super) async fn assert_reconciled(&self) {
        let output = self.desk.run(&["reconcile"]).await;
        let table = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{table}{output:?}\n{}",
            self.logs()
        );
        record::held("gate and ledger reconcile without a difference", 1);
    }
}

/// A merchant publishes the sale on a server that ends before the round begins. Returns the site's prefix and the voucher.
async fn publish(store: &Store, sql: &Sql, plan: &Plan) -> (String, i64) {
    let app = TestApp::builder()
        .redis_url(store.url())
        .sql_url(sql.url())
        .spawn()
        .await;
    let market = Market::on(app).await;
    let mut sale = market.sale(plan.stock);
    sale["spread"] = plan.spread.into();
    let voucher = market.publish(&sale).await;
    let prefix = market.app.prefix().to_owned();
    market.app.stop().await;
    (prefix, voucher)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A test that failed with the lock held has said why already.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
