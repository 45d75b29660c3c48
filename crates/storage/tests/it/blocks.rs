//! Blocks: they end follows both ways, keep what was refused away, and leave the reader's lists full.

use domain::block::BLOCKS_MAX;
use domain::{CommentId, NoteId, ShopId, TieBreak, UserId};
use storage::Db;
use storage::blocks::{self, BlockRefusal};
use storage::comments::{self, CommentRefusal, NewComment};
use storage::follows::{self, FollowAction, FollowRefusal};
use storage::notes::{self, ListOf, NewNote};
use storage::notices::{self, NoticeChange, SocialEvent, SocialKind};
use tokio::task::JoinSet;

use crate::support::{TestDb, create_shop, on_both, person};

/// Who blocks, who is blocked, and somebody else.
async fn people(test: &TestDb) -> (UserId, UserId, UserId) {
    let (me, pest) = (person(test, 1).await, person(test, 2).await);
    (me, pest, person(test, 3).await)
}

async fn block(db: &Db, user: UserId, other: UserId) -> Result<bool, BlockRefusal> {
    blocks::block(db, user, other).await.unwrap()
}

async fn follow(db: &Db, user: UserId, author: UserId) -> Result<bool, FollowRefusal> {
    let set = follows::set(db, user, author, FollowAction::Follow).await;
    set.unwrap()
}

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

async fn say(
    db: &Db,
    author: UserId,
    note: NoteId,
    parent: Option<CommentId>,
    answers: Option<CommentId>,
) -> Result<CommentId, CommentRefusal> {
    let new = NewComment {
        author,
        note,
        parent,
        answers,
        content: "真的吗".to_owned(),
        mentions: Vec::new(),
        key: None,
    };
    comments::create(db, &new).await.unwrap()
}

/// Followees and fans, as counted on the profile, if they have one.
async fn counters(test: &TestDb, user: UserId) -> (i32, i32) {
    let sql = format!("SELECT followee, fans FROM tb_user_info WHERE user_id = {user}");
    let rows = test.query(&sql).await;
    let count = |at: usize| {
        let row = rows.first();
        row.map_or(0, |row| row.try_get_by_index::<i32>(at).unwrap())
    };
    (count(0), count(1))
}

#[tokio::test]
async fn a_block_ends_the_follows_of_both_and_counts_them() {
    on_both(async |test| {
        let (me, pest, other) = people(&test).await;
        let db = &test.db;
        for (user, author) in [(me, pest), (pest, me), (other, me)] {
            assert_eq!(follow(db, user, author).await, Ok(true));
        }
        assert_eq!(block(db, me, pest).await, Ok(true));
        assert_eq!(block(db, me, pest).await, Ok(false), "again");
        for (user, author) in [(me, pest), (pest, me)] {
            assert!(!follows::is_following(db, user, author).await.unwrap());
        }
        assert!(follows::is_following(db, other, me).await.unwrap());
        assert_eq!(counters(&test, me).await, (0, 1));
        assert_eq!(counters(&test, pest).await, (0, 0));
    })
    .await;
}

#[tokio::test]
async fn neither_follows_the_other_until_the_block_is_lifted() {
    on_both(async |test| {
        let (me, pest, other) = people(&test).await;
        let db = &test.db;
        assert_eq!(block(db, me, pest).await, Ok(true));
        assert_eq!(follow(db, pest, me).await, Err(FollowRefusal::Blocked));
        assert_eq!(follow(db, me, pest).await, Err(FollowRefusal::Blocking));
        assert_eq!(follow(db, other, me).await, Ok(true));
        let unfollowed = follows::set(db, pest, me, FollowAction::Unfollow).await;
        assert_eq!(unfollowed.unwrap(), Ok(false));
        assert!(!blocks::unblock(db, pest, me).await.unwrap(), "not theirs");
        assert!(blocks::unblock(db, me, pest).await.unwrap());
        assert!(!blocks::unblock(db, me, pest).await.unwrap(), "again");
        assert_eq!(follow(db, pest, me).await, Ok(true));
        assert_eq!(follow(db, me, pest).await, Ok(true));
    })
    .await;
}

#[tokio::test]
async fn no_follow_survives_a_block_that_comes_at_the_same_moment() {
    on_both(async |test| {
        let (me, pest, _) = people(&test).await;
        for _ in 0..8 {
            let mut storm = JoinSet::new();
            for turn in 0..6 {
                let db = test.db.clone();
                storm.spawn(async move {
                    // Whether it comes before the block or is refused after it.
                    match turn {
                        2 => assert_eq!(block(&db, me, pest).await, Ok(true)),
                        _ if turn % 2 == 0 => _ = follow(&db, me, pest).await,
                        _ => _ = follow(&db, pest, me).await,
                    }
                });
            }
            storm.join_all().await;
            assert_eq!(test.count("tb_follow").await, 0);
            assert_eq!(counters(&test, me).await, (0, 0));
            assert!(blocks::unblock(&test.db, me, pest).await.unwrap());
        }
    })
    .await;
}

#[tokio::test]
async fn who_is_blocked_answers_neither_the_notes_nor_the_comments_of_who_blocks() {
    on_both(async |test| {
        let (me, pest, other) = people(&test).await;
        let db = &test.db;
        let shop = create_shop(db, "茶餐厅").await.id;
        let mine = publish(&test, me, shop).await;
        let theirs = publish(&test, other, shop).await;
        let my_thread = say(db, me, theirs, None, None).await.unwrap();
        let reply = say(db, other, theirs, Some(my_thread), None).await.unwrap();
        let other_thread = say(db, other, theirs, None, None).await.unwrap();
        let my_reply = say(db, me, theirs, Some(other_thread), None).await.unwrap();
        assert_eq!(block(db, me, pest).await, Ok(true));
        let refused = Err(CommentRefusal::Blocked);
        for (note, parent, answers) in [
            (mine, None, None),
            (theirs, Some(my_thread), None),
            // By somebody else, in the thread of who blocks.
            (theirs, Some(my_thread), Some(reply)),
            (theirs, Some(other_thread), Some(my_reply)),
            (theirs, None, Some(my_reply)),
        ] {
            let said = say(db, pest, note, parent, answers).await;
            assert_eq!(said, refused, "{note} {parent:?} {answers:?}");
        }
        assert!(say(db, pest, theirs, None, None).await.is_ok());
        let beside = say(db, pest, theirs, Some(other_thread), None).await;
        assert!(beside.is_ok(), "somebody else's thread");
        assert!(say(db, other, mine, None, None).await.is_ok());
        assert!(blocks::unblock(db, me, pest).await.unwrap());
        assert!(say(db, pest, mine, None, None).await.is_ok());
    })
    .await;
}

#[tokio::test]
async fn pages_of_comments_are_full_without_those_of_blocked_people() {
    on_both(async |test| {
        let (me, pest, other) = people(&test).await;
        let db = &test.db;
        let shop = create_shop(db, "茶餐厅").await.id;
        let note = publish(&test, other, shop).await;
        let mut shown = Vec::new();
        for _ in 0..3 {
            say(db, pest, note, None, None).await.unwrap();
            shown.insert(0, say(db, other, note, None, None).await.unwrap());
        }
        let thread = shown[0];
        let mut replies = Vec::new();
        for _ in 0..3 {
            say(db, pest, note, Some(thread), None).await.unwrap();
            replies.push(say(db, other, note, Some(thread), None).await.unwrap());
        }
        assert_eq!(block(db, me, pest).await, Ok(true));
        let threads = async |reader, page| {
            let list = comments::list_threads(db, reader, note, page, 2, 2).await;
            list.unwrap()
        };
        let (first, second) = (threads(Some(me), 1).await, threads(Some(me), 2).await);
        let seen: Vec<CommentId> = first.iter().chain(&second).map(|it| it.first.id).collect();
        assert_eq!((first.len(), seen), (2, shown));
        assert_eq!(first[0].reply_count, 3);
        let with_thread: Vec<CommentId> = first[0].replies.iter().map(|it| it.id).collect();
        assert_eq!(with_thread, replies[..2]);
        let rest = comments::list_replies(db, Some(me), thread, 2, 2).await;
        let rest: Vec<CommentId> = rest.unwrap().iter().map(|it| it.id).collect();
        assert_eq!(rest, replies[2..]);
        for reader in [None, Some(pest), Some(other)] {
            let full = threads(reader, 1).await;
            assert_eq!(full[0].reply_count, 6, "{reader:?}");
            assert_eq!(threads(reader, 3).await.len(), 2, "{reader:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn pages_of_a_shops_notes_are_full_without_those_of_blocked_people() {
    on_both(async |test| {
        let (me, pest, other) = people(&test).await;
        let db = &test.db;
        let shop = create_shop(db, "茶餐厅").await.id;
        let mut shown = Vec::new();
        for _ in 0..2 {
            publish(&test, pest, shop).await;
            shown.insert(0, publish(&test, other, shop).await);
        }
        assert_eq!(block(db, me, pest).await, Ok(true));
        let list = async |reader, of| {
            let found = notes::list(db, reader, of, 1, 2, TieBreak::Newest).await;
            let ids = found.unwrap().into_iter().map(|it| it.id);
            ids.collect::<Vec<NoteId>>()
        };
        assert_eq!(list(Some(me), ListOf::Shop(shop)).await, shown);
        let of_guest = list(None, ListOf::Shop(shop)).await;
        assert!(of_guest.contains(&shown[0]) && !of_guest.contains(&shown[1]));
        let on_their_page = list(Some(me), ListOf::Author(pest)).await;
        assert_eq!(on_their_page.len(), 2, "who opens their page means to");
    })
    .await;
}

#[tokio::test]
async fn what_a_blocked_person_does_is_no_notice() {
    on_both(async |test| {
        let (me, pest, other) = people(&test).await;
        let db = &test.db;
        let shop = create_shop(db, "茶餐厅").await.id;
        let note = publish(&test, me, shop).await;
        say(db, pest, note, None, None).await.unwrap();
        say(db, other, note, None, None).await.unwrap();
        assert_eq!(block(db, me, pest).await, Ok(true));
        let event = |actor: UserId| SocialEvent {
            kind: SocialKind::NoteCommented,
            owner: me,
            about: note.get(),
            actor,
            event: actor.get(),
        };
        let add = async |actor| notices::add(db, &event(actor)).await.unwrap();
        assert_eq!(add(pest).await, NoticeChange::Nothing);
        assert_eq!(test.count("tb_notice").await, 0);
        assert_eq!(add(other).await, NoticeChange::News);
        assert_eq!(add(pest).await, NoticeChange::Nothing);
        let list = notices::list(db, me, None, 10).await.unwrap();
        let said = notices::describe_social(db, me, &list).await.unwrap();
        let said = &said[&list[0].id];
        assert_eq!((said.newest, said.people), (other, 1));
    })
    .await;
}

/// A notice of before the block.
#[tokio::test]
async fn a_notice_names_nobody_who_was_blocked_since() {
    on_both(async |test| {
        let (me, pest, other) = people(&test).await;
        let db = &test.db;
        let shop = create_shop(db, "茶餐厅").await.id;
        let note = publish(&test, me, shop).await;
        for actor in [other, pest] {
            let liked = storage::note_likes::toggle(db, note, actor, None).await;
            liked.unwrap().unwrap();
            let event = SocialEvent {
                kind: SocialKind::NoteLiked,
                owner: me,
                about: note.get(),
                actor,
                event: actor.get(),
            };
            notices::add(db, &event).await.unwrap();
        }
        let list = notices::list(db, me, None, 10).await.unwrap();
        let said = async || {
            let said = notices::describe_social(db, me, &list).await.unwrap();
            said.get(&list[0].id).map(|says| (says.newest, says.people))
        };
        assert_eq!(said().await.map(|it| it.1), Some(2));
        assert_eq!(block(db, me, pest).await, Ok(true));
        assert_eq!(said().await, Some((other, 1)));
        assert_eq!(block(db, me, other).await, Ok(true));
        assert_eq!(said().await, None);
    })
    .await;
}

#[tokio::test]
async fn the_limit_holds_when_everything_comes_at_once() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        let mut others = Vec::new();
        for number in 0..8 {
            others.push(person(&test, 10 + number).await);
        }
        // All but one of the places are taken; eight want the last.
        let rows: Vec<String> = (1..BLOCKS_MAX)
            .map(|id| format!("({me}, {}, '2026-11-18 00:00:00.000')", 1_000_000 + id))
            .collect();
        let fill = format!(
            "INSERT INTO tb_block (user_id, blocked_user_id, create_time) VALUES {}",
            rows.join(", ")
        );
        test.execute(&fill).await;
        let mut storm = JoinSet::new();
        for other in others {
            let db = test.db.clone();
            storm.spawn(async move { block(&db, me, other).await });
        }
        let outcomes = storm.join_all().await;
        let refused = outcomes
            .iter()
            .filter(|it| **it == Err(BlockRefusal::TooMany));
        assert_eq!(refused.count(), 7, "{outcomes:?}");
        assert_eq!(test.count("tb_block").await, i64::from(BLOCKS_MAX));
        let all = blocks::list_all(&test.db, me).await.unwrap();
        assert!(all.is_sorted() && all.len() == BLOCKS_MAX as usize);
    })
    .await;
}

#[tokio::test]
async fn lists_are_of_ones_own_blocks_newest_first() {
    on_both(async |test| {
        let (me, pest, other) = people(&test).await;
        let db = &test.db;
        for person in [pest, other] {
            assert_eq!(block(db, me, person).await, Ok(true));
        }
        let nobody = block(db, me, UserId::new(999)).await;
        assert_eq!(nobody, Err(BlockRefusal::NoSuchPerson));
        let page = async |user, before| blocks::list_page(db, user, before, 1).await.unwrap();
        let first = page(me, None).await;
        let second = page(me, Some(first[0].cursor)).await;
        assert_eq!((first[0].person, second[0].person), (other, pest));
        assert!(page(me, Some(second[0].cursor)).await.is_empty());
        assert!(page(pest, None).await.is_empty());
        assert!(blocks::is_blocked(db, me, pest).await.unwrap());
        assert!(!blocks::is_blocked(db, pest, me).await.unwrap());
        let blockers = blocks::blockers_among(db, &[me, other], pest).await;
        assert_eq!(blockers.unwrap(), [me]);
    })
    .await;
}
