// What the course builds, what this site does instead, and why: one row per chapter of the notes. The page and the documents
// `docs/guide/course*.md` are made of it; a test compares them and follows every link.

// Nothing is imported here: the test that follows the links runs without the web app.
export interface CourseWords {
  en: string;
  "zh-CN": string;
}

export type CourseLanguage = keyof CourseWords;

export interface CourseRow {
  id: string;
  chapter: CourseWords;
  /** What the course has you write. */
  built: CourseWords;
  /** What this site does. */
  instead: CourseWords;
  why: CourseWords;
  /** Files of the repository. */
  code: readonly string[];
  /** Versions and experiments of the lab. */
  lab: readonly string[];
  /** Figures, promises and decisions: files below `docs`, with an anchor where one helps. */
  read: readonly string[];
}

export interface CoursePart {
  id: string;
  title: CourseWords;
  rows: readonly CourseRow[];
}

function words(en: string, zh: string): CourseWords {
  return { en, "zh-CN": zh };
}

const LOGIN: CoursePart = {
  id: "login",
  title: words("Signing in", "登录"),
  rows: [
    {
      id: "session-login",
      chapter: words("SMS login on the HTTP session", "基于 Session 的短信登录"),
      built: words("Code and user in Tomcat's session, which lives in the memory of one server.", "验证码和用户都放进 Tomcat 的 Session，只在一台服务器的内存里。"),
      instead: words("Code and session in Redis from the start; the token is stored as a hash.", "验证码和会话一开始就放在 Redis；令牌只存哈希。"),
      why: words("A second server, or a restart, does not know a session in memory. A stolen copy of Redis must not let anybody sign in.", "换一台服务器、重启一次，内存里的 Session 就没了；而 Redis 的备份就算泄露，也不该让人拿着就能登录。"),
      code: ["crates/kv/src/codes.rs", "crates/kv/src/sessions.rs"],
      lab: ["sessions"],
      read: ["guide/promises.md", "guide/walks.md#sign-in"],
    },
    {
      id: "redis-token",
      chapter: words("Token in Redis, two interceptors", "Redis 令牌与两个拦截器"),
      built: words("Every request reads the token's hash and sets its expiry again; the user goes into a ThreadLocal.", "每个请求读一次令牌、刷新一次有效期，用户放进 ThreadLocal。"),
      instead: words("A copy of the session in memory until Redis invalidates it (client-side caching); the expiry is extended behind the requests, in batches. The user is an argument of the handler.", "会话副本留在内存里，直到 Redis 通知作废（客户端缓存）；有效期在请求之后批量延长；用户是处理函数的参数。"),
      why: words("A copy saves a round trip per request, and a sign-out still ends it everywhere. An argument cannot be forgotten to clean up.", "副本省下每个请求一次往返，退出登录又能处处立即生效；参数不会像 ThreadLocal 那样忘了清理。"),
      code: ["crates/kv/src/session_cache.rs", "crates/kv/src/session_watch.rs", "crates/server/src/http/extract/signed.rs"],
      lab: ["sessions"],
      read: ["adr/0004-session-memory-by-key-tracking.md", "adr/0053-sessions-stay-in-memory-and-are-written-behind.md", "guide/benchmarks.md#counts-that-cannot-drift"],
    },
    {
      id: "code-limits",
      chapter: words("Limits on codes", "验证码防刷"),
      built: words("INCR and EXPIRE, a set, or a sorted set of times per phone number.", "按手机号用 INCR + EXPIRE，或者用 Set、ZSet 记发送时间。"),
      instead: words("GCRA in one script, per number, address and site; wrong guesses are counted per device, so a stranger cannot lock you out.", "一段脚本的 GCRA，按号码、地址、全站分别限；猜错按设备计数，陌生人锁不住你。"),
      why: words("A window lets twice as many pass around its end, and a crash between INCR and EXPIRE blocks for ever. The lab shows both.", "固定窗口在交界处能放过两倍的请求；死在 INCR 和 EXPIRE 之间，就永远不再放行。两种情况实验室里都能看到。"),
      code: ["crates/kv/src/limits.rs", "crates/kv/src/lua/take.lua", "crates/kv/src/lua/check_code.lua"],
      lab: ["limits"],
      read: ["adr/0011-limits-by-gcra.md", "adr/0012-wrong-codes-count-per-contact.md", "adr/0035-sign-in-limits-are-shared-out.md"],
    },
    {
      id: "dto",
      chapter: words("Hiding fields with a DTO", "用 DTO 隐藏敏感字段"),
      built: words("BeanUtil copies the user into a UserDTO.", "BeanUtil 把 User 复制成 UserDTO。"),
      instead: words("Two shapes per thing, the row and the view; a phone number is a type that prints itself masked.", "每样东西两种形状：数据行和视图；手机号是一个类型，打印出来就是打码的。"),
      why: words("What is copied by name leaks with the next field. A type cannot be logged by mistake; a test searches the log.", "按字段名复制，加一个字段就可能漏一个；类型保证了日志里也不会出现，有测试专门去日志里找。"),
      code: ["crates/domain/src/contact.rs", "crates/server/src/http/account.rs"],
      lab: [],
      read: ["adr/0037-what-is-shown-and-what-is-believed.md", "guide/promises.md"],
    },
  ],
};

const CACHE: CoursePart = {
  id: "cache",
  title: words("Shops and the cache", "商户查询与缓存"),
  rows: [
    {
      id: "cache-update",
      chapter: words("Cache-aside and updating it", "缓存更新策略"),
      built: words("Update the row, then delete the key.", "先更新数据库，再删除缓存。"),
      instead: words("The same order; but whoever loads holds a lease beside the value, and the delete takes the lease away, so a load that was in flight cannot store its old row. An outbox row deletes once more.", "顺序相同；但加载者要先拿到值旁边的租约，删除会同时收回租约，于是还在途中的加载写不进旧值。另有一条发件箱记录再删一次。"),
      why: words("Between the delete and the reader's write an old value can come back and stay until its expiry. The outbox survives a crash after the commit.", "删除之后，慢一步的读者可能把旧值写回去，一直留到过期；提交之后进程若崩溃，也还有发件箱来补删。"),
      code: ["crates/cache/src/shared.rs", "crates/cache/src/load.rs", "crates/app/src/outbox.rs"],
      lab: ["double-writes", "replicas"],
      read: ["adr/0018-two-levels-that-refuse-stale-fills.md", "adr/0019-one-relay-in-order-per-key.md"],
    },
    {
      id: "penetration",
      chapter: words("Penetration", "缓存穿透"),
      built: words("Cache an empty value for a short time; a Bloom filter as an alternative.", "缓存空值，有效期短一些；布隆过滤器作为备选。"),
      instead: words("A Bloom filter of all ids in front, empty values behind it.", "前面是包含所有 id 的布隆过滤器，后面再加空值。"),
      why: words("Empty values stop the second request for an id, not a million different ids.", "空值挡得住同一个 id 的第二次请求，挡不住一百万个不同的 id。"),
      code: ["crates/cache/src/bloom.rs"],
      lab: ["caches"],
      read: ["adr/0018-two-levels-that-refuse-stale-fills.md"],
    },
    {
      id: "avalanche",
      chapter: words("Avalanche", "缓存雪崩"),
      built: words("A random number of minutes on top of the expiry.", "过期时间加一个随机值。"),
      instead: words("Random expiry, early refresh of what is read often, a bound on loads at once, and a breaker: while Redis is down SQL is asked with that bound.", "随机过期、常读的提前刷新、同时加载数有上限，外加熔断：Redis 宕机时，在这个上限内直接查数据库。"),
      why: words("Jitter spreads expiry; it does nothing when Redis itself is gone and every read is a miss.", "随机值只能把过期时间错开；Redis 整个没了的时候，每次读都是未命中，它帮不上忙。"),
      code: ["crates/cache/src/early.rs", "crates/cache/src/breaker.rs", "crates/cache/src/settings.rs"],
      lab: ["avalanche"],
      read: ["guide/promises.md"],
    },
    {
      id: "breakdown",
      chapter: words("Breakdown: mutex, logical expiry", "缓存击穿：互斥锁与逻辑过期"),
      built: words("SETNX and sleep 50 ms, or an expiry inside the value that one thread renews.", "SETNX 抢锁、抢不到睡 50 毫秒；或者把过期时间写进值里，由一个线程去重建。"),
      instead: words("One load per process (others wait for it without polling) and one per site by a lease beside the value; old values are served meanwhile if the cache is told to.", "同一进程只加载一次，其他请求等它、不轮询；全站靠值旁边的租约只加载一次；可以选择期间先返回旧值。"),
      why: words("A lock with a fixed expiry is deleted by the wrong holder after a pause. Logical expiry alone takes “not in the cache” for “does not exist”.", "固定过期的锁，停顿之后会被别人误删；只靠逻辑过期，会把“缓存里没有”当成“根本没有”。"),
      code: ["crates/cache/src/in_flight.rs", "crates/cache/src/key_load.rs"],
      lab: ["caches"],
      read: ["adr/0018-two-levels-that-refuse-stale-fills.md", "guide/benchmarks.md#figures"],
    },
    {
      id: "cache-client",
      chapter: words("CacheClient, Caffeine in front", "CacheClient 工具类与二级缓存"),
      built: words("A utility class with a function per strategy; Caffeine with an expiry of a minute in front.", "一个工具类，每种策略一个方法；前面再加一分钟过期的 Caffeine。"),
      instead: words("A library: memory, Redis, loader, one builder; Redis tells every process which copy is stale.", "一个库：内存、Redis、加载器，一个构建器配置；哪份副本旧了，由 Redis 通知每个进程。"),
      why: words("With an expiry alone, the servers contradict each other for up to a minute after a change.", "只靠过期时间，改动之后各台服务器会有长达一分钟各说各话。"),
      code: ["crates/cache/src/lib.rs", "crates/cache/src/tracked_memory.rs", "crates/cache/src/subscriber.rs"],
      lab: ["caches"],
      read: ["guide/benchmarks.md#figures"],
    },
  ],
};

const SALE: CoursePart = {
  id: "sale",
  title: words("The flash sale", "优惠券秒杀"),
  rows: [
    {
      id: "ids",
      chapter: words("Global ids", "全局唯一 ID"),
      built: words("31 bits of seconds and 32 bits of a counter in Redis, one INCR per id.", "31 位秒数 + 32 位 Redis 自增，每个 id 一次 INCR。"),
      instead: words("The same layout; processes take blocks of the counter, and a mark in SQL proves that no count is given out twice.", "格式相同；进程成段领取计数，数据库里的水位线保证没有一个数会发两次。"),
      why: words("A round trip per order is too much, and a Redis that lost its counter would give out the same ids again.", "每单多一次往返太贵；而 Redis 若丢了计数器，又会发出同样的 id。"),
      code: ["crates/flash/src/ids.rs", "crates/storage/src/id_marks.rs"],
      lab: [],
      read: ["adr/0041-what-is-kept-by-hand-in-and-around-the-flash-engine.md"],
    },
    {
      id: "publish",
      chapter: words("Publishing a voucher, warming up", "发布秒杀券与预热"),
      built: words("Two tables in one transaction, then SET seckill:stock:{id}.", "一个事务写两张表，再 SET seckill:stock:{id}。"),
      instead: words("The gate is loaded from SQL, stock and buyers together, behind a barrier that lets orders in flight reach SQL first.", "闸门从数据库装载，库存与买家一起；装载前有一道屏障，让在途订单先入库。"),
      why: words("After a flush of Redis a plain SET sells the sold units again.", "Redis 一旦被清空，只 SET 库存就会把卖掉的再卖一遍。"),
      code: ["crates/flash/src/load.rs", "crates/app/src/vouchers.rs"],
      lab: ["flash-gate"],
      read: ["adr/0031-a-gate-belongs-to-one-master.md", "guide/promises.md"],
    },
    {
      id: "oversell",
      chapter: words("Overselling and the optimistic lock", "超卖与乐观锁"),
      built: words("A version column, then stock > 0 (in some notes stock >= 0) in the UPDATE.", "先是版本号，再是 UPDATE 里的 stock > 0（有的笔记写成 stock >= 0）。"),
      instead: words("The condition stays, as the last defence; the decision is made in Redis for a whole batch.", "这个条件留着，作为最后一道防线；真正的裁决在 Redis 里一批一批地做。"),
      why: words("The row lock of one hot row bounds a sale to some hundred orders a second.", "一行热点数据的行锁，把整场秒杀限制在每秒几百单。"),
      code: ["crates/flash/src/lua/claim.lua", "crates/storage/src/flash_sales.rs"],
      lab: ["no-lock", "optimistic-version", "stock-ge-zero", "optimistic-stock", "pessimistic-lock"],
      read: ["guide/lab.md", "guide/benchmarks.md#figures"],
    },
    {
      id: "one-per-person",
      chapter: words("One order per person", "一人一单"),
      built: words("COUNT(*) first, inside synchronized(userId.intern()), with a proxy for the transaction.", "先 COUNT(*)，再用 synchronized(userId.intern()) 包住，并借代理对象开启事务。"),
      instead: words("The gate knows every buyer; in SQL a unique key on sale, buyer and slot decides.", "闸门记着每个买家；数据库里由（秒杀、买家、序号）唯一键说了算。"),
      why: words("A mutex ends at its process. A unique key cannot be overtaken, and needs no lock.", "互斥锁出了进程就失效；唯一键谁也绕不过去，还不需要锁。"),
      code: ["crates/flash/src/lua/claim.lua", "crates/storage/src/flash_sales.rs"],
      lab: ["one-per-person", "process-mutex"],
      read: ["guide/promises.md"],
    },
    {
      id: "redis-lock",
      chapter: words("A lock in Redis: SET NX, owner, Lua", "Redis 分布式锁：SET NX、持有者标识、Lua"),
      built: words("SET NX EX, then a UUID as the owner, then compare-and-delete in Lua.", "SET NX EX，再加 UUID 标识，再用 Lua 比较并删除。"),
      instead: words("Where a lock is needed, every grant has a rising fencing token that the protected row checks. The sale itself takes no lock.", "需要锁的地方，每次加锁都得到递增的 fencing token，由被保护的数据行来检查；秒杀本身不用锁。"),
      why: words("No release, however atomic, stops a holder that was paused before its write. Play the schedule: it sells the last unit twice.", "释放得再原子，也拦不住在写库之前停顿的持有者。把那个时序播放一遍：最后一件卖了两次。"),
      code: ["crates/lock/src/fence.rs", "crates/lock/src/lua/mutex_acquire.lua"],
      lab: ["set-nx", "owner-check", "lua-release", "fenced-lock"],
      read: ["guide/lab.md", "guide/benchmarks.md#figures"],
    },
    {
      id: "redisson",
      chapter: words("Redisson: re-entry, retry, watchdog, MultiLock", "Redisson：可重入、重试、看门狗、MultiLock"),
      built: words("RLock: a hash with a count, publish/subscribe to retry, renewal every ten seconds, several masters.", "RLock：哈希记重入次数，发布订阅做重试，每十秒续期，多个主节点连锁。"),
      instead: words("The same four in a library of our own, and a queue, so that the waiting are served in order, and fencing tokens.", "自己的锁库同样有这四样，另外有队列（等待者先来先得）和 fencing token。"),
      why: words("RLock has no token: after a pause or a failover two holders write. A majority of nodes survives the failover, not the pause.", "RLock 没有 token：停顿或主从切换之后，会有两个持有者同时写。多数派扛得住切换，扛不住停顿。"),
      code: ["crates/lock/src/lib.rs", "crates/lock/src/watchdog_scheduler.rs", "crates/lock/src/multi.rs"],
      lab: ["locks", "fenced-lock", "multi-lock", "majority-lock"],
      read: ["guide/benchmarks.md#figures"],
    },
    {
      id: "async",
      chapter: words("Lua decides, a blocking queue writes", "Lua 判断资格 + 阻塞队列异步下单"),
      built: words("A script checks stock and buyer; the order goes into an ArrayBlockingQueue; a thread writes it.", "脚本判断库存和资格，订单放进 ArrayBlockingQueue，由一个线程写库。"),
      instead: words("The script also appends the order to a stream, in the same step, for all claims that wait.", "脚本在同一步里把订单也写进 Stream，而且一次处理所有正在等的请求。"),
      why: words("A queue in memory dies with its process, and with it orders whose buyers were told they had won.", "内存队列随进程一起消失，连同已经答复“抢到了”的订单。"),
      code: ["crates/flash/src/lua/claim.lua", "crates/flash/src/claim.rs", "crates/flash/src/drain.rs"],
      lab: ["redis-check-then-act", "memory-queue", "flash-gate"],
      read: ["adr/0020-how-a-gate-answers.md", "guide/benchmarks.md#figures"],
    },
    {
      id: "redis-queues",
      chapter: words("Queues in Redis: List, Pub/Sub, Stream", "Redis 消息队列：List、发布订阅、Stream"),
      built: words("BRPOP, PUBLISH, XREAD, at last XREADGROUP with a pending list.", "BRPOP、PUBLISH、XREAD，最后是 XREADGROUP 加 pending-list。"),
      instead: words("A consumer group, one drain worker per partition by lease and fencing token, batches in one transaction, dead letters last.", "消费者组；每个分区同一时刻只有一个消费者（租约加 fencing token），一批订单一个事务；实在不行的进死信。"),
      why: words("Only the group survives the death of a consumer. A paused consumer that wakes up must not write over its successor.", "只有消费者组扛得住消费者崩溃；而停顿后醒来的消费者，不该和接替者一起写。"),
      code: ["crates/flash/src/stream.rs", "crates/flash/src/drain.rs"],
      lab: ["redis-list", "pub-sub", "stream-reader", "stream-group"],
      read: ["adr/0031-a-gate-belongs-to-one-master.md", "guide/chaos.md"],
    },
    {
      id: "brokers",
      chapter: words("RabbitMQ and Kafka", "RabbitMQ 与 Kafka"),
      built: words("The gate decides, then the process sends a message; a listener takes stock and inserts.", "闸门判断之后，由进程发消息；监听器扣库存、插入订单。"),
      instead: words("Both are there as transports: the stream stays the first place of an order, and a relay carries it on.", "两者都可以作为传输方式：订单先落在 Stream 里，再由转发者送出去。"),
      why: words("Between gate and broker a crash leaves a unit that nobody can buy. A listener that takes stock first takes two for a repeated message.", "在闸门和消息队列之间崩溃，会留下一件谁也买不到的库存；先扣库存的监听器，遇到重复消息会扣两件。"),
      code: ["crates/flash/src/transport.rs"],
      lab: ["rabbitmq", "kafka"],
      read: ["guide/lab.md"],
    },
  ],
};

const PEOPLE: CoursePart = {
  id: "people",
  title: words("Notes and people", "探店笔记与好友"),
  rows: [
    {
      id: "notes",
      chapter: words("Publishing notes, uploading pictures", "发布探店笔记与上传图片"),
      built: words("The file is stored under nginx as it came, by a random name.", "文件原样存到 nginx 目录，起个随机名。"),
      instead: words("Pictures are decoded within bounds and written anew; texts are cleaned; note, pictures and outbox row are one transaction.", "图片在限度之内解码、重新编码；正文会清洗；笔记、图片、发件箱记录在同一个事务里。"),
      why: words("A file that is served as it came may be a script, or 100 megapixels in 10 kB.", "原样返回的文件可能是一段脚本，也可能是十几 KB 里藏着一亿像素。"),
      code: ["crates/app/src/notes.rs", "crates/pictures/src/lib.rs", "crates/domain/src/text.rs"],
      lab: [],
      read: ["adr/0026-pictures-are-written-anew-as-jpeg.md", "adr/0024-texts-are-kept-harmless.md"],
    },
    {
      id: "likes",
      chapter: words("Likes and the first five", "点赞与点赞排行"),
      built: words("A sorted set in Redis beside a counter in SQL; ORDER BY FIELD for the first five.", "Redis 的 ZSet 加数据库里的计数，前五名用 ORDER BY FIELD。"),
      instead: words("A row per like in SQL is the truth; the sorted set is loaded from it and carries a mark that it is complete.", "每个赞是数据库里的一行，这才是准的；ZSet 从它装载，带着“已装载完整”的标记。"),
      why: words("If Redis is flushed, the course's likes are gone and the counter disagrees for ever.", "Redis 一清空，课程里的赞就没了，计数也永远对不上。"),
      code: ["crates/kv/src/note_likes.rs", "crates/kv/src/hot_notes.rs", "crates/storage/src/note_likes.rs"],
      lab: [],
      read: ["adr/0025-views-of-notes-are-ordered-by-the-notes-lock.md"],
    },
    {
      id: "follows",
      chapter: words("Following, and whom both follow", "关注与共同关注"),
      built: words("A row in SQL and a set in Redis, written one after the other; SINTER for both.", "数据库一行、Redis 一个 Set，先后写入；共同关注用 SINTER。"),
      instead: words("The row decides; the set is a view that is dropped on a change and loaded again by the next reader.", "以数据行为准；Set 只是视图，一有改动就丢掉，下一个读者重新装载。"),
      why: words("Two writes without a transaction part ways at the first crash.", "没有事务的两次写入，第一次崩溃就会分道扬镳。"),
      code: ["crates/kv/src/follows.rs", "crates/storage/src/follows.rs"],
      lab: [],
      read: ["adr/0018-two-levels-that-refuse-stale-fills.md"],
    },
    {
      id: "feed",
      chapter: words("The feed and scrolling", "Feed 流与滚动分页"),
      built: words("Push the id into a sorted set of every fan; page by score with an offset.", "把 id 推到每个粉丝的 ZSet，按分数加偏移量翻页。"),
      instead: words("Push by an outbox relay, in order; authors with very many fans are read instead of pushed; a page begins at a place in the order, not at an offset.", "由发件箱转发者按序推送；粉丝极多的作者不推、改为读取时合并；翻页从“次序中的位置”开始，不用偏移量。"),
      why: words("A request that pushes to a million fans does not end, and an offset skips or repeats notes of the same millisecond.", "在请求里推给一百万粉丝，永远推不完；用偏移量，同一毫秒的笔记会跳过或重复。"),
      code: ["crates/kv/src/feeds.rs", "crates/kv/src/lua/read_feed.lua", "crates/app/src/feed.rs"],
      lab: [],
      read: ["adr/0023-the-feed-is-a-place-in-an-order.md", "guide/benchmarks.md#figures"],
    },
  ],
};

const PLACES: CoursePart = {
  id: "places",
  title: words("Nearby, check-ins, visits", "附近商户、签到、UV"),
  rows: [
    {
      id: "nearby",
      chapter: words("Shops nearby with GEO", "附近商户（GEO）"),
      built: words("A test loads all shops with GEOADD once; GEOSEARCH, then skip in Java.", "用测试方法一次性 GEOADD 全部商户；GEOSEARCH 之后在 Java 里跳过前几页。"),
      instead: words("The index is loaded by itself, published in one step, changed with every shop, and SQL answers while Redis is down.", "索引自己装载、一步发布，商户一改就跟着改；Redis 宕机时由数据库回答。"),
      why: words("An index that a person loads is stale after the first change, and half of it is there while it loads.", "靠人装载的索引，第一次改动之后就旧了；装载到一半时，看到的也只有一半。"),
      code: ["crates/kv/src/geo.rs", "crates/kv/src/lua/find_near.lua", "crates/app/src/shops.rs"],
      lab: [],
      read: ["guide/benchmarks.md#figures"],
    },
    {
      id: "check-ins",
      chapter: words("Check-ins with BitMap", "用户签到（BitMap）"),
      built: words("SETBIT per day and BITFIELD for the streak; Redis alone knows them.", "每天 SETBIT，连续签到用 BITFIELD；只有 Redis 知道。"),
      instead: words("A row per day in SQL; the bitmap is a view with a bit that says it was loaded; days follow the site's time zone.", "每天一行存在数据库；位图是视图，用一个空闲位标记“已装载”；日期按站点时区。"),
      why: words("A lost key would be a lost streak of a year.", "丢了一个键，就丢了一年的连续签到。"),
      code: ["crates/kv/src/check_ins.rs", "crates/domain/src/check_in.rs", "crates/storage/src/check_ins.rs"],
      lab: [],
      read: ["guide/retention.md"],
    },
    {
      id: "visits",
      chapter: words("UV with HyperLogLog", "UV 统计（HyperLogLog）"),
      built: words("PFADD per visit, a million in a test.", "每次访问 PFADD，测试里加一百万个。"),
      instead: words("Counted in the process and sent in batches; visitors are hashed with a salt of the day; a day is folded into SQL once.", "先在进程里攒着、成批发送；访客用当天的盐做哈希；一天结束后汇总进数据库，只汇总一次。"),
      why: words("A round trip per page view costs more than the page, and who was there is nobody's business after the day.", "每次浏览一次往返，比页面本身还贵；而谁来过，过了当天就不该再查得到。"),
      code: ["crates/kv/src/visits.rs", "crates/app/src/visits.rs"],
      lab: [],
      read: ["guide/retention.md"],
    },
    {
      id: "load-test",
      chapter: words("Testing with JMeter", "用 JMeter 压测"),
      built: words("A thousand threads click; if nothing was oversold it is right.", "一千个线程去抢，没超卖就算对。"),
      instead: words("The lab tries every order of the steps; a model checks the protocol; an hour of kills checks the site; speeds are compared side by side.", "实验室穷举各步骤的所有次序；用模型检查协议；一小时不停地杀进程来检查整站；速度一律并排比较。"),
      why: words("A race that luck did not hit is still there. With 500 people even the versions with wrong locks sell exactly 50.", "没撞上的竞态仍然在。500 个人来抢，连那些锁写错的版本也恰好卖出 50 件。"),
      code: ["crates/lab/src/attacks/search.rs", "crates/flash/src/lib.rs"],
      lab: ["set-nx", "flash-gate"],
      read: ["adr/0038-the-protocol-is-checked-as-a-model.md", "guide/chaos.md", "guide/benchmarks.md"],
    },
  ],
};

export const COURSE: readonly CoursePart[] = [LOGIN, CACHE, SALE, PEOPLE, PLACES];
