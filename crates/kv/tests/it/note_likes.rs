//! Views of likes: all of one or none of it, and never older than its newest writer.

use domain::{NoteId, UserId};
use jiff::Timestamp;
use kv::{Kv, Like, LikeShown};

use crate::both;

const NOTE: NoteId = NoteId::new(7);

fn at(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(1_789_000_000_000 + ms).unwrap()
}

fn like(user: i64, ms: i64) -> Like {
    Like {
        user: UserId::new(user),
        at: at(ms),
    }
}

async fn load(kv: &Kv, likes: &[Like], fence: u64) -> bool {
    kv.stage_likes(NOTE, likes, fence).await.unwrap();
    kv.publish_likes(NOTE, likes.len(), fence).await.unwrap()
}

async fn show(kv: &Kv, user: i64, ms: Option<i64>, fence: u64) -> LikeShown {
    let shown = kv.show_like(NOTE, UserId::new(user), ms.map(at), fence);
    shown.await.unwrap()
}

async fn first(kv: &Kv, count: usize) -> Option<Vec<i64>> {
    let first = kv.first_likers(NOTE, count).await.unwrap();
    first.map(|users| users.into_iter().map(UserId::get).collect())
}

async fn is_liked_by(kv: &Kv, user: i64) -> Option<bool> {
    let likers = first(kv, 1_000).await;
    likers.map(|likers| likers.contains(&user))
}

#[tokio::test]
async fn likers_come_earliest_first_and_ties_by_id() {
    for kv in both().await {
        let likes = [like(9, 5), like(10, 5), like(3, 6), like(200, 1)];
        assert!(load(&kv, &likes, 1).await);
        assert_eq!(first(&kv, 5).await, Some(vec![200, 9, 10, 3]));
        assert_eq!(first(&kv, 2).await, Some(vec![200, 9]));
        assert_eq!(is_liked_by(&kv, 10).await, Some(true));
        assert_eq!(is_liked_by(&kv, 11).await, Some(false));
    }
}

#[tokio::test]
async fn not_loaded_and_liked_by_nobody_are_told_apart() {
    for kv in both().await {
        assert_eq!(show(&kv, 1, Some(1), 1).await, LikeShown::NotLoaded);
        kv.stage_likes(NOTE, &[like(1, 1)], 1).await.unwrap();
        assert_eq!(
            (first(&kv, 5).await, is_liked_by(&kv, 1).await),
            (None, None)
        );
        assert!(kv.list_loaded_likes(&[NOTE]).await.unwrap().is_empty());
        assert!(load(&kv, &[], 2).await);
        assert_eq!(first(&kv, 5).await, Some(Vec::new()));
        assert_eq!(is_liked_by(&kv, 1).await, Some(false));
        assert_eq!(kv.list_loaded_likes(&[NOTE]).await.unwrap(), [NOTE]);
        kv.drop_likes(NOTE).await.unwrap();
        assert_eq!(first(&kv, 5).await, None);
    }
}

#[tokio::test]
async fn the_last_like_that_goes_leaves_a_view_that_is_loaded() {
    for kv in both().await {
        assert!(load(&kv, &[like(1, 1)], 1).await);
        assert_eq!(show(&kv, 1, None, 2).await, LikeShown::Done);
        assert_eq!(first(&kv, 5).await, Some(Vec::new()));
    }
}

#[tokio::test]
async fn a_view_that_lost_members_on_the_way_is_not_published() {
    for kv in both().await {
        kv.stage_likes(NOTE, &[like(1, 1)], 1).await.unwrap();
        assert!(!kv.publish_likes(NOTE, 2, 1).await.unwrap());
        assert_eq!(first(&kv, 5).await, None);
    }
}

#[tokio::test]
async fn a_holder_whose_lock_went_to_another_changes_nothing() {
    for kv in both().await {
        // Numbers as large as the fencing tokens of the lock: no digit may be lost.
        let fence = 1_789_000_000_000_001;
        assert!(load(&kv, &[like(1, 1)], fence).await);
        assert_eq!(show(&kv, 2, Some(2), fence + 1).await, LikeShown::Done);
        assert_eq!(show(&kv, 2, None, fence).await, LikeShown::Outdated);
        assert!(!load(&kv, &[], fence).await);
        assert_eq!(first(&kv, 5).await, Some(vec![1, 2]));
        assert_eq!(
            show(&kv, 2, None, fence + 1).await,
            LikeShown::Done,
            "the same holder"
        );
        assert_eq!(first(&kv, 5).await, Some(vec![1]));
    }
}
