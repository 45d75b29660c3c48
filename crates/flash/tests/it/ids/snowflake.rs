//! Snowflakes: one holder per worker number, and none that outlives its lease unnoticed.

use flash::{Clock, IdChoice, IdError, Keys, Ledger as _, OrderId, OrderIds};
use lock::{Locks, Options};

use super::{Site, assert_distinct, link, take};
use crate::memory_ledger::MemoryLedger;

const WORKERS: i64 = 1_024;

/// Worker, millisecond, sequence.
fn worker_of(id: OrderId) -> i64 {
    (id.0 >> 12) & 0x3ff
}

fn ms_of(id: OrderId) -> i64 {
    id.0 >> 22
}

impl Site {
    async fn locks(&self) -> Locks {
        let options = Options {
            prefix: format!("{}lock:", self.prefix),
            ..Options::default()
        };
        Locks::with_options(link(&self.redis.url()).await, options)
    }

    /// A process of the site that makes snowflakes.
    async fn snowflakes(&self) -> OrderIds<MemoryLedger> {
        let locks = self.locks().await;
        self.process_with(link(&self.redis.url()).await, IdChoice::Snowflake(locks))
    }

    /// Has all worker numbers but this one rest for a day.
    async fn leave_only(&self, worker: i64, id: OrderId) {
        for other in (0..WORKERS).filter(|other| *other != worker) {
            let tomorrow = ms_of(id) + 86_400_000;
            let name = format!("order:worker:{other}");
            let raised = self.book.raise_mark(&name, tomorrow);
            raised.await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_give_distinct_snowflakes_under_numbers_of_their_own() {
    let site = Site::open().await;
    let mut crowd = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let locks = site.locks().await;
        let ids = OrderIds::with_clock(
            link(&site.redis.url()).await,
            Keys::new(&site.prefix),
            site.book.clone(),
            IdChoice::Snowflake(locks),
            Clock::System,
        );
        for _ in 0..2 {
            let process = ids.clone();
            crowd.spawn(async move {
                let mut ids = Vec::new();
                for n in 1..=400 {
                    process.take_many(n, &mut ids).await.unwrap();
                }
                ids
            });
        }
    }
    let ids = crowd.join_all().await.concat();
    let mut workers: Vec<_> = ids.iter().map(|id| worker_of(*id)).collect();
    workers.sort_unstable();
    workers.dedup();
    assert_eq!(workers.len(), 4);
    assert_distinct(ids);
}

#[tokio::test]
async fn a_clock_that_goes_back_is_waited_for_or_refused() {
    let site = Site::open().await;
    let process = site.snowflakes().await;
    let mut ids = take(&process, 10).await.unwrap();
    site.move_clock(-1_001);
    let refused = take(&process, 1).await;
    assert!(matches!(refused, Err(IdError::ClockBack { by_ms: 1_001 })));
    site.move_clock(501);
    let (later, ()) = tokio::join!(take(&process, 10), async {
        tokio::task::yield_now().await;
        site.move_clock(501);
    });
    ids.extend(later.unwrap());
    assert!(ids.is_sorted());
    assert_distinct(ids);
}

#[tokio::test]
async fn a_number_that_was_let_go_rests_until_its_time_has_passed() {
    let site = Site::open().await;
    let first = site.snowflakes().await;
    let mut ids = take(&first, 100).await.unwrap();
    let worker = worker_of(ids[0]);
    site.leave_only(worker, ids[0]).await;
    drop(first);
    // The new process' clock is a little behind that of the old one, as clocks of machines are.
    site.move_clock(-500);
    let second = site.snowflakes().await;
    assert!(matches!(take(&second, 1).await, Err(IdError::NoWorkerFree)));
    site.move_clock(10_501);
    let later = testkit::wait_for("the number to be free", super::PATIENCE, async || {
        take(&second, 100).await.ok()
    });
    ids.extend(later.await);
    assert_eq!(worker_of(ids[199]), worker);
    assert_distinct(ids);
}

#[tokio::test]
async fn a_holder_whose_lease_another_has_gives_out_nothing_beyond_its_time() {
    let site = Site::open().await;
    let sleeper = site.snowflakes().await;
    let mut ids = take(&sleeper, 100).await.unwrap();
    let worker = worker_of(ids[0]);
    site.leave_only(worker, ids[0]).await;
    // The lease is gone from Redis, and the paused process does not know that.
    let key = format!("{}lock:{{mutex:order:worker:{worker}}}", site.prefix);
    assert_eq!(site.ask::<i64>(&["DEL", &key]).await, 1);
    site.move_clock(10_100);
    let newcomer = site.snowflakes().await;
    let fresh = take(&newcomer, 100).await.unwrap();
    assert_eq!(worker_of(fresh[0]), worker);
    let refused = take(&sleeper, 1).await;
    assert!(matches!(refused, Err(IdError::NoWorkerFree)), "{refused:?}");
    ids.extend(fresh);
    assert_distinct(ids);
}

#[tokio::test]
async fn nothing_is_given_out_beyond_what_the_ledger_covers() {
    let site = Site::open().await;
    let process = site.snowflakes().await;
    let mut ids = take(&process, 1).await.unwrap();
    site.book.switch().go_away();
    site.move_clock(9_000);
    ids.extend(take(&process, 1).await.unwrap());
    site.move_clock(1_001);
    assert!(matches!(take(&process, 1).await, Err(IdError::Ledger(_))));
    site.book.switch().come_back();
    ids.extend(take(&process, 1).await.unwrap());
    assert_distinct(ids);
}
