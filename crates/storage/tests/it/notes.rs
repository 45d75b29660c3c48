//! Notes and their likes: what they count for is always the number of rows, and pictures belong to one note.

use domain::{NoteId, ShopId, TieBreak, UserId};
use storage::notes::{
    self, ListOf, NewNote, Note, NoteDeleteRefusal, NoteLikes, NotesAsked, PublishRefusal,
    TimelinePosition, Visibility,
};
use storage::shops::{self, Principal};
use storage::uploads::{self, RemoveRefusal};
use storage::{follows, note_likes, users};
use tokio::task::JoinSet;

use crate::support::{TestDb, create_shop, on_both, person};

/// A shop, and two people.
async fn village(test: &TestDb) -> (ShopId, UserId, UserId) {
    let (author, reader) = (person(test, 1).await, person(test, 2).await);
    (create_shop(&test.db, "茶餐厅").await.id, author, reader)
}

fn note(author: UserId, shop_id: ShopId, stars: Option<u8>) -> NewNote {
    NewNote {
        author,
        shop_id,
        title: "好吃".to_owned(),
        content: "下次再来".to_owned(),
        pictures: Vec::new(),
        stars,
        opinion: Default::default(),
        key: None,
        mentions: Vec::new(),
    }
}

async fn publish(test: &TestDb, new: &NewNote) -> Note {
    notes::publish(&test.db, new).await.unwrap().unwrap()
}

/// Comments and score as the shop's row says.
async fn shop_counts(test: &TestDb, shop: ShopId) -> (u32, u32) {
    let shop = shops::get_for_fill(&test.db, shop).await.unwrap().unwrap();
    (shop.comments, shop.score)
}

async fn ids(test: &TestDb, of: ListOf, page: u32) -> Vec<NoteId> {
    let list = notes::list(&test.db, None, of, page, 2, TieBreak::Newest)
        .await
        .unwrap();
    list.into_iter().map(|it| it.id).collect()
}

#[tokio::test]
async fn stars_make_the_score_of_a_shop_and_leave_with_their_note() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let five = publish(&test, &note(author, shop, Some(5))).await;
        publish(&test, &note(reader, shop, Some(2))).await;
        publish(&test, &note(reader, shop, None)).await;
        assert_eq!(shop_counts(&test, shop).await, (3, 35));
        let admin = person(&test, 3).await;
        notes::set_visibility(&test.db, admin, five.id, Visibility::Hidden)
            .await
            .unwrap();
        assert_eq!(shop_counts(&test, shop).await, (2, 20));
        assert_eq!(notes::get(&test.db, five.id).await.unwrap(), None);
        notes::set_visibility(&test.db, admin, five.id, Visibility::Shown)
            .await
            .unwrap();
        assert_eq!(shop_counts(&test, shop).await, (3, 35));
        let deleted = notes::delete(&test.db, Principal::Owner(author), five.id).await;
        assert_eq!(deleted.unwrap(), Ok(()));
        assert_eq!(shop_counts(&test, shop).await, (2, 20));
    })
    .await;
}

#[tokio::test]
async fn only_its_author_or_an_admin_deletes_a_note() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let note = publish(&test, &note(author, shop, None)).await;
        let delete = async |principal| notes::delete(&test.db, principal, note.id).await.unwrap();
        assert_eq!(
            delete(Principal::Owner(reader)).await,
            Err(NoteDeleteRefusal::NotAuthor)
        );
        assert_eq!(delete(Principal::Admin).await, Ok(()));
        assert_eq!(
            delete(Principal::Admin).await,
            Err(NoteDeleteRefusal::NoSuchNote)
        );
    })
    .await;
}

#[tokio::test]
async fn a_note_about_no_shop_is_refused_and_leaves_nothing() {
    on_both(async |test| {
        let (shop, author, _) = village(&test).await;
        let nowhere = note(author, ShopId::new(shop.get() + 99), None);
        let refused = notes::publish(&test.db, &nowhere).await.unwrap();
        assert_eq!(refused, Err(PublishRefusal::NoSuchShop));
        assert_eq!(test.count("tb_blog").await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_picture_is_its_uploaders_and_used_once() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let name = "/blogs/3/9/one.webp";
        uploads::record(&test.db, author, name).await.unwrap();
        let with = |author| NewNote {
            pictures: vec![name.to_owned()],
            ..note(author, shop, None)
        };
        let taken = Err(PublishRefusal::Picture(name.to_owned()));
        let theirs = notes::publish(&test.db, &with(reader)).await.unwrap();
        assert_eq!(theirs, taken);
        let mine = publish(&test, &with(author)).await;
        assert_eq!(mine.images, "/imgs/blogs/3/9/one.webp");
        let again = notes::publish(&test.db, &with(author)).await.unwrap();
        assert_eq!(again, taken);
        assert_eq!(test.count("tb_blog").await, 1);
        let remove = async |user| uploads::remove(&test.db, user, name).await.unwrap();
        assert_eq!(remove(reader).await, Err(RemoveRefusal::OfAnother));
        assert_eq!(remove(author).await, Err(RemoveRefusal::InUse));
        notes::delete(&test.db, Principal::Admin, mine.id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(remove(author).await, Ok(()));
    })
    .await;
}

/// The original's: a missing row of the author broke the whole page.
#[tokio::test]
async fn an_author_who_is_gone_breaks_no_page() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let first = publish(&test, &note(author, shop, None)).await;
        let second = publish(&test, &note(reader, shop, None)).await;
        test.execute(&format!("DELETE FROM tb_user WHERE id = {author}"))
            .await;
        let page = notes::list_hot(&test.db, 1, 10, TieBreak::Newest)
            .await
            .unwrap();
        let listed: Vec<NoteId> = page.iter().map(|it| it.id).collect();
        assert_eq!(listed, [second.id, first.id]);
        let orphan = notes::get(&test.db, first.id).await.unwrap().unwrap();
        assert_eq!(orphan.author_name, "");
        let authors = users::get_authors_for_fill(&test.db, &[author, reader]).await;
        let authors: Vec<_> = authors.unwrap().into_iter().collect();
        assert_eq!(authors.len(), 1);
        assert_eq!(
            (authors[0].0, authors[0].1.name.as_str()),
            (reader, "person 2")
        );
    })
    .await;
}

#[tokio::test]
async fn lists_are_newest_first_and_hot_ones_most_liked_first() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let mut published = Vec::new();
        for _ in 0..3 {
            published.push(publish(&test, &note(author, shop, None)).await.id);
        }
        let [one, two, three] = published[..] else {
            unreachable!("there are three");
        };
        assert_eq!(ids(&test, ListOf::Shop(shop), 1).await, [three, two]);
        assert_eq!(ids(&test, ListOf::Author(author), 2).await, [one]);
        assert!(ids(&test, ListOf::Author(reader), 1).await.is_empty());
        note_likes::toggle(&test.db, one, reader, None)
            .await
            .unwrap()
            .unwrap();
        let hot = notes::list_hot(&test.db, 1, 10, TieBreak::Newest)
            .await
            .unwrap();
        let hot: Vec<NoteId> = hot.into_iter().map(|it| it.id).collect();
        assert_eq!(hot, [one, three, two]);
        let likes = notes::list_likes(&test.db, NoteId::new(0), 2).await;
        let expected = [(one, 1), (two, 0)].map(|(id, likes)| NoteLikes {
            id,
            likes,
            revision: u64::from(likes),
        });
        assert_eq!(likes.unwrap(), expected);
    })
    .await;
}

#[tokio::test]
async fn a_full_scan_has_the_likes_of_shown_notes_and_the_authors_of_all() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let mut published = Vec::new();
        for author in [author, reader, author] {
            published.push(publish(&test, &note(author, shop, None)).await.id);
        }
        let [one, two, three] = published[..] else {
            unreachable!("there are three");
        };
        notes::set_visibility(&test.db, author, two, Visibility::Hidden)
            .await
            .unwrap();
        let likes = notes::list_likes(&test.db, one, 10).await.unwrap();
        assert_eq!(likes.iter().map(|it| it.id).collect::<Vec<_>>(), [three]);
        let authors = notes::list_authors(&test.db, one, 10).await.unwrap();
        assert_eq!(authors, [(two, reader), (three, author)]);
        let first = notes::list_authors(&test.db, NoteId::new(0), 1).await;
        assert_eq!(first.unwrap(), [(one, author)]);
    })
    .await;
}

/// The original's: two likes at once counted two.
#[tokio::test]
async fn a_storm_of_toggles_ends_with_a_counter_that_equals_the_rows() {
    on_both(async |test| {
        let (shop, author, _) = village(&test).await;
        let note = publish(&test, &note(author, shop, None)).await.id;
        let mut storm = JoinSet::new();
        for turn in 0..200 {
            let db = test.db.clone();
            storm.spawn(async move {
                let user = UserId::new(100 + turn % 7);
                note_likes::toggle(&db, note, user, None)
                    .await
                    .unwrap()
                    .unwrap();
            });
        }
        storm.join_all().await;
        let rows = note_likes::list_after(&test.db, note, UserId::new(0), 100)
            .await
            .unwrap();
        // 200 turns among seven: four took 29 of them, three 28.
        assert_eq!(rows.len(), 4);
        let liked = notes::get(&test.db, note)
            .await
            .unwrap()
            .unwrap()
            .note
            .likes;
        assert_eq!(liked as usize, rows.len());
    })
    .await;
}

#[tokio::test]
async fn the_first_likers_come_earliest_first() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let id = publish(&test, &note(author, shop, None)).await.id;
        for user in [reader, author] {
            note_likes::toggle(&test.db, id, user, None).await.unwrap().unwrap();
        }
        test.execute(&format!(
            "UPDATE tb_blog_like SET create_time = '2020-01-01 00:00:00.000' WHERE user_id = {author}"
        ))
        .await;
        let first = note_likes::list_first(&test.db, id, 5).await.unwrap();
        let users: Vec<UserId> = first.iter().map(|liker| liker.user).collect();
        assert_eq!(users, [author, reader]);
        let mine = note_likes::liked_among(&test.db, reader, &[id, NoteId::new(99)]).await;
        assert_eq!(mine.unwrap(), [id]);
    })
    .await;
}

#[tokio::test]
async fn likes_and_comments_of_a_deleted_note_are_purged_in_batches() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let (gone, stays) = (
            publish(&test, &note(author, shop, None)).await.id,
            publish(&test, &note(author, shop, None)).await.id,
        );
        for id in [gone, stays] {
            note_likes::toggle(&test.db, id, reader, None)
                .await
                .unwrap()
                .unwrap();
        }
        notes::delete(&test.db, Principal::Admin, gone)
            .await
            .unwrap()
            .unwrap();
        while notes::purge(&test.db, gone).await.unwrap() {}
        assert_eq!(test.count("tb_blog_like").await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_timeline_is_cut_between_notes_of_one_millisecond() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let mut ids = Vec::new();
        for _ in 0..4 {
            ids.push(publish(&test, &note(author, shop, None)).await.id);
        }
        test.execute("UPDATE tb_blog SET create_time = '2026-11-15 00:00:00.123'")
            .await;
        follows::set(&test.db, reader, author, follows::FollowAction::Follow)
            .await
            .unwrap()
            .unwrap();
        ids.reverse();
        let feed = async |before: Option<TimelinePosition>| {
            notes::list_feed(&test.db, reader, before, 10)
                .await
                .unwrap()
        };
        let all = feed(None).await;
        assert_eq!(all.iter().map(|it| it.note).collect::<Vec<_>>(), ids);
        for (place, moment) in all.iter().enumerate() {
            assert_eq!(feed(Some(*moment)).await, all[place + 1..]);
        }
        let page = async |before: Option<TimelinePosition>| {
            notes::list_timeline(&test.db, &[author], before, 2)
                .await
                .unwrap()
        };
        assert_eq!(page(None).await, all[..2]);
        assert_eq!(page(Some(all[1])).await, all[2..]);
        assert!(page(Some(all[3])).await.is_empty());
    })
    .await;
}

/// The ids in each answer.
async fn shown(test: &TestDb, asked: &[NotesAsked]) -> Vec<Vec<NoteId>> {
    let found = notes::get_shown(&test.db, asked).await.unwrap();
    let ids = |notes: Vec<notes::ListedNote>| notes.into_iter().map(|it| it.id).collect();
    found.into_iter().map(ids).collect()
}

#[tokio::test]
async fn each_question_gets_its_own_notes_in_its_own_order() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let (other, stranger) = (person(&test, 3).await, person(&test, 4).await);
        let mut ids = Vec::new();
        for by in [author, other, author, other] {
            ids.push(publish(&test, &note(by, shop, None)).await.id);
        }
        follows::set(&test.db, reader, author, follows::FollowAction::Follow)
            .await
            .unwrap()
            .unwrap();
        let admin = person(&test, 5).await;
        notes::set_visibility(&test.db, admin, ids[2], Visibility::Hidden)
            .await
            .unwrap();
        let backwards: Vec<NoteId> = ids.iter().rev().copied().collect();
        let ask = |ids: &[NoteId], followed_by| NotesAsked {
            ids: ids.to_vec(),
            followed_by,
        };
        let asked = [
            ask(&backwards, Some(reader)),
            ask(&backwards, None),
            ask(&[], None),
            ask(&ids, Some(stranger)),
            ask(&[ids[1], NoteId::new(999_999), ids[0], ids[1]], None),
        ];
        let expected = [
            vec![ids[0]],
            vec![ids[3], ids[1], ids[0]],
            vec![],
            vec![],
            vec![ids[1], ids[0], ids[1]],
        ];
        assert_eq!(shown(&test, &asked).await, expected);
        assert_eq!(shown(&test, &[]).await, Vec::<Vec<NoteId>>::new());
        // More than one query takes, so that a question is cut in two.
        let many = vec![ask(&ids, Some(reader)); 300];
        assert_eq!(shown(&test, &many).await, vec![vec![ids[0]]; 300]);
    })
    .await;
}

#[tokio::test]
async fn shown_notes_come_with_their_counters() {
    on_both(async |test| {
        let (shop, author, reader) = village(&test).await;
        let id = publish(&test, &note(author, shop, None)).await.id;
        note_likes::toggle(&test.db, id, reader, None)
            .await
            .unwrap()
            .unwrap();
        let counters = async || {
            let asked = NotesAsked {
                ids: vec![id],
                followed_by: None,
            };
            let found = notes::get_shown(&test.db, &[asked]).await.unwrap();
            (found[0][0].likes, found[0][0].comments)
        };
        assert_eq!(counters().await, (1, 0));
        test.execute("UPDATE tb_blog SET liked = -3, comments = 7")
            .await;
        assert_eq!(counters().await, (0, 7), "an adopted database may say so");
    })
    .await;
}
