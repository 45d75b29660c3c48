//! Comments: two levels, counted on their note and nowhere else, and never lost sight of by moderators.

use domain::{CommentId, NoteId, UserId};
use storage::bulk::{self, CountedTable, Surplus};
use storage::comments::{
    self, Comment, CommentDeleteRefusal, CommentRefusal, Flagged, NewComment, Thread,
};
use storage::notes::{self, NewNote, Visibility};
use storage::shops::Principal;
use tokio::task::JoinSet;

use crate::support::{TestDb, create_shop, on_both, person};

/// A note, its author and a reader.
async fn scene(test: &TestDb) -> (NoteId, UserId, UserId) {
    let (author, reader) = (person(test, 1).await, person(test, 2).await);
    let shop = create_shop(&test.db, "茶餐厅").await.id;
    (publish(test, author, shop).await, author, reader)
}

async fn publish(test: &TestDb, author: UserId, shop_id: domain::ShopId) -> NoteId {
    let new = NewNote {
        author,
        shop_id,
        title: "好吃".to_owned(),
        content: "下次再来".to_owned(),
        pictures: Vec::new(),
        stars: None,
        opinion: Default::default(),
        key: None,
        mentions: Vec::new(),
    };
    notes::publish(&test.db, &new).await.unwrap().unwrap().id
}

fn comment(author: UserId, note: NoteId) -> NewComment {
    NewComment {
        author,
        note,
        parent: None,
        answers: None,
        content: "真的吗".to_owned(),
        key: None,
        mentions: Vec::new(),
    }
}

async fn say(test: &TestDb, new: &NewComment) -> CommentId {
    comments::create(&test.db, new).await.unwrap().unwrap()
}

async fn reply(test: &TestDb, author: UserId, note: NoteId, to: CommentId) -> CommentId {
    let new = NewComment {
        answers: Some(to),
        ..comment(author, note)
    };
    say(test, &new).await
}

async fn threads(test: &TestDb, note: NoteId) -> Vec<Thread> {
    let list = comments::list_threads(&test.db, None, note, 1, 10, 2).await;
    list.unwrap()
}

/// What the note's row says.
async fn count(test: &TestDb, note: NoteId) -> u32 {
    let note = notes::get(&test.db, note).await.unwrap();
    note.unwrap().note.comments
}

fn ids(comments: &[Comment]) -> Vec<CommentId> {
    comments.iter().map(|it| it.id).collect()
}

#[tokio::test]
async fn comments_stand_in_two_levels_newest_thread_first_and_oldest_reply_first() {
    on_both(async |test| {
        let (note, author, reader) = scene(&test).await;
        let first = say(&test, &comment(reader, note)).await;
        let second = say(&test, &comment(author, note)).await;
        let a = reply(&test, author, note, first).await;
        // An answer to a reply belongs to the same thread.
        let b = reply(&test, reader, note, a).await;
        let c = reply(&test, author, note, b).await;
        let found = threads(&test, note).await;
        let firsts: Vec<CommentId> = found.iter().map(|it| it.first.id).collect();
        assert_eq!(firsts, [second, first]);
        assert_eq!((found[0].replies.len(), found[0].reply_count), (0, 0));
        assert_eq!(ids(&found[1].replies), [a, b], "two of each thread");
        assert_eq!(found[1].reply_count, 3);
        let b_as_listed = &found[1].replies[1];
        assert_eq!(
            (b_as_listed.parent, b_as_listed.answers),
            (Some(first), Some(a))
        );
        let rest = comments::list_replies(&test.db, None, first, 2, 2)
            .await
            .unwrap();
        assert_eq!(ids(&rest), [c]);
        assert_eq!(count(&test, note).await, 5);
    })
    .await;
}

#[tokio::test]
async fn an_answer_must_fit_its_note_and_its_thread() {
    on_both(async |test| {
        let (note, author, reader) = scene(&test).await;
        let shop = create_shop(&test.db, "面馆").await.id;
        let elsewhere = publish(&test, author, shop).await;
        let here = say(&test, &comment(reader, note)).await;
        let other_thread = say(&test, &comment(reader, note)).await;
        let there = say(&test, &comment(reader, elsewhere)).await;
        let wrong = [
            (None, Some(there)),
            (Some(there), None),
            (Some(other_thread), Some(here)),
        ];
        for (parent, answers) in wrong {
            let new = NewComment {
                parent,
                answers,
                ..comment(author, note)
            };
            let refused = comments::create(&test.db, &new).await.unwrap();
            assert_eq!(refused, Err(CommentRefusal::NoSuchComment));
        }
        let nowhere = comments::create(&test.db, &comment(author, NoteId::new(404))).await;
        assert_eq!(nowhere.unwrap(), Err(CommentRefusal::NoSuchNote));
        assert_eq!(count(&test, note).await, 2);
    })
    .await;
}

#[tokio::test]
async fn only_its_author_or_an_admin_deletes_a_comment_and_a_thread_goes_as_a_whole() {
    on_both(async |test| {
        let (note, author, reader) = scene(&test).await;
        let first = say(&test, &comment(reader, note)).await;
        let kept = say(&test, &comment(reader, note)).await;
        let answer = reply(&test, author, note, first).await;
        comments::toggle_like(&test.db, answer, reader)
            .await
            .unwrap();
        comments::report(&test.db, reader, answer, "广告")
            .await
            .unwrap();
        let delete = async |principal, id| comments::delete(&test.db, principal, id).await.unwrap();
        let stranger = delete(Principal::Owner(author), first).await;
        assert_eq!(stranger, Err(CommentDeleteRefusal::NotAuthor));
        assert_eq!(delete(Principal::Owner(reader), first).await, Ok(()));
        let again = delete(Principal::Admin, first).await;
        assert_eq!(again, Err(CommentDeleteRefusal::NoSuchComment));
        assert_eq!(threads(&test, note).await[0].first.id, kept);
        assert_eq!(count(&test, note).await, 1);
        assert_eq!(test.count("tb_blog_comments").await, 1);
        assert_eq!(test.count("tb_blog_comment_like").await, 0);
        assert_eq!(test.count("tb_blog_comment_report").await, 0);
    })
    .await;
}

#[tokio::test]
async fn the_counters_are_right_whatever_happens_at_once() {
    on_both(async |test| {
        let (note, author, reader) = scene(&test).await;
        let first = say(&test, &comment(reader, note)).await;
        let mut tasks = JoinSet::new();
        for n in 0..24 {
            let (db, user) = (test.db.clone(), [author, reader][n % 2]);
            tasks.spawn(async move {
                let id = comments::create(&db, &comment(user, note)).await;
                let id = id.unwrap().unwrap();
                comments::toggle_like(&db, first, user).await.unwrap();
                if n % 3 == 0 {
                    let deleted = comments::delete(&db, Principal::Owner(user), id).await;
                    deleted.unwrap().unwrap();
                }
            });
        }
        while let Some(done) = tasks.join_next().await {
            done.unwrap();
        }
        assert_eq!(count(&test, note).await, 1 + 24 - 8);
        let likes = test.count("tb_blog_comment_like").await;
        let found = comments::list_threads(&test.db, None, note, 1, 50, 2).await;
        let found = found.unwrap().pop().unwrap().first;
        assert_eq!((found.id, i64::from(found.likes)), (first, likes));
        assert_eq!(likes, 0, "twelve toggles each");
    })
    .await;
}

#[tokio::test]
async fn a_reported_comment_waits_for_a_moderator_and_a_hidden_one_is_seen_by_nobody_else() {
    on_both(async |test| {
        let (note, author, reader) = scene(&test).await;
        let admin = person(&test, 3).await;
        let first = say(&test, &comment(reader, note)).await;
        let answer = reply(&test, author, note, first).await;
        let flagged = async |which| {
            comments::list_flagged(&test.db, which, None, 10)
                .await
                .unwrap()
        };
        let report = async |who, id| comments::report(&test.db, who, id, "广告").await.unwrap();
        assert!(!report(author, CommentId::new(404)).await);
        for _ in 0..2 {
            assert!(report(author, first).await);
        }
        let queue = flagged(Flagged::Reported).await;
        assert_eq!(
            (queue.len(), queue[0].reports),
            (1, 1),
            "a person counts once"
        );
        assert_eq!((queue[0].comment.id, &*queue[0].reason), (first, "广告"));
        assert_eq!(
            threads(&test, note).await.len(),
            1,
            "reported is still shown"
        );

        let set = async |it| {
            comments::set_visibility(&test.db, admin, first, it)
                .await
                .unwrap()
        };
        assert!(set(Visibility::Hidden).await);
        assert!(flagged(Flagged::Reported).await.is_empty());
        assert_eq!(flagged(Flagged::Hidden).await.len(), 1);
        assert!(threads(&test, note).await.is_empty());
        assert!(
            comments::list_replies(&test.db, None, first, 1, 10)
                .await
                .unwrap()
                .is_empty()
        );
        assert_eq!(
            comments::toggle_like(&test.db, first, author)
                .await
                .unwrap(),
            None
        );
        assert_eq!(count(&test, note).await, 0, "nobody sees its reply");
        let to_a_hidden_thread = NewComment {
            answers: Some(answer),
            ..comment(author, note)
        };
        assert_eq!(
            comments::create(&test.db, &to_a_hidden_thread)
                .await
                .unwrap(),
            Err(CommentRefusal::NoSuchComment)
        );
        bulk::recount(&test.db, &CountedTable::ALL, Surplus::Drop)
            .await
            .unwrap();
        assert_eq!(count(&test, note).await, 0, "by whoever counts");

        assert!(set(Visibility::Shown).await);
        assert_eq!(threads(&test, note).await.len(), 1);
        assert_eq!(count(&test, note).await, 2);
        assert!(report(author, first).await);
        assert!(
            flagged(Flagged::Reported).await.is_empty(),
            "it was decided on"
        );
        assert!(report(admin, first).await);
        assert_eq!(
            flagged(Flagged::Reported).await.len(),
            1,
            "somebody else objects"
        );
        let actions = test.texts("SELECT action FROM tb_audit ORDER BY id").await;
        assert_eq!(actions, ["hide_comment", "show_comment"]);
    })
    .await;
}

#[tokio::test]
async fn the_comments_of_a_deleted_note_are_cleared_away_with_what_hung_on_them() {
    on_both(async |test| {
        let (note, author, reader) = scene(&test).await;
        let first = say(&test, &comment(reader, note)).await;
        comments::toggle_like(&test.db, first, author)
            .await
            .unwrap();
        comments::report(&test.db, author, first, "").await.unwrap();
        notes::delete(&test.db, Principal::Admin, note)
            .await
            .unwrap()
            .unwrap();
        while notes::purge(&test.db, note).await.unwrap() {}
        for table in [
            "tb_blog_comments",
            "tb_blog_comment_like",
            "tb_blog_comment_report",
        ] {
            assert_eq!(test.count(table).await, 0, "{table}");
        }
    })
    .await;
}
