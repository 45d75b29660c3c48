//! `tandian dev sessions`: every token opens a session, the file is private, the people come back.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use app::load_test;
use futures_util::{StreamExt as _, stream};
use redis::AsyncCommands as _;
use testkit::{Redis, RedisCluster, TestApp, wait_until};

use crate::process::{Home, only_line};
use crate::seed::PRODUCTION;

/// How long a process may still believe in a session that was ended elsewhere.
const REVOKED_WITHIN: Duration = Duration::from_secs(1);

/// The id of everybody whose token is good.
async fn ids_of(url: &str, tokens: &[String]) -> HashSet<i64> {
    let visitor = testkit::Client::new(url.to_owned());
    let each = tokens.iter().map(async |token| {
        let me = visitor.clone().with_token(token).get("/api/user/me").await;
        (me.status == 200).then(|| me.data()["id"].as_i64().unwrap())
    });
    let ids: Vec<Option<i64>> = stream::iter(each).buffer_unordered(32).collect().await;
    ids.into_iter().flatten().collect()
}

async fn open(app: &TestApp, people: std::ops::Range<u32>) -> Vec<String> {
    let opened = load_test::open_sessions(app.core(), people).await.unwrap();
    opened.iter().map(|t| t.as_str().to_owned()).collect()
}

#[tokio::test]
async fn a_thousand_tokens_are_distinct_good_and_for_their_owner_alone() {
    let home = Home::new();
    let site = home.serve();
    let args = ["dev", "sessions", "--count", "1000", "--out", "tokens"];
    let output = home.run(&args, &[]);
    assert!(output.status.success(), "{output:?}");

    let file = home.folder.path().join("tokens");
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = fs::read_to_string(&file).unwrap();
    let tokens: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(tokens.iter().collect::<HashSet<_>>().len(), 1_000);
    let url = format!("http://{}", site.addr);
    assert_eq!(ids_of(&url, &tokens).await.len(), 1_000);
    let left = fs::read_dir(home.folder.path()).unwrap().count();
    assert_eq!(left, 2, "only the data folder and the tokens");
}

async fn assert_people_come_back(app: TestApp) {
    let first = open(&app, 0..50).await;
    let ids = ids_of(&app.url(), &first).await;
    assert_eq!(ids.len(), 50);
    let second = open(&app, 0..60).await;
    let ids_again = ids_of(&app.url(), &second).await;
    assert_eq!(ids_again.len(), 60);
    assert!(ids.is_subset(&ids_again));
    wait_until("the earlier sessions end", REVOKED_WITHIN, || async {
        ids_of(&app.url(), &first).await.is_empty()
    })
    .await;
}

#[tokio::test]
async fn the_same_people_come_back_with_one_session_each() {
    assert_people_come_back(TestApp::spawn().await).await;
}

#[tokio::test]
async fn sessions_in_bulk_work_on_a_cluster_and_on_mariadb() {
    let cluster = RedisCluster::shared().await;
    let app = TestApp::builder().on_cluster(cluster).on_mariadb();
    assert_people_come_back(app.spawn().await).await;
}

/// The number of lines and the lifetime in seconds of every session of this person.
async fn sessions_in_redis(app: &TestApp, user: i64) -> Vec<(usize, i64)> {
    let mut redis = Redis::shared().await.connection().await;
    let set = format!("{}login:sessions:{user}", app.prefix());
    let hashes: Vec<String> = redis.smembers(set).await.unwrap();
    let mut sessions = Vec::new();
    for hash in hashes {
        let key = format!("{}login:session:{hash}", app.prefix());
        let record: String = redis.get(&key).await.unwrap();
        let ttl_secs = redis.ttl(&key).await.unwrap();
        sessions.push((record.lines().count(), ttl_secs));
    }
    sessions
}

#[tokio::test]
async fn a_session_in_bulk_is_like_one_by_signing_in() {
    let app = TestApp::spawn().await;
    let token = open(&app, 0..1).await.remove(0);
    let signed_in = app.sign_in("19900000001").await;
    let me = signed_in.get("/api/user/me").await.data();
    let in_bulk = app.visitor().with_token(&token).get("/api/user/me").await;
    assert_eq!(in_bulk.data(), me);

    let sessions = sessions_in_redis(&app, me["id"].as_i64().unwrap()).await;
    assert_eq!(sessions.len(), 2);
    assert_eq!(sessions[0].0, sessions[1].0);
    let difference_secs = sessions[0].1 - sessions[1].1;
    assert!(difference_secs.abs() <= 60, "{sessions:?}");
    assert!(sessions[0].1 > 0, "{sessions:?}");
}

#[tokio::test]
async fn people_for_load_tests_leave_room_for_demo_data() {
    let app = TestApp::spawn().await;
    open(&app, 0..10).await;
    let occupied = storage::demo_site::is_occupied(app.core().db()).await;
    assert!(!occupied.unwrap());
}

#[test]
fn batches_cover_every_person_once() {
    for count in [1, 9_999, 10_000, 10_001, 25_000] {
        let people: Vec<u32> = load_test::batches(count).flatten().collect();
        assert!(people.iter().copied().eq(0..count), "{count}");
    }
}

#[test]
fn production_refuses_dev_tools_before_anything_is_opened() {
    let home = Home::new();
    let args = ["dev", "sessions", "--count", "1", "--out", "tokens"];
    let line = only_line(&home.run(&args, &PRODUCTION));
    assert!(line.contains("refused in production"), "{line}");
    assert_eq!(fs::read_dir(home.folder.path()).unwrap().count(), 0);
}

#[test]
fn a_file_that_cannot_be_written_is_one_clear_line() {
    let home = Home::new();
    assert!(home.run(&["migrate"], &[]).status.success());
    let args = ["dev", "sessions", "--count", "1", "--out", "nowhere/tokens"];
    let line = only_line(&home.run(&args, &[]));
    assert!(line.contains("cannot write nowhere/tokens"), "{line}");
}
