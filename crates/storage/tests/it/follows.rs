//! Follows: rows and counters of both sides agree, however often and from wherever they change.

use domain::UserId;
use storage::follows::{
    self, Follow, FollowAction, FollowChanged, FollowList, FollowRefusal, MAX_FOLLOWEES,
};
use storage::{Db, DbOptions, users};
use testkit::MariaDb;
use tokio::task::JoinSet;

use crate::support::{TestDb, on_both, person, rows_read};

async fn set(test: &TestDb, user: UserId, author: UserId, action: FollowAction) -> bool {
    let set = follows::set(&test.db, user, author, action).await;
    set.unwrap().unwrap()
}

/// Fans and followees as the counters say.
async fn counters(test: &TestDb, person: UserId) -> (u32, u32) {
    let info = users::get_info(&test.db, person).await.unwrap();
    info.map_or((0, 0), |info| (info.fans, info.followee))
}

#[tokio::test]
async fn following_twice_is_once_and_so_is_leaving() {
    on_both(async |test| {
        let (me, author) = (person(&test, 1).await, person(&test, 2).await);
        assert!(set(&test, me, author, FollowAction::Follow).await);
        assert!(!set(&test, me, author, FollowAction::Follow).await);
        assert!(follows::is_following(&test.db, me, author).await.unwrap());
        assert_eq!(counters(&test, me).await, (0, 1));
        assert_eq!(counters(&test, author).await, (1, 0));
        assert!(set(&test, me, author, FollowAction::Unfollow).await);
        assert!(!set(&test, me, author, FollowAction::Unfollow).await);
        assert!(!follows::is_following(&test.db, me, author).await.unwrap());
        assert_eq!(counters(&test, me).await, (0, 0));
        assert_eq!(counters(&test, author).await, (0, 0));
        assert_eq!(test.count("tb_outbox").await, 2);
        let told = test.texts("SELECT payload FROM tb_outbox LIMIT 1").await;
        let told: FollowChanged = serde_json::from_str(&told[0]).unwrap();
        assert_eq!((told.user, told.author), (me, author));
    })
    .await;
}

#[tokio::test]
async fn nobody_can_be_followed_who_is_not_there() {
    on_both(async |test| {
        let me = person(&test, 1).await;
        let nobody = UserId::new(me.get() + 1_000);
        let set = follows::set(&test.db, me, nobody, FollowAction::Follow).await;
        assert_eq!(set.unwrap(), Err(FollowRefusal::NoSuchAuthor));
        assert_eq!(test.count("tb_follow").await, 0);
    })
    .await;
}

#[tokio::test]
async fn following_has_an_end() {
    on_both(async |test| {
        let (me, author) = (person(&test, 1).await, person(&test, 2).await);
        set(&test, me, author, FollowAction::Follow).await;
        let other = person(&test, 3).await;
        let full = format!("UPDATE tb_user_info SET followee = {MAX_FOLLOWEES}");
        test.execute(&full).await;
        let refused = follows::set(&test.db, me, other, FollowAction::Follow).await;
        assert_eq!(refused.unwrap(), Err(FollowRefusal::TooMany));
        assert!(!follows::is_following(&test.db, me, other).await.unwrap());
        assert!(
            !set(&test, me, author, FollowAction::Follow).await,
            "twice is once"
        );
        assert!(set(&test, me, author, FollowAction::Unfollow).await);
        assert!(set(&test, me, other, FollowAction::Follow).await);
        let among = follows::followed_among(&test.db, me, &[author, other]).await;
        assert_eq!(among.unwrap(), [other]);
    })
    .await;
}

#[tokio::test]
async fn a_crowd_that_changes_its_mind_leaves_counters_that_are_true() {
    on_both(async |test| {
        let mut people = Vec::new();
        for n in 1..=6 {
            people.push(person(&test, n).await);
        }
        let mut crowd = JoinSet::new();
        for turn in 0..120_usize {
            let (db, people) = (test.db.clone(), people.clone());
            crowd.spawn(async move {
                let (me, author) = (people[turn % 6], people[(turn / 6 + turn + 1) % 6]);
                let action = if turn % 3 == 0 {
                    FollowAction::Unfollow
                } else {
                    FollowAction::Follow
                };
                if me != author {
                    follows::set(&db, me, author, action)
                        .await
                        .unwrap()
                        .unwrap();
                }
            });
        }
        crowd.join_all().await;
        for person in people {
            let fans = follows::list_fans(&test.db, person, UserId::new(0), 100)
                .await
                .unwrap();
            let followees = follows::list_followees(&test.db, person, UserId::new(0), 100)
                .await
                .unwrap();
            let counted = (fans.len() as u32, followees.len() as u32);
            assert_eq!(counters(&test, person).await, counted);
        }
    })
    .await;
}

/// The original's: a counter of an adopted row may be zero while there are fans.
#[tokio::test]
async fn a_counter_never_falls_below_zero() {
    on_both(async |test| {
        let (me, author) = (person(&test, 1).await, person(&test, 2).await);
        set(&test, me, author, FollowAction::Follow).await;
        test.execute("UPDATE tb_user_info SET fans = 0, followee = 0")
            .await;
        set(&test, me, author, FollowAction::Unfollow).await;
        assert_eq!(counters(&test, author).await, (0, 0));
        assert_eq!(counters(&test, me).await, (0, 0));
    })
    .await;
}

#[tokio::test]
async fn lists_go_on_where_they_stopped_and_common_ones_are_both_sides() {
    on_both(async |test| {
        let mut people = Vec::new();
        for n in 1..=5 {
            people.push(person(&test, n).await);
        }
        let [me, other, a, b, c] = people[..] else {
            unreachable!("there are five");
        };
        for author in [c, a, b] {
            set(&test, me, author, FollowAction::Follow).await;
        }
        for author in [b, c, me] {
            set(&test, other, author, FollowAction::Follow).await;
        }
        let common = follows::list_common(&test.db, me, other, 10).await.unwrap();
        assert_eq!(common, [b, c]);
        let page = async |list, person, before| {
            let page = follows::list_page(&test.db, person, list, before, 2).await;
            page.unwrap()
        };
        let first: Vec<Follow> = page(FollowList::Followees, me, None).await;
        assert_eq!(
            first.iter().map(|line| line.other).collect::<Vec<_>>(),
            [b, a]
        );
        let rest = page(FollowList::Followees, me, Some(first[1].cursor)).await;
        assert_eq!(rest.iter().map(|line| line.other).collect::<Vec<_>>(), [c]);
        assert!(
            page(FollowList::Followees, me, Some(rest[0].cursor))
                .await
                .is_empty()
        );
        let fans = page(FollowList::Fans, c, None).await;
        assert_eq!(
            fans.iter().map(|line| line.other).collect::<Vec<_>>(),
            [other, me]
        );
    })
    .await;
}

#[tokio::test]
async fn a_page_of_fans_costs_its_lines_however_many_there_are() {
    let server = MariaDb::start().await;
    let database = server.create_database().await;
    let db = Db::connect(&DbOptions::new(database.url())).await.unwrap();
    db.migrate().await.unwrap();
    // Those of others are many and newer: neither all fans of one nor all newest follows may be looked through.
    let fans = "INSERT INTO tb_follow (user_id, follow_user_id, create_time) \
        SELECT 1000 + seq, 7, NOW(3) FROM seq_1_to_4000";
    let others = "INSERT INTO tb_follow (user_id, follow_user_id, create_time) \
        SELECT 1000 + seq, 10 + seq % 500, NOW(3) FROM seq_1_to_100000";
    database.execute(fans).await;
    database.execute(others).await;
    database.execute("ANALYZE TABLE tb_follow").await;
    let before = rows_read(&server).await;
    let page = follows::list_page(&db, UserId::new(7), FollowList::Fans, None, 20).await;
    assert_eq!(page.unwrap()[0].other, UserId::new(5_000));
    let read = rows_read(&server).await - before;
    // Asking for the counters reads some rows, too.
    assert!(read < 2_000, "{read} rows for twenty fans");
}
