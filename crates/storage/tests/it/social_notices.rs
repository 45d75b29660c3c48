//! Grouped notices: one row for any number of likes, told once, and nothing about what is gone.

use domain::{NoteId, UserId};
use storage::comments::{self, NewComment};
use storage::notes::{self, NewNote, Visibility};
use storage::notices::{self, Notice, NoticeChange, SocialEvent, SocialKind, SocialNotice};
use storage::shops::Principal;
use storage::{follows, note_likes};
use tokio::task::JoinSet;

use crate::support::{TestDb, create_shop, on_both, person};

async fn publish(test: &TestDb, author: UserId) -> NoteId {
    let new = NewNote {
        author,
        shop_id: create_shop(&test.db, "茶餐厅").await.id,
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

fn like(owner: UserId, note: NoteId, actor: UserId) -> SocialEvent {
    SocialEvent {
        kind: SocialKind::NoteLiked,
        owner,
        about: note.get(),
        actor,
        event: actor.get(),
    }
}

async fn add(test: &TestDb, event: &SocialEvent) -> NoticeChange {
    notices::add(&test.db, event).await.unwrap()
}

async fn take_back(test: &TestDb, event: &SocialEvent) {
    notices::take_back(&test.db, event).await.unwrap();
}

async fn list(test: &TestDb, owner: UserId) -> Vec<Notice> {
    notices::list(&test.db, owner, None, 20).await.unwrap()
}

async fn unread(test: &TestDb, owner: UserId) -> u64 {
    notices::count_unread(&test.db, owner).await.unwrap()
}

async fn read_all(test: &TestDb, owner: UserId) {
    let newest = list(test, owner).await[0].id;
    notices::mark_read(&test.db, owner, newest).await.unwrap();
}

async fn says(test: &TestDb, owner: UserId) -> Option<SocialNotice> {
    let found = list(test, owner).await;
    let mut described = notices::describe_social(&test.db, owner, &found)
        .await
        .unwrap();
    described.remove(&found.first()?.id)
}

#[tokio::test]
async fn any_number_of_likes_is_one_row_whoever_writes_it() {
    on_both(async |test| {
        let author = person(&test, 1).await;
        let note = publish(&test, author).await;
        let mut crowd = JoinSet::new();
        for n in 0..40 {
            let (db, event) = (test.db.clone(), like(author, note, UserId::new(1_000 + n)));
            crowd.spawn(async move { notices::add(&db, &event).await.unwrap() });
        }
        let changes = crowd.join_all().await;
        let news = changes.iter().filter(|it| **it == NoticeChange::News);
        assert_eq!(news.count(), 1);
        assert_eq!(test.count("tb_notice").await, 1);
        assert_eq!(unread(&test, author).await, 1);
        for n in 0..200 {
            add(&test, &like(author, note, UserId::new(5_000 + n))).await;
        }
        let sizes = test
            .texts("SELECT CAST(length(payload) AS CHAR) FROM tb_notice")
            .await;
        let size: usize = sizes[0].parse().unwrap();
        assert!(size < 1_000, "{size}");
    })
    .await;
}

#[tokio::test]
async fn a_like_taken_back_and_given_again_is_told_once() {
    on_both(async |test| {
        let (author, ann, bob) = (
            person(&test, 1).await,
            person(&test, 2).await,
            person(&test, 3).await,
        );
        let note = publish(&test, author).await;
        let (by_ann, by_bob) = (like(author, note, ann), like(author, note, bob));
        assert_eq!(add(&test, &by_ann).await, NoticeChange::News);
        assert_eq!(
            add(&test, &by_ann).await,
            NoticeChange::Nothing,
            "an effect is repeated"
        );
        take_back(&test, &by_ann).await;
        assert_eq!(list(&test, author).await, [], "nobody saw it");
        assert_eq!(add(&test, &by_ann).await, NoticeChange::News);
        let first = list(&test, author).await[0].id;
        read_all(&test, author).await;
        take_back(&test, &by_ann).await;
        assert_eq!(add(&test, &by_ann).await, NoticeChange::Nothing);
        assert_eq!(unread(&test, author).await, 0);
        assert_eq!(add(&test, &by_bob).await, NoticeChange::News);
        let second = list(&test, author).await;
        assert_eq!((second.len(), unread(&test, author).await), (1, 1));
        assert!(second[0].id > first, "it is the newest again");
        take_back(&test, &by_bob).await;
        assert_eq!(
            (list(&test, author).await.len(), unread(&test, author).await),
            (1, 0)
        );
        assert_eq!(
            add(&test, &like(author, note, author)).await,
            NoticeChange::Nothing
        );
    })
    .await;
}

#[tokio::test]
async fn kinds_that_are_off_are_not_told_and_others_are() {
    on_both(async |test| {
        let (author, ann) = (person(&test, 1).await, person(&test, 2).await);
        let note = publish(&test, author).await;
        let off = [SocialKind::NoteLiked, SocialKind::Followed];
        notices::set_muted(&test.db, author, &off).await.unwrap();
        assert_eq!(notices::list_muted(&test.db, author).await.unwrap(), off);
        assert_eq!(notices::list_muted(&test.db, ann).await.unwrap(), []);
        assert_eq!(
            add(&test, &like(author, note, ann)).await,
            NoticeChange::Nothing
        );
        let comment = SocialEvent {
            kind: SocialKind::NoteCommented,
            event: 77,
            ..like(author, note, ann)
        };
        assert_eq!(add(&test, &comment).await, NoticeChange::News);
        notices::set_muted(&test.db, author, &[]).await.unwrap();
        assert_eq!(
            add(&test, &like(author, note, ann)).await,
            NoticeChange::News
        );
    })
    .await;
}

#[tokio::test]
async fn a_notice_says_who_did_it_last_and_how_many() {
    on_both(async |test| {
        let (author, ann, bob) = (
            person(&test, 1).await,
            person(&test, 2).await,
            person(&test, 3).await,
        );
        let note = publish(&test, author).await;
        for who in [author, ann, bob] {
            note_likes::toggle(&test.db, note, who, None)
                .await
                .unwrap()
                .unwrap();
            add(&test, &like(author, note, who)).await;
        }
        let liked = says(&test, author).await.unwrap();
        assert_eq!(
            (liked.newest, liked.people, &*liked.title),
            (bob, 2, "好吃")
        );
        assert_eq!((liked.note, liked.comment), (Some(note), None));
        note_likes::toggle(&test.db, note, bob, None)
            .await
            .unwrap()
            .unwrap();
        let liked = says(&test, author).await.unwrap();
        assert_eq!((liked.newest, liked.people), (ann, 1));

        let comment = |author, parent, content: &str| NewComment {
            author,
            note,
            parent,
            answers: parent,
            content: content.to_owned(),
            key: None,
            mentions: Vec::new(),
        };
        let create = async |new| comments::create(&test.db, &new).await.unwrap().unwrap();
        let first = create(comment(ann, None, "真的吗")).await;
        let event = SocialEvent {
            kind: SocialKind::NoteCommented,
            event: first.get(),
            ..like(author, note, ann)
        };
        add(&test, &event).await;
        let commented = says(&test, author).await.unwrap();
        assert_eq!(
            (commented.newest, commented.people, &*commented.words),
            (ann, 1, "真的吗")
        );
        let answer = create(comment(bob, Some(first), "是的")).await;
        let event = SocialEvent {
            kind: SocialKind::CommentAnswered,
            owner: ann,
            about: first.get(),
            actor: bob,
            event: answer.get(),
        };
        add(&test, &event).await;
        let answered = says(&test, ann).await.unwrap();
        assert_eq!(
            (answered.newest, &*answered.words, answered.note),
            (bob, "是的", Some(note))
        );

        comments::delete(&test.db, Principal::Owner(ann), first)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(says(&test, ann).await, None, "what was answered is gone");
        assert_eq!(says(&test, author).await, None, "and so is every comment");
        let admin = person(&test, 4).await;
        notes::set_visibility(&test.db, admin, note, Visibility::Hidden)
            .await
            .unwrap();
        assert_eq!(says(&test, author).await, None);
        notices::forget(&test.db, SocialKind::NoteLiked, note.get())
            .await
            .unwrap();
        assert_eq!(list(&test, author).await.len(), 1, "the other kind stays");
    })
    .await;
}

#[tokio::test]
async fn followers_are_counted_and_one_who_left_is_not() {
    on_both(async |test| {
        let (author, ann) = (person(&test, 1).await, person(&test, 2).await);
        let event = SocialEvent {
            kind: SocialKind::Followed,
            owner: author,
            about: author.get(),
            actor: ann,
            event: ann.get(),
        };
        let set = async |action| follows::set(&test.db, ann, author, action).await.unwrap();
        set(follows::FollowAction::Follow).await.unwrap();
        add(&test, &event).await;
        let followed = says(&test, author).await.unwrap();
        assert_eq!(
            (followed.newest, followed.people, followed.note),
            (ann, 1, None)
        );
        set(follows::FollowAction::Unfollow).await.unwrap();
        assert_eq!(says(&test, author).await, None);
    })
    .await;
}
