//! What people say of themselves, and what others see.

use std::time::Duration;

use domain::{Phone, Role};
use serde_json::{Value, json};
use storage::users::{self, UserStatus};
use testkit::{Client, TestApp};

use super::PHONE;

async fn id_of(client: &Client) -> i64 {
    client.get("/api/user/me").await.data()["id"]
        .as_i64()
        .unwrap()
}

async fn show_a_whole_profile(app: TestApp) {
    let user = app.sign_in(PHONE).await;
    let id = id_of(&user).await;
    let change = json!({
        "nickName": " 小鱼🐟同学 ", "icon": "/imgs/demo/avatar-01.jpg", "city": "杭州",
        "introduce": "爱吃面\n也爱喝汤", "gender": true, "birthday": "1999-01-31",
        "role": 2, "fans": 9999, "credits": 1,
    });
    user.put_json("/api/user/info", &change).await.data();

    let visitor = app.visitor();
    assert_eq!(
        visitor.get(&format!("/api/user/{id}")).await.data(),
        json!({ "id": id, "nickName": "小鱼🐟同学", "icon": "/imgs/demo/avatar-01.jpg" })
    );
    let mut expected = json!({
        "userId": id, "introduce": "爱吃面\n也爱喝汤", "fans": 0, "followee": 0, "notes": 0, "credits": 0, "level": 0,
    });
    let path = format!("/api/user/info/{id}");
    assert_eq!(visitor.get(&path).await.data(), expected);
    expected["city"] = json!("杭州");
    expected["gender"] = json!(true);
    expected["birthday"] = json!("1999-01-31");
    expected["shown"] = json!({ "city": false, "gender": false, "birthday": false });
    assert_eq!(user.get(&path).await.data(), expected);
    let me = user.get("/api/user/me").await.data();
    assert_eq!(me["nickName"], "小鱼🐟同学");
    assert_eq!(
        me["roles"],
        json!(["user"]),
        "a request binds only the fields it names"
    );
}

#[tokio::test]
async fn a_profile_is_shown_as_it_was_written_on_sqlite() {
    show_a_whole_profile(TestApp::spawn().await).await;
}

#[tokio::test]
async fn a_profile_is_shown_as_it_was_written_on_mariadb() {
    show_a_whole_profile(TestApp::builder().on_mariadb().spawn().await).await;
}

#[tokio::test]
async fn others_see_of_city_gender_and_birthday_what_their_owner_shows() {
    for app in [
        TestApp::spawn().await,
        TestApp::builder().on_mariadb().spawn().await,
    ] {
        let (user, other) = (app.sign_in(PHONE).await, app.sign_in("13900000009").await);
        let path = format!("/api/user/info/{}", id_of(&user).await);
        let reported = json!({ "city": "杭州", "gender": true, "birthday": "1999-01-31" });
        user.put_json("/api/user/info", &reported).await.data();
        for field in ["city", "gender", "birthday"] {
            let show = json!({ "shown": { field: true } });
            user.put_json("/api/user/info", &show).await.data();
            for reader in [&app.visitor(), &other] {
                let seen = reader.get(&path).await.data();
                for name in ["city", "gender", "birthday"] {
                    let expected = if name == field {
                        &reported[name]
                    } else {
                        &Value::Null
                    };
                    assert_eq!(&seen[name], expected, "{name} while {field} is shown");
                }
                assert_eq!(seen.get("shown"), None);
            }
            assert_eq!(user.get(&path).await.data()["shown"][field], true);
            let hide = json!({ "shown": { field: false } });
            user.put_json("/api/user/info", &hide).await.data();
            assert_eq!(other.get(&path).await.data()[field], Value::Null);
        }
    }
}

#[tokio::test]
async fn a_name_that_hides_something_is_refused() {
    let app = TestApp::spawn().await;
    let user = app.sign_in(PHONE).await;
    for name in [
        "\u{200b}",
        "admin\u{200d}",
        "\u{202e}nimda",
        "a\u{feff}b",
        "\u{3164}",
    ] {
        let change = json!({ "nickName": name });
        let refused = user.put_json("/api/user/info", &change).await;
        assert_eq!(refused.code(), "nick_name_invalid", "{name:?}");
    }
    let change = json!({ "nickName": "火锅👨‍👩‍👧‍👦" });
    user.put_json("/api/user/info", &change).await.data();
}

#[tokio::test]
async fn fields_that_are_absent_or_null_stay_as_they_are() {
    let app = TestApp::spawn().await;
    let user = app.sign_in(PHONE).await;
    let id = id_of(&user).await;
    user.put_json(
        "/api/user/info",
        &json!({ "city": "上海", "introduce": "你好" }),
    )
    .await
    .data();
    user.put_json("/api/user/info", &json!({ "city": null, "gender": false }))
        .await
        .data();
    user.put_json("/api/user/info", &json!({})).await.data();
    let info = user.get(&format!("/api/user/info/{id}")).await.data();
    assert_eq!(info["city"], "上海");
    assert_eq!(info["introduce"], "你好");
}

#[tokio::test]
async fn each_field_is_refused_with_its_own_code_and_nothing_is_changed() {
    let app = TestApp::spawn().await;
    let user = app.sign_in(PHONE).await;
    let before = user.get("/api/user/me").await.data();
    let cases: [(Value, &str); 5] = [
        (json!({ "nickName": "  " }), "nick_name_invalid"),
        (
            json!({ "icon": "https://evil.example/x.png" }),
            "icon_invalid",
        ),
        (json!({ "city": "长".repeat(65) }), "city_invalid"),
        (
            json!({ "introduce": "字".repeat(129) }),
            "introduce_invalid",
        ),
        (
            json!({ "nickName": "改名", "birthday": "2999-01-01" }),
            "birthday_invalid",
        ),
    ];
    for (change, code) in cases {
        let answer = user.put_json("/api/user/info", &change).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (200, code)
        );
    }
    assert_eq!(user.get("/api/user/me").await.data(), before);
}

#[tokio::test]
async fn malformed_profiles_say_where() {
    let app = TestApp::spawn().await;
    let user = app.sign_in(PHONE).await;
    for (change, place) in [
        (json!({ "gender": "female" }), "gender"),
        (json!({ "birthday": "31.01.1999" }), "birthday"),
        (json!({ "nickName": 7 }), "nickName"),
        (json!("text"), "body"),
    ] {
        let answer = user.put_json("/api/user/info", &change).await;
        assert_eq!(answer.status, 400, "{change}");
        assert!(
            answer.json()["fields"][place].is_string(),
            "{}",
            answer.text
        );
    }
}

#[tokio::test]
async fn a_new_name_shows_on_every_server_within_a_second() {
    let app = TestApp::spawn().await;
    let second = app.beside().spawn().await;
    second.wait_until_listening().await;
    let here = app.sign_in(PHONE).await;
    let there = here.clone().at(second.url());
    there.get("/api/user/me").await.data();
    here.put_json("/api/user/info", &json!({ "nickName": "新名字" }))
        .await
        .data();
    assert_eq!(here.get("/api/user/me").await.data()["nickName"], "新名字");
    testkit::wait_until(
        "the other server shows it",
        Duration::from_secs(1),
        async || there.get("/api/user/me").await.data()["nickName"] == "新名字",
    )
    .await;
}

#[tokio::test]
async fn unknown_people_are_absent_and_odd_ids_are_malformed() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    for path in ["/api/user/999999", "/api/user/-1", "/api/user/info/999999"] {
        assert_eq!(
            visitor.get(path).await.json(),
            json!({ "success": true }),
            "{path}"
        );
    }
    for path in [
        "/api/user/abc",
        "/api/user/1e3",
        "/api/user/99999999999999999999",
        "/api/user/info/x",
    ] {
        assert_eq!(visitor.get(path).await.status, 400, "{path}");
    }
}

/// What ends a person's sessions.
enum Ending {
    Block,
    Role,
}

/// As if the process that made the change had died right after its commit: only the outbox is left to tell the sessions.
#[tokio::test]
async fn a_change_whose_maker_died_after_the_commit_reaches_the_sessions() {
    let limit = Duration::from_secs(10);
    for (ending, app) in [
        (Ending::Block, TestApp::spawn().await),
        (Ending::Role, TestApp::spawn().await),
        (Ending::Block, TestApp::builder().on_mariadb().spawn().await),
        (Ending::Role, TestApp::builder().on_mariadb().spawn().await),
    ] {
        let user = app.sign_in(PHONE).await;
        let id = domain::UserId::new(id_of(&user).await);
        let (db, contact) = (app.core().db(), Phone::parse(PHONE).unwrap().into());
        let renamed = domain::ProfileChange {
            nick_name: Some("改了名".to_owned()),
            ..Default::default()
        };
        users::update_profile(db, id, &renamed).await.unwrap();
        testkit::wait_until("the name shows", limit, async || {
            user.get("/api/user/me").await.data()["nickName"] == "改了名"
        })
        .await;
        match ending {
            Ending::Block => drop(
                users::set_status(db, id, UserStatus::Blocked, None)
                    .await
                    .unwrap(),
            ),
            Ending::Role => drop(
                users::set_role(db, &contact, Role::Admin, None)
                    .await
                    .unwrap(),
            ),
        }
        testkit::wait_until("the session ends", limit, async || {
            user.get("/api/user/me").await.status == 401
        })
        .await;
    }
}
