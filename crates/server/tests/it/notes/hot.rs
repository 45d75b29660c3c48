//! The hot list: most liked first, then newest, and always the same number of queries.

use domain::{NoteId, UserId};
use jiff::Timestamp;
use serde_json::Value;
use storage::bulk::{self, LikeRow};
use testkit::{MariaDb, Redis, TestApp, unique_prefix, wait_until};

use super::{AUTHOR, READER, RELAYED, furnish, ids, like, publish, read, site, sites};
use crate::shops::hold_outbox;

pub(super) async fn wait_until_ranked(app: &TestApp) {
    wait_until("the ranking is loaded", RELAYED, || async {
        app.visitor().get("/api/blog/hot").await;
        app.core()
            .kv()
            .list_hot(0, 1, domain::TieBreak::Newest)
            .await
            .unwrap()
            .is_some()
    })
    .await;
}

#[tokio::test]
async fn the_most_liked_come_first_and_among_equals_the_newest() {
    for app in sites().await {
        let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
        let mut notes = Vec::new();
        for _ in 0..12 {
            notes.push(publish(&app, &me).await);
        }
        like(&me, notes[3]).await;
        like(&other, notes[3]).await;
        like(&me, notes[7]).await;
        let mut expected = vec![notes[3], notes[7]];
        expected.extend(
            notes
                .iter()
                .rev()
                .filter(|id| ![notes[3], notes[7]].contains(id)),
        );
        let pages = async || {
            let mut all = ids(&me, "/api/blog/hot").await;
            assert_eq!(all.len(), 10);
            all.extend(ids(&me, "/api/blog/hot?current=2").await);
            assert_eq!(ids(&me, "/api/blog/hot?current=3").await, [0_i64; 0]);
            all
        };
        assert_eq!(pages().await, expected, "from SQL");
        wait_until_ranked(&app).await;
        assert_eq!(pages().await, expected, "from Redis");
        // A new note and a like that goes change the order at once.
        like(&me, notes[3]).await;
        like(&other, notes[3]).await;
        let newest = publish(&app, &me).await;
        let first = ids(&me, "/api/blog/hot").await;
        assert_eq!(first[..3], [notes[7], newest, notes[11]]);
    }
}

#[tokio::test]
async fn what_changes_while_the_ranking_is_loaded_is_in_it() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let (kept, gone) = (publish(&app, &me).await, publish(&app, &me).await);
    wait_until_ranked(&app).await;
    let kv = app.core().kv();
    // A loader that has read its rows before they change, and publishes afterwards.
    let fence = u64::from(u32::MAX) * 1_000_000;
    assert!(kv.begin_hot(fence).await.unwrap());
    let stale = [kept, gone].map(|id| kv::RankedNote {
        note: NoteId::new(id),
        likes: 0,
        revision: 0,
    });
    kv.stage_hot(&stale, fence).await.unwrap();
    let new = publish(&app, &me).await;
    like(&me, kept).await;
    me.delete(&format!("/api/blog/{gone}")).await.data();
    assert!(kv.publish_hot(stale.len(), fence).await.unwrap());
    let ranked = kv
        .list_hot(0, 10, domain::TieBreak::Newest)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(ranked, [NoteId::new(kept), NoteId::new(new)]);
}

/// The queries for notes and likes that the server runs during a request. Others, such as those of
/// the workers of the site, come when they come.
async fn queries_of(mariadb: &MariaDb, ask: impl Future<Output = Value>) -> (Value, Vec<String>) {
    mariadb.execute("TRUNCATE mysql.general_log").await;
    let answer = ask.await;
    let sql = "SELECT argument FROM mysql.general_log WHERE argument LIKE 'SELECT%tb_blog%' \
        AND command_type IN ('Execute', 'Query') AND argument NOT LIKE '%general_log%'";
    let log = mariadb.execute(sql).await;
    (answer, log.lines().map(str::to_owned).collect())
}

#[tokio::test]
async fn a_page_costs_the_same_queries_however_many_notes_and_authors_are_on_it() {
    let (redis, mariadb) = (Redis::start().await, MariaDb::start().await);
    mariadb
        .execute("SET GLOBAL log_output = 'TABLE', GLOBAL general_log = 1")
        .await;
    let (database, prefix) = (mariadb.create_database().await, unique_prefix());
    // The outbox would look into SQL in between.
    let _held = hold_outbox(&redis, &prefix).await;
    let app = TestApp::builder()
        .sql_url(database.url())
        .redis_url(redis.url())
        .setting("redis.prefix", &prefix)
        .spawn()
        .await;
    furnish(&app).await;
    let me = app.sign_in(READER).await;
    for authors in [1, 10] {
        for n in 0..authors {
            let author = app.sign_in(&format!("139000004{:02}", authors + n)).await;
            let note = publish(&app, &author).await;
            let like = LikeRow {
                note_id: NoteId::new(note),
                user_id: UserId::new(1),
                created_at: Timestamp::now(),
            };
            bulk::insert_likes(app.core().db(), &[like]).await.unwrap();
        }
        wait_until_ranked(&app).await;
        let all = ids(&me, "/api/blog/hot").await;
        // Texts and the reader's likes are known from the second look on.
        for note in &all {
            read(&me, *note).await;
        }
        for list in ["/api/blog/hot", "/api/blog/of/shop?id=1"] {
            let ask = async { me.get(list).await.data() };
            let (page, queries) = queries_of(&mariadb, ask).await;
            assert_eq!(page.as_array().map(Vec::len), Some(all.len()));
            assert_eq!(queries.len(), 1, "which are shown: {queries:#?}");
        }
    }
}
