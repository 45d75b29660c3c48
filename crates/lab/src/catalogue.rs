//! All versions with their names, the attacks that harm them and why, in the order of the page.
//!
//! The tests check the claims: exactly these attacks do harm, no others.

use anyhow::{Result, bail};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use crate::attack::Attack;
use crate::process::serve;
use crate::version::Endpoints;
use crate::versions as v;

mod texts;

pub use texts::{Texts, texts};

/// How a version is built, as far as it decides which attacks apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionKind {
    /// SQL alone, or a mutex of the process.
    Plain,
    /// A lock in Redis around everything.
    Lock,
    /// Redis decides, and the purchase itself writes the order to SQL.
    Gate,
    /// A gate in Redis; a worker writes the orders to SQL.
    Queue,
    /// Likewise, and the worker acknowledges an order after it is in SQL.
    AckedQueue,
    /// Likewise, and one worker at a time writes, by a lease.
    LeasedQueue,
}

/// A broker beside Redis and SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    RabbitMq,
    Kafka,
}

/// A version, ready to be attacked.
#[derive(Debug)]
pub struct CatalogueEntry {
    pub id: &'static str,
    pub kind: VersionKind,
    pub needs: Needs,
    /// The attacks that do harm.
    pub caught_by: &'static [Attack],
    pub file: &'static str,
    pub code: &'static str,
    serve: fn(Endpoints) -> BoxFuture<'static, Result<()>>,
}

impl CatalogueEntry {
    /// Whether this attack makes sense here.
    #[must_use]
    pub fn is_open_to(&self, attack: Attack) -> bool {
        match attack {
            Attack::Race
            | Attack::DoubleClick
            | Attack::TwoProcesses
            | Attack::Kill
            | Attack::LostSqlReply => true,
            Attack::PauseBeforeWrite | Attack::PauseBeforeRelease => self.kind == VersionKind::Lock,
            Attack::LostReply => self.kind == VersionKind::Gate || self.has_worker(),
            Attack::PauseWorker => self.has_worker(),
            Attack::Redelivery => matches!(
                self.kind,
                VersionKind::AckedQueue | VersionKind::LeasedQueue
            ),
            Attack::Failover => self.kind != VersionKind::Plain,
        }
    }

    pub(crate) fn has_worker(&self) -> bool {
        matches!(
            self.kind,
            VersionKind::Queue | VersionKind::AckedQueue | VersionKind::LeasedQueue
        )
    }

    /// Whether what it needs can be started here.
    #[must_use]
    pub fn can_run_here(&self) -> bool {
        self.needs != Needs::Kafka || testkit::Kafka::is_available()
    }
}

/// Serves the version of this name until standard input ends.
pub async fn run_process(id: &str, places: Endpoints) -> Result<()> {
    let Some(entry) = find(id) else {
        bail!("there is no version {id}");
    };
    (entry.serve)(places).await
}

#[must_use]
pub fn find(id: &str) -> Option<&'static CatalogueEntry> {
    ENTRIES.iter().find(|entry| entry.id == id)
}

use Attack::{
    DoubleClick, Failover, Kill, LostReply, LostSqlReply, PauseBeforeRelease, PauseBeforeWrite,
    Race, Redelivery, TwoProcesses,
};

/// All versions, from the first attempt to the last.
pub const ENTRIES: &[CatalogueEntry] = &[
    CatalogueEntry {
        id: "no-lock",
        kind: VersionKind::Plain,
        needs: Needs::Nothing,
        caught_by: &[Race, DoubleClick, TwoProcesses, LostSqlReply],
        file: "no_lock.rs",
        code: include_str!("versions/no_lock.rs"),
        serve: |places| serve::<v::NoLock>(places).boxed(),
    },
    CatalogueEntry {
        id: "optimistic-version",
        kind: VersionKind::Plain,
        needs: Needs::Nothing,
        caught_by: &[DoubleClick, TwoProcesses, LostSqlReply],
        file: "optimistic_version.rs",
        code: include_str!("versions/optimistic_version.rs"),
        serve: |places| serve::<v::OptimisticVersion>(places).boxed(),
    },
    CatalogueEntry {
        id: "stock-ge-zero",
        kind: VersionKind::Plain,
        needs: Needs::Nothing,
        caught_by: &[Race, DoubleClick, TwoProcesses, LostSqlReply],
        file: "stock_ge_zero.rs",
        code: include_str!("versions/stock_ge_zero.rs"),
        serve: |places| serve::<v::StockGeZero>(places).boxed(),
    },
    CatalogueEntry {
        id: "optimistic-stock",
        kind: VersionKind::Plain,
        needs: Needs::Nothing,
        caught_by: &[DoubleClick, TwoProcesses, LostSqlReply],
        file: "optimistic_stock.rs",
        code: include_str!("versions/optimistic_stock.rs"),
        serve: |places| serve::<v::OptimisticStock>(places).boxed(),
    },
    CatalogueEntry {
        id: "one-per-person",
        kind: VersionKind::Plain,
        needs: Needs::Nothing,
        caught_by: &[DoubleClick, TwoProcesses],
        file: "one_per_person.rs",
        code: include_str!("versions/one_per_person.rs"),
        serve: |places| serve::<v::OnePerPerson>(places).boxed(),
    },
    CatalogueEntry {
        id: "pessimistic-lock",
        kind: VersionKind::Plain,
        needs: Needs::Nothing,
        caught_by: &[],
        file: "pessimistic_lock.rs",
        code: include_str!("versions/pessimistic_lock.rs"),
        serve: |places| serve::<v::PessimisticLock>(places).boxed(),
    },
    CatalogueEntry {
        id: "process-mutex",
        kind: VersionKind::Plain,
        needs: Needs::Nothing,
        caught_by: &[TwoProcesses],
        file: "process_mutex.rs",
        code: include_str!("versions/process_mutex.rs"),
        serve: |places| serve::<v::ProcessMutex>(places).boxed(),
    },
    CatalogueEntry {
        id: "set-nx",
        kind: VersionKind::Lock,
        needs: Needs::Nothing,
        caught_by: &[PauseBeforeWrite, PauseBeforeRelease, Failover],
        file: "set_nx.rs",
        code: include_str!("versions/set_nx.rs"),
        serve: |places| serve::<v::SetNx>(places).boxed(),
    },
    CatalogueEntry {
        id: "owner-check",
        kind: VersionKind::Lock,
        needs: Needs::Nothing,
        caught_by: &[PauseBeforeWrite, PauseBeforeRelease, Failover],
        file: "owner_check.rs",
        code: include_str!("versions/owner_check.rs"),
        serve: |places| serve::<v::OwnerCheck>(places).boxed(),
    },
    CatalogueEntry {
        id: "lua-release",
        kind: VersionKind::Lock,
        needs: Needs::Nothing,
        caught_by: &[PauseBeforeWrite, Failover],
        file: "lua_release.rs",
        code: include_str!("versions/lua_release.rs"),
        serve: |places| serve::<v::LuaRelease>(places).boxed(),
    },
    CatalogueEntry {
        id: "fenced-lock",
        kind: VersionKind::Lock,
        needs: Needs::Nothing,
        caught_by: &[],
        file: "fenced_lock.rs",
        code: include_str!("versions/fenced_lock.rs"),
        serve: |places| serve::<v::FencedLock>(places).boxed(),
    },
    CatalogueEntry {
        id: "multi-lock",
        kind: VersionKind::Lock,
        needs: Needs::Nothing,
        caught_by: &[PauseBeforeWrite],
        file: "multi_lock.rs",
        code: include_str!("versions/multi_lock.rs"),
        serve: |places| serve::<v::AllMasters>(places).boxed(),
    },
    CatalogueEntry {
        id: "majority-lock",
        kind: VersionKind::Lock,
        needs: Needs::Nothing,
        caught_by: &[PauseBeforeWrite],
        file: "majority_lock.rs",
        code: include_str!("versions/majority_lock.rs"),
        serve: |places| serve::<v::MajorityLock>(places).boxed(),
    },
    CatalogueEntry {
        id: "redis-check-then-act",
        kind: VersionKind::Gate,
        needs: Needs::Nothing,
        caught_by: &[
            DoubleClick,
            TwoProcesses,
            Kill,
            LostReply,
            LostSqlReply,
            Failover,
        ],
        file: "redis_check_then_act.rs",
        code: include_str!("versions/redis_check_then_act.rs"),
        serve: |places| serve::<v::RedisCheckThenAct>(places).boxed(),
    },
    CatalogueEntry {
        id: "memory-queue",
        kind: VersionKind::Queue,
        needs: Needs::Nothing,
        caught_by: &[Kill, LostReply, LostSqlReply, Failover],
        file: "memory_queue.rs",
        code: include_str!("versions/memory_queue.rs"),
        serve: |places| serve::<v::MemoryQueue>(places).boxed(),
    },
    CatalogueEntry {
        id: "redis-list",
        kind: VersionKind::Queue,
        needs: Needs::Nothing,
        caught_by: &[Kill, LostSqlReply, Failover],
        file: "redis_list.rs",
        code: include_str!("versions/redis_list.rs"),
        serve: |places| serve::<v::RedisList>(places).boxed(),
    },
    CatalogueEntry {
        id: "pub-sub",
        kind: VersionKind::Queue,
        needs: Needs::Nothing,
        caught_by: &[Kill, LostSqlReply, Failover],
        file: "pub_sub.rs",
        code: include_str!("versions/pub_sub.rs"),
        serve: |places| serve::<v::PubSub>(places).boxed(),
    },
    CatalogueEntry {
        id: "stream-reader",
        kind: VersionKind::Queue,
        needs: Needs::Nothing,
        caught_by: &[Kill, LostSqlReply, Failover],
        file: "stream_reader.rs",
        code: include_str!("versions/stream_reader.rs"),
        serve: |places| serve::<v::StreamReader>(places).boxed(),
    },
    CatalogueEntry {
        id: "stream-group",
        kind: VersionKind::AckedQueue,
        needs: Needs::Nothing,
        caught_by: &[Failover],
        file: "stream_group.rs",
        code: include_str!("versions/stream_group.rs"),
        serve: |places| serve::<v::StreamGroup>(places).boxed(),
    },
    CatalogueEntry {
        id: "rabbitmq",
        kind: VersionKind::AckedQueue,
        needs: Needs::RabbitMq,
        caught_by: &[Kill, Redelivery, LostReply, LostSqlReply, Failover],
        file: "rabbitmq.rs",
        code: include_str!("versions/rabbitmq.rs"),
        serve: |places| serve::<v::RabbitMq>(places).boxed(),
    },
    CatalogueEntry {
        id: "kafka",
        kind: VersionKind::AckedQueue,
        needs: Needs::Kafka,
        caught_by: &[Kill, LostReply, Failover],
        file: "kafka.rs",
        code: include_str!("versions/kafka.rs"),
        serve: |places| serve::<v::Kafka>(places).boxed(),
    },
    CatalogueEntry {
        id: "flash-gate",
        kind: VersionKind::LeasedQueue,
        needs: Needs::Nothing,
        caught_by: &[],
        file: "flash_gate.rs",
        code: include_str!("versions/flash_gate.rs"),
        serve: |places| serve::<v::FlashGate>(places).boxed(),
    },
];
