//! The scripts by themselves: repetitions, late copies, and what they keep.

use link::{Link, Options, Target};
use testkit::{Redis, unique_prefix};

use super::*;
use crate::{Locks, token::LockMode};

const KINDS: [LockKind; 4] = [
    LockKind::Mutex,
    LockKind::Fair,
    LockKind::ReadWrite,
    LockKind::Semaphore { permits: 1 },
];

/// A lock of this kind that nobody has used.
async fn remote(kind: LockKind) -> RemoteLock {
    let target = Target::parse(&Redis::shared().await.url()).unwrap();
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
