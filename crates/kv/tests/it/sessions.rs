//! Sessions: their two lifetimes, the list, and the memory of a process.

use std::time::Duration;

use domain::{Role, SessionToken, UserId};
use kv::{Kv, NewSession, SessionCache, SessionHash, SessionLifetimes, SessionProfile};
use testkit::{Redis, RedisCluster, unique_prefix};
use tokio_util::task::AbortOnDropHandle;

use crate::{both, with_prefix};

const LIMIT: Duration = Duration::from_secs(10);

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

async fn open(kv: &Kv, user: i64, number: u32, lifetimes: &SessionLifetimes) -> SessionHash {
    let mut bytes = [0; 20];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    bytes[4] = u8::try_from(user % 256).unwrap();
    let token = SessionToken::from_random(bytes);
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

#[tokio::test]
async fn a_session_of_another_site_or_environment_is_dead() {
    for url in [
        Redis::shared().await.url(),
        RedisCluster::shared().await.url(),
    ] {
        let prefix = unique_prefix();
        let process = async |stamp: &str| {
            let kv = with_prefix(&url, &prefix).await;
            kv.stamp_sessions(stamp);
            kv
        };
        let (trial, beside) = (process("trial").await, process("trial").await);
        let real = process("real").await;
        let hash = open(&trial, 1, 1, &lifetimes()).await;
        let find = async |kv: &Kv| kv.touch_session(&hash, &lifetimes()).await.unwrap();
        assert!(find(&real).await.is_none());
        assert!(real.list_sessions(UserId::new(1)).await.unwrap().is_empty());
        assert!(
            find(&beside).await.is_some(),
            "a rolling start ends nobody else's"
        );
        let unstamped = with_prefix(&url, &prefix).await;
        let old = open(&unstamped, 2, 2, &lifetimes()).await;
        assert!(
            real.touch_session(&old, &lifetimes())
                .await
                .unwrap()
                .is_none()
        );
    }
}

#[tokio::test]
async fn an_idle_session_ends() {
    for kv in both().await {
        let short = SessionLifetimes {
            idle: Duration::from_secs(1),
            ..lifetimes()
        };
        let hash = open(&kv, 1, 1, &short).await;
        assert!(kv.touch_session(&hash, &short).await.unwrap().is_some());
        // Its idle time and the slack of one thirtieth, with room to spare.
        tokio::time::sleep(Duration::from_millis(1300)).await;
        assert!(kv.touch_session(&hash, &short).await.unwrap().is_none());
        assert!(kv.list_sessions(UserId::new(1)).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_used_session_lives_on_to_its_absolute_end_and_not_beyond() {
    for kv in both().await {
        let short = SessionLifetimes {
            idle: Duration::from_millis(600),
            absolute: Duration::from_millis(1500),
            ..lifetimes()
        };
        let hash = open(&kv, 1, 1, &short).await;
        let opened = std::time::Instant::now();
        let mut last_alive = Duration::ZERO;
        testkit::wait_until("the absolute end", LIMIT, async || {
            let alive = kv.touch_session(&hash, &short).await.unwrap().is_some();
            if alive {
                last_alive = opened.elapsed();
            }
            !alive
        })
        .await;
        // Beyond one idle time because it was used; Redis' clock and ours differ by less than a round trip.
        assert!(last_alive > short.idle, "{last_alive:?}");
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
        assert!(kv.touch_session(&oldest, &two).await.unwrap().is_none());
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
            assert!(
                kv.touch_session(hash, &lifetimes())
                    .await
                    .unwrap()
                    .is_none()
            );
        }
        assert!(
            kv.touch_session(&theirs, &lifetimes())
                .await
                .unwrap()
                .is_some()
        );
    }
}

#[tokio::test]
async fn updating_a_dead_session_does_not_revive_it() {
    for kv in both().await {
        let hash = open(&kv, 1, 1, &lifetimes()).await;
        let kept = open(&kv, 1, 2, &lifetimes()).await;
        // As if it had expired: the set still names it.
        kv.end_session(UserId::new(99), &hash).await.unwrap();
        let renamed = SessionProfile {
            nick_name: "大鱼".to_owned(),
            ..profile(1)
        };
        kv.update_session_profiles(&renamed).await.unwrap();
        assert!(!kv.is_session_alive(&hash).await.unwrap());
        assert!(
            kv.touch_session(&hash, &lifetimes())
                .await
                .unwrap()
                .is_none()
        );
        let session = kv
            .touch_session(&kept, &lifetimes())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(session.profile.nick_name, "大鱼");
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
    let [kv, _] = both().await;
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
        let cache = SessionCache::new(kv.clone(), lifetimes(), Duration::from_secs(600));
        testkit::wait_until("listening", LIMIT, async || cache.is_subscribed()).await;
        let hash = open(&kv, 1, 1, &lifetimes()).await;
        assert!(cache.find(&hash).await.unwrap().is_some());
        // By another process, which does not know of this memory.
        kv.end_session(UserId::new(1), &hash).await.unwrap();
        testkit::wait_until(
            "memory is invalidated",
            Duration::from_secs(1),
            async || cache.find(&hash).await.unwrap().is_none(),
        )
        .await;
    }
}

/// Readers fill the memory while sessions end under them.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_reader_goes_on_seeing_an_ended_session() {
    let [kv, _] = both().await;
    let cache = SessionCache::new(kv.clone(), lifetimes(), Duration::from_secs(600));
    testkit::wait_until("listening", LIMIT, async || cache.is_subscribed()).await;
    for number in 0..200 {
        let hash = open(&kv, 1, number, &lifetimes()).await;
        let readers: Vec<_> = (0..4)
            .map(|_| {
                let (cache, hash) = (cache.clone(), hash);
                tokio::spawn(read_until_ended(cache, hash))
            })
            .collect();
        cache.end(UserId::new(1), &hash).await.unwrap();
        assert!(
            cache.find(&hash).await.unwrap().is_none(),
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

async fn read_until_ended(cache: SessionCache, hash: SessionHash) {
    while cache.find(&hash).await.unwrap().is_some() {
        // A hit never waits; without a pause four readers would keep the runtime from hearing anything.
        tokio::task::yield_now().await;
    }
}
