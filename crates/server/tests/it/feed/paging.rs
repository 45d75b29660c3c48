//! Scrolling against a list in memory, while people publish, delete, follow and leave between any two pages.

use std::collections::{BTreeMap, BTreeSet};

use domain::{NoteId, UserId};
use testkit::{Client, TestApp};

use super::{PAGE, THEN_MS, delete, page, publish, wait_until_relayed};
use crate::contract::random::Random;
use crate::follows::{ME, follow, person, unfollow};

const AUTHORS: u32 = 5;
/// Few, so that most notes share one.
const MILLISECONDS: usize = 4;
const SEEDS: [u64; 3] = [1, 2, 3];

/// What a feed should be, by the simplest means.
#[derive(Debug, Default)]
struct Reference {
    notes: BTreeMap<(i64, NoteId), UserId>,
    followed: BTreeSet<UserId>,
}

impl Reference {
    /// Where a scroll is, as milliseconds and id.
    fn page_before(&self, place: (i64, NoteId)) -> Vec<(i64, NoteId)> {
        let before = self.notes.range(..place).rev();
        let shown = before.filter(|(_, author)| self.followed.contains(author));
        shown.take(PAGE).map(|(place, _)| *place).collect()
    }
}

struct World {
    app: TestApp,
    me: Client,
    authors: Vec<UserId>,
    random: Random,
    reference: Reference,
}

impl World {
    /// Where an author with more than two fans is not pushed: the first two have that many without the reader.
    async fn new(seed: u64) -> Self {
        let app = TestApp::builder().setting("feed.push_limit", 2);
        let app = app.spawn().await;
        let me = app.sign_in(ME).await;
        let mut authors = Vec::new();
        for number in 1..=AUTHORS {
            authors.push(person(&app, number).await);
        }
        for phone in ["13900000007", "13900000008"] {
            let fan = app.sign_in(phone).await;
            follow(&fan, authors[0]).await;
            follow(&fan, authors[1]).await;
        }
        Self {
            app,
            me,
            authors,
            random: Random::new(seed),
            reference: Reference::default(),
        }
    }

    async fn publish(&mut self) {
        let author = self.random.pick(&self.authors);
        let ms = THEN_MS + self.random.below(MILLISECONDS) as i64;
        let note = publish(&self.app, author, ms).await;
        self.reference.notes.insert((ms, note), author);
    }

    async fn delete(&mut self) {
        let places: Vec<_> = self.reference.notes.keys().copied().collect();
        if !places.is_empty() {
            let place = self.random.pick(&places);
            delete(&self.app, place.1).await;
            self.reference.notes.remove(&place);
        }
    }

    async fn change_follow(&mut self) {
        let author = self.random.pick(&self.authors);
        if self.reference.followed.remove(&author) {
            unfollow(&self.me, author).await;
        } else {
            follow(&self.me, author).await;
            self.reference.followed.insert(author);
        }
    }

    async fn disturb(&mut self) {
        for _ in 0..self.random.below(4) {
            match self.random.below(8) {
                0..=4 => self.publish().await,
                5 | 6 => self.delete().await,
                _ => self.change_follow().await,
            }
        }
        wait_until_relayed(&self.app).await;
    }

    /// From the top to the end, with disturbances between the pages.
    async fn scroll(&mut self, seed: u64) {
        let (mut place, mut cursor) = ((i64::MAX, NoteId::new(i64::MAX)), String::new());
        loop {
            self.disturb().await;
            let expected = self.reference.page_before(place);
            let found = page(&self.me, &cursor).await;
            let (ids, next) = found.unwrap_or_default();
            let expected_ids: Vec<_> = expected.iter().map(|place| place.1.get()).collect();
            assert_eq!(ids, expected_ids, "seed {seed}, at {place:?}");
            let Some(last) = expected.last() else {
                return;
            };
            (place, cursor) = (*last, next);
        }
    }
}

#[tokio::test]
async fn every_page_equals_a_plain_list_whatever_happens_between_pages() {
    for seed in SEEDS {
        let mut world = World::new(seed).await;
        for _ in 0..3 {
            world.change_follow().await;
        }
        for _ in 0..30 {
            world.publish().await;
        }
        for _ in 0..3 {
            world.scroll(seed).await;
        }
    }
}
