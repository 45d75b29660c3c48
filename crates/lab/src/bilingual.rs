//! Texts in both languages, and all texts of schedules.

use serde::{Deserialize, Serialize};

/// The same in English and in Chinese.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bilingual {
    pub en: String,
    #[serde(rename = "zh-CN")]
    pub zh: String,
}

impl Bilingual {
    #[must_use]
    pub fn new(en: &str, zh: &str) -> Self {
        Self {
            en: en.to_owned(),
            zh: zh.to_owned(),
        }
    }
}

/// Every step, answer and act that a schedule can show: as it is called, in English, in Chinese.
pub(crate) const MOMENTS: &[(&str, &str, &str)] = &[
    ("stock is read", "has read the stock", "读到了库存"),
    (
        "stock and version are read",
        "has read stock and version",
        "读到了库存和版本号",
    ),
    (
        "no order is found",
        "has found no order of theirs",
        "没有查到自己的订单",
    ),
    (
        "about to release",
        "is about to release the lock",
        "正要释放锁",
    ),
    (
        "found to be the owner",
        "has found to be the owner of the lock",
        "确认了锁是自己的",
    ),
    (
        "about to ask the gate",
        "is about to ask the gate",
        "正要问 Redis 的闸门",
    ),
    (
        "granted, not sent",
        "is granted a piece; the order is not sent",
        "已获资格，订单还没发出",
    ),
    (
        "order is taken from the queue",
        "has taken the order from the queue",
        "从内存队列取出了订单",
    ),
    (
        "order is taken off the list",
        "has taken the order off the list",
        "从 List 弹出了订单",
    ),
    ("order is heard", "has heard the order", "听到了订单消息"),
    ("order is read", "has read the order", "读到了订单"),
    (
        "order is delivered",
        "was delivered the order",
        "收到了投递的订单",
    ),
    (
        "order is recorded",
        "has recorded the order, without telling the queue",
        "订单已入库，尚未确认消息",
    ),
    ("waits", "waits", "等待"),
    ("ordered", "is told: it is yours", "得到答复：抢到了"),
    ("sold-out", "is told: sold out", "得到答复：库存不足"),
    (
        "already-bought",
        "is told: you have bought already",
        "得到答复：不能重复下单",
    ),
    ("busy", "is told: try again", "得到答复：请重试"),
    ("failed", "gets an error", "得到一个错误"),
    ("kill", "kill -9", "kill -9"),
    ("restart", "starts the process again", "重启进程"),
    (
        "pause",
        "SIGSTOP: the process stands still",
        "SIGSTOP：进程停住",
    ),
    (
        "resume",
        "SIGCONT: the process goes on",
        "SIGCONT：进程继续",
    ),
    (
        "lose-reply",
        "the next answer of Redis is lost",
        "Redis 的下一个应答丢失",
    ),
    (
        "lose-sql-reply",
        "SQL's answer to one statement is lost",
        "数据库对一条语句的应答丢失",
    ),
    (
        "lose-commit-reply",
        "SQL commits, and its answer is lost",
        "数据库已提交，应答丢失",
    ),
    ("reconnect", "the network is back", "网络恢复"),
    (
        "lag",
        "the replica hears nothing from here on",
        "从库从此刻起收不到数据",
    ),
    (
        "failover",
        "the master dies, the replica takes over",
        "主库宕机，从库顶上",
    ),
];
