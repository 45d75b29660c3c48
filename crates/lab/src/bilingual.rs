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
        "row is locked",
        "has locked the row and read the stock",
        "锁住了这一行并读到库存",
    ),
    (
        "not among the buyers",
        "has read the stock and is not among the buyers",
        "读到了库存，也不在已购名单里",
    ),
    (
        "marked as a buyer",
        "is marked as a buyer, has no unit yet",
        "已记入名单，还没有扣库存",
    ),
    (
        "granted, not recorded",
        "has taken a unit; SQL has no order yet",
        "已扣库存，订单还没入库",
    ),
    (
        "about to release",
        "is about to release the lock",
        "正要释放锁",
    ),
    (
        "found to be the owner",
        "has checked that it owns the lock",
        "确认了锁是自己的",
    ),
    (
        "about to call the gate",
        "is about to call the gate",
        "即将执行闸门脚本",
    ),
    (
        "granted, not sent",
        "is granted a unit; the order is not sent yet",
        "已经获得资格，订单还没有发出",
    ),
    (
        "order is taken from the queue",
        "has taken the order from the queue",
        "从内存队列取出了订单",
    ),
    (
        "order is taken off the list",
        "has taken the order off the list",
        "从 List 里弹出了订单",
    ),
    (
        "order is received",
        "has received the order",
        "收到了订单消息",
    ),
    ("order is read", "has read the order", "读到了订单"),
    (
        "order is delivered",
        "was delivered the order",
        "收到了订单",
    ),
    (
        "order is recorded",
        "has recorded the order, not acknowledged the message",
        "订单已经入库，消息还没有确认",
    ),
    ("entry is found", "finds the entry in the cache", "缓存命中"),
    (
        "entry is missed",
        "misses: the cache has no entry",
        "缓存未命中",
    ),
    (
        "row is read",
        "has read the row from SQL",
        "从数据库读到这一行",
    ),
    (
        "entry is stored",
        "stores what it read in the cache",
        "把读到的值写入缓存",
    ),
    (
        "fill is offered",
        "offers what it read; Redis stores it only with a valid lease",
        "提交读到的值，租约还在 Redis 才会存",
    ),
    (
        "row is changed",
        "has changed the row in SQL",
        "改完了数据库",
    ),
    (
        "entry is deleted",
        "has deleted the cache entry",
        "删掉了缓存",
    ),
    (
        "entry is deleted again",
        "has deleted the cache entry again",
        "再次删掉了缓存",
    ),
    (
        "entry is invalidated",
        "has invalidated the cache entry",
        "让缓存失效，并收回租约",
    ),
    ("waits", "waits", "等待"),
    ("ordered", "gets the reply: ordered", "得到答复：抢到了"),
    ("sold-out", "gets the reply: sold out", "得到答复：库存不足"),
    (
        "already-bought",
        "gets the reply: bought already",
        "得到答复：不能重复下单",
    ),
    ("busy", "gets the reply: try again", "得到答复：请重试"),
    ("failed", "gets an error", "得到的是一个错误"),
    ("kill", "kill -9", "kill -9"),
    ("restart", "starts the process again", "重启进程"),
    (
        "pause",
        "SIGSTOP: the process is paused",
        "SIGSTOP：进程暂停",
    ),
    (
        "resume",
        "SIGCONT: the process continues",
        "SIGCONT：进程继续",
    ),
    (
        "lose-reply",
        "the next reply of Redis is lost",
        "Redis 的下一个应答丢失",
    ),
    (
        "lose-sql-reply",
        "SQL's reply to one statement is lost",
        "数据库对一条语句的应答丢失",
    ),
    (
        "lose-commit-reply",
        "SQL commits, and its reply is lost",
        "数据库已提交，应答丢失",
    ),
    ("reconnect", "the network is back", "网络恢复"),
    (
        "lag",
        "the replica receives nothing from here on",
        "从库从这一刻起收不到数据",
    ),
    (
        "failover",
        "the master dies, the replica takes over",
        "主库宕机，从库升为主库",
    ),
    (
        "settle",
        "records the orders that are still in flight",
        "把还在路上的订单写入数据库",
    ),
    (
        "close",
        "buys what is left; the sale is over",
        "买走剩下的库存，秒杀结束",
    ),
];
