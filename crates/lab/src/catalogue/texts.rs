//! What the table and the page say about each version: its name, and one sentence why.

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
            "Everybody reads the last piece before anybody takes it, so everybody takes it.",
            "大家都在别人扣减之前读到了最后一件，于是人人都卖出了它。",
        ),
        "optimistic-version" => (
            "Optimistic, by version",
            "乐观锁：版本号",
            "The version lets one writer through and sends the others away, even from a full shelf; and two clicks, or a second try after a lost answer, are two purchases.",
            "版本号只放行一个写入者，其余的人明明有货也被赶走；连点两下、或者应答丢失后重试，就是两张订单。",
        ),
        "optimistic-stock" => (
            "Optimistic, by stock > 0",
            "乐观锁：stock > 0",
            "SQL itself refuses the piece that is not there; two clicks, or a second try after a lost answer, are still two purchases.",
            "数据库自己拒绝不存在的那一件；连点两下、或者应答丢失后重试，仍然是两张订单。",
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
            "A holder that is held up past its lease writes beside the next one, and then deletes that one's lock.",
            "停顿超过租期的持有者会和下一个持有者同时写入，还会删掉别人的锁。",
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
            "No lock is deleted wrongly any more; but a pause before the write, or a failover that forgets the lock, still makes two holders.",
            "不会再误删锁；但在写库之前停顿，或者主从切换忘掉了锁，仍会同时有两个持有者。",
        ),
        "fenced-lock" => (
            "Our lock: watchdog and fence",
            "本项目的锁：看门狗 + 栅栏号",
            "Every grant has a higher number (the fence), and the row refuses a lower one than it has seen: a late holder cannot write.",
            "每次授予的号（栅栏号）都比以前大，数据行拒绝比它见过的更小的号：迟到的持有者写不进去。",
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
            "What was popped is in the worker's hand alone; if it is killed, or cannot record it, the order is gone.",
            "弹出的订单只在消费者手里，进程一死、或者入库出错，就没了。",
        ),
        "pub-sub" => (
            "Lua gate + Pub/Sub",
            "Lua 闸门 + 发布订阅",
            "A message is heard once or never: what the worker had in hand when it was killed, or could not record, is lost.",
            "消息只响一次，没听到就没有：消费者被杀时手里的、或者入库出错的订单，都丢了。",
        ),
        "stream-reader" => (
            "Lua gate + stream, one reader",
            "Lua 闸门 + Stream 单消费者",
            "The reader's place is in its memory, and moves on before the order is recorded: after a kill or an error the order is passed over.",
            "读到哪里只记在内存里，而且入库之前就往前挪：被杀或出错之后，这张订单就被跳过了。",
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
            "Between gate and broker a piece is stranded; a message delivered twice takes two pieces, and one that fails counts as done.",
            "闸门与消息队列之间会卡住一件库存；重复投递的消息会扣两件，处理失败的消息也被当作完成。",
        ),
        "kafka" => (
            "Lua gate + Kafka",
            "Lua 闸门 + Kafka",
            "The consumer is idempotent; between gate and broker a piece is still stranded.",
            "消费端是幂等的；但闸门与消息队列之间仍会卡住一件库存。",
        ),
        "flash-gate" => (
            "The batched gate of this site",
            "本站的批量闸门（flash 库）",
            "Decision and order are one write, asking again under the same order id is harmless, a buyer hears of an order when the replicas have it, and a unique key in SQL has the last word.",
            "裁决与订单一次写入；先定单号，重问也无害；副本有了才答复买家；最后说了算的是数据库的唯一键。",
        ),
        _ => ("?", "?", "?", "?"),
    }
}
