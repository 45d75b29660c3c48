//! What every version of the flash sale implements: the trait [`Version`].
//!
//! A version is opened once per process, next to others of its kind in other processes. It sells the stock in SQL
//! (`sale_tables.rs`), and it may use Redis, a broker, or nothing. Wherever another buyer could interleave, it calls
//! [`StepControl::step`]: without an attacker that does nothing, with one the call can be held there.

use std::fmt;
use std::time::Duration;

use anyhow::{Context as _, Result};
use link::{Link, Options, Target};
use serde::{Deserialize, Serialize};

use crate::step_control::StepControl;

/// A buyer wants one unit of a sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseRequest {
    pub sale: i64,
    pub buyer: i64,
}

/// The reply to the buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PurchaseReply {
    /// The buyer has the unit: from here on this order must exist.
    Ordered(i64),
    SoldOut,
    AlreadyBought,
    /// Nothing was decided; the buyer may retry.
    Busy,
    /// The version failed on the way; what became of the request is not known.
    Failed,
}

/// An order in flight to SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) id: i64,
    pub(crate) sale: i64,
    pub(crate) buyer: i64,
}

/// The addresses of all services, as seen by one process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Endpoints {
    /// What all keys, queues and topics of this experiment begin with.
    pub prefix: String,
    /// Redis by way of a proxy that may lose answers.
    pub redis: String,
    /// The same Redis without the proxy, for workers.
    pub worker_redis: String,
    /// Two more Redis that do not replicate each other, for locks on several nodes.
    pub other_nodes: Vec<String>,
    pub sql: String,
    pub rabbitmq: String,
    pub kafka: String,
    /// How long a lock lasts that its holder does not give back.
    pub lease_ms: u64,
    /// Replicas that must have an order before its buyer gets the reply.
    pub replicas: u32,
}

/// One implementation of a sale.
pub(crate) trait Version: Sized + Send + Sync + 'static {
    /// Connects to the services it needs.
    fn open(places: &Endpoints) -> impl Future<Output = Result<Self>> + Send;

    /// Publishes a sale that is already in SQL.
    fn publish(&self, _sale: i64, _stock: i64) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Sells a unit, or returns why not.
    fn buy(
        &self,
        request: PurchaseRequest,
        steps: &StepControl,
    ) -> impl Future<Output = Result<PurchaseReply>> + Send;

    /// What goes on in the background of a process for as long as it lives.
    fn work(&self, _pace: &StepControl) -> impl Future<Output = Result<()>> + Send {
        std::future::pending()
    }

    /// Orders that this version counts as in flight to SQL.
    fn pending(&self) -> impl Future<Output = Result<u64>> + Send {
        async { Ok(0) }
    }
}

/// As it is written into queues.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl Order {
    /// An order of this request with an id of its own.
    pub(crate) fn of(request: PurchaseRequest) -> Self {
        // Positive, and exact in JavaScript.
        let id = i64::try_from(rand::random::<u64>() >> 11).expect("53 bits fit");
        Self {
            id,
            sale: request.sale,
            buyer: request.buyer,
        }
    }
}

impl Endpoints {
    pub(crate) fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    pub(crate) fn lease(&self) -> Duration {
        Duration::from_millis(self.lease_ms)
    }

    pub(crate) async fn link(&self) -> Result<Link> {
        connect(&self.redis).await
    }

    pub(crate) async fn worker_link(&self) -> Result<Link> {
        connect(&self.worker_redis).await
    }
}

pub(crate) async fn connect(url: &str) -> Result<Link> {
    let options = Options {
        connect_timeout: Duration::from_secs(5),
        response_timeout: Duration::from_secs(2),
        // A sign of life would be taken for an answer by a proxy that loses one.
        heartbeat: Duration::from_secs(3600),
        max_in_flight: 100_000,
        ..Options::default()
    };
    let target = Target::parse(url)?;
    let link = Link::connect(&target, options).await;
    link.with_context(|| format!("Redis at {url}"))
}
