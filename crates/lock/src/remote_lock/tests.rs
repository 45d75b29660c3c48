//! The scripts by themselves: repetitions, late copies, and what they keep.

use link::{Link, Options, Target};
use testkit::{Redis, unique_prefix};

use super::*;
use crate::{Locks, limits::COHORT_GRANTS, token::LockMode};

const KINDS: [LockKind; 4] = [
    LockKind::Mutex,
    LockKind::Fair,
    LockKind::ReadWrite,
    LockKind::Semaphore { permits: 1 },
];

/// A lock of this kind that nobody has used.
async fn remote(kind: LockKind) -> RemoteLock {
    remote_at(Redis::shared().await, kind).await
}

async fn remote_at(redis: &Redis, kind: LockKind) -> RemoteLock {
    let target = Target::parse(&redis.url()).unwrap();
    let link = Link::connect(&target, Options::default()).await.unwrap();
    RemoteLock::new(Locks::new(link).core, kind, &unique_prefix())
}

fn request(remote: &RemoteLock) -> AcquireRequest {
    AcquireRequest {
        token: remote.core.process.token(LockMode::Exclusive),
        term: Term::Renewed(Duration::from_secs(10)),
        waits: true,
        repeated: false,
        replaces: None,
    }
}

fn again(request: AcquireRequest) -> AcquireRequest {
    AcquireRequest {
        repeated: true,
        ..request
    }
}

async fn keys(remote: &RemoteLock) -> Vec<String> {
    let pattern = format!("{}*", remote.base.replace(['[', ']'], "?"));
    let mut cmd = redis::cmd("KEYS");
    let keys: Vec<String> = remote.core.link.run(cmd.arg(pattern)).await.unwrap();
    let suffixes = keys.iter().map(|key| key[remote.base.len()..].to_owned());
    suffixes.collect()
}

#[tokio::test]
async fn asking_again_gives_the_same_grant() {
    for kind in KINDS {
        let remote = remote(kind).await;
        let first = request(&remote);
        let granted = remote.acquire(first).await.unwrap();
        assert!(matches!(granted, AcquireReply::Granted(_)), "{kind:?}");
        assert_eq!(remote.acquire(again(first)).await.unwrap(), granted);
        let other = remote.acquire(request(&remote)).await.unwrap();
        assert!(matches!(other, AcquireReply::Held(_)), "{kind:?}");
    }
}

#[tokio::test]
async fn a_late_copy_of_a_request_neither_takes_nor_waits() {
    for kind in KINDS {
        let remote = remote(kind).await;
        let first = request(&remote);
        remote.acquire(first).await.unwrap();
        assert_eq!(remote.release(first.token).await.unwrap(), Ownership::Held);
        let late = remote.acquire(first).await.unwrap();
        assert!(matches!(late, AcquireReply::Held(_)), "{kind:?}");
        let left = keys(&remote).await;
        let done = left.iter().filter(|key| key.starts_with(":done:"));
        assert_eq!((done.count(), left.len()), (1, 2), "{kind:?}: {left:?}");
    }
}

#[tokio::test]
async fn a_token_withdrawn_before_it_was_requested_is_never_granted() {
    for kind in KINDS {
        let remote = remote(kind).await;
        let first = request(&remote);
        assert_eq!(remote.release(first.token).await.unwrap(), Ownership::Gone);
        let late = remote.acquire(first).await.unwrap();
        assert!(matches!(late, AcquireReply::Held(_)), "{kind:?}");
    }
}

#[tokio::test]
async fn a_late_copy_of_a_downgrade_makes_no_reader_that_was_given_up() {
    let remote = remote(LockKind::ReadWrite).await;
    let (writer, next) = (request(&remote), request(&remote));
    remote.acquire(writer).await.unwrap();
    let reader = remote.core.process.token(LockMode::Shared);
    // The caller was cancelled: both tokens are released, in any order.
    assert_eq!(remote.release(reader).await.unwrap(), Ownership::Gone);
    let late = remote.downgrade(writer.token, reader, writer.term).await;
    assert!(!late.unwrap());
    assert_eq!(remote.release(writer.token).await.unwrap(), Ownership::Held);
    let granted = remote.acquire(next).await.unwrap();
    assert!(matches!(granted, AcquireReply::Granted(_)));
}

#[tokio::test]
async fn releasing_again_returns_the_same() {
    for kind in KINDS {
        let remote = remote(kind).await;
        let (first, second) = (request(&remote), request(&remote));
        remote.acquire(first).await.unwrap();
        remote.acquire(second).await.unwrap();
        for _ in 0..2 {
            assert_eq!(remote.release(first.token).await.unwrap(), Ownership::Held);
        }
        let granted = remote.acquire(again(second)).await.unwrap();
        assert!(matches!(granted, AcquireReply::Granted(_)), "{kind:?}");
    }
}

#[tokio::test]
async fn a_release_by_another_client_changes_nothing() {
    for kind in KINDS {
        let remote = remote(kind).await;
        let (holder, stranger) = (request(&remote), request(&remote));
        let granted = remote.acquire(holder).await.unwrap();
        assert_ne!(
            remote.release(stranger.token).await.unwrap(),
            Ownership::Held
        );
        assert_ne!(
            remote.renew(stranger.token, stranger.term).await.unwrap(),
            Ownership::Held
        );
        assert_eq!(remote.acquire(again(holder)).await.unwrap(), granted);
    }
}

#[tokio::test]
async fn a_lock_that_is_free_leaves_its_fence_and_the_end_of_its_token() {
    for kind in KINDS {
        let remote = remote(kind).await;
        let first = request(&remote);
        remote.acquire(first).await.unwrap();
        remote.release(first.token).await.unwrap();
        let mut left = keys(&remote).await;
        left.sort();
        assert_eq!(
            left,
            [format!(":done:{}", first.token), ":fence".to_owned()]
        );
    }
}

#[tokio::test]
async fn a_process_that_has_had_its_turn_yields_to_the_line_and_else_goes_on() {
    let remote = remote(LockKind::Mutex).await;
    let first = request(&remote);
    remote.acquire(first).await.unwrap();
    let heir = AcquireRequest {
        replaces: Some(first.token),
        ..request(&remote)
    };
    let inherited = remote.acquire(heir).await.unwrap();
    assert!(matches!(inherited, AcquireReply::Granted(_)));
    let other = request(&remote);
    remote.acquire(other).await.unwrap();
    let second_heir = AcquireRequest {
        replaces: Some(heir.token),
        ..request(&remote)
    };
    let yielded = remote.acquire(second_heir).await.unwrap();
    assert!(matches!(yielded, AcquireReply::Held(_)));
    let granted = remote.acquire(again(other)).await.unwrap();
    assert!(matches!(granted, AcquireReply::Granted(_)));
}

#[test]
fn the_limits_in_lua_are_those_of_the_crate() {
    let limits = [FENCE_TTL, GRACE, ALIVE, DONE_TTL].map(|limit| millis(limit).to_string());
    let limits = format!("{COHORT_GRANTS}, {}", limits.join(", "));
    let script = include_str!("../lua/mutex_limits.lua");
    assert!(
        script.trim_end().ends_with(&format!("= {limits}")),
        "{limits}"
    );
}

#[tokio::test]
async fn an_uncontended_mutex_costs_two_calls_and_six_commands_inside() {
    let redis = Redis::start().await;
    let remote = remote_at(&redis, LockKind::Mutex).await;
    let term = Term::Renewed(Duration::from_secs(30));
    let lock_and_release = async || {
        let request = AcquireRequest {
            term,
            ..request(&remote)
        };
        remote.acquire(request).await.unwrap();
        let released = remote.release_early(request.token, DONE_TTL).await.unwrap();
        assert_eq!(released, Ownership::Held);
    };
    lock_and_release().await;
    let before = redis.commands().await;
    lock_and_release().await;
    let spent = redis.commands().await.since(&before);
    let calls = ["evalsha", "mget", "time", "set", "rename"].map(|command| spent.of(command));
    assert_eq!(calls, [2, 2, 1, 2, 1], "{spent:?}");
    let heartbeats = spent.of("publish");
    assert_eq!(spent.total() - heartbeats, 8, "{spent:?}");
}

#[tokio::test]
async fn the_mark_of_an_ended_token_outlives_every_repetition_and_not_by_much() {
    for (lease_secs, left) in [(1, Duration::ZERO), (30, DONE_TTL), (3_600, Duration::MAX)] {
        let remote = remote(LockKind::Mutex).await;
        let first = AcquireRequest {
            term: Term::Fixed(Duration::from_secs(lease_secs)),
            ..request(&remote)
        };
        remote.acquire(first).await.unwrap();
        remote.release_early(first.token, left).await.unwrap();
        let mut pttl = redis::cmd("PTTL");
        pttl.arg(remote.done_key(&first.token.to_string()));
        let lives_ms: u64 = remote.core.link.run(&pttl).await.unwrap();
        let bounds = millis(DONE_TTL - Duration::from_secs(5))..=millis(MAX_DONE_TTL);
        assert!(bounds.contains(&lives_ms), "{lease_secs}: {lives_ms}");
    }
}

#[tokio::test]
async fn a_waiter_is_next_although_the_lease_it_waited_for_expired() {
    let remote = remote(LockKind::Mutex).await;
    let dead = AcquireRequest {
        term: Term::Fixed(Duration::from_millis(50)),
        ..request(&remote)
    };
    remote.acquire(dead).await.unwrap();
    let waiting = request(&remote);
    let held = remote.acquire(waiting).await.unwrap();
    assert!(matches!(held, AcquireReply::Held(_)));
    let quick = request(&remote);
    let taken = async || {
        let reply = remote.acquire(AcquireRequest {
            waits: false,
            ..quick
        });
        matches!(reply.await.unwrap(), AcquireReply::Granted(_))
    };
    testkit::wait_until("the lease to end", Duration::from_secs(30), taken).await;
    assert_eq!(remote.release(quick.token).await.unwrap(), Ownership::Held);
    let mut get = redis::cmd("GET");
    let holder: String = remote.core.link.run(get.arg(&remote.base)).await.unwrap();
    assert!(holder.starts_with(&waiting.token.to_string()), "{holder}");
}

#[tokio::test]
async fn a_fence_is_above_the_last_one_also_if_the_clock_was_set_back() {
    for kind in KINDS {
        for somebody_waits in ["", " "] {
            let remote = remote(kind).await;
            let ahead = 4_000_000_000_000_000_u64;
            let mut set = redis::cmd("SET");
            set.arg(&remote.keys[0])
                .arg(format!("{ahead}{somebody_waits}"));
            remote.core.link.run::<()>(&set).await.unwrap();
            let granted = remote.acquire(request(&remote)).await.unwrap();
            assert_eq!(granted, AcquireReply::Granted(Fence::new(ahead + 1)));
        }
    }
}

#[tokio::test]
async fn a_mutex_is_taken_and_released_where_redis_has_no_memory_left() {
    let redis = Redis::start().await;
    let remote = remote_at(&redis, LockKind::Mutex).await;
    let mut full = redis::cmd("CONFIG");
    full.arg("SET").arg("maxmemory").arg(1);
    remote.core.link.run::<()>(&full).await.unwrap();
    let first = request(&remote);
    let granted = remote.acquire(first).await.unwrap();
    assert!(matches!(granted, AcquireReply::Granted(_)));
    assert_eq!(remote.release(first.token).await.unwrap(), Ownership::Held);
}
