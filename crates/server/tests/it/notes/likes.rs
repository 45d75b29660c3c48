//! Likes: exact under any concurrency, on every node, in SQL and in Redis alike.

use domain::{NoteId, UserId};
use serde_json::json;
use storage::{note_likes, outbox};
use testkit::{Client, Redis, TestApp, unique_prefix, wait_until};
use tokio::task::JoinSet;

use super::{AUTHOR, READER, RELAYED, furnish, id_of, ids, like, publish, read, site, sites};
use crate::shops::hold_outbox;

/// The people who like the note, by SQL and by the view in Redis, once the outbox has nothing left to do.
pub(super) async fn settled_likers(app: &TestApp, note: i64) -> Vec<UserId> {
    let (core, note) = (app.core(), NoteId::new(note));
    wait_until("the outbox is empty", RELAYED * 6, || async {
        let backlog = outbox::backlog(core.db(), jiff::Timestamp::now()).await;
        backlog.unwrap().count == 0
    })
    .await;
    wait_until("the view is loaded", RELAYED, || async {
        app::notes::list_first_likers(core, None, note)
            .await
            .unwrap();
        let loaded = core.kv().list_loaded_likes(&[note]).await.unwrap();
        !loaded.is_empty() || no_likers(app, note).await
    })
    .await;
    let rows = note_likes::list_first(core.db(), note, 10_000)
        .await
        .unwrap();
    let rows: Vec<UserId> = rows.into_iter().map(|liker| liker.user).collect();
    let view = core.kv().first_likers(note, 10_000).await.unwrap();
    assert_eq!(view.unwrap_or_default(), rows, "Redis shows what SQL has");
    rows
}

async fn no_likers(app: &TestApp, note: NoteId) -> bool {
    let first = note_likes::list_first(app.core().db(), note, 1).await;
    first.unwrap().is_empty()
}

#[tokio::test]
async fn a_like_comes_and_goes_and_shows_to_the_one_who_gave_it() {
    for app in sites().await {
        let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
        let note = publish(&app, &me).await;
        for (count, is_liked) in [(1, true), (0, false), (1, true)] {
            like(&me, note).await;
            let seen = read(&me, note).await;
            assert_eq!(
                (&seen["liked"], &seen["isLike"]),
                (&json!(count), &json!(is_liked))
            );
            assert_eq!(read(&other, note).await["isLike"], false);
        }
        assert!(read(&app.visitor(), note).await.get("isLike").is_none());
        let hot = me.get("/api/blog/hot").await.data();
        assert_eq!(hot[0]["isLike"], true);
        let path = format!("/api/blog/like/{note}");
        assert_eq!(app.visitor().put_json(&path, &json!({})).await.status, 401);
        let missing = me.put_json("/api/blog/like/404", &json!({})).await;
        assert_eq!(missing.code(), "note_not_found");
    }
}

#[tokio::test]
async fn the_first_five_likers_come_earliest_first() {
    for app in sites().await {
        let author = app.sign_in(AUTHOR).await;
        let note = publish(&app, &author).await;
        let mut likers = Vec::new();
        for n in 0..6 {
            let me = app.sign_in(&format!("1390000002{n}")).await;
            like(&me, note).await;
            likers.push(me);
        }
        // A user who removes a like and adds it again is the last.
        like(&likers[0], note).await;
        like(&likers[0], note).await;
        let mut expected = Vec::new();
        for liker in &likers[1..] {
            expected.push(id_of(liker).await.get());
        }
        let path = format!("/api/blog/likes/{note}");
        // From SQL at first, and from the view once it is loaded.
        for from in ["SQL", "Redis"] {
            let found = author.get(&path).await.data();
            let ids: Vec<i64> = found
                .as_array()
                .unwrap()
                .iter()
                .map(|it| it["id"].as_i64().unwrap())
                .collect();
            assert_eq!(ids, expected, "{from}");
            assert!(found[0]["nickName"].is_string() && found[0]["icon"].is_string());
            assert!(found[0].get("phone").is_none());
            settled_likers(&app, note).await;
        }
        assert_eq!(author.get("/api/blog/likes/404").await.data(), json!([]));
    }
}

/// A long form is a matter of this number alone.
const TOGGLES: usize = 1_000;
/// As many as a house takes at once without refusing.
const AT_ONCE: usize = 16;

async fn toggle_in_parallel(people: &[Client], note: i64) {
    let mut tasks = JoinSet::new();
    for n in 0..TOGGLES {
        if tasks.len() == AT_ONCE {
            tasks.join_next().await.unwrap().unwrap();
        }
        let me = people[n % people.len()].clone();
        tasks.spawn(async move { like(&me, note).await });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
}

#[tokio::test]
async fn a_thousand_toggles_at_once_over_two_servers_end_in_a_legal_state() {
    for app in sites().await {
        let second = app.beside().spawn().await;
        let author = app.sign_in(AUTHOR).await;
        let note = publish(&app, &author).await;
        let mut people = Vec::new();
        for n in 0..5 {
            let me = app.sign_in(&format!("1390000003{n}")).await;
            // Each person's toggles come through both servers; 200 of each, so everybody ends as they began.
            people.push(me.clone());
            people.push(me.at(second.url()));
        }
        // One who likes it throughout, and a view that is loaded while others toggle.
        like(&author, note).await;
        settled_likers(&app, note).await;
        toggle_in_parallel(&people, note).await;
        let likers = settled_likers(&app, note).await;
        assert_eq!(likers, [id_of(&author).await], "an even number of toggles");
        assert_eq!(read(&author, note).await["liked"], 1);
        like(&people[0], note).await;
        assert_eq!(settled_likers(&app, note).await.len(), 2);
        assert_eq!(read(&author, note).await["liked"], 2);
        let ranked = app
            .core()
            .kv()
            .list_hot(0, 10, domain::TieBreak::Newest)
            .await
            .unwrap();
        assert!(ranked.is_none_or(|ranked| ranked == [NoteId::new(note)]));
    }
}

#[tokio::test]
async fn a_like_that_only_sql_saw_shows_by_itself() {
    let app = site().await;
    let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let note = publish(&app, &me).await;
    like(&me, note).await;
    settled_likers(&app, note).await;
    // As if the process had died between its commit and Redis.
    let (id, user) = (NoteId::new(note), id_of(&other).await);
    note_likes::toggle(app.core().db(), id, user, None)
        .await
        .unwrap()
        .unwrap();
    wait_until("the relay has shown it", RELAYED, || async {
        read(&other, note).await["isLike"] == true
    })
    .await;
    assert_eq!(settled_likers(&app, note).await.len(), 2);
}

#[tokio::test]
async fn a_like_shows_to_its_giver_everywhere_although_the_outbox_stands_still() {
    let (redis, prefix) = (Redis::start().await, unique_prefix());
    let _held = hold_outbox(&redis, &prefix).await;
    let app = TestApp::builder().redis_url(redis.url());
    let app = app.setting("redis.prefix", &prefix).spawn().await;
    furnish(&app).await;
    let second = app.beside().setting("redis.prefix", &prefix).spawn().await;
    let me = app.sign_in(AUTHOR).await;
    let note = publish(&app, &me).await;
    let both = [me.clone(), me.clone().at(second.url())];
    let likers = async |me: &Client| {
        let likers = me.get(&format!("/api/blog/likes/{note}")).await.data();
        likers.as_array().unwrap().len()
    };
    // The view of likers is loaded, and nobody brings it up to date.
    like(&me, note).await;
    wait_until("the view is loaded", RELAYED, || async {
        likers(&app.visitor()).await;
        let note = [NoteId::new(note)];
        let loaded = app.core().kv().list_loaded_likes(&note).await;
        !loaded.unwrap().is_empty()
    })
    .await;
    for is_liked in [false, true, false] {
        like(&both[usize::from(is_liked)], note).await;
        for me in &both {
            let seen = read(me, note).await;
            assert_eq!(seen["isLike"], is_liked);
            assert_eq!(seen["liked"], i32::from(is_liked));
            let hot = me.get("/api/blog/hot").await.data();
            assert_eq!(hot[0]["isLike"], is_liked);
            assert_eq!(likers(me).await, usize::from(is_liked));
        }
    }
    let kv = app.core().kv();
    let id = NoteId::new(note);
    assert!(!kv.is_like_settled(id_of(&me).await, id).await.unwrap());
    // Refused: there is nothing to settle.
    let missing = me.put_json("/api/blog/like/404", &json!({})).await;
    assert_eq!(missing.code(), "note_not_found");
    let missing = NoteId::new(404);
    assert!(kv.is_like_settled(id_of(&me).await, missing).await.unwrap());
}

#[tokio::test]
async fn what_is_hidden_or_renamed_on_one_server_is_so_on_the_other_at_once() {
    let app = site().await;
    let second = app.beside().spawn().await;
    let me = app.sign_in(AUTHOR).await;
    let note = publish(&app, &me).await;
    let there = me.clone().at(second.url());
    for server in [&me, &there] {
        assert_eq!(ids(server, "/api/blog/hot").await, [note], "and cached");
    }
    let renamed = me
        .put_json("/api/user/info", &json!({"nickName": "小明"}))
        .await;
    assert_eq!(renamed.status, 200, "{}", renamed.text);
    assert_eq!(read(&me, note).await["name"], "小明");
    wait_until("the other server shows it", RELAYED, || async {
        read(&there, note).await["name"] == "小明"
    })
    .await;
    let hidden = storage::notes::Visibility::Hidden;
    let moderator = id_of(&me).await;
    let hide =
        storage::notes::set_visibility(app.core().db(), moderator, NoteId::new(note), hidden);
    assert!(hide.await.unwrap());
    for server in [&me, &there] {
        assert_eq!(ids(server, "/api/blog/hot").await, [0_i64; 0]);
        assert_eq!(ids(server, "/api/blog/of/shop?id=1").await, [0_i64; 0]);
        let page = server.get(&format!("/api/blog/{note}")).await;
        assert_eq!(page.code(), "note_not_found");
    }
}
