//! Following people end to end: twice is once, common ones are both sides', and a flushed Redis forgets nobody.

use std::time::Duration;

use domain::{Phone, UserId};
use reqwest::Method;
use serde_json::{Value, json};
use storage::follows::FollowAction;
use storage::{follows, users};
use testkit::{Client, HttpReply, Redis, RedisCluster, TestApp, wait_until};

/// The relay looks five times a second; the rest is for a busy machine.
const RELAYED: Duration = Duration::from_secs(10);

pub(crate) const ME: &str = "13900000001";
const FRIEND: &str = "13900000002";

/// A user with an account, named after the number.
pub(crate) async fn person(app: &TestApp, number: u32) -> UserId {
    let contact = Phone::parse(&format!("1380000{number:04}")).unwrap().into();
    let name = format!("person {number}");
    let user = users::find_or_create(app.core().db(), &contact, &name).await;
    user.unwrap().id
}

pub(crate) async fn id_of(client: &Client) -> UserId {
    let me = client.get("/api/user/me").await.data();
    UserId::new(me["id"].as_i64().unwrap())
}

pub(crate) async fn put(client: &Client, path: &str) -> HttpReply {
    client.send(Method::PUT, path, None).await
}

pub(crate) async fn follow(client: &Client, author: UserId) {
    let answer = put(client, &format!("/api/follow/{author}/true")).await;
    assert_eq!(answer.json(), json!({"success": true}));
}

pub(crate) async fn unfollow(client: &Client, author: UserId) {
    let answer = put(client, &format!("/api/follow/{author}/false")).await;
    assert_eq!(answer.json(), json!({"success": true}));
}

/// As if the process had died between its commit and Redis.
pub(crate) async fn follow_in_sql_alone(
    app: &TestApp,
    user: UserId,
    author: UserId,
    action: FollowAction,
) {
    let set = follows::set(app.core().db(), user, author, action).await;
    assert!(set.unwrap().unwrap());
}

async fn is_following(client: &Client, author: UserId) -> Value {
    let path = format!("/api/follow/or/not/{author}");
    client.get(&path).await.data()
}

async fn common(client: &Client, other: UserId) -> Vec<i64> {
    let found = client.get(&format!("/api/follow/common/{other}")).await;
    ids(&found.data())
}

fn ids(people: &Value) -> Vec<i64> {
    let people = people.as_array().unwrap().iter();
    people.map(|it| it["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn following_twice_is_once_and_so_is_leaving() {
    for on_mariadb in [false, true] {
        let builder = match on_mariadb {
            true => TestApp::builder().on_mariadb(),
            false => TestApp::builder(),
        };
        let app = builder.spawn().await;
        let me = app.sign_in(ME).await;
        let author = person(&app, 1).await;
        assert_eq!(is_following(&me, author).await, false);
        for _ in 0..2 {
            follow(&me, author).await;
            assert_eq!(is_following(&me, author).await, true);
        }
        let info = me.get(&format!("/api/user/info/{author}")).await.data();
        assert_eq!(info["fans"], 1);
        for _ in 0..2 {
            unfollow(&me, author).await;
            assert_eq!(is_following(&me, author).await, false);
        }
    }
}

#[tokio::test]
async fn following_oneself_or_an_unknown_user_is_refused() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(ME).await;
    let (myself, author) = (id_of(&me).await, person(&app, 1).await);
    let refused = put(&me, &format!("/api/follow/{myself}/true")).await;
    assert_eq!(
        (refused.status.as_u16(), &*refused.code()),
        (200, "self_follow")
    );
    assert_eq!(refused.json()["errorMsg"], "不能关注自己");
    let refused = put(&me, "/api/follow/987654321/true").await;
    assert_eq!(
        (refused.status.as_u16(), &*refused.code()),
        (200, "user_not_found")
    );
    assert_eq!(refused.json()["errorMsg"], "用户不存在");
    let answer = put(&me, &format!("/api/follow/{author}/perhaps")).await;
    assert_eq!(answer.status, 400);
    let nobody = put(&app.visitor(), &format!("/api/follow/{author}/true")).await;
    assert_eq!(nobody.status, 401);
}

#[tokio::test]
async fn common_follows_are_those_of_both_in_order_wherever_the_sets_are() {
    let cluster = RedisCluster::shared().await;
    for builder in [TestApp::builder(), TestApp::builder().on_cluster(cluster)] {
        let app = builder.spawn().await;
        let (me, friend) = (app.sign_in(ME).await, app.sign_in(FRIEND).await);
        let friend_id = id_of(&friend).await;
        let mut authors = Vec::new();
        for number in 1..=6 {
            authors.push(person(&app, number).await);
        }
        assert!(common(&me, friend_id).await.is_empty());
        for place in [5, 0, 3] {
            follow(&me, authors[place]).await;
        }
        for place in [3, 4, 5, 1] {
            follow(&friend, authors[place]).await;
        }
        let both = [authors[3].get(), authors[5].get()];
        assert_eq!(common(&me, friend_id).await, both);
        assert_eq!(common(&friend, id_of(&me).await).await, both);
        unfollow(&friend, authors[3]).await;
        assert_eq!(common(&me, friend_id).await, both[1..]);
        let shown = me.get(&format!("/api/follow/common/{friend_id}")).await;
        let expected = json!([{"id": both[1], "nickName": "person 6", "icon": ""}]);
        assert_eq!(shown.data(), expected);
    }
}

#[tokio::test]
async fn a_follow_that_only_sql_saw_shows_by_itself() {
    let app = TestApp::spawn().await;
    let (me, friend) = (app.sign_in(ME).await, app.sign_in(FRIEND).await);
    let (my_id, friend_id, author) = (
        id_of(&me).await,
        id_of(&friend).await,
        person(&app, 1).await,
    );
    follow(&friend, author).await;
    assert!(common(&me, friend_id).await.is_empty());
    for (action, expected) in [
        (FollowAction::Follow, vec![author.get()]),
        (FollowAction::Unfollow, vec![]),
    ] {
        follow_in_sql_alone(&app, my_id, author, action).await;
        wait_until("the relay has seen to it", RELAYED, || async {
            common(&me, friend_id).await == expected
        })
        .await;
    }
}

#[tokio::test]
async fn a_flushed_redis_forgets_nobody() {
    let redis = Redis::start().await;
    let app = TestApp::builder().redis_url(redis.url()).spawn().await;
    let (me, friend) = (app.sign_in(ME).await, app.sign_in(FRIEND).await);
    let (friend_id, author) = (id_of(&friend).await, person(&app, 1).await);
    follow(&me, author).await;
    follow(&friend, author).await;
    assert_eq!(common(&me, friend_id).await, [author.get()]);
    redis.flush().await;
    let me = app.sign_in(ME).await;
    assert_eq!(common(&me, friend_id).await, [author.get()]);
}

#[tokio::test]
async fn lists_of_people_go_on_where_they_stopped() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(ME).await;
    let my_id = id_of(&me).await;
    let mut expected = Vec::new();
    for number in 1..=45 {
        let author = person(&app, number).await;
        follow_in_sql_alone(&app, my_id, author, FollowAction::Follow).await;
        expected.insert(0, author.get());
    }
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/follow/followees/{my_id}{cursor}");
        let page = app.visitor().get(&path).await.data();
        found.extend(ids(&page["list"]));
        let Some(next) = page["cursor"].as_str() else {
            break;
        };
        cursor = format!("?cursor={next}");
    }
    assert_eq!(found, expected);
    let fans = app
        .visitor()
        .get(&format!("/api/follow/fans/{}", found[0]))
        .await;
    assert_eq!(ids(&fans.data()["list"]), [my_id.get()]);
    assert!(fans.data()["list"][0].get("isFollowed").is_none());
}

#[tokio::test]
async fn a_list_marks_the_users_that_the_viewer_follows() {
    for builder in [TestApp::builder(), TestApp::builder().on_mariadb()] {
        let app = builder.spawn().await;
        let (me, other) = (app.sign_in(ME).await, app.sign_in(FRIEND).await);
        let (my_id, other_id) = (id_of(&me).await, id_of(&other).await);
        let star = person(&app, 1).await;
        for (fan, author) in [(my_id, star), (other_id, star), (my_id, other_id)] {
            follow_in_sql_alone(&app, fan, author, FollowAction::Follow).await;
        }
        let fans = me.get(&format!("/api/follow/fans/{star}")).await.data();
        let seen = |person: &Value| (person["id"].as_i64(), person["isFollowed"].as_bool());
        let seen: Vec<_> = fans["list"].as_array().unwrap().iter().map(seen).collect();
        let expected = [
            (Some(other_id.get()), Some(true)),
            (Some(my_id.get()), Some(false)),
        ];
        assert_eq!(seen, expected);
    }
}
