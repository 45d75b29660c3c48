//! Sessions: what they cost, how they end, and how fast everybody knows.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use testkit::{FaultProxy, Redis, TestApp};

use super::{PHONE, demo_code, login, next_code, patient};

const SECOND: Duration = Duration::from_secs(1);

/// What a process asks Redis to know who somebody is.
fn session_reads(counts: &testkit::CommandCounts) -> u64 {
    ["mget", "get", "hmget", "evalsha", "eval", "time"]
        .iter()
        .map(|command| counts.of(command))
        .sum()
}

#[tokio::test]
async fn authentication_costs_nothing_from_memory_where_one_signed_in_and_elsewhere() {
    let redis = Redis::start().await;
    let app = TestApp::builder()
        .redis_url(redis.url())
        .without_workers()
        .spawn()
        .await;
    let second = app.beside().without_workers().spawn().await;
    app.wait_until_listening().await;
    second.wait_until_listening().await;
    let here = app.sign_in(PHONE).await;
    let there = here.clone().at(second.url());
    let in_memory = |app: &TestApp| app.core().sessions().in_memory();
    testkit::wait_until("both have it", Duration::from_secs(10), async || {
        in_memory(&app) == 1 && in_memory(&second) == 1
    })
    .await;

    let before = redis.commands().await;
    for client in [&here, &there] {
        for _ in 0..50 {
            assert_eq!(client.get("/api/user/me").await.status, 200);
        }
    }
    let hits = redis.commands().await.since(&before);
    assert_eq!(session_reads(&hits), 0, "{hits:?}");
}

#[tokio::test]
async fn authentication_without_memory_costs_one_read_and_no_write() {
    let redis = Redis::start().await;
    let app = TestApp::builder()
        .redis_url(redis.url())
        .setting("session.memory_mib", 0)
        .without_workers()
        .spawn()
        .await;
    let user = app.sign_in(PHONE).await;
    assert_eq!(user.get("/api/user/me").await.status, 200);
    let before = redis.commands().await;
    for _ in 0..10 {
        assert_eq!(user.get("/api/user/me").await.status, 200);
    }
    let reads = redis.commands().await.since(&before);
    assert_eq!(reads.of("mget"), 10, "{reads:?}");
    assert_eq!(session_reads(&reads), 10, "{reads:?}");
}

/// Many people come to a process that has just started, each once.
#[tokio::test]
async fn a_crowd_at_a_cold_process_costs_a_sixteenth_of_a_command_each() {
    const CROWD: u32 = 320;
    let redis = Redis::start().await;
    let app = TestApp::builder()
        .redis_url(redis.url())
        .without_workers()
        .spawn()
        .await;
    let opened = app::load_test::open_sessions(app.core(), 0..CROWD).await;
    let tokens = opened.unwrap();
    let cold = app.beside().without_workers().spawn().await;
    cold.wait_until_listening().await;
    let before = redis.commands().await;
    let each = tokens.iter().map(|token| {
        let client = cold.visitor().with_token(token.as_str());
        async move { client.get("/api/user/me").await.status }
    });
    let answers = futures_util::future::join_all(each).await;
    assert!(answers.iter().all(|status| *status == 200));
    let spent = redis.commands().await.since(&before);
    // Sessions are read ahead as well; it takes a step for each thousand keys.
    let reads = session_reads(&spent) + spent.of("scan");
    assert!(reads <= u64::from(CROWD) / 16 + 4, "{spent:?}");
    let writes = ["set", "hset", "setrange", "pexpire", "expire"];
    assert!(writes.iter().all(|write| spent.of(write) == 0), "{spent:?}");
}

#[tokio::test]
async fn a_signed_out_token_is_refused_here_at_once_and_there_within_a_second() {
    let app = TestApp::spawn().await;
    let second = app.beside().spawn().await;
    app.wait_until_listening().await;
    second.wait_until_listening().await;
    let here = app.sign_in(PHONE).await;
    let there = here.clone().at(second.url());
    assert_eq!(there.get("/api/user/me").await.status, 200);
    assert_eq!(here.get("/api/user/me").await.status, 200);

    here.post("/api/user/logout").await.data();
    let ended = Instant::now();
    assert_eq!(here.get("/api/user/me").await.status, 401);
    testkit::wait_until("the other server knows", SECOND, async || {
        there.get("/api/user/me").await.status == 401
    })
    .await;
    assert!(ended.elapsed() < SECOND);
}

#[tokio::test]
async fn memory_is_not_trusted_while_the_invalidation_subscription_is_lost() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let app = TestApp::builder().redis_url(redis.url()).spawn().await;
    let behind = app
        .beside()
        .redis_url(format!("redis://{}", proxy.addr()))
        .spawn()
        .await;
    let here = app.sign_in(PHONE).await;
    let there = here.clone().at(behind.url());
    behind.wait_until_listening().await;
    assert_eq!(there.get("/api/user/me").await.status, 200);

    // The second server gets no invalidation of the sign-out, neither now nor later.
    proxy.cut().await;
    here.post("/api/user/logout").await.data();
    testkit::wait_until(
        "the second server stops trusting its memory",
        SECOND,
        async || there.get("/api/user/me").await.status == 503,
    )
    .await;
    proxy.pass().await;
    testkit::wait_until(
        "the second server asks again",
        Duration::from_secs(5),
        async || there.get("/api/user/me").await.status == 401,
    )
    .await;
}

/// The connection is open as far as the server can see, and nothing comes any more.
#[tokio::test]
async fn memory_is_not_trusted_for_long_when_the_subscription_dies_silently() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let app = TestApp::builder().redis_url(redis.url()).spawn().await;
    let behind = app
        .beside()
        .redis_url(format!("redis://{}", proxy.addr()))
        // The limit of the product, not the longer one of the test bench.
        .setting("redis.response_timeout_ms", 1000)
        .spawn()
        .await;
    let here = app.sign_in(PHONE).await;
    let there = here.clone().at(behind.url());
    behind.wait_until_listening().await;
    assert_eq!(there.get("/api/user/me").await.status, 200);

    proxy.black_hole().await;
    here.post("/api/user/logout").await.data();
    // A heartbeat goes out every half second and is awaited for a second; the rest is for a busy machine.
    let detected_within = Duration::from_millis(1_500) + 2 * SECOND;
    testkit::wait_until("its memory is distrusted", detected_within, async || {
        !behind.core().sessions().is_subscribed()
    })
    .await;
    assert_eq!(behind.core().sessions().in_memory(), 0);
    proxy.pass().await;
    testkit::wait_until("it reads again", 5 * SECOND, async || {
        there.get("/api/user/me").await.status == 401
    })
    .await;
}

#[tokio::test]
async fn people_see_where_they_are_signed_in_and_can_sign_one_out() {
    let app = patient().spawn().await;
    let phone = app.sign_in(PHONE).await;
    let visitor = app
        .visitor()
        .with_header("user-agent", "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0");
    let code = next_code(&visitor, PHONE).await;
    let token = login(&visitor, PHONE, &code).await.data();
    let desktop = visitor.with_token(token.as_str().unwrap());

    let lines = desktop.get("/api/user/sessions").await.data();
    let lines = lines.as_array().unwrap();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["device"], "Firefox · Windows");
    assert_eq!(lines[0]["address"], "127.0.0.*");
    assert_eq!(lines[0]["current"], true);
    assert_eq!(lines[1]["current"], false);
    assert!(lines[0]["createdAtMs"].as_i64() >= lines[1]["createdAtMs"].as_i64());

    let other = format!("/api/user/sessions/{}", lines[1]["n"]);
    desktop.delete(&other).await.data();
    assert_eq!(phone.get("/api/user/me").await.status, 401);
    assert_eq!(desktop.get("/api/user/me").await.status, 200);
    assert_eq!(desktop.delete(&other).await.code(), "session_not_found");
}

#[tokio::test]
async fn nobody_signs_out_anybody_else() {
    let app = TestApp::spawn().await;
    let victim = app.sign_in(PHONE).await;
    let attacker = app.sign_in("13900000002").await;
    let number = victim.get("/api/user/sessions").await.data()[0]["n"].clone();
    let answer = attacker
        .delete(&format!("/api/user/sessions/{number}"))
        .await;
    assert_eq!(answer.code(), "session_not_found");
    assert_eq!(victim.get("/api/user/me").await.status, 200);
}

#[tokio::test]
async fn the_oldest_session_makes_room_for_the_newest() {
    let app = patient().setting("session.max_per_user", 2).spawn().await;
    let first = app.sign_in(PHONE).await;
    let visitor = app.visitor();
    for _ in 0..2 {
        let code = next_code(&visitor, PHONE).await;
        login(&visitor, PHONE, &code).await.data();
    }
    assert_eq!(first.get("/api/user/me").await.status, 401);
}

#[tokio::test]
async fn a_dump_of_redis_opens_no_door() {
    let redis = Redis::start().await;
    let app = TestApp::builder().redis_url(redis.url()).spawn().await;
    let visitor = app.visitor();
    let code = demo_code(&visitor, PHONE).await;
    let user = app.sign_in("13900000002").await;
    let dump = dump(&redis).await;
    assert!(
        dump.contains("login:session:"),
        "the session is in the dump"
    );
    assert!(!dump.contains(user.token()));
    assert!(!dump.contains(&format!("\"{code}\"")));
}

/// All keys with all their contents, as text.
async fn dump(redis: &Redis) -> String {
    let mut connection = redis.connection().await;
    let keys: Vec<String> = redis::cmd("KEYS")
        .arg("*")
        .query_async(&mut connection)
        .await
        .unwrap();
    let mut text = String::new();
    for key in keys {
        let kind: String = redis::cmd("TYPE")
            .arg(&key)
            .query_async(&mut connection)
            .await
            .unwrap();
        let read = match kind.as_str() {
            "hash" => redis::cmd("HGETALL").arg(&key).clone(),
            "set" => redis::cmd("SMEMBERS").arg(&key).clone(),
            "zset" => redis::cmd("ZRANGE").arg(&key).arg(0).arg(-1).clone(),
            "list" => redis::cmd("LRANGE").arg(&key).arg(0).arg(-1).clone(),
            "stream" => redis::cmd("XRANGE").arg(&key).arg("-").arg("+").clone(),
            _ => redis::cmd("GET").arg(&key).clone(),
        };
        let value: redis::Value = read.query_async(&mut connection).await.unwrap();
        text.push_str(&format!("{key:?} {value:?}\n"));
    }
    text
}

#[tokio::test]
async fn a_cookie_signs_in_reads_and_our_own_writes_only() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let code = demo_code(&visitor, PHONE).await;
    let answer = login(&visitor, PHONE, &code).await;
    let cookie = answer.header("set-cookie").to_owned();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    let browser = visitor.with_header("cookie", cookie.split(';').next().unwrap());
    assert_eq!(browser.get("/api/user/me").await.status, 200);

    let change = json!({ "city": "杭州" });
    for origin in [None, Some("https://evil.example"), Some("null")] {
        let client = match origin {
            Some(origin) => browser.clone().with_header("origin", origin),
            None => browser.clone(),
        };
        let answer = client.put_json("/api/user/info", &change).await;
        assert_eq!(answer.status, 401, "{origin:?}");
        assert_eq!(answer.code(), "foreign_session");
    }
    let own = browser.clone().with_header("origin", &app.url());
    own.put_json("/api/user/info", &change).await.data();
    let out = own.post("/api/user/logout").await;
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(browser.get("/api/user/me").await.status, 401);
}

#[tokio::test]
async fn a_site_behind_tls_binds_its_cookie_to_the_host() {
    let app = TestApp::builder()
        .setting("http.public_url", "https://tandian.example")
        .spawn()
        .await;
    let visitor = app.visitor();
    let code = demo_code(&visitor, PHONE).await;
    let answer = login(&visitor, PHONE, &code).await;
    let cookie = answer.header("set-cookie");
    assert!(
        cookie.starts_with("__Host-") && cookie.contains("; Secure"),
        "{cookie}"
    );
    assert!(
        answer
            .header("strict-transport-security")
            .starts_with("max-age=31536000")
    );
    let browser = visitor.with_header("cookie", cookie.split(';').next().unwrap());
    let own = browser
        .clone()
        .with_header("origin", "https://tandian.example");
    own.put_json("/api/user/info", &json!({ "city": "成都" }))
        .await
        .data();
    // The host that a proxy talks to is not the site's address.
    let proxied = browser.with_header("origin", &app.url());
    assert_eq!(
        proxied.put_json("/api/user/info", &json!({})).await.status,
        401
    );
}

#[tokio::test]
async fn junk_tokens_are_anonymous() {
    let app = TestApp::spawn().await;
    for token in [
        "null",
        "Bearer",
        "x",
        "0000000000000000000000000000000000000000",
    ] {
        let client = app.visitor().with_token(token);
        let answer = client.get("/api/user/me").await;
        assert_eq!(answer.status, 401, "{token}");
        assert_eq!(answer.code(), "not_signed_in");
        let open = client.send(Method::GET, "/api/user/1", None).await;
        assert_eq!(
            open.status, 200,
            "an unknown token is anonymous on an open path"
        );
    }
}

#[tokio::test]
async fn sessions_work_on_a_cluster() {
    let cluster = testkit::RedisCluster::shared().await;
    let app = TestApp::builder().on_cluster(cluster).spawn().await;
    let second = app.beside().spawn().await;
    app.wait_until_listening().await;
    second.wait_until_listening().await;
    let here = app.sign_in(PHONE).await;
    let there = here.clone().at(second.url());
    assert_eq!(there.get("/api/user/me").await.status, 200);
    here.put_json("/api/user/info", &json!({ "nickName": "集群里的人" }))
        .await
        .data();
    testkit::wait_until("the new name shows", SECOND, async || {
        there.get("/api/user/me").await.data()["nickName"] == "集群里的人"
    })
    .await;
    assert_eq!(
        there
            .get("/api/user/sessions")
            .await
            .data()
            .as_array()
            .unwrap()
            .len(),
        1
    );
    here.post("/api/user/logout").await.data();
    testkit::wait_until("the other server knows", SECOND, async || {
        there.get("/api/user/me").await.status == 401
    })
    .await;
}

#[tokio::test]
async fn a_redis_behind_tls_with_a_private_authority_serves_sessions() {
    let redis = Redis::builder().tls().start().await;
    let folder = tempfile::tempdir().unwrap();
    let ca_file = folder.path().join("ca.pem");
    std::fs::write(&ca_file, redis.tls_authority()).unwrap();
    let app = TestApp::builder()
        .redis_url(redis.tls_url())
        .setting("redis.ca_file", ca_file.display())
        .spawn()
        .await;
    let user = app.sign_in(PHONE).await;
    app.wait_until_listening().await;
    assert_eq!(user.get("/api/user/me").await.status, 200);
}
