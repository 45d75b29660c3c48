//! What a page of the feed costs.

use domain::UserId;
use jiff::Timestamp;
use storage::bulk::{self, FollowRow};
use testkit::{Client, MariaDb, Redis, TestApp, unique_prefix};

use super::{PAGE, THEN_MS, page, row, store};
use crate::follows::id_of;
use crate::shops::hold_outbox;

/// How many queries the server has answered so far.
pub(super) async fn queries(mariadb: &MariaDb) -> u64 {
    let answer = mariadb
        .execute("SHOW GLOBAL STATUS LIKE 'Com_select'")
        .await;
    let number = answer.split_whitespace().last();
    number.and_then(|number| number.parse().ok()).unwrap()
}

/// Of many looks at a page: the first ones have views of likes loaded, and now and then a worker asks beside them.
async fn fewest_queries(mariadb: &MariaDb, me: &Client, cursor: &str) -> u64 {
    let mut fewest = u64::MAX;
    for _ in 0..20 {
        let before = queries(mariadb).await;
        let (ids, _) = page(me, cursor).await.unwrap();
        assert_eq!(ids.len(), PAGE);
        fewest = fewest.min(queries(mariadb).await - before);
    }
    fewest
}

#[tokio::test]
async fn a_page_costs_one_query_however_many_people_are_followed() {
    let (redis, mariadb) = (Redis::start().await, MariaDb::start().await);
    let (database, prefix) = (mariadb.create_database().await, unique_prefix());
    // The outbox would look into SQL in between.
    let _held = hold_outbox(&redis, &prefix).await;
    let app = TestApp::builder()
        .sql_url(database.url())
        .redis_url(redis.url());
    let app = app.setting("redis.prefix", &prefix).spawn().await;
    for (phone, followees) in [("13900000001", 10), ("13900000002", 500)] {
        let me = app.sign_in(phone).await;
        let user_id = id_of(&me).await;
        let authors = (1..=followees).map(|n| UserId::new(10_000 + n));
        let follows: Vec<_> = authors
            .map(|followed_id| FollowRow {
                user_id,
                followed_id,
                created_at: Timestamp::now(),
            })
            .collect();
        let db = app.core().db();
        bulk::insert_follows(db, &follows).await.unwrap();
        let notes: Vec<_> = follows
            .iter()
            .flat_map(|follow| [0, 1, 2].map(|n| row(follow.followed_id, THEN_MS + n)))
            .collect();
        store(&app, &notes).await;
        let (_, next) = page(&me, "").await.unwrap();
        assert_eq!(fewest_queries(&mariadb, &me, &next).await, 1);
    }
}
