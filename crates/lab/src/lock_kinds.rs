//! Locks for a purchase: from one try on one Redis to a lock with a fencing token, and on several masters.
//!
//! Every purchase is real: the stock and the orders are in SQL, and a lock guards the read of the stock and the write. A
//! *process* is a value with connections of its own to all masters.

mod all_masters;
mod fenced;
mod majority;
mod one_try;
mod polling;
mod reentrant_hash;

use std::time::Duration;

use anyhow::Result;
use futures_util::FutureExt as _;
use futures_util::future::{join_all, try_join_all};
use link::Script;
use lock::{Locks, Options, Term};
use testkit::Redis;
use tokio::time::{Instant, sleep, timeout};

use crate::experiment::{Experiment, Trial, TrialOutcome, Variant};
use crate::sale_tables::{self, SaleTables};
use crate::services::{self, Services};
use crate::version::{self, Order, PurchaseRequest};

/// Redis masters that do not replicate each other. Locks on one Redis use the first.
const MASTERS: usize = 3;

/// How long a lock lasts whose holder dies, for all variants.
const LEASE: Duration = Duration::from_secs(30);

/// How often a variant without notifications tries again.
const RETRY: Duration = Duration::from_millis(5);

/// Longer than ten purchases take on a busy machine.
const LONG: Duration = Duration::from_secs(60);
/// How long a buyer waits for a lock that is not released meanwhile.
const SHORT: Duration = Duration::from_secs(1);
/// A method that has not got the lock of its own caller by then never will: a grant takes a thousandth of this.
const SELF_LIMIT: Duration = Duration::from_secs(3);

const BUYERS: i64 = 10;
/// Purchases while a master is down, one after the other.
const TRIES: i64 = 3;

/// Deletes a lock if it still has this owner.
static RELEASE: Script = Script::new(
    "if redis.call('GET', KEYS[1]) == ARGV[1] then
         return redis.call('DEL', KEYS[1])
     end
     return 0",
);

/// One implementation of a lock. A value of it is a process.
trait SaleLock: Sized + Send + Sync + 'static {
    type Held: Send;

    /// Whether a caller waits for a lock that is held.
    const CAN_WAIT: bool = true;

    /// Starts a process.
    fn start(masters: &[String]) -> impl Future<Output = Result<Self>> + Send;

    /// Acquires the lock in the name of an owner, a thread so to speak; `None` if it is not granted in time.
    fn acquire(
        &self,
        owner: &str,
        patience: Duration,
    ) -> impl Future<Output = Result<Option<Self::Held>>> + Send;

    /// The same from a method that is called with the lock held.
    fn acquire_again(
        &self,
        owner: &str,
        _held: &Self::Held,
    ) -> impl Future<Output = Result<Option<Self::Held>>> + Send
    where
        Self::Held: Sync,
    {
        self.acquire(owner, LONG)
    }

    fn release(&self, held: Self::Held) -> impl Future<Output = Result<()>> + Send;

    /// The fencing token that the row checks, if there is one.
    fn fence(_held: &Self::Held) -> Option<i64> {
        None
    }
}

pub(crate) const EXPERIMENT: Experiment = Experiment {
    id: "locks",
    title: (
        "Locks: one Redis, several masters",
        "锁：从一个 Redis 到多个主节点",
    ),
    what: (
        "A purchase under a lock: called by itself, by ten at once, with masters that are down or have lost their data.",
        "在锁里下单：方法套方法、十个人同时来、主节点宕机、主节点丢数据，分别会怎样。",
    ),
    trials: &[REENTRY, WAITING, ONE_FORGETS, TWO_FORGET, ONE_DOWN],
    ways: WAYS,
};

const REENTRY: Trial = Trial {
    id: "re-entry",
    title: ("Re-entry", "可重入"),
    what: (
        "A method that holds the lock calls another one that acquires the same lock. It must get it, and not wait for itself.",
        "持有锁的方法又调用了一个要加同一把锁的方法：应当直接进入，而不是自己等自己。",
    ),
};
const WAITING: Trial = Trial {
    id: "waiting",
    title: ("Ten buyers, ten units", "十个人买十件"),
    what: (
        "One buyer holds the lock when nine more come; a moment later it is free. Of ten units so many are sold. All ten must \
         be.",
        "一个人正持有锁，又来了九个；片刻之后锁就释放。十件库存卖出几件：都应当卖出。",
    ),
};
const ONE_FORGETS: Trial = Trial {
    id: "one-forgets",
    title: ("One master loses its data", "一个主节点丢数据"),
    what: (
        "A holds the lock and has read the last unit; the first master loses all its data; B buys; A goes on. One unit may be \
         sold.",
        "A 持有锁并读到了最后一件，这时第一个主节点的数据全丢了；B 来买，然后 A 继续。只该卖出一件。",
    ),
};
const TWO_FORGET: Trial = Trial {
    id: "two-forget",
    title: ("Two masters lose their data", "两个主节点丢数据"),
    what: (
        "The same, and two of the three masters lose their data.",
        "同上，但三个主节点里有两个丢了数据。",
    ),
};
const ONE_DOWN: Trial = Trial {
    id: "one-down",
    title: ("One master is down", "一个主节点宕机"),
    what: (
        "The first master is down. Of three purchases so many succeed. To refuse is safe, so this is a price.",
        "第一个主节点宕机时下三次单，成功几次。拒绝并不会出错，所以这里只算代价。",
    ),
};

const WAYS: &[Variant] = &[
    Variant {
        id: "one-try",
        title: ("SET NX, one try", "SET NX，只试一次"),
        why: (
            "It cannot wait: nine of ten buyers are sent away although the lock is free a moment later. And it does not know \
             its own owner, so a method that needs the lock again is refused.",
            "不可重试：锁片刻之后就释放，十个人里仍有九个被拒之门外，库存却还在。也不可重入：自己再要一次锁，同样被拒。",
        ),
        file: "one_try.rs",
        code: include_str!("lock_kinds/one_try.rs"),
        run: |services| run::<one_try::OneTry>(services).boxed_local(),
    },
    Variant {
        id: "polling",
        title: ("SET NX, tried again and again", "SET NX，反复重试"),
        why: (
            "Everybody gets a turn. But it is not re-entrant: a method that needs the lock again waits for itself, and everybody \
             else waits with it until the lease ends.",
            "人人都轮得到。但不可重入：方法里再加一次锁，就是自己等自己，其他人也陪着等，直到租期结束。",
        ),
        file: "polling.rs",
        code: include_str!("lock_kinds/polling.rs"),
        run: |services| run::<polling::Polling>(services).boxed_local(),
    },
    Variant {
        id: "reentrant-hash",
        title: (
            "Hash of owner and count (Redisson)",
            "Hash 记录持有者和重入次数（Redisson）",
        ),
        why: (
            "The owner enters again and the count remembers how often. It is still one Redis: when that forgets, two hold the \
             lock.",
            "记下持有者和次数，自己可以再次进入。但它仍然只在一个 Redis 上：数据一丢，就有两个持有者。",
        ),
        file: "reentrant_hash.rs",
        code: include_str!("lock_kinds/reentrant_hash.rs"),
        run: |services| run::<reentrant_hash::ReentrantHash>(services).boxed_local(),
    },
    Variant {
        id: "all-masters",
        title: (
            "All of three masters (MultiLock)",
            "三个主节点全部加锁（MultiLock 联锁）",
        ),
        why: (
            "One master that still remembers is enough to keep a second holder out. One master that is down is enough to keep \
             everybody out. Without a fencing token it does not stop a holder that was paused (version 12).",
            "只要还有一个主节点记得，就不会有第二个持有者；只要有一个主节点宕机，就谁也拿不到锁。它没有 fencing token，挡不住停顿过久的持有者（见版本 12）。",
        ),
        file: "all_masters.rs",
        code: include_str!("lock_kinds/all_masters.rs"),
        run: |services| run::<all_masters::AllMasters>(services).boxed_local(),
    },
    Variant {
        id: "majority",
        title: (
            "A majority of three masters (Redlock)",
            "三个主节点过半加锁（Redlock）",
        ),
        why: (
            "It bears one master that is down and one that forgets. Two that forget are a new majority, and with it a second \
             holder.",
            "一个主节点宕机或者丢数据都受得住；两个丢了数据，就凑出新的多数派，也就有了第二个持有者。",
        ),
        file: "majority.rs",
        code: include_str!("lock_kinds/majority.rs"),
        run: |services| run::<majority::Majority>(services).boxed_local(),
    },
    Variant {
        id: "fenced",
        title: (
            "Our lock: one Redis and a fencing token",
            "本项目的锁：一个 Redis + fencing token",
        ),
        why: (
            "When Redis forgets, two hold the lock for a moment; but the row has seen the higher token and refuses the lower one. \
             It is as available as its Redis, which is what replicas and failover are for.",
            "Redis 丢了数据，会短暂出现两个持有者；但数据行见过更大的 token，拒绝更小的那个。可用性取决于这一个 Redis，由主从切换来保证。",
        ),
        file: "fenced.rs",
        code: include_str!("lock_kinds/fenced.rs"),
        run: |services| run::<fenced::Fenced>(services).boxed_local(),
    },
];

/// Three masters, and the tables of a sale.
struct Site<'a> {
    services: &'a Services,
    masters: Vec<Redis>,
    tables: SaleTables,
    sale: i64,
}

impl<'a> Site<'a> {
    async fn open(services: &'a Services) -> Result<Self> {
        let masters = (0..MASTERS).map(|_| services::start_redis());
        Ok(Self {
            services,
            masters: join_all(masters).await,
            tables: services.database().await?.tables,
            sale: 0,
        })
    }

    /// Begins a sale of so many units, with nothing in Redis.
    async fn publish(&mut self, stock: i64) -> Result<()> {
        for master in &self.masters {
            master.flush().await;
        }
        self.sale = self.services.next_sale();
        self.tables.put_up(self.sale, stock).await
    }

    async fn start<L: SaleLock>(&self) -> Result<L> {
        let urls: Vec<String> = self.masters.iter().map(Redis::url).collect();
        L::start(&urls).await
    }

    async fn sold(&self) -> Result<usize> {
        Ok(self.tables.orders(self.sale).await?.len())
    }

    /// A whole purchase; without the lock nothing is bought.
    async fn buy<L: SaleLock>(&self, process: &L, buyer: i64, patience: Duration) -> Result<()> {
        let Ok(Some(held)) = process.acquire(&owner(buyer), patience).await else {
            return Ok(());
        };
        if self.tables.stock(self.sale).await? > 0 {
            self.write(buyer, L::fence(&held)).await?;
        }
        process.release(held).await
    }

    /// Takes a unit and writes the order. With a fencing token the row refuses a lower one than it has seen.
    async fn write(&self, buyer: i64, fence: Option<i64>) -> Result<()> {
        let sale = self.sale;
        let mut transaction = self.tables.pool.begin().await?;
        let taken = match fence {
            None => sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ?").bind(sale),
            Some(fence) => {
                let update =
                    "UPDATE sale SET stock = stock - 1, fence = ? WHERE id = ? AND fence <= ?";
                sqlx::query(update).bind(fence).bind(sale).bind(fence)
            }
        };
        if taken.execute(&mut *transaction).await?.rows_affected() > 0 {
            let order = Order::of(PurchaseRequest { sale, buyer });
            sale_tables::insert(&mut transaction, order).await?;
        }
        Ok(transaction.commit().await?)
    }
}

async fn run<L: SaleLock>(services: &Services) -> Result<Vec<TrialOutcome>>
where
    L::Held: Sync,
{
    let mut site = Site::open(services).await?;
    let entered = enter_again::<L>(&mut site).await?;
    let sold = sell_to_ten::<L>(&mut site).await?;
    let (one, two) = (
        sell_after_loss::<L>(&mut site, 1).await?,
        sell_after_loss::<L>(&mut site, 2).await?,
    );
    let tries = usize::try_from(TRIES)?;
    let down = sell_without_first::<L>(&mut site).await?;
    let buyers = usize::try_from(BUYERS)?;
    Ok(vec![
        TrialOutcome::judged(&REENTRY, entered, 1, entered == 1),
        TrialOutcome::judged(&WAITING, sold, buyers, sold == buyers),
        TrialOutcome::judged(&ONE_FORGETS, one, 1, one == 1),
        TrialOutcome::judged(&TWO_FORGET, two, 1, two == 1),
        TrialOutcome::priced(&ONE_DOWN, down, tries),
    ])
}

/// A method with the lock calls one that needs it too.
async fn enter_again<L: SaleLock>(site: &mut Site<'_>) -> Result<usize>
where
    L::Held: Sync,
{
    site.publish(1).await?;
    let process: L = site.start().await?;
    let held = process.acquire("A", LONG).await?;
    let held = held.expect("nobody else holds it");
    let inner = timeout(SELF_LIMIT, process.acquire_again("A", &held)).await;
    let entered = match inner {
        Ok(inner) => inner?,
        Err(_waits_for_itself) => None,
    };
    let count = usize::from(entered.is_some());
    if let Some(inner) = entered {
        process.release(inner).await?;
    }
    process.release(held).await?;
    Ok(count)
}

/// One buyer holds the lock, nine more come, then the lock is released.
async fn sell_to_ten<L: SaleLock>(site: &mut Site<'_>) -> Result<usize> {
    site.publish(BUYERS).await?;
    let (one, two): (L, L) = (site.start().await?, site.start().await?);
    let held = one.acquire(&owner(1), LONG).await?;
    let held = held.expect("nobody else holds it");
    let site = &*site;
    let others = (2..=BUYERS).map(|buyer| {
        let process = if buyer % 2 == 0 { &two } else { &one };
        site.buy(process, buyer, LONG)
    });
    let others = try_join_all(others);
    let first = async {
        site.write(1, L::fence(&held)).await?;
        one.release(held).await
    };
    if L::CAN_WAIT {
        tokio::try_join!(others, first)?;
    } else {
        // All of them have their reply before the lock is free.
        others.await?;
        first.await?;
    }
    site.sold().await
}

/// A has read the last unit when so many masters lose their data; B buys, then A goes on.
async fn sell_after_loss<L: SaleLock>(site: &mut Site<'_>, forgetful: usize) -> Result<usize> {
    site.publish(1).await?;
    let (a, b): (L, L) = (site.start().await?, site.start().await?);
    let held = a.acquire(&owner(1), LONG).await?;
    let held = held.expect("nobody else holds it");
    for master in &site.masters[..forgetful] {
        master.flush().await;
    }
    site.buy(&b, 2, SHORT).await?;
    site.write(1, L::fence(&held)).await?;
    // A lock that was lost cannot be released, and need not be.
    let _lost = a.release(held).await;
    site.sold().await
}

async fn sell_without_first<L: SaleLock>(site: &mut Site<'_>) -> Result<usize> {
    site.publish(TRIES).await?;
    let process: L = site.start().await?;
    site.masters[0].stop_hard();
    for buyer in 1..=TRIES {
        site.buy(&process, buyer, SHORT).await?;
    }
    site.sold().await
}

fn owner(buyer: i64) -> String {
    format!("buyer {buyer}")
}

/// Waits for the next try; `false` if there is no time for one.
async fn pause_before_retry(until: Instant) -> bool {
    sleep(RETRY).await;
    Instant::now() < until
}

/// The locks of the `lock` crate on each of these masters. A master that is down is given up soon.
async fn locks_of(masters: &[String]) -> Result<Vec<Locks>> {
    let options = Options {
        outage_limit: Duration::from_millis(200),
        ..Options::default()
    };
    let mut locks = Vec::new();
    for url in masters {
        let link = version::connect(url).await?;
        locks.push(Locks::with_options(link, options.clone()));
    }
    Ok(locks)
}

/// Renewed while the holder lives; a majority waits a tenth of it for a master that is down.
const TERM: Term = Term::Renewed(Duration::from_secs(6));
