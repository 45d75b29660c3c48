//! Mentions: they are stored with their text and go with it, and their notices are one row for each person and note.

use domain::{CommentId, Mention, NoteId, UserId};
use storage::account_deletion::{EraseStep, take_step};
use storage::blocks;
use storage::comments::{self, NewComment};
use storage::mentions::list_mentionable;
use storage::notes::{self, NewNote, NoteEdit, NoteText, Visibility};
use storage::notices::{
    self, IN_NOTE, Notice, NoticeChange, SocialEvent, SocialKind, SocialNotice,
};
use storage::shops::Principal;
use storage::users::{self, UserStatus};

use crate::support::{TestDb, create_shop, on_both, person};

fn mention(user: UserId, name: &str) -> Mention {
    Mention {
        user,
        name: name.to_owned(),
    }
}

async fn publish(test: &TestDb, author: UserId, mentions: &[Mention]) -> NoteId {
    let new = NewNote {
        author,
        shop_id: create_shop(&test.db, "茶餐厅").await.id,
        title: "好吃".to_owned(),
        content: "@小满 去".to_owned(),
        pictures: Vec::new(),
        stars: None,
        mentions: mentions.to_vec(),
        opinion: Default::default(),
        key: None,
    };
    notes::publish(&test.db, &new).await.unwrap().unwrap().id
}

async fn say(
    test: &TestDb,
    author: UserId,
    note: NoteId,
    parent: Option<CommentId>,
    mentions: &[Mention],
) -> CommentId {
    let new = NewComment {
        author,
        note,
        parent,
        answers: parent,
        content: "@小满 真的".to_owned(),
        mentions: mentions.to_vec(),
        key: None,
    };
    comments::create(&test.db, &new).await.unwrap().unwrap()
}

async fn text(test: &TestDb, note: NoteId) -> Option<NoteText> {
    let texts = notes::get_texts_for_fill(&test.db, &[note]).await;
    texts.unwrap().pop()
}

fn edit(author: UserId, id: NoteId, edits_before: u32, mentions: &[Mention]) -> NoteEdit {
    NoteEdit {
        author,
        id,
        edits_before,
        title: "好吃".to_owned(),
        content: "@小满 去".to_owned(),
        addresses: Vec::new(),
        stars: None,
        mentions: mentions.to_vec(),
        opinion: Default::default(),
    }
}

fn event(owner: UserId, note: NoteId, actor: UserId, event: i64) -> SocialEvent {
    SocialEvent {
        kind: SocialKind::Mentioned,
        owner,
        about: note.get(),
        actor,
        event,
    }
}

async fn add(test: &TestDb, event: &SocialEvent) -> NoticeChange {
    notices::add(&test.db, event).await.unwrap()
}

async fn list(test: &TestDb, owner: UserId) -> Vec<Notice> {
    notices::list(&test.db, owner, None, 20).await.unwrap()
}

async fn says(test: &TestDb, owner: UserId) -> Option<SocialNotice> {
    let found = list(test, owner).await;
    let described = notices::describe_social(&test.db, owner, &found).await;
    described.unwrap().remove(&found.first()?.id)
}

/// What the outbox was told last about notes or comments.
async fn last_payload(test: &TestDb, kind: &str) -> String {
    let sql =
        format!("SELECT payload FROM tb_outbox WHERE kind = '{kind}' ORDER BY id DESC LIMIT 1");
    test.texts(&sql).await.remove(0)
}

#[tokio::test]
async fn mentions_are_read_with_their_text_in_its_order_and_go_with_it() {
    on_both(async |test| {
        let (me, ann, bob) = (
            person(&test, 1).await,
            person(&test, 2).await,
            person(&test, 3).await,
        );
        let both = [mention(bob, "小满"), mention(ann, "Ann Lee")];
        let note = publish(&test, me, &both).await;
        assert_eq!(text(&test, note).await.unwrap().mentions, both);
        let first = say(&test, me, note, None, &both).await;
        let reply = say(&test, ann, note, Some(first), &both[..1]).await;
        let threads = comments::list_threads(&test.db, None, note, 1, 10, 3).await;
        let thread = threads.unwrap().remove(0);
        assert_eq!(thread.first.mentions, both);
        assert_eq!(thread.replies[0].mentions, both[..1]);
        let replies = comments::list_replies(&test.db, None, first, 1, 10).await;
        assert_eq!(replies.unwrap()[0].mentions, both[..1]);
        assert_eq!(test.count("tb_blog_comment_mention").await, 3);
        comments::delete(&test.db, Principal::Owner(ann), reply)
            .await
            .unwrap()
            .unwrap();
        let told = last_payload(&test, "comment_changed").await;
        assert!(told.contains(&format!("\"mentioned\":[{bob}]")), "{told}");
        assert_eq!(test.count("tb_blog_comment_mention").await, 2);
        notes::delete(&test.db, Principal::Owner(me), note)
            .await
            .unwrap()
            .unwrap();
        while notes::purge(&test.db, note).await.unwrap() {}
        assert_eq!(test.count("tb_blog_comment_mention").await, 0);
        assert_eq!(test.count("tb_blog_mention").await, 0);
    })
    .await;
}

#[tokio::test]
async fn an_edit_says_who_came_and_who_went_and_a_repeated_one_says_nothing() {
    on_both(async |test| {
        let (me, ann, bob) = (
            person(&test, 1).await,
            person(&test, 2).await,
            person(&test, 3).await,
        );
        let (of_ann, of_bob) = (mention(ann, "小满"), mention(bob, "小满"));
        let note = publish(&test, me, std::slice::from_ref(&of_ann)).await;
        let change = edit(me, note, 0, std::slice::from_ref(&of_bob));
        for _ in 0..2 {
            notes::edit(&test.db, &change).await.unwrap().unwrap();
        }
        let after = text(&test, note).await.unwrap();
        assert_eq!((after.mentions, after.edits), (vec![of_bob.clone()], 1));
        let told = last_payload(&test, "note_text_changed").await;
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["mentioned"], serde_json::json!([bob.get()]));
        assert_eq!(told["unmentioned"], serde_json::json!([ann.get()]));
        let stale = edit(me, note, 0, &[of_ann]);
        let refused = notes::edit(&test.db, &stale).await.unwrap();
        assert_eq!(refused, Err(notes::NoteEditRefusal::Changed));
        let other_title = NoteEdit {
            title: "更好吃".to_owned(),
            ..edit(me, note, 1, &[of_bob])
        };
        notes::edit(&test.db, &other_title).await.unwrap().unwrap();
        let told = last_payload(&test, "note_text_changed").await;
        assert!(!told.contains("mentioned"), "{told}");
    })
    .await;
}

#[tokio::test]
async fn only_people_who_are_there_and_stay_may_be_mentioned() {
    on_both(async |test| {
        let (ann, bob, leaving) = (
            person(&test, 1).await,
            person(&test, 2).await,
            person(&test, 3).await,
        );
        let (author, blocker) = (person(&test, 4).await, person(&test, 5).await);
        let blocked = blocks::block(&test.db, blocker, author).await.unwrap();
        assert_eq!(blocked, Ok(true));
        users::set_status(&test.db, bob, UserStatus::Blocked, None)
            .await
            .unwrap();
        let sql = format!(
            "INSERT INTO tb_account_deletion (user_id, state, requested_at, due_at, update_time) \
             VALUES ({leaving}, 0, '2026-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00')"
        );
        test.execute(&sql).await;
        let asked = [UserId::new(999_999), leaving, bob, blocker, ann];
        let found = list_mentionable(&test.db, author, &asked).await.unwrap();
        let ids: Vec<UserId> = found.iter().map(|it| it.user).collect();
        assert_eq!(ids, [ann]);
        let others = list_mentionable(&test.db, ann, &[blocker]).await.unwrap();
        assert_eq!(others.len(), 1, "a block is between two people");
        assert_eq!(list_mentionable(&test.db, author, &[]).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn each_person_has_one_notice_for_all_mentions_at_a_note() {
    on_both(async |test| {
        let (me, ann, bob) = (
            person(&test, 1).await,
            person(&test, 2).await,
            person(&test, 3).await,
        );
        let both = [mention(ann, "小满"), mention(bob, "Bob"), mention(me, "我")];
        let note = publish(&test, me, &both).await;
        for owner in [ann, bob] {
            assert_eq!(
                add(&test, &event(owner, note, me, IN_NOTE)).await,
                NoticeChange::News
            );
        }
        assert_eq!(
            add(&test, &event(me, note, me, IN_NOTE)).await,
            NoticeChange::Nothing
        );
        assert_eq!(
            add(&test, &event(ann, note, me, IN_NOTE)).await,
            NoticeChange::Nothing
        );
        let told = says(&test, ann).await.unwrap();
        assert_eq!(
            (
                told.newest,
                told.people,
                told.note,
                &*told.title,
                &*told.words
            ),
            (me, 1, Some(note), "好吃", "")
        );
        let first = say(&test, bob, note, None, &both).await;
        say(&test, me, note, Some(first), &both[..1]).await;
        add(&test, &event(ann, note, bob, first.get())).await;
        let told = says(&test, ann).await.unwrap();
        assert_eq!(
            (told.newest, told.people, &*told.words),
            (me, 2, "@小满 真的")
        );
        assert_eq!(list(&test, ann).await.len(), 1);
        // The reply goes out of sight with its thread.
        let admin = person(&test, 4).await;
        comments::set_visibility(&test.db, admin, first, Visibility::Hidden)
            .await
            .unwrap();
        let told = says(&test, ann).await.unwrap();
        assert_eq!((told.newest, told.people, told.comment), (me, 1, None));
        notes::set_visibility(&test.db, admin, note, Visibility::Hidden)
            .await
            .unwrap();
        assert_eq!(says(&test, ann).await, None);

        let next = publish(&test, me, &both).await;
        add(&test, &event(ann, next, me, IN_NOTE)).await;
        notices::forget(&test.db, SocialKind::Mentioned, note.get())
            .await
            .unwrap();
        let left = list(&test, ann).await;
        assert_eq!((left.len(), left[0].about), (1, Some(next.get())));
        assert_eq!(list(&test, bob).await, [], "of everybody who was mentioned");
    })
    .await;
}

#[tokio::test]
async fn whoever_mutes_mentions_is_told_of_none() {
    on_both(async |test| {
        let (me, ann) = (person(&test, 1).await, person(&test, 2).await);
        let note = publish(&test, me, &[mention(ann, "小满")]).await;
        let off = [SocialKind::Mentioned];
        notices::set_muted(&test.db, ann, &off).await.unwrap();
        assert_eq!(notices::list_muted(&test.db, ann).await.unwrap(), off);
        let told = event(ann, note, me, IN_NOTE);
        assert_eq!(add(&test, &told).await, NoticeChange::Nothing);
        notices::set_muted(&test.db, ann, &[]).await.unwrap();
        assert_eq!(add(&test, &told).await, NoticeChange::News);
        notices::take_back(&test.db, &told).await.unwrap();
        assert_eq!(list(&test, ann).await, []);
    })
    .await;
}

#[tokio::test]
async fn an_erased_account_is_mentioned_nowhere() {
    on_both(async |test| {
        let (me, ann) = (person(&test, 1).await, person(&test, 2).await);
        let of_ann = [mention(ann, "小满")];
        let note = publish(&test, me, &of_ann).await;
        say(&test, me, note, None, &of_ann).await;
        for step in EraseStep::ALL {
            while take_step(&test.db, ann, step, 1).await.unwrap() > 0 {}
        }
        assert_eq!(test.count("tb_blog_mention").await, 0);
        assert_eq!(test.count("tb_blog_comment_mention").await, 0);
        let left = text(&test, note).await.unwrap();
        assert_eq!((&*left.content, left.mentions), ("@小满 去", Vec::new()));
    })
    .await;
}
