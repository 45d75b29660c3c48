//! Drafts of notes: every device changes what it read, a limit holds when everything comes at once, and a draft becomes one note.

use domain::unfinished_note::DRAFTS_MAX;
use domain::{NoteId, ShopId, UnfinishedNote, UserId};
use jiff::{SignedDuration, Timestamp};
use storage::note_drafts::{self, SaveDraftRefusal, Saved};
use storage::notes::{self, NewNote, PublishRefusal};
use storage::write_keys::WriteKey;
use storage::{Db, account_deletion, uploads};
use tokio::task::JoinSet;

use crate::support::{TestDb, create_shop, on_both, person};

const PICTURE: &str = "/blogs/3/9/one.webp";

fn saying(text: &str) -> UnfinishedNote {
    UnfinishedNote {
        text: text.to_owned(),
        ..Default::default()
    }
}

fn showing(picture: &str) -> UnfinishedNote {
    UnfinishedNote {
        pictures: vec![picture.to_owned()],
        ..Default::default()
    }
}

async fn save(
    db: &Db,
    user: UserId,
    key: &str,
    revision: i64,
    note: &UnfinishedNote,
) -> Result<Saved, SaveDraftRefusal> {
    note_drafts::save(db, user, key, revision, note)
        .await
        .unwrap()
}

async fn revision_after(
    db: &Db,
    user: UserId,
    revision: i64,
    text: &str,
) -> Result<i64, SaveDraftRefusal> {
    let saved = save(db, user, "key", revision, &saying(text)).await;
    saved.map(|saved| saved.revision)
}

async fn texts(db: &Db, user: UserId) -> Vec<String> {
    let drafts = note_drafts::list(db, user).await.unwrap();
    drafts.into_iter().map(|draft| draft.note.text).collect()
}

async fn publish(
    db: &Db,
    author: UserId,
    shop_id: ShopId,
    pictures: &[&str],
) -> Result<NoteId, PublishRefusal> {
    let key = WriteKey {
        name: "key".to_owned(),
        fingerprint: "print".to_owned(),
    };
    let new = NewNote {
        author,
        shop_id,
        title: "好吃".to_owned(),
        content: "下次再来".to_owned(),
        pictures: pictures.iter().map(|name| (*name).to_owned()).collect(),
        stars: None,
        mentions: Vec::new(),
        opinion: Default::default(),
        key: Some(key),
    };
    Ok(notes::publish(db, &new).await.unwrap()?.id)
}

async fn orphans(test: &TestDb) -> Vec<String> {
    let later = Timestamp::now() + SignedDuration::from_hours(1);
    let listed = uploads::list_orphans(&test.db, later, 10).await;
    listed.unwrap()
}

#[tokio::test]
async fn a_draft_is_its_authors_alone_and_comes_back_as_it_was() {
    on_both(async |test| {
        let (me, other) = (person(&test, 1).await, person(&test, 2).await);
        let db = &test.db;
        let whole = UnfinishedNote {
            title: "好面 \u{0} 🍜".to_owned(),
            text: "第一行\n'第二行'".to_owned(),
            shop: Some(ShopId::new(7)),
            stars: Some(4),
            dishes: vec!["片儿川".to_owned()],
            ..Default::default()
        };
        let first = save(db, me, "key", 0, &whole).await.unwrap();
        assert_eq!(first.revision, 1);
        let drafts = note_drafts::list(db, me).await.unwrap();
        let [draft] = &drafts[..] else {
            panic!("{drafts:?}");
        };
        assert_eq!((draft.key.as_str(), draft.revision), ("key", 1));
        assert_eq!((&draft.note, draft.saved_at), (&whole, first.saved_at));
        assert!(texts(db, other).await.is_empty());
        assert!(!note_drafts::delete(db, other, "key").await.unwrap());
        // The same key of somebody else is another draft.
        assert_eq!(revision_after(db, other, 0, "别人的").await, Ok(1));
        assert!(note_drafts::delete(db, me, "key").await.unwrap());
        assert!(!note_drafts::delete(db, me, "key").await.unwrap(), "again");
        assert_eq!(texts(db, other).await, ["别人的"]);
    })
    .await;
}

#[tokio::test]
async fn of_two_devices_that_change_the_same_state_the_second_is_refused() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        let db = &test.db;
        assert_eq!(revision_after(db, me, 0, "一").await, Ok(1));
        assert_eq!(revision_after(db, me, 1, "手机").await, Ok(2));
        let refused = Err(SaveDraftRefusal::Changed);
        assert_eq!(revision_after(db, me, 1, "电脑").await, refused);
        assert_eq!(
            revision_after(db, me, 0, "电脑").await,
            refused,
            "a new one"
        );
        for wrong in [9, -1, i64::MAX, i64::MIN] {
            assert_eq!(revision_after(db, me, wrong, "电脑").await, refused);
        }
        assert_eq!(texts(db, me).await, ["手机"]);
        // A lost reply: what is there already is saved.
        assert_eq!(revision_after(db, me, 1, "手机").await, Ok(2));
        assert_eq!(revision_after(db, me, 2, "手机").await, Ok(2));
        note_drafts::delete(db, me, "key").await.unwrap();
        let gone = Err(SaveDraftRefusal::Gone);
        assert_eq!(revision_after(db, me, 2, "电脑").await, gone);
        assert!(texts(db, me).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn of_many_changes_of_one_state_at_once_one_wins() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        assert_eq!(revision_after(&test.db, me, 0, "一").await, Ok(1));
        let mut storm = JoinSet::new();
        for device in 0..8 {
            let db = test.db.clone();
            let text = format!("设备{device}");
            storm.spawn(async move { revision_after(&db, me, 1, &text).await });
        }
        let outcomes = storm.join_all().await;
        let won = outcomes.iter().filter(|it| it.is_ok()).count();
        assert_eq!(won, 1, "{outcomes:?}");
    })
    .await;
}

#[tokio::test]
async fn the_limit_holds_when_everything_comes_at_once() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        let mut storm = JoinSet::new();
        for key in 0..DRAFTS_MAX + 6 {
            let db = test.db.clone();
            let key = format!("key{key}");
            storm.spawn(async move { save(&db, me, &key, 0, &saying("汤")).await });
        }
        let outcomes = storm.join_all().await;
        let refused = outcomes
            .iter()
            .filter(|it| **it == Err(SaveDraftRefusal::TooMany));
        assert_eq!(refused.count(), 6, "{outcomes:?}");
        let kept = test.count("tb_blog_draft").await;
        assert_eq!(kept, i64::from(DRAFTS_MAX));
        // One that is there may be changed.
        let drafts = note_drafts::list(&test.db, me).await.unwrap();
        let changed = save(&test.db, me, &drafts[0].key, 1, &saying("面")).await;
        assert_eq!(changed.map(|saved| saved.revision), Ok(2));
    })
    .await;
}

#[tokio::test]
async fn a_published_draft_is_gone_and_cannot_come_back() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        let shop = create_shop(&test.db, "面馆").await.id;
        let db = &test.db;
        uploads::record(db, me, PICTURE).await.unwrap();
        save(db, me, "key", 0, &showing(PICTURE)).await.unwrap();
        let note = publish(db, me, shop, &[PICTURE]).await.unwrap();
        assert!(texts(db, me).await.is_empty());
        assert!(orphans(&test).await.is_empty(), "the note shows it");
        for revision in [0, 1] {
            let late = save(db, me, "key", revision, &showing(PICTURE)).await;
            assert_eq!(late, Err(SaveDraftRefusal::Published(Some(note))));
        }
        // Another person may use the same key.
        let other = person(&test, 2).await;
        assert_eq!(revision_after(db, other, 0, "别人的").await, Ok(1));
    })
    .await;
}

/// As when the last words are saved at the moment of the click.
#[tokio::test]
async fn a_draft_that_is_saved_while_it_is_published_leaves_no_draft() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        let shop = create_shop(&test.db, "面馆").await.id;
        let mut storm = JoinSet::new();
        for revision in 0..8 {
            let db = test.db.clone();
            storm.spawn(async move {
                let _ = revision_after(&db, me, revision, &format!("第{revision}版")).await;
            });
        }
        publish(&test.db, me, shop, &[]).await.unwrap();
        storm.join_all().await;
        assert!(texts(&test.db, me).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_refused_publication_leaves_the_draft() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        let shop = create_shop(&test.db, "面馆").await.id;
        let db = &test.db;
        uploads::record(db, me, PICTURE).await.unwrap();
        save(db, me, "key", 0, &showing(PICTURE)).await.unwrap();
        let refused = publish(db, me, shop, &[PICTURE, "/blogs/0/0/no.webp"]).await;
        assert!(matches!(refused, Err(PublishRefusal::Picture(_))));
        assert_eq!(texts(db, me).await.len(), 1);
        assert!(orphans(&test).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn pictures_stay_as_long_as_the_draft_has_them() {
    on_both(async |test| {
        let (me, other) = (person(&test, 1).await, person(&test, 2).await);
        let db = &test.db;
        uploads::record(db, me, PICTURE).await.unwrap();
        assert_eq!(orphans(&test).await, [PICTURE]);
        save(db, other, "key", 0, &showing(PICTURE)).await.unwrap();
        assert_eq!(orphans(&test).await, [PICTURE], "it is not theirs");
        save(db, me, "key", 0, &showing(PICTURE)).await.unwrap();
        assert!(orphans(&test).await.is_empty());
        save(db, me, "key", 1, &saying("没有图")).await.unwrap();
        assert_eq!(orphans(&test).await, [PICTURE]);
        save(db, me, "key", 2, &showing(PICTURE)).await.unwrap();
        note_drafts::delete(db, me, "key").await.unwrap();
        assert_eq!(orphans(&test).await, [PICTURE]);
    })
    .await;
}

#[tokio::test]
async fn with_an_account_go_its_drafts_and_their_pictures() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        let db = &test.db;
        uploads::record(db, me, PICTURE).await.unwrap();
        save(db, me, "key", 0, &showing(PICTURE)).await.unwrap();
        for step in account_deletion::EraseStep::ALL {
            while account_deletion::take_step(db, me, step, 1).await.unwrap() > 0 {}
        }
        assert_eq!(test.count("tb_blog_draft").await, 0);
        assert_eq!(orphans(&test).await, [PICTURE]);
        let gone = "SELECT COUNT(*) FROM tb_upload WHERE used_by = 'gone'";
        let rows = test.query(gone).await;
        assert_eq!(rows[0].try_get_by_index::<i64>(0).unwrap(), 1);
    })
    .await;
}
