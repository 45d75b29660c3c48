//! The ranking of notes: loaded beside changes, and each note never older than its newest writer.

use domain::{NoteId, TieBreak};
use kv::{Kv, RankedNote};
use testkit::Redis;

use crate::{at, both, with_prefix};

async fn load(kv: &Kv, notes: &[(i64, u32)], fence: u64) -> bool {
    assert!(kv.begin_hot(fence).await.unwrap());
    stage(kv, notes, fence).await;
    kv.publish_hot(notes.len(), fence).await.unwrap()
}

async fn stage(kv: &Kv, notes: &[(i64, u32)], fence: u64) {
    let unchanged: Vec<_> = notes
        .iter()
        .map(|(note, likes)| (*note, *likes, 0))
        .collect();
    stage_revisions(kv, &unchanged, fence).await;
}

/// Notes with their likes and revisions.
async fn stage_revisions(kv: &Kv, notes: &[(i64, u32, u64)], fence: u64) {
    let ranked = notes.iter().map(|(note, likes, revision)| RankedNote {
        note: NoteId::new(*note),
        likes: *likes,
        revision: *revision,
    });
    let ranked: Vec<_> = ranked.collect();
    kv.stage_hot(&ranked, fence).await.unwrap();
}

async fn rank(kv: &Kv, note: i64, likes: Option<u32>, fence: u64) -> bool {
    kv.rank_note(NoteId::new(note), likes, fence).await.unwrap()
}

async fn list(kv: &Kv, start: u64, count: u64) -> Option<Vec<i64>> {
    list_by(kv, start, count, TieBreak::Newest).await
}

async fn list_by(kv: &Kv, start: u64, count: u64, tie_break: TieBreak) -> Option<Vec<i64>> {
    let found = kv.list_hot(start, count, tie_break).await.unwrap();
    found.map(|notes| notes.into_iter().map(NoteId::get).collect())
}

#[tokio::test]
async fn the_most_liked_come_first_then_the_newest_whatever_the_length_of_their_ids() {
    for kv in both().await {
        let notes = [(9, 1), (10, 1), (100, 0), (99, 0), (2, 7)];
        assert!(load(&kv, &notes, 1).await);
        assert_eq!(list(&kv, 0, 10).await, Some(vec![2, 10, 9, 100, 99]));
        assert_eq!(list(&kv, 3, 2).await, Some(vec![100, 99]));
        assert_eq!(
            list(&kv, 1, 2).await,
            Some(vec![10, 9]),
            "no more than asked"
        );
        assert_eq!(list(&kv, 5, 10).await, Some(Vec::new()), "past the end");
    }
}

#[tokio::test]
async fn among_equals_the_oldest_come_first_where_that_is_asked_for() {
    for kv in both().await {
        let notes = [(9, 1), (10, 1), (11, 1), (100, 0), (99, 0), (98, 0), (2, 7)];
        assert!(load(&kv, &notes, 1).await);
        let all = [2, 9, 10, 11, 98, 99, 100];
        for start in 0..=all.len() {
            for count in 1..=all.len() + 1 {
                let end = all.len().min(start + count);
                let page = list_by(&kv, start as u64, count as u64, TieBreak::Oldest);
                assert_eq!(page.await.as_deref(), Some(&all[start..end]));
            }
        }
    }
}

#[tokio::test]
async fn not_loaded_and_empty_are_told_apart() {
    for kv in both().await {
        assert_eq!(list(&kv, 0, 10).await, None);
        assert_eq!(list_by(&kv, 0, 10, TieBreak::Oldest).await, None);
        assert!(rank(&kv, 1, Some(1), 1).await);
        assert_eq!(list(&kv, 0, 10).await, None, "one note is no ranking");
        assert!(load(&kv, &[], 2).await);
        assert_eq!(list(&kv, 0, 10).await, Some(Vec::new()));
    }
}

#[tokio::test]
async fn changes_that_come_during_a_load_are_in_what_it_publishes() {
    for kv in both().await {
        assert!(kv.begin_hot(1).await.unwrap());
        stage(&kv, &[(1, 0), (2, 0), (3, 0)], 1).await;
        assert!(rank(&kv, 1, Some(5), 10).await);
        assert!(rank(&kv, 2, None, 10).await);
        assert!(rank(&kv, 4, Some(1), 10).await);
        assert!(kv.publish_hot(3, 1).await.unwrap());
        assert_eq!(list(&kv, 0, 10).await, Some(vec![1, 4, 3]));
        // What was written down for that load is not for the next.
        assert!(load(&kv, &[(2, 9)], 2).await);
        assert_eq!(list(&kv, 0, 10).await, Some(vec![2]));
    }
}

#[tokio::test]
async fn a_load_that_was_overtaken_publishes_nothing() {
    for kv in both().await {
        assert!(kv.begin_hot(1).await.unwrap());
        stage(&kv, &[(1, 0)], 1).await;
        assert!(kv.begin_hot(2).await.unwrap());
        assert!(!kv.publish_hot(1, 1).await.unwrap());
        assert!(!kv.begin_hot(1).await.unwrap());
        stage(&kv, &[(2, 0)], 2).await;
        assert!(!kv.publish_hot(2, 2).await.unwrap(), "members were lost");
        assert_eq!(list(&kv, 0, 10).await, None);
        assert!(kv.publish_hot(1, 2).await.unwrap());
        assert_eq!(list(&kv, 0, 10).await, Some(vec![2]));
    }
}

/// What Redis remembers of a database that was restored from a backup since.
#[tokio::test]
async fn a_load_replaces_revisions_that_are_higher_than_those_of_sql() {
    for kv in both().await {
        assert!(load(&kv, &[], 1).await);
        assert!(rank(&kv, 1, Some(5), 50).await);
        assert!(rank(&kv, 2, None, 1 << 52).await);
        assert!(kv.begin_hot(2).await.unwrap());
        stage_revisions(&kv, &[(1, 2, 3), (2, 0, 0), (3, 1, 1)], 2).await;
        assert!(rank(&kv, 1, Some(3), 4).await, "while it is loaded");
        assert!(kv.publish_hot(3, 2).await.unwrap());
        assert_eq!(list(&kv, 0, 10).await, Some(vec![1, 3, 2]));
        assert!(rank(&kv, 1, Some(0), 5).await, "and afterwards");
        assert!(rank(&kv, 2, Some(7), 1).await, "though it had left");
        assert_eq!(list(&kv, 0, 10).await, Some(vec![2, 3, 1]));
    }
}

#[tokio::test]
async fn a_change_that_comes_late_does_not_replace_what_a_load_has_read() {
    for kv in both().await {
        assert!(load(&kv, &[(1, 0), (2, 1)], 1).await);
        assert!(kv.begin_hot(2).await.unwrap());
        stage_revisions(&kv, &[(1, 2, 6), (2, 1, 0)], 2).await;
        rank(&kv, 1, Some(0), 5).await;
        assert!(kv.publish_hot(2, 2).await.unwrap());
        assert_eq!(list(&kv, 0, 10).await, Some(vec![1, 2]));
        assert!(!rank(&kv, 1, Some(0), 5).await, "nor afterwards");
        assert_eq!(list(&kv, 0, 10).await, Some(vec![1, 2]));
    }
}

#[tokio::test]
async fn a_lower_revision_changes_nothing() {
    for kv in both().await {
        let revision = 1_789_000_000_000_001;
        assert!(load(&kv, &[(1, 0), (2, 3)], 1).await);
        assert!(rank(&kv, 1, Some(5), revision + 1).await);
        assert!(!rank(&kv, 1, None, revision).await);
        assert!(rank(&kv, 2, Some(4), revision).await, "another note");
        assert_eq!(list(&kv, 0, 10).await, Some(vec![1, 2]));
    }
}

#[tokio::test]
async fn of_a_note_that_left_only_its_revision_stays_and_not_for_ever() {
    let redis = Redis::start().await;
    let kv = at(&redis.url()).await;
    assert!(load(&kv, &[], 1).await);
    for note in 1..=50 {
        assert!(rank(&kv, note, Some(1), 10).await);
        assert!(rank(&kv, note, None, 12).await);
        assert!(!rank(&kv, note, Some(1), 11).await, "an older writer");
    }
    assert_eq!(list(&kv, 0, 10).await, Some(Vec::new()));
    let mut connection = redis.connection().await;
    let mut keys = redis::cmd("KEYS");
    let keys: Vec<String> = keys.arg("*").query_async(&mut connection).await.unwrap();
    let (gone, others): (Vec<_>, Vec<_>) =
        keys.iter().partition(|key| key.contains(":gone-revision:"));
    assert_eq!((gone.len(), others.len()), (50, 1), "{others:?}");
    for key in gone {
        let mut ttl = redis::cmd("PTTL");
        let ttl: i64 = ttl.arg(key).query_async(&mut connection).await.unwrap();
        assert!((1..=600_000).contains(&ttl), "{ttl}");
    }
    assert!(rank(&kv, 1, Some(3), 12).await, "shown again");
    assert_eq!(list(&kv, 0, 10).await, Some(vec![1]));
    assert!(!rank(&kv, 1, None, 11).await);
}

#[tokio::test]
async fn the_fence_that_a_former_version_kept_of_a_note_that_left_is_no_revision() {
    let redis = Redis::start().await;
    let (kv, mut connection) = (
        with_prefix(&redis.url(), "").await,
        redis.connection().await,
    );
    assert!(load(&kv, &[], 1).await);
    let mut set = redis::cmd("SET");
    set.arg("blog:{hot}:gone:0000000000000001")
        .arg(1_789_000_000_000_001_u64);
    let _: () = set.query_async(&mut connection).await.unwrap();
    assert!(rank(&kv, 1, Some(3), 1).await);
    assert_eq!(list(&kv, 0, 10).await, Some(vec![1]));
}
