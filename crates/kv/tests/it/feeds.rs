//! Inboxes: known or not, in order to the last id, cut at their length, and never missing a push.

use domain::{NoteId, UserId};
use kv::{FEED_LENGTH, FeedItem, FeedPart, Kv};

use crate::both;

const ME: UserId = UserId::new(7);

fn item(published_at_ms: i64, note: i64) -> FeedItem {
    FeedItem {
        published_at_ms,
        note: NoteId::new(note),
    }
}

const END: FeedItem = FeedItem {
    published_at_ms: i64::MAX / 100_000,
    note: NoteId::new(i64::MAX),
};

async fn load(kv: &Kv, number: u64, items: &[FeedItem]) -> bool {
    kv.begin_feed(ME, number).await.unwrap();
    let part = FeedPart {
        items: items.to_vec(),
        is_cut: false,
    };
    kv.publish_feed(ME, number, &part).await.unwrap()
}

async fn read(kv: &Kv, before: FeedItem, count: usize) -> Option<FeedPart> {
    kv.read_feed(ME, before, count).await.unwrap()
}

#[tokio::test]
async fn not_loaded_and_empty_are_told_apart() {
    for kv in both().await {
        assert_eq!(read(&kv, END, 5).await, None);
        kv.push_to_feed(ME, item(1, 1)).await.unwrap();
        assert_eq!(read(&kv, END, 5).await, None, "a push loads nothing");
        assert!(load(&kv, 1, &[]).await);
        let empty = FeedPart {
            items: Vec::new(),
            is_cut: false,
        };
        assert_eq!(read(&kv, END, 5).await, Some(empty));
    }
}

#[tokio::test]
async fn from_every_place_the_rest_comes_in_order_however_many_share_a_millisecond() {
    for kv in both().await {
        // Ids of different lengths, so that text order would betray itself.
        let mut all: Vec<FeedItem> = (0..60)
            .map(|n| {
                item(
                    1_763_190_000_000 + n / 20,
                    if n % 2 == 0 { n } else { n * 1_000 } + 1,
                )
            })
            .collect();
        assert!(load(&kv, 1, &all[..40]).await);
        for pushed in &all[40..] {
            kv.push_to_feed(ME, *pushed).await.unwrap();
            kv.push_to_feed(ME, *pushed).await.unwrap();
        }
        all.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(read(&kv, END, 100).await.unwrap().items, all);
        for (place, before) in all.iter().enumerate() {
            let rest = &all[place + 1..];
            let part = read(&kv, *before, 7).await.unwrap();
            assert_eq!(part.items, rest[..rest.len().min(7)]);
        }
        // A place whose note is not there any more is a place all the same.
        let gap = item(1_763_190_000_001, 2);
        let older: Vec<_> = all.iter().copied().filter(|it| *it < gap).collect();
        assert_eq!(read(&kv, gap, 100).await.unwrap().items, older);
    }
}

#[tokio::test]
async fn an_inbox_keeps_its_length_and_says_that_it_was_cut() {
    for kv in both().await {
        let items: Vec<_> = (1..=FEED_LENGTH as i64).map(|n| item(n, n)).collect();
        assert!(load(&kv, 1, &items).await);
        assert!(!read(&kv, END, 1).await.unwrap().is_cut);
        for n in 1..=3 {
            kv.push_to_feed(ME, item(5_000 + n, 5_000 + n))
                .await
                .unwrap();
        }
        // Older than all that is kept: there is no room for it.
        kv.push_to_feed(ME, item(2, 9_000)).await.unwrap();
        let part = read(&kv, END, 2_000).await.unwrap();
        assert!(part.is_cut);
        assert_eq!(part.items.len(), FEED_LENGTH);
        assert_eq!(part.items.last(), Some(&item(4, 4)));
    }
}

#[tokio::test]
async fn a_load_that_a_push_overtook_is_void() {
    for kv in both().await {
        kv.begin_feed(ME, 1).await.unwrap();
        kv.push_to_feed(ME, item(2, 2)).await.unwrap();
        let part = FeedPart {
            items: vec![item(1, 1)],
            is_cut: false,
        };
        assert!(!kv.publish_feed(ME, 1, &part).await.unwrap());
        assert_eq!(read(&kv, END, 5).await, None);
        assert!(load(&kv, 2, &[item(1, 1), item(2, 2)]).await);
        kv.forget_feeds(&[ME]).await.unwrap();
        assert_eq!(read(&kv, END, 5).await, None);
    }
}

#[tokio::test]
async fn authors_who_are_not_pushed_are_remembered_until_they_are_forgotten() {
    for kv in both().await {
        let authors = [UserId::new(8), UserId::new(9)];
        for author in [authors[0], authors[1], authors[0]] {
            kv.add_unpushed_author(author).await.unwrap();
        }
        let mut listed = kv.list_unpushed_authors().await.unwrap();
        listed.sort_unstable();
        assert_eq!(listed, authors);
        kv.forget_unpushed_authors().await.unwrap();
        assert!(kv.list_unpushed_authors().await.unwrap().is_empty());
    }
}
