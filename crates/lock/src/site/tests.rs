//! The scripts by themselves: repetitions, late copies, and what they keep.

use link::{Link, Options, Target};
use testkit::{Redis, unique_prefix};

use super::*;
use crate::{Locks, token::Mode};

const KINDS: [Kind; 4] = [
    Kind::Mutex,
    Kind::Fair,
    Kind::ReadWrite,
    Kind::Semaphore { permits: 1 },
];

/// A lock of this kind that nobody has used.
async fn site(kind: Kind) -> Site {
    let target = Target::parse(&Redis::shared().await.url()).unwrap();
    let link = Link::connect(&target, Options::default()).await.unwrap();
    Site::new(Locks::new(link).core, kind, &unique_prefix())
}

fn request(site: &Site) -> Request {
    Request {
        token: site.core.process.token(Mode::Exclusive),
        term: Term::Renewed(Duration::from_secs(10)),
        waits: true,
        repeated: false,
        heir_of: None,
    }
}

fn again(request: Request) -> Request {
    Request {
        repeated: true,
        ..request
    }
}

async fn keys(site: &Site) -> Vec<String> {
    let pattern = format!("{}*", site.base.replace(['[', ']'], "?"));
    let mut cmd = redis::cmd("KEYS");
    let keys: Vec<String> = site.core.link.run(cmd.arg(pattern)).await.unwrap();
    let suffixes = keys.iter().map(|key| key[site.base.len()..].to_owned());
    suffixes.collect()
}

#[tokio::test]
async fn asking_again_gives_the_same_grant() {
    for kind in KINDS {
        let site = site(kind).await;
        let first = request(&site);
        let granted = site.acquire(first).await.unwrap();
        assert!(matches!(granted, Reply::Granted(_)), "{kind:?}");
        assert_eq!(site.acquire(again(first)).await.unwrap(), granted);
        let other = site.acquire(request(&site)).await.unwrap();
        assert!(matches!(other, Reply::Held(_)), "{kind:?}");
    }
}

#[tokio::test]
async fn a_late_copy_of_a_request_neither_takes_nor_waits() {
    for kind in KINDS {
        let site = site(kind).await;
        let first = request(&site);
        site.acquire(first).await.unwrap();
        assert_eq!(site.release(first.token).await.unwrap(), Ownership::Yours);
        let late = site.acquire(first).await.unwrap();
        assert!(matches!(late, Reply::Held(_)), "{kind:?}");
        let left = keys(&site).await;
        let done = left.iter().filter(|key| key.starts_with(":done:"));
        assert_eq!((done.count(), left.len()), (1, 2), "{kind:?}: {left:?}");
    }
}

#[tokio::test]
async fn a_token_given_up_before_it_asked_is_never_granted() {
    for kind in KINDS {
        let site = site(kind).await;
        let first = request(&site);
        assert_eq!(site.release(first.token).await.unwrap(), Ownership::Gone);
        let late = site.acquire(first).await.unwrap();
        assert!(matches!(late, Reply::Held(_)), "{kind:?}");
    }
}

#[tokio::test]
async fn releasing_again_says_the_same() {
    for kind in KINDS {
        let site = site(kind).await;
        let (first, second) = (request(&site), request(&site));
        site.acquire(first).await.unwrap();
        site.acquire(second).await.unwrap();
        for _ in 0..2 {
            assert_eq!(site.release(first.token).await.unwrap(), Ownership::Yours);
        }
        let granted = site.acquire(again(second)).await.unwrap();
        assert!(matches!(granted, Reply::Granted(_)), "{kind:?}");
    }
}

#[tokio::test]
async fn a_release_by_a_stranger_changes_nothing() {
    for kind in KINDS {
        let site = site(kind).await;
        let (holder, stranger) = (request(&site), request(&site));
        let granted = site.acquire(holder).await.unwrap();
        assert_ne!(
            site.release(stranger.token).await.unwrap(),
            Ownership::Yours
        );
        assert_ne!(
            site.renew(stranger.token, stranger.term).await.unwrap(),
            Ownership::Yours
        );
        assert_eq!(site.acquire(again(holder)).await.unwrap(), granted);
    }
}

#[tokio::test]
async fn a_lock_that_is_free_leaves_its_fence_and_the_end_of_its_token() {
    for kind in KINDS {
        let site = site(kind).await;
        let first = request(&site);
        site.acquire(first).await.unwrap();
        site.release(first.token).await.unwrap();
        let mut left = keys(&site).await;
        left.sort();
        assert_eq!(
            left,
            [format!(":done:{}", first.token), ":fence".to_owned()]
        );
    }
}

#[tokio::test]
async fn a_process_that_has_had_its_turn_yields_to_the_line_and_else_goes_on() {
    let site = site(Kind::Mutex).await;
    let first = request(&site);
    site.acquire(first).await.unwrap();
    let heir = Request {
        heir_of: Some(first.token),
        ..request(&site)
    };
    let inherited = site.acquire(heir).await.unwrap();
    assert!(matches!(inherited, Reply::Granted(_)));
    let other = request(&site);
    site.acquire(other).await.unwrap();
    let second_heir = Request {
        heir_of: Some(heir.token),
        ..request(&site)
    };
    let yielded = site.acquire(second_heir).await.unwrap();
    assert!(matches!(yielded, Reply::Held(_)));
    let granted = site.acquire(again(other)).await.unwrap();
    assert!(matches!(granted, Reply::Granted(_)));
}
