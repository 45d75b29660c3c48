//! Clients with links of their own fight for one lock while their networks and Redis fail and they themselves are paused past
//! their leases; then a checker reads the history of what they did.
//!
//! A client notes a moment, then asks its guard whether the lock is held, and only then counts the moment as an act under the
//! lock. So a client that the machine does not run for a while proves nothing against the lock, and the checker is exact on a
//! busy machine too. All clients read one monotonic clock.
//!
//! Each client is a thread with a runtime of its own: a pause stops its watchdog too, as a stopped process does.

mod history;

use std::{
    sync::Arc,
    thread::JoinHandle,
    time::{Duration, Instant},
};

use rand::RngExt;
use redis_locks::{Locks, Mutex, Term};
use testkit::{FaultProxy, Redis, unique_prefix};
use tokio::time::sleep;

use self::history::{EventKind, History, violations};
use crate::locks;

const CLIENTS: usize = 4;
/// Tasks of a client, which pass the lock between them.
const TASKS: usize = 2;
const LEASE: Duration = Duration::from_millis(800);
/// Longer than a lease.
const PAUSE: Duration = Duration::from_millis(1300);
/// How long the clients go on.
const CHAOS: Duration = Duration::from_secs(15);
/// Without a lock two clients collide in much less.
const CHEATING: Duration = Duration::from_secs(4);

/// What is taken away from the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cheat {
    Nothing,
    /// Each client has a lock of its own, so everyone is granted at once.
    GrantsWithoutLooking,
    /// Clients act without asking their guard.
    IgnoresLoss,
}

#[derive(Clone)]
struct Client {
    number: usize,
    cheat: Cheat,
    until: Instant,
    history: Arc<History>,
}

impl Client {
    async fn contend(&self, mutex: Mutex) {
        let mut grants = 0;
        while Instant::now() < self.until {
            // Outages are part of the game.
            let Ok(guard) = mutex.lock_within(LEASE).await else {
                continue;
            };
            grants += 1;
            let fence = guard.fence().as_i64();
            self.history
                .note(Instant::now(), self.number, fence, EventKind::Entered);
            // The stamp on entry, after which the resource refuses every older holder.
            self.history.write(self.number, fence);
            let is_paused = rand::rng().random_range(0..150) == 0 || grants == 20;
            for step in 0..rand::rng().random_range(1..5) {
                if step == 1 && is_paused {
                    std::thread::sleep(PAUSE);
                    self.history.write(self.number, fence);
                }
                let at = Instant::now();
                let is_held = guard.lost_reason().is_none() || self.cheat == Cheat::IgnoresLoss;
                if !is_held {
                    break;
                }
                self.history.note(at, self.number, fence, EventKind::Acted);
                sleep(Duration::from_millis(rand::rng().random_range(0..4))).await;
            }
            // Losing it is, too.
            let _ = guard.release().await;
        }
    }

    async fn run(&self, locks: &Locks) {
        let name = match self.cheat {
            Cheat::GrantsWithoutLooking => format!("a{}", self.number),
            Cheat::Nothing | Cheat::IgnoresLoss => "a".to_owned(),
        };
        let mutex = || locks.mutex(&name).term(Term::Renewed(LEASE));
        let tasks: [_; TASKS] = std::array::from_fn(|_| self.contend(mutex()));
        futures_util::future::join_all(tasks).await;
    }

    /// Runs in a thread of its own.
    fn start(self, url: String, prefix: String) -> JoinHandle<()> {
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = { runtime }.enable_all().build().unwrap();
            runtime.block_on(async {
                let locks = locks(&url, &prefix).await;
                self.run(&locks).await;
                locks.shutdown(Duration::from_secs(1)).await;
            });
        })
    }
}

/// One fault after the other, each repaired before the next, until all clients have ended.
async fn fail(redis: &Redis, proxies: &[FaultProxy], until: Instant) {
    while Instant::now() < until {
        let millis = |range| Duration::from_millis(rand::rng().random_range(range));
        sleep(millis(50..200)).await;
        let proxy = &proxies[rand::rng().random_range(0..proxies.len())];
        match rand::rng().random_range(0..7) {
            0 => proxy.cut().await,
            1 => proxy.delay(millis(20..400)).await,
            2 => proxy.drop_replies().await,
            3 => proxy.black_hole().await,
            4 => {
                let replies = rand::rng().random_range(0..4);
                proxy.pass_replies_then_cut(replies).await;
            }
            5 => redis.freeze().await,
            _ => {
                redis.stop_hard();
                redis.start_again().await;
            }
        }
        sleep(millis(50..1200)).await;
        redis.thaw();
        proxy.pass().await;
    }
}

async fn play(cheat: Cheat, limit: Duration) -> Vec<history::Event> {
    let redis = Redis::start().await;
    let (history, prefix) = (Arc::new(History::default()), unique_prefix());
    let until = Instant::now() + limit;
    let mut proxies = Vec::new();
    let mut threads = Vec::new();
    for number in 0..CLIENTS {
        let proxy = FaultProxy::start(redis.addr()).await;
        let client = Client {
            number,
            cheat,
            until,
            history: history.clone(),
        };
        threads.push(client.start(format!("redis://{}", proxy.addr()), prefix.clone()));
        proxies.push(proxy);
    }
    if cheat == Cheat::Nothing {
        // Clients connect before the first fault.
        sleep(Duration::from_secs(1)).await;
        fail(&redis, &proxies, until).await;
    }
    let joined = tokio::task::spawn_blocking(|| {
        for thread in threads {
            thread.join().unwrap();
        }
    });
    joined.await.unwrap();
    history.events()
}

fn count(events: &[history::Event], kind: EventKind) -> usize {
    events.iter().filter(|event| event.kind == kind).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_client_at_a_time_is_inside_whatever_fails() {
    let events = play(Cheat::Nothing, CHAOS).await;
    let found = violations(&events);
    assert!(found.is_empty(), "{} events: {found:#?}", events.len());
    let entered: std::collections::BTreeSet<_> = events.iter().map(|event| event.client).collect();
    assert_eq!(entered.len(), CLIENTS, "everyone got the lock");
    assert!(count(&events, EventKind::Entered) > 100);
    assert!(
        count(&events, EventKind::Wrote { accepted: false }) > 0,
        "a paused client was refused by the resource"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_checker_catches_a_lock_that_grants_without_looking() {
    let events = play(Cheat::GrantsWithoutLooking, CHEATING).await;
    assert!(!violations(&events).is_empty(), "{} events", events.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_checker_catches_clients_that_ignore_the_loss_of_their_lock() {
    let events = play(Cheat::IgnoresLoss, CHEATING).await;
    assert!(!violations(&events).is_empty(), "{} events", events.len());
}
