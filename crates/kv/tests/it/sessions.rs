//! Sessions: their two lifetimes, the list, and the memory of a process.

use std::time::Duration;

use domain::{Role, SessionToken, UserId};
use futures_util::future::join_all;
use kv::{Kv, NewSession, Session, SessionCache, SessionHash, SessionLifetimes, SessionProfile};
use testkit::{FaultProxy, Redis, RedisCluster, unique_prefix};
use tokio_util::task::AbortOnDropHandle;

use crate::{at, both, urls, with_prefix};

const LIMIT: Duration = Duration::from_secs(10);

/// Room for every session of a test.
const CAPACITY_BYTES: usize = 16 << 20;

fn lifetimes() -> SessionLifetimes {
    SessionLifetimes {
        idle: Duration::from_secs(60),
        absolute: Duration::from_secs(600),
        max_per_user: 10,
    }
}

fn profile(user: i64) -> SessionProfile {
    SessionProfile {
        user_id: UserId::new(user),
        nick_name: "小鱼".to_owned(),
        icon: String::new(),
        role: Role::User,
    }
}

/// The token of a person's session; the same in every test.
fn token(user: i64, number: u32) -> SessionToken {
    let mut bytes = [0; 20];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    bytes[4..12].copy_from_slice(&user.to_be_bytes());
    SessionToken::from_random(bytes)
}

async fn open(kv: &Kv, user: i64, number: u32, lifetimes: &SessionLifetimes) -> SessionHash {
    let token = token(user, number);
    let session = NewSession {
        profile: &profile(user),
        number,
        device: "",
        address: "",
    };
    kv.create_session(&token, &session, lifetimes)
        .await
        .unwrap();
    SessionHash::of(&token)
}

/// A cache of a process that hears what changes.
async fn listening(kv: &Kv, lifetimes: &SessionLifetimes) -> SessionCache {
    let cache = SessionCache::new(kv.clone(), lifetimes.clone(), CAPACITY_BYTES);
    testkit::wait_until("listening", LIMIT, async || cache.is_subscribed()).await;
    cache
}

/// A cache that reads every time.
fn without_memory(kv: &Kv, lifetimes: &SessionLifetimes) -> SessionCache {
    SessionCache::new(kv.clone(), lifetimes.clone(), 0)
}

async fn find(cache: &SessionCache, user: i64, number: u32) -> Option<std::sync::Arc<Session>> {
    cache.find(&token(user, number)).await.unwrap()
}

#[tokio::test]
async fn a_session_of_another_site_or_environment_is_dead() {
    for url in urls().await {
        let prefix = unique_prefix();
        let process = async |stamp: &str| {
            let kv = with_prefix(&url, &prefix).await;
            kv.stamp_sessions(stamp);
            kv
        };
        let (trial, beside) = (process("trial").await, process("trial").await);
        let real = process("real").await;
        open(&trial, 1, 1, &lifetimes()).await;
        let find_in = async |kv: &Kv, user: i64, number: u32| {
            find(&without_memory(kv, &lifetimes()), user, number).await
        };
        assert!(find_in(&real, 1, 1).await.is_none());
        assert!(real.list_sessions(UserId::new(1)).await.unwrap().is_empty());
        assert!(
            find_in(&beside, 1, 1).await.is_some(),
            "a rolling start ends nobody else's"
        );
        let unstamped = with_prefix(&url, &prefix).await;
        open(&unstamped, 2, 2, &lifetimes()).await;
        assert!(find_in(&real, 2, 2).await.is_none());
    }
}

#[tokio::test]
async fn an_idle_session_ends() {
    for kv in both().await {
        let short = SessionLifetimes {
            idle: Duration::from_secs(1),
            ..lifetimes()
        };
        let cache = listening(&kv, &short).await;
        open(&kv, 1, 1, &short).await;
        assert!(find(&cache, 1, 1).await.is_some());
        // Its idle time and a quarter more, with room to spare.
        tokio::time::sleep(Duration::from_millis(1500)).await;
        assert!(find(&cache, 1, 1).await.is_none());
        assert!(kv.list_sessions(UserId::new(1)).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_used_session_lives_on_to_its_absolute_end_and_not_beyond() {
    for kv in both().await {
        let short = SessionLifetimes {
            idle: Duration::from_secs(2),
            absolute: Duration::from_secs(4),
            ..lifetimes()
        };
        let cache = listening(&kv, &short).await;
        let opened = std::time::Instant::now();
        open(&kv, 1, 1, &short).await;
        let mut last_alive = Duration::ZERO;
        testkit::wait_until("the absolute end", LIMIT, async || {
            let alive = find(&cache, 1, 1).await.is_some();
            if alive {
                last_alive = opened.elapsed();
            }
            !alive
        })
        .await;
        // Beyond what it lives without use; Redis' clock and ours differ by less than a round trip.
        assert!(last_alive > short.life_without_use(), "{last_alive:?}");
        assert!(
            last_alive < short.absolute + Duration::from_millis(300),
            "{last_alive:?}"
        );
    }
}

#[tokio::test]
async fn the_newest_sessions_are_kept_and_listed_first() {
    for kv in both().await {
        let two = SessionLifetimes {
            max_per_user: 2,
            ..lifetimes()
        };
        let oldest = open(&kv, 1, 1, &two).await;
        // Sessions of one millisecond are ordered by their number.
        open(&kv, 1, 2, &two).await;
        open(&kv, 1, 3, &two).await;
        let numbers: Vec<u32> = kv
            .list_sessions(UserId::new(1))
            .await
            .unwrap()
            .iter()
            .map(|line| line.number)
            .collect();
        assert_eq!(numbers, [3, 2]);
        assert!(!kv.is_session_alive(&oldest).await.unwrap());
    }
}

#[tokio::test]
async fn ending_all_sessions_leaves_other_people_alone() {
    for kv in both().await {
        let mine = [
            open(&kv, 1, 1, &lifetimes()).await,
            open(&kv, 1, 2, &lifetimes()).await,
        ];
        let theirs = open(&kv, 2, 3, &lifetimes()).await;
        kv.end_all_sessions(UserId::new(1)).await.unwrap();
        for hash in &mine {
            assert!(!kv.is_session_alive(hash).await.unwrap());
        }
        assert!(kv.is_session_alive(&theirs).await.unwrap());
    }
}

#[tokio::test]
async fn updating_a_dead_session_does_not_revive_it() {
    for kv in both().await {
        let hash = open(&kv, 1, 1, &lifetimes()).await;
        open(&kv, 1, 2, &lifetimes()).await;
        // As if it had expired: the set still names it.
        kv.end_session(UserId::new(99), &hash).await.unwrap();
        let renamed = SessionProfile {
            nick_name: "大鱼".to_owned(),
            icon: "/imgs/fish.png".to_owned(),
            ..profile(1)
        };
        kv.update_session_profiles(&renamed).await.unwrap();
        assert!(!kv.is_session_alive(&hash).await.unwrap());
        let session = find(&without_memory(&kv, &lifetimes()), 1, 2)
            .await
            .unwrap();
        assert_eq!(session.profile, renamed);
        let listed = kv.list_sessions(UserId::new(1)).await.unwrap();
        assert_eq!(listed.len(), 1, "the rest of the record is as it was");
    }
}

#[tokio::test]
async fn sessions_of_another_role_end_and_those_of_the_new_one_stay() {
    for kv in both().await {
        let before = open(&kv, 1, 1, &lifetimes()).await;
        let user = UserId::new(1);
        let ended = kv.end_sessions_of_other_roles(user, Role::Merchant).await;
        assert_eq!(ended.unwrap(), [before]);
        assert!(!kv.is_session_alive(&before).await.unwrap());
        let since = open(&kv, 1, 2, &lifetimes()).await;
        let again = kv.end_sessions_of_other_roles(user, Role::User).await;
        assert_eq!(again.unwrap(), []);
        assert!(kv.is_session_alive(&since).await.unwrap());
    }
}

/// A listing drops names of sessions that no longer exist; one that is just being opened must stay.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_session_opened_under_a_listing_is_not_missed() {
    let kv = at(&Redis::shared().await.url()).await;
    for user in 1..=200 {
        let listers: Vec<_> = (0..4)
            .map(|_| AbortOnDropHandle::new(tokio::spawn(list_for_ever(kv.clone(), user))))
            .collect();
        open(&kv, user, 1, &lifetimes()).await;
        drop(listers);
        let listed = kv.list_sessions(UserId::new(user)).await.unwrap();
        assert_eq!(listed.len(), 1, "user {user}");
    }
}

async fn list_for_ever(kv: Kv, user: i64) {
    loop {
        kv.list_sessions(UserId::new(user)).await.unwrap();
    }
}

#[tokio::test]
async fn memory_forgets_a_session_that_anybody_removes() {
    for kv in both().await {
        let cache = listening(&kv, &lifetimes()).await;
        let hash = open(&kv, 1, 1, &lifetimes()).await;
        assert!(find(&cache, 1, 1).await.is_some());
        // By another process, which does not know of this memory.
        kv.end_session(UserId::new(1), &hash).await.unwrap();
        testkit::wait_until(
            "memory is invalidated",
            Duration::from_secs(1),
            async || find(&cache, 1, 1).await.is_none(),
        )
        .await;
    }
}

/// Readers fill the memory while sessions end under them.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_reader_goes_on_seeing_an_ended_session() {
    let kv = at(&Redis::shared().await.url()).await;
    let cache = listening(&kv, &lifetimes()).await;
    cache.start_prefetch();
    for number in 0..200 {
        let hash = open(&kv, 1, number, &lifetimes()).await;
        let readers: Vec<_> = (0..4)
            .map(|_| tokio::spawn(read_until_ended(cache.clone(), token(1, number))))
            .collect();
        cache.end(UserId::new(1), &hash).await.unwrap();
        assert!(
            find(&cache, 1, number).await.is_none(),
            "refused here at once"
        );
        for reader in readers {
            tokio::time::timeout(LIMIT, reader)
                .await
                .expect("no reader sees it for ever")
                .unwrap();
        }
    }
}

async fn read_until_ended(cache: SessionCache, token: SessionToken) {
    while cache.find(&token).await.unwrap().is_some() {
        // A hit never waits; without a pause four readers would keep the runtime from hearing anything.
        tokio::task::yield_now().await;
    }
}

/// A crowd whose sessions no memory has yet: one request each, all at once.
#[tokio::test]
async fn misses_of_a_crowd_are_read_together_and_write_nothing() {
    const CROWD: u32 = 320;
    let redis = Redis::start().await;
    let kv = at(&redis.url()).await;
    for number in 0..CROWD {
        open(&kv, i64::from(number), number, &lifetimes()).await;
    }
    let cache = listening(&kv, &lifetimes()).await;
    let everybody = async || {
        let each = (0..CROWD).map(|number| find(&cache, i64::from(number), number));
        let found = join_all(each).await;
        for (number, session) in (0_i64..).zip(found) {
            assert_eq!(session.unwrap().profile.user_id, UserId::new(number));
        }
    };

    let before = redis.commands().await;
    everybody().await;
    let cold = redis.commands().await.since(&before);
    // The clock is read once a minute.
    assert!(cold.total() <= u64::from(CROWD) / 16 + 1, "{cold:?}");
    assert_eq!(cold.of("mget") + cold.of("time"), cold.total(), "{cold:?}");

    let before = redis.commands().await;
    everybody().await;
    let warm = redis.commands().await.since(&before);
    assert_eq!(warm.total(), 0, "{warm:?}");
}

#[tokio::test]
async fn an_outage_is_an_error_to_everybody_who_waits() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let url = format!("redis://{}", proxy.addr());
    let kv = with_prefix(&url, &unique_prefix()).await;
    let cache = listening(&kv, &lifetimes()).await;
    assert!(find(&cache, 1, 1).await.is_none());
    proxy.drop_replies_then_cut(1).await;
    let tokens: Vec<SessionToken> = (0..100).map(|number| token(1, number)).collect();
    let each = join_all(tokens.iter().map(|token| cache.find(token))).await;
    assert!(each.iter().all(Result::is_err));
    proxy.pass().await;
    testkit::wait_until("Redis is back", crate::PATIENCE, async || {
        cache.find(&token(1, 1)).await.is_ok()
    })
    .await;
}

/// The lifetime of the only session, by Redis.
async fn left_ms(redis: &Redis, prefix: &str) -> i64 {
    let key = only_session(redis, prefix).await;
    let mut connection = redis.connection().await;
    let mut cmd = redis::cmd("PTTL");
    cmd.arg(key).query_async(&mut connection).await.unwrap()
}

async fn session_keys(redis: &Redis, prefix: &str) -> Vec<String> {
    let mut connection = redis.connection().await;
    let mut cmd = redis::cmd("KEYS");
    cmd.arg(format!("{prefix}login:session:*"));
    cmd.query_async(&mut connection).await.unwrap()
}

async fn only_session(redis: &Redis, prefix: &str) -> String {
    let keys = session_keys(redis, prefix).await;
    keys.into_iter().next().expect("one session")
}

/// As if the last use that was written was this long ago.
async fn age(redis: &Redis, key: &str, by: Duration) {
    const AGE: &str = "local seen = string.sub(redis.call('GET', KEYS[1]), 1, 13) \
        redis.call('SETRANGE', KEYS[1], 0, string.format('%013.0f', seen - ARGV[1])) \
        return redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', KEYS[1]) - ARGV[1])";
    let ms = u64::try_from(by.as_millis()).unwrap();
    let mut connection = redis.connection().await;
    let mut cmd = redis::cmd("EVAL");
    cmd.arg(AGE).arg(1).arg(key).arg(ms);
    let _: i64 = cmd.query_async(&mut connection).await.unwrap();
}

#[tokio::test]
async fn a_use_leaves_the_whole_idle_time_and_is_written_only_where_it_must_be() {
    let redis = Redis::start().await;
    let prefix = unique_prefix();
    let kv = with_prefix(&redis.url(), &prefix).await;
    let idle_ms = i64::try_from(lifetimes().idle.as_millis()).unwrap();
    let token = token(1, 1);
    open(&kv, 1, 1, &lifetimes()).await;
    for cache in [
        listening(&kv, &lifetimes()).await,
        without_memory(&kv, &lifetimes()),
    ] {
        let key = only_session(&redis, &prefix).await;
        // Not yet a quarter of the idle time: nothing is written, and what is left suffices.
        age(&redis, &key, lifetimes().idle / 8).await;
        let before = redis.commands().await;
        assert!(cache.find(&token).await.unwrap().is_some());
        cache.write_uses().await.unwrap();
        assert_eq!(redis.commands().await.since(&before).of("evalsha"), 0);
        assert!(left_ms(&redis, &prefix).await >= idle_ms);

        // More than a quarter: less than the idle time is left until the use is written.
        age(&redis, &key, lifetimes().idle / 4).await;
        assert!(left_ms(&redis, &prefix).await < idle_ms);
        testkit::wait_until("the use is written", LIMIT, async || {
            assert!(cache.find(&token).await.unwrap().is_some());
            cache.write_uses().await.unwrap();
            left_ms(&redis, &prefix).await > idle_ms
        })
        .await;
    }
}

#[tokio::test]
async fn a_busy_session_is_written_a_few_times_per_idle_time() {
    let redis = Redis::start().await;
    let kv = at(&redis.url()).await;
    let short = SessionLifetimes {
        idle: Duration::from_secs(2),
        ..lifetimes()
    };
    open(&kv, 1, 1, &short).await;
    let cache = listening(&kv, &short).await;
    let before = redis.commands().await;
    let began = std::time::Instant::now();
    while began.elapsed() < short.idle {
        assert!(find(&cache, 1, 1).await.is_some());
        tokio::task::yield_now().await;
    }
    cache.write_uses().await.unwrap();
    let spent = redis.commands().await.since(&before);
    let writes = spent.of("setrange");
    assert!((1..=4).contains(&writes), "{spent:?}");
    // After each write it is read again.
    assert!(spent.of("mget") <= writes + 1, "{spent:?}");
}

/// All of them are noted before a timer can fire: sessions in memory are found without waiting.
#[tokio::test]
async fn the_uses_of_a_rush_are_written_when_it_is_over() {
    const PEOPLE: u32 = 200;
    /// Uses are gathered for so long, and then for as long again if so many came.
    const GATHERED_TWICE: Duration = Duration::from_millis(400);
    let redis = Redis::start().await;
    let prefix = unique_prefix();
    let kv = with_prefix(&redis.url(), &prefix).await;
    let long = SessionLifetimes {
        idle: Duration::from_secs(600),
        absolute: Duration::from_secs(6_000),
        ..lifetimes()
    };
    for person in 0..PEOPLE {
        open(&kv, person.into(), 1, &long).await;
    }
    for key in session_keys(&redis, &prefix).await {
        age(&redis, &key, long.idle / 2).await;
    }
    let cache = listening(&kv, &long).await;
    cache.start_prefetch();
    testkit::wait_until("all are in memory", LIMIT, async || {
        cache.in_memory() == PEOPLE as usize
    })
    .await;
    let before = redis.commands().await;
    let began = std::time::Instant::now();
    for person in 0..PEOPLE {
        assert!(find(&cache, person.into(), 1).await.is_some());
    }
    let written = async || redis.commands().await.since(&before).of("setrange");
    testkit::wait_until("a use is written", LIMIT, async || written().await > 0).await;
    let put_off = began.elapsed();
    assert!(put_off >= GATHERED_TWICE, "{put_off:?}");
    testkit::wait_until("all are written", LIMIT, async || {
        written().await == u64::from(PEOPLE)
    })
    .await;
}

/// The use is noted, and the session ends before the use is written.
#[tokio::test]
async fn a_use_that_is_written_late_does_not_revive_a_session() {
    for kv in both().await {
        let short = SessionLifetimes {
            idle: Duration::from_secs(4),
            ..lifetimes()
        };
        let (here, there) = (listening(&kv, &short).await, listening(&kv, &short).await);
        let hash = open(&kv, 1, 1, &short).await;
        assert!(find(&here, 1, 1).await.is_some());
        tokio::time::sleep(short.idle / 4).await;
        assert!(find(&here, 1, 1).await.is_some(), "due, and noted");
        there.end(UserId::new(1), &hash).await.unwrap();
        here.write_uses().await.unwrap();
        assert!(!kv.is_session_alive(&hash).await.unwrap());
        assert!(kv.list_sessions(UserId::new(1)).await.unwrap().is_empty());
        testkit::wait_until("refused", Duration::from_secs(1), async || {
            find(&here, 1, 1).await.is_none()
        })
        .await;
    }
}

#[tokio::test]
async fn a_process_reads_sessions_before_their_tokens_are_shown() {
    let redis = Redis::start().await;
    let kv = at(&redis.url()).await;
    for number in 0..50 {
        open(
            &kv,
            1,
            number,
            &SessionLifetimes {
                max_per_user: 100,
                ..lifetimes()
            },
        )
        .await;
    }
    let cache = listening(&kv, &lifetimes()).await;
    assert_eq!(cache.in_memory(), 0);
    cache.start_prefetch();
    testkit::wait_until("those there are", LIMIT, async || cache.in_memory() == 50).await;
    let late = open(&kv, 2, 50, &lifetimes()).await;
    testkit::wait_until("one more", LIMIT, async || cache.in_memory() == 51).await;
    let before = redis.commands().await;
    for number in 0..50 {
        assert!(find(&cache, 1, number).await.is_some());
    }
    assert!(find(&cache, 2, 50).await.is_some());
    let shown = redis.commands().await.since(&before);
    assert_eq!(shown.total(), 0, "{shown:?}");
    kv.end_session(UserId::new(2), &late).await.unwrap();
    testkit::wait_until("one less", LIMIT, async || cache.in_memory() == 50).await;
    assert!(find(&cache, 2, 50).await.is_none());
}

#[tokio::test]
async fn a_cluster_reads_new_sessions_ahead_too() {
    let kv = at(&RedisCluster::shared().await.url()).await;
    let cache = listening(&kv, &lifetimes()).await;
    cache.start_prefetch();
    open(&kv, 1, 1, &lifetimes()).await;
    testkit::wait_until("it is read", LIMIT, async || cache.in_memory() == 1).await;
    assert!(find(&cache, 1, 1).await.is_some());
}

/// Most of the uses are being written in the background when the process is about to stop.
#[tokio::test]
async fn a_process_that_stops_waits_for_the_uses_that_are_being_written() {
    const PEOPLE: u32 = 300;
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let url = format!("redis://{}", proxy.addr());
    let kv = with_prefix(&url, &unique_prefix()).await;
    let short = SessionLifetimes {
        idle: Duration::from_secs(8),
        ..lifetimes()
    };
    let cache = listening(&kv, &short).await;
    for person in 0..PEOPLE {
        open(&kv, person.into(), 1, &short).await;
        assert!(find(&cache, person.into(), 1).await.is_some());
    }
    tokio::time::sleep(short.idle / 4).await;
    let before = redis.commands().await;
    proxy.delay(Duration::from_millis(100)).await;
    for person in 0..PEOPLE {
        assert!(find(&cache, person.into(), 1).await.is_some());
    }
    testkit::wait_until("the first uses are written", LIMIT, async || {
        redis.commands().await.since(&before).of("setrange") > 0
    })
    .await;
    cache.write_uses().await.unwrap();
    let written = redis.commands().await.since(&before);
    assert_eq!(written.of("setrange"), u64::from(PEOPLE), "{written:?}");
}

#[tokio::test]
async fn a_session_whose_last_use_is_in_the_future_lives_on_when_it_is_used() {
    let redis = Redis::start().await;
    let prefix = unique_prefix();
    let kv = with_prefix(&redis.url(), &prefix).await;
    let short = SessionLifetimes {
        idle: Duration::from_secs(4),
        ..lifetimes()
    };
    open(&kv, 1, 1, &short).await;
    let key = only_session(&redis, &prefix).await;
    let mut connection = redis.connection().await;
    let mut cmd = redis::cmd("SETRANGE");
    cmd.arg(&key).arg(0).arg("4102444800000");
    let _: usize = cmd.query_async(&mut connection).await.unwrap();
    let cache = listening(&kv, &short).await;
    assert!(find(&cache, 1, 1).await.is_some());
    tokio::time::sleep(short.idle / 4).await;
    let left_before_ms = left_ms(&redis, &prefix).await;
    assert!(find(&cache, 1, 1).await.is_some());
    cache.write_uses().await.unwrap();
    assert!(left_ms(&redis, &prefix).await > left_before_ms);
}

/// A call that fails does not end the subscription, so nothing else would start reading again.
#[tokio::test]
async fn reading_ahead_starts_again_after_a_failed_call() {
    let redis = Redis::start().await;
    let kv = at(&redis.url()).await;
    open(&kv, 1, 1, &lifetimes()).await;
    let cache = listening(&kv, &lifetimes()).await;
    let acl = async |rule: &str| {
        let mut connection = redis.connection().await;
        let mut cmd = redis::cmd("ACL");
        cmd.arg("SETUSER").arg("default").arg(rule);
        let () = cmd.query_async(&mut connection).await.unwrap();
    };
    acl("-scan").await;
    cache.start_prefetch();
    testkit::wait_until("the call is refused", LIMIT, async || {
        let mut connection = redis.connection().await;
        let mut cmd = redis::cmd("INFO");
        let info: String = cmd
            .arg("errorstats")
            .query_async(&mut connection)
            .await
            .unwrap();
        info.contains("errorstat_NOPERM")
    })
    .await;
    acl("+scan").await;
    testkit::wait_until("it is read", LIMIT, async || cache.in_memory() == 1).await;
}
