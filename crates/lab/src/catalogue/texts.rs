//! What the table and the page say about each version: its name, and one sentence why.

use crate::words::Words;

/// Name and reason of a version.
#[derive(Clone, Debug)]
pub struct Texts {
    pub title: Words,
    pub why: Words,
}

/// The texts of the version of this name.
#[must_use]
pub fn texts(id: &str) -> Texts {
    let (title_en, title_zh, why_en, why_zh) = lines(id);
    Texts {
        title: Words::new(title_en, title_zh),
        why: Words::new(why_en, why_zh),
    }
}

fn lines(id: &str) -> (&str, &str, &str, &str) {
    match id {
        "no-lock" => (
            "No lock",
            "不加锁",
            "Everybody reads the last piece before anybody takes it, so everybody takes it.",
            "大家都在别人扣减之前读到了最后一件，于是人人都卖出了它。",
        ),
        "optimistic-version" => (
            "Optimistic, by version",
            "乐观锁：版本号",
            "The version lets one writer through, so nothing is oversold; two clicks are two purchases.",
            "版本号只放行一个写入者，不会超卖；但连点两下就是两张订单。",
        ),
        "optimistic-stock" => (
            "Optimistic, by stock > 0",
            "乐观锁：stock > 0",
            "SQL itself refuses the piece that is not there; two clicks are still two purchases.",
            "数据库自己拒绝不存在的那一件；连点两下仍然是两张订单。",
        ),
        "one-per-person" => (
            "One per person, by query",
            "一人一单：先查再写",
            "Both clicks ask whether there is an order before either of them has written one.",
            "两次点击都在对方写入之前查询，都没查到订单。",
        ),
        "process-mutex" => (
            "Mutex of the process",
            "进程内互斥锁",
            "A mutex is known to its own process alone; the second process has another one.",
            "互斥锁只在自己的进程里有效，第二个进程有它自己的一把。",
        ),
        "set-nx" => (
            "SET NX lock",
            "SET NX 分布式锁",
            "Whoever outlives the lease writes beside the next holder, and then deletes that holder's lock.",
            "超过租期的持有者会和下一个持有者同时写入，还会删掉别人的锁。",
        ),
        "owner-check" => (
            "Lock with owner check",
            "锁带持有者标识",
            "Looking at the owner and deleting are two commands: a pause between them deletes another's lock.",
            "判断标识与删除是两条命令，在中间停顿就会删掉别人的锁。",
        ),
        "lua-release" => (
            "Lock released by Lua",
            "Lua 原子释放锁",
            "No lock is deleted wrongly any more; but a pause before the write still makes two holders.",
            "不会再误删锁；但在写库之前停顿，仍会同时有两个持有者。",
        ),
        "fenced-lock" => (
            "Our lock: watchdog and fence",
            "本项目的锁：看门狗 + 栅栏号",
            "The row refuses whoever comes with a lower fence than the last writer: a late holder cannot write.",
            "数据行拒绝栅栏号更小的写入者：迟到的持有者写不进去。",
        ),
        "majority-lock" => (
            "Lock on a majority of nodes",
            "多节点多数派锁（Redlock）",
            "It survives a node that forgets; a holder that was paused past its lease still writes.",
            "能扛住一个节点失忆；但停顿超过租期的持有者照样写入。",
        ),
        "memory-queue" => (
            "Lua gate + queue in memory",
            "Lua 闸门 + 内存阻塞队列",
            "The queue dies with its process, and with it orders that buyers were promised.",
            "队列随进程一起消失，已经答应给买家的订单也没了。",
        ),
        "redis-list" => (
            "Lua gate + Redis list (BRPOP)",
            "Lua 闸门 + Redis List（BRPOP）",
            "What was popped is in the worker's hand alone; if it is killed, the order is gone.",
            "弹出的订单只在消费者手里，进程一死就没了。",
        ),
        "pub-sub" => (
            "Lua gate + Pub/Sub",
            "Lua 闸门 + 发布订阅",
            "A message is heard or gone: what the worker had in hand when it was killed is lost.",
            "消息听到就有、没听到就没有：消费者被杀时手里的订单丢失。",
        ),
        "stream-reader" => (
            "Lua gate + stream, one reader",
            "Lua 闸门 + Stream 单消费者",
            "The reader's place is in its memory: started again it begins with what is new.",
            "读到哪里只记在内存里：重启后从最新的开始，漏掉中间的订单。",
        ),
        "stream-group" => (
            "Lua gate + stream, consumer group",
            "Lua 闸门 + Stream 消费者组",
            "Nothing is lost with a process; after a failover to a lagging replica Redis has forgotten who bought.",
            "进程死了不丢单；但切换到落后的从库后，Redis 忘了谁买过、卖了多少。",
        ),
        "rabbitmq" => (
            "Lua gate + RabbitMQ",
            "Lua 闸门 + RabbitMQ",
            "Between gate and broker a piece is stranded; a message delivered twice takes two pieces.",
            "闸门与消息队列之间会卡住一件库存；重复投递的消息会扣两件库存。",
        ),
        "kafka" => (
            "Lua gate + Kafka",
            "Lua 闸门 + Kafka",
            "The consumer is idempotent; between gate and broker a piece is still stranded.",
            "消费端是幂等的；但闸门与消息队列之间仍会卡住一件库存。",
        ),
        "flash-gate" => (
            "The batched gate of `flash`",
            "`flash` 的批量闸门",
            "Decision and order are one write, ids make questions repeatable, replicas and a unique key keep the word.",
            "裁决与订单一次写入，先定单号所以可以重问，副本确认加唯一键保证说话算数。",
        ),
        _ => ("?", "?", "?", "?"),
    }
}
