//! The attacks that every version faces: [`Attack`].

use serde::{Deserialize, Serialize};

use crate::bilingual::Bilingual;

/// One kind of attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attack {
    /// Two buyers, one unit, one process: every order of their steps.
    Race,
    /// One person clicks twice: every order of the steps.
    DoubleClick,
    /// Both, with the two calls in two processes.
    TwoProcesses,
    /// A process is paused for longer than its lease, before it has written.
    PauseBeforeWrite,
    /// Likewise, after it has written and before it has released.
    PauseBeforeRelease,
    /// `kill -9` at every step of a purchase and of the worker.
    Kill,
    /// `kill -9` after the order was recorded and before it was acknowledged: it is delivered again.
    Redelivery,
    /// The process whose worker is processing an order is paused, for longer than its drain lease if it has one.
    PauseWorker,
    /// Redis runs the command, and its reply is lost.
    LostReply,
    /// SQL runs the statement, and its reply is lost: at every statement, including the commit.
    LostSqlReply,
    /// The master of Redis dies, and a replica that lagged takes over.
    Failover,
}

impl Attack {
    pub const ALL: [Self; 11] = [
        Self::Race,
        Self::DoubleClick,
        Self::TwoProcesses,
        Self::PauseBeforeWrite,
        Self::PauseBeforeRelease,
        Self::Kill,
        Self::Redelivery,
        Self::PauseWorker,
        Self::LostReply,
        Self::LostSqlReply,
        Self::Failover,
    ];

    /// A column of the table.
    #[must_use]
    pub fn title(self) -> Bilingual {
        match self {
            Self::Race => Bilingual::new("Race", "抢最后一件"),
            Self::DoubleClick => Bilingual::new("Double click", "连点两下"),
            Self::TwoProcesses => Bilingual::new("Two processes", "两个进程"),
            Self::PauseBeforeWrite => Bilingual::new("Pause, then write", "停顿后写入"),
            Self::PauseBeforeRelease => Bilingual::new("Pause, then release", "停顿后释放"),
            Self::Kill => Bilingual::new("kill -9", "kill -9"),
            Self::Redelivery => Bilingual::new("Redelivery", "重复投递"),
            Self::LostReply => Bilingual::new("Lost reply of Redis", "Redis 应答丢失"),
            Self::LostSqlReply => Bilingual::new("Lost reply of SQL", "数据库应答丢失"),
            Self::PauseWorker => Bilingual::new("Pause of the worker", "消费者停顿"),
            Self::Failover => Bilingual::new("Failover", "主从切换"),
        }
    }

    /// What the attacker does.
    #[must_use]
    pub fn what(self) -> Bilingual {
        match self {
            Self::Race => Bilingual::new(
                "Two people want the last unit. Every order of their steps is tried in one process.",
                "两个人抢最后一件，都在同一个进程里：两人各步骤的所有先后次序都试一遍。",
            ),
            Self::DoubleClick => Bilingual::new(
                "One person clicks twice. Every order of the steps is tried in one process.",
                "一个人连点两下，都在同一个进程里：两次点击各步骤的所有先后次序都试一遍。",
            ),
            Self::TwoProcesses => Bilingual::new(
                "The same two searches, with the two calls in two processes.",
                "把上面两种攻击再做一遍，但两个请求落在两个进程上。",
            ),
            Self::PauseBeforeWrite => Bilingual::new(
                "SIGSTOP before the write, for longer than the lease (a garbage collection); others buy; SIGCONT.",
                "写库之前用 SIGSTOP 暂停进程，停得比锁的租期更久（好比一次 GC）；期间别人照常购买；然后用 SIGCONT 让它继续。",
            ),
            Self::PauseBeforeRelease => Bilingual::new(
                "The same, after the write and before the lock is released.",
                "同样的停顿，但发生在写库之后、释放锁之前。",
            ),
            Self::Kill => Bilingual::new(
                "kill -9 at every step of a purchase and of the worker; then a restart, and the buyer retries.",
                "在下单的每一步、消费者处理的每一步 kill -9；重启之后，买家重试。",
            ),
            Self::Redelivery => Bilingual::new(
                "kill -9 when SQL has the order and the message is not acknowledged yet: it is redelivered.",
                "数据库已经有了订单、消息还没有确认，这时 kill -9：同一条消息会再投递一次。",
            ),
            Self::LostReply => Bilingual::new(
                "Redis runs the command, its reply is dropped, the connection breaks; the buyer retries.",
                "Redis 执行了命令，但应答丢了，连接也断了；买家重试。",
            ),
            Self::LostSqlReply => Bilingual::new(
                "SQL runs a statement, its reply is dropped, the connection breaks: tried for every statement, including the commit; the buyer retries.",
                "数据库执行了语句，但应答丢了，连接也断了；买家重试。每一条语句都试一遍，包括提交。",
            ),
            Self::PauseWorker => Bilingual::new(
                "SIGSTOP of the process whose worker is processing the order; others buy, and another worker takes over when the lease ends, if the version allows that; SIGCONT.",
                "消费者正在处理订单时，用 SIGSTOP 暂停整个进程；别人照常购买，租期一到，能接管的消费者就接管；然后用 SIGCONT 让它继续。",
            ),
            Self::Failover => Bilingual::new(
                "The replica lags, the master is killed, the replica takes over; the buyer retries.",
                "从库的数据落后，这时主库宕机，从库升为主库；买家重试。",
            ),
        }
    }
}
