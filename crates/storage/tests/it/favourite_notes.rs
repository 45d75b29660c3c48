//! Favourite notes: once each, only those that are shown, and a limit that holds when everything comes at once.

use domain::favourite::FAVOURITE_NOTES_MAX;
use domain::{NoteId, ShopId, UserId};
use storage::Db;
use storage::favourites::{self, SaveNoteRefusal};
use storage::notes::{self, NewNote, Visibility};
use tokio::task::JoinSet;

use crate::support::{TestDb, create_shop, on_both, person};

async fn publish(test: &TestDb, author: UserId, shop_id: ShopId) -> NoteId {
    let new = NewNote {
        author,
        shop_id,
        title: "好吃".to_owned(),
        content: "下次再来".to_owned(),
        pictures: Vec::new(),
        stars: None,
        mentions: Vec::new(),
        opinion: Default::default(),
        key: None,
    };
    notes::publish(&test.db, &new).await.unwrap().unwrap().id
}

/// A reader, and so many notes of an author.
async fn scene(test: &TestDb, count: usize) -> (UserId, Vec<NoteId>) {
    let (author, reader) = (person(test, 1).await, person(test, 2).await);
    let shop = create_shop(&test.db, "茶餐厅").await.id;
    let mut notes = Vec::new();
    for _ in 0..count {
        notes.push(publish(test, author, shop).await);
    }
    (reader, notes)
}

async fn save(db: &Db, user: UserId, note: NoteId) -> Result<(), SaveNoteRefusal> {
    favourites::save_note(db, user, note).await.unwrap()
}

async fn kept(db: &Db, user: UserId) -> Vec<NoteId> {
    let page = favourites::list_notes_page(db, user, None, 50).await;
    page.unwrap().into_iter().map(|row| row.note).collect()
}

#[tokio::test]
async fn a_note_is_kept_once_and_stays_its_owners_alone() {
    on_both(async |test| {
        let (me, notes) = scene(&test, 2).await;
        let (db, other) = (&test.db, person(&test, 3).await);
        for note in [notes[0], notes[1], notes[0]] {
            assert_eq!(save(db, me, note).await, Ok(()));
        }
        assert_eq!(kept(db, me).await, [notes[1], notes[0]]);
        assert!(kept(db, other).await.is_empty());
        let is_kept = async |user| favourites::is_note_saved(db, user, notes[0]).await.unwrap();
        assert!(is_kept(me).await && !is_kept(other).await);
        let remove = async |user| favourites::remove_note(db, user, notes[0]).await.unwrap();
        assert!(!remove(other).await, "somebody else's");
        assert!(remove(me).await);
        assert!(!remove(me).await, "again");
        assert!(!is_kept(me).await);
    })
    .await;
}

#[tokio::test]
async fn a_note_that_is_not_shown_is_not_saved_but_stays_if_it_was() {
    on_both(async |test| {
        let (me, notes) = scene(&test, 2).await;
        let moderator = person(&test, 3).await;
        let (db, unknown) = (&test.db, NoteId::new(999));
        let refused = Err(SaveNoteRefusal::NoSuchNote);
        assert_eq!(save(db, me, unknown).await, refused);
        assert_eq!(save(db, me, notes[0]).await, Ok(()));
        for note in &notes {
            let hidden = notes::set_visibility(db, moderator, *note, Visibility::Hidden).await;
            hidden.unwrap();
        }
        assert_eq!(save(db, me, notes[1]).await, refused);
        assert_eq!(save(db, me, notes[0]).await, Ok(()), "it is there already");
        test.execute("DELETE FROM tb_blog").await;
        assert_eq!(kept(db, me).await, [notes[0]]);
        assert!(favourites::remove_note(db, me, notes[0]).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn the_limit_holds_when_everything_comes_at_once() {
    on_both(async |test| {
        let (me, notes) = scene(&test, 8).await;
        // All but one of the places are taken; eight want the last.
        let rows: Vec<String> = (1..FAVOURITE_NOTES_MAX)
            .map(|id| format!("({me}, {}, '2026-11-18 00:00:00.000')", 1_000_000 + id))
            .collect();
        let fill = format!(
            "INSERT INTO tb_blog_favourite (user_id, blog_id, create_time) VALUES {}",
            rows.join(", ")
        );
        test.execute(&fill).await;
        let mut storm = JoinSet::new();
        for note in notes {
            let db = test.db.clone();
            storm.spawn(async move { save(&db, me, note).await });
        }
        let outcomes = storm.join_all().await;
        let saved = outcomes.iter().filter(|it| it.is_ok()).count();
        assert_eq!(saved, 1, "{outcomes:?}");
        let count = test.count("tb_blog_favourite").await;
        assert_eq!(count, i64::from(FAVOURITE_NOTES_MAX));
    })
    .await;
}

/// As two taps on two devices do.
#[tokio::test]
async fn saving_a_note_sixteen_times_at_once_keeps_it_once() {
    on_both(async |test| {
        let (me, notes) = scene(&test, 1).await;
        let mut storm = JoinSet::new();
        for _ in 0..16 {
            let (db, note) = (test.db.clone(), notes[0]);
            storm.spawn(async move { save(&db, me, note).await });
        }
        assert!(storm.join_all().await.iter().all(Result::is_ok));
        assert_eq!(test.count("tb_blog_favourite").await, 1);
    })
    .await;
}

#[tokio::test]
async fn pages_go_on_after_the_cursor() {
    on_both(async |test| {
        let (me, mut notes) = scene(&test, 5).await;
        for note in &notes {
            assert_eq!(save(&test.db, me, *note).await, Ok(()));
        }
        notes.reverse();
        let page = async |before| {
            let page = favourites::list_notes_page(&test.db, me, before, 3).await;
            page.unwrap()
        };
        let first = page(None).await;
        let second = page(first.last().map(|row| row.cursor)).await;
        let all: Vec<NoteId> = first.iter().chain(&second).map(|row| row.note).collect();
        assert_eq!((first.len(), all), (3, notes));
    })
    .await;
}
