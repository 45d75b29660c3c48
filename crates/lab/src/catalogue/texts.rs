//! The texts of each version in the table and on the page: its name, and one sentence why.

use crate::bilingual::Bilingual;

/// Name and reason of a version.
#[derive(Clone, Debug)]
pub struct Texts {
    pub title: Bilingual,
    pub why: Bilingual,
}

/// The texts of the version of this name.
#[must_use]
pub fn texts(id: &str) -> Texts {
    let (title_en, title_zh, why_en, why_zh) = lines(id);
    Texts {
        title: Bilingual::new(title_en, title_zh),
        why: Bilingual::new(why_en, why_zh),
    }
}

fn lines(id: &str) -> (&str, &str, &str, &str) {
    match id {
        "no-lock" => (
            "No lock",
            "不加锁",
            "All buyers read the last unit before any of them takes it, so all of them take it.",
            "每个人都在别人扣减之前读到“还有一件”，于是每个人都下单成功了。",
        ),
        "optimistic-version" => (
            "Optimistic, by version",
            "乐观锁：版本号",
            "Of all writers with the same version one succeeds and the others are refused, even with enough stock; and two clicks, or a retry after a lost reply, are two purchases.",
            "读到同一个版本号的人里只有一个能写入，其余的人明明有库存也下单失败；连点两下，或者应答丢失之后重试，就成了两张订单。",
        ),
        "stock-ge-zero" => (
            "Optimistic, by stock >= 0",
            "乐观锁：误写成 stock >= 0",
            "The condition still holds at zero, so one buyer more than there are units gets through: always oversold by exactly one.",
            "库存为 0 时条件仍然成立，会多放行一个人：不多不少，正好超卖一件。",
        ),
        "optimistic-stock" => (
            "Optimistic, by stock > 0",
            "乐观锁：stock > 0",
            "SQL itself refuses to sell below zero; two clicks, or a retry after a lost reply, are still two purchases.",
            "数据库自己保证库存不会变成负数；但连点两下，或者应答丢失之后重试，仍然是两张订单。",
        ),
        "one-per-person" => (
            "One per person, by query",
            "一人一单：先查再写",
            "Both clicks query for an order before either of them has written one.",
            "两次点击都在对方写入之前查询，都没有查到订单。",
        ),
        "pessimistic-lock" => (
            "Pessimistic: SELECT ... FOR UPDATE",
            "悲观锁：SELECT … FOR UPDATE",
            "Right: the row is locked until the transaction ends, in whatever process. All buyers queue at one row, each with a connection of the pool.",
            "结果正确：事务结束之前，别的进程也进不来。代价是所有人在同一行上排队，每个人还占着一个数据库连接。",
        ),
        "process-mutex" => (
            "Mutex of the process",
            "进程内互斥锁",
            "A mutex works within its own process only; the second process has another one.",
            "互斥锁只在自己的进程里有效；第二个进程用的是另一把锁。",
        ),
        "set-nx" => (
            "SET NX lock",
            "SET NX 分布式锁",
            "A holder that is paused past its lease writes together with the next one, and then deletes that one's lock.",
            "持有者停顿超过租期，就会和下一个持有者同时写入，之后还会删掉别人的锁。",
        ),
        "owner-check" => (
            "Lock with owner check",
            "锁带持有者标识",
            "Checking the owner and deleting are two commands: after a pause between them, another client's lock is deleted.",
            "判断标识和删除是两条命令；停顿如果落在中间，删掉的就是别人的锁。",
        ),
        "lua-release" => (
            "Lock released by Lua",
            "Lua 原子释放锁",
            "No lock is deleted wrongly any more; but a pause before the write, or a failover that loses the lock, still makes two holders.",
            "不会再误删别人的锁；但在写库之前停顿，或者主从切换时丢了锁，仍然会同时有两个持有者。",
        ),
        "fenced-lock" => (
            "Our lock: watchdog and fencing token",
            "本项目的锁：看门狗 + fencing token",
            "Every grant has a higher fencing token, and the row rejects a lower one than it has seen: an expired holder cannot write.",
            "每次加锁得到的 fencing token 都比以前大，数据行拒绝更小的 token：过期的持有者写不进去。",
        ),
        "multi-lock" => (
            "Lock on all of three masters",
            "联锁：三个主节点全部加锁（MultiLock）",
            "A master that loses its data harms nothing; with one master down nobody can buy; a holder that was paused past its lease still writes.",
            "一个主节点丢失数据也不会出错；但只要有一个宕机，谁也买不了；停顿超过租期的持有者照样写入。",
        ),
        "majority-lock" => (
            "Lock on a majority of nodes",
            "多节点多数派锁（Redlock）",
            "It survives a node that loses its data; a holder that was paused past its lease still writes.",
            "能容忍一个节点丢失数据；但持有者停顿超过租期之后，照样会写入。",
        ),
        "redis-check-then-act" => (
            "Redis without Lua: check, then act",
            "Redis 分步判断（不用 Lua）",
            "Each command is atomic, the sequence is not: two clicks both pass SISMEMBER before either calls SADD, and a crash between two commands loses a unit.",
            "每条命令是原子的，连起来就不是了：两次点击都先通过了 SISMEMBER，再各自 SADD；在两条命令之间崩溃，库存就少一件。",
        ),
        "memory-queue" => (
            "Lua gate + queue in memory",
            "Lua 闸门 + 内存阻塞队列",
            "The queue is lost with its process, and with it orders that buyers were already granted.",
            "进程一崩溃，队列就没了，已经答复过买家的订单也跟着没了。",
        ),
        "redis-list" => (
            "Lua gate + Redis list (BRPOP)",
            "Lua 闸门 + Redis List（BRPOP）",
            "A popped order is in the worker's memory only; if the worker is killed, or fails to record it, the order is lost.",
            "弹出来的订单只在消费者的内存里；进程被杀，或者入库出错，订单就丢了。",
        ),
        "pub-sub" => (
            "Lua gate + Pub/Sub",
            "Lua 闸门 + 发布订阅",
            "A message is delivered at most once: what the worker was processing when it was killed, or failed to record, is lost.",
            "消息最多投递一次：消费者被杀时正在处理的订单、入库出错的订单，都会丢。",
        ),
        "stream-reader" => (
            "Lua gate + stream, one reader",
            "Lua 闸门 + Stream 单消费者",
            "The reader's position is in its memory, and advances before the order is recorded: after a kill or an error the order is skipped.",
            "读到哪里只记在内存里，而且还没入库就往前移了：进程被杀或者出错之后，这张订单就被跳过了。",
        ),
        "stream-group" => (
            "Lua gate + stream, consumer group",
            "Lua 闸门 + Stream 消费者组",
            "The end of a process loses nothing; after a failover to a lagging replica Redis has lost who bought.",
            "进程崩溃不会丢单；但切换到数据落后的从库之后，Redis 就不知道谁买过、卖了多少了。",
        ),
        "rabbitmq" => (
            "Lua gate + RabbitMQ",
            "Lua 闸门 + RabbitMQ",
            "A crash between gate and broker leaves a unit unsold; a redelivered message takes two units, and a failed one is acknowledged.",
            "在闸门和消息队列之间崩溃，会有一件库存卖不出去；重复投递的消息会扣两件库存；处理失败的消息也被确认了。",
        ),
        "kafka" => (
            "Lua gate + Kafka",
            "Lua 闸门 + Kafka",
            "The consumer is idempotent; a crash between gate and broker still leaves a unit unsold.",
            "消费者是幂等的；但在闸门和消息队列之间崩溃，仍然会有一件库存卖不出去。",
        ),
        "flash-gate" => (
            "The batched gate of this site",
            "本站的批量闸门（flash 库）",
            "Decision and order are one write, a retry with the same order id is harmless, a buyer gets the reply when the replicas have the order, and a unique key in SQL decides last.",
            "资格和订单一次写入；单号事先生成，重试不会多一单；副本收到之后才答复买家；最后还有数据库的唯一键兜底。",
        ),
        _ => ("?", "?", "?", "?"),
    }
}
