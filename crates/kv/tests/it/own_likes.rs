//! What readers know of their own likes: never older than a commit, whatever comes in between.

use std::time::Duration;

use domain::{NoteId, UserId};
use kv::{Kv, Limit, OwnLike};
use testkit::Redis;

use crate::{both, with_prefix};

const ME: UserId = UserId::new(5);
const NOTE: NoteId = NoteId::new(7);
const OTHER: NoteId = NoteId::new(8);

const LIKES: Limit = Limit {
    what: "like",
    burst: 3,
    period: Duration::from_secs(3600),
};

async fn begin(kv: &Kv, mark: u64) {
    let begun = kv.begin_like(&LIKES, ME, NOTE, mark).await.unwrap();
    begun.unwrap();
}

async fn settle(kv: &Kv, mark: Option<u64>, is_liked: Option<bool>) {
    let settled = kv.settle_like(ME, NOTE, mark, is_liked, 2).await;
    settled.unwrap();
}

async fn known(kv: &Kv) -> (u64, [OwnLike; 2]) {
    let known = kv.own_likes(ME, &[NOTE, OTHER], 1).await.unwrap();
    (known.epoch, known.likes.try_into().unwrap())
}

#[tokio::test]
async fn what_sql_said_is_kept_and_a_change_is_asked_of_sql_until_it_is_settled() {
    for kv in both().await {
        let (epoch, likes) = known(&kv).await;
        assert_eq!(likes, [OwnLike::Unknown; 2]);
        let read = [(NOTE, false), (OTHER, true)];
        kv.keep_own_likes(ME, epoch, &read).await.unwrap();
        let kept = [OwnLike::Known(false), OwnLike::Known(true)];
        assert_eq!(known(&kv).await, (epoch, kept));
        begin(&kv, 11).await;
        assert_eq!(known(&kv).await.1[0], OwnLike::Changing);
        assert!(!kv.is_like_settled(ME, NOTE).await.unwrap());
        settle(&kv, Some(11), Some(true)).await;
        assert_eq!(known(&kv).await.1, [OwnLike::Known(true); 2]);
        assert!(kv.is_like_settled(ME, NOTE).await.unwrap());
        kv.forget_own_likes(&[ME]).await.unwrap();
        assert_eq!(known(&kv).await.1, [OwnLike::Unknown; 2]);
    }
}

#[tokio::test]
async fn a_reader_who_asked_sql_before_a_change_keeps_nothing_of_it() {
    for kv in both().await {
        let (epoch, _) = known(&kv).await;
        begin(&kv, 11).await;
        kv.keep_own_likes(ME, epoch, &[(NOTE, false)])
            .await
            .unwrap();
        assert_eq!(known(&kv).await.1[0], OwnLike::Changing);
        settle(&kv, Some(11), Some(true)).await;
        kv.keep_own_likes(ME, epoch, &[(NOTE, false)])
            .await
            .unwrap();
        assert_eq!(known(&kv).await.1[0], OwnLike::Known(true));
        // Redis has lost the mark and the hash: what was read before belongs to neither.
        kv.forget_own_likes(&[ME]).await.unwrap();
        kv.keep_own_likes(ME, epoch, &[(NOTE, false)])
            .await
            .unwrap();
        assert_eq!(known(&kv).await.1[0], OwnLike::Unknown);
    }
}

#[tokio::test]
async fn only_its_own_mark_settles_a_change() {
    for kv in both().await {
        begin(&kv, 11).await;
        begin(&kv, 12).await;
        for mark in [Some(11), None] {
            settle(&kv, mark, Some(true)).await;
            assert_eq!(known(&kv).await.1[0], OwnLike::Changing);
        }
        settle(&kv, Some(12), None).await;
        assert_eq!(known(&kv).await.1[0], OwnLike::Unknown);
    }
}

#[tokio::test]
async fn a_change_without_its_mark_leaves_it_to_sql_what_was_kept_meanwhile() {
    for kv in both().await {
        for mark in [Some(11), None] {
            begin(&kv, 11).await;
            kv.forget_own_likes(&[ME]).await.unwrap();
            let (epoch, _) = known(&kv).await;
            kv.keep_own_likes(ME, epoch, &[(NOTE, false)])
                .await
                .unwrap();
            settle(&kv, mark, Some(true)).await;
            assert_eq!(known(&kv).await.1[0], OwnLike::Unknown);
        }
    }
}

/// A reader of the new hash may have asked SQL before the commit.
#[tokio::test]
async fn a_change_without_its_mark_stops_readers_who_asked_sql_before_it() {
    for kv in both().await {
        begin(&kv, 11).await;
        kv.forget_own_likes(&[ME]).await.unwrap();
        let (epoch, _) = known(&kv).await;
        let other = kv.begin_like(&LIKES, ME, OTHER, 12).await.unwrap();
        other.unwrap();
        settle(&kv, Some(11), Some(true)).await;
        kv.keep_own_likes(ME, epoch, &[(NOTE, false)])
            .await
            .unwrap();
        let likes = known(&kv).await.1;
        assert_eq!(
            likes,
            [OwnLike::Unknown, OwnLike::Changing],
            "the other goes on"
        );
    }
}

#[tokio::test]
async fn a_change_that_is_settled_again_does_not_replace_a_later_one() {
    for kv in both().await {
        for (mark, is_liked) in [(11, true), (12, false)] {
            begin(&kv, mark).await;
            settle(&kv, Some(mark), Some(is_liked)).await;
            assert_eq!(known(&kv).await.1[0], OwnLike::Known(is_liked));
        }
        settle(&kv, Some(11), Some(true)).await;
        assert_eq!(known(&kv).await.1[0], OwnLike::Unknown);
    }
}

/// Otherwise one who toggles at least once an hour would never see rows that came past the site.
#[tokio::test]
async fn a_toggle_keeps_the_hash_for_no_longer_than_its_own_mark_needs() {
    let redis = Redis::start().await;
    let (kv, mut connection) = (
        with_prefix(&redis.url(), "").await,
        redis.connection().await,
    );
    let key = format!("blog:likes-of:{{{ME}}}");
    begin(&kv, 11).await;
    for (left_secs, expected) in [
        (None, 3_590..=3_600),
        (Some(1_800), 1_790..=1_800),
        (Some(5), 50..=60),
    ] {
        if let Some(left_secs) = left_secs {
            let mut expire = redis::cmd("EXPIRE");
            expire.arg(&key).arg(left_secs);
            let _: () = expire.query_async(&mut connection).await.unwrap();
            begin(&kv, 12).await;
        }
        let mut ttl = redis::cmd("TTL");
        let ttl: i64 = ttl.arg(&key).query_async(&mut connection).await.unwrap();
        assert!(expected.contains(&ttl), "{ttl} of {expected:?}");
    }
}

#[tokio::test]
async fn a_like_over_the_limit_marks_nothing() {
    for kv in both().await {
        for mark in 0..3 {
            begin(&kv, mark).await;
        }
        let over = kv.begin_like(&LIKES, ME, OTHER, 4).await.unwrap();
        assert!(over.unwrap_err().retry_after > Duration::from_secs(1_000));
        assert_eq!(known(&kv).await.1[1], OwnLike::Unknown);
        let taken = kv.take_for_user(&LIKES, ME).await.unwrap();
        assert!(taken.is_err(), "likes of comments share the limit");
    }
}

#[tokio::test]
async fn a_reader_of_everything_fills_no_more_than_the_hash_may_hold() {
    for kv in both().await {
        let (epoch, _) = known(&kv).await;
        let likes: Vec<_> = (1..=3_000).map(|id| (NoteId::new(id), true)).collect();
        kv.keep_own_likes(ME, epoch, &likes).await.unwrap();
        let ids: Vec<_> = likes.iter().map(|(id, _)| *id).collect();
        let found = kv.own_likes(ME, &ids, 1).await.unwrap();
        let kept = found.likes.iter().filter(|it| **it == OwnLike::Known(true));
        assert_eq!(kept.count(), 1_999, "and the epoch");
    }
}
