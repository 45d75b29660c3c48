//! Redis or SQL away under load: what needs neither goes on, the rest is refused politely, everything recovers by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use testkit::{Client, HttpReply, MariaDb, Redis, TestApp, TestAppBuilder};
use tokio::task::JoinHandle;

const PHONE: &str = "13900000001";
/// All is well this long after the return, at the latest.
const RECOVERED: Duration = Duration::from_secs(5);
const NOTICED: Duration = Duration::from_secs(5);

/// With the limits of the product, not the longer ones of the test bench.
fn with_default_limits() -> TestAppBuilder {
    TestApp::builder()
        .setting("redis.response_timeout_ms", 1000)
        .setting("database.acquire_timeout_ms", 2000)
        .setting("database.query_timeout_ms", 5000)
}

/// Asks again and again until stopped; collects every answer.
struct Load {
    stop: Arc<AtomicBool>,
    tasks: Vec<JoinHandle<Vec<HttpReply>>>,
}

impl Load {
    fn start(client: &Client, path: &'static str) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let tasks = (0..4)
            .map(|_| {
                let (client, stop) = (client.clone(), stop.clone());
                tokio::spawn(async move {
                    let mut answers = Vec::new();
                    while !stop.load(Ordering::Relaxed) {
                        answers.push(client.get(path).await);
                    }
                    answers
                })
            })
            .collect();
        Self { stop, tasks }
    }

    async fn stop(self) -> Vec<HttpReply> {
        self.stop.store(true, Ordering::Relaxed);
        let mut answers = Vec::new();
        for task in self.tasks {
            answers.extend(task.await.unwrap());
        }
        answers
    }
}

#[track_caller]
fn assert_polite(answers: &[HttpReply]) {
    for answer in answers {
        match answer.status.as_u16() {
            200 => {}
            503 => {
                assert_eq!(answer.code(), "unavailable");
                assert!(!answer.header("retry-after").is_empty());
            }
            other => panic!("{other}: {answer:?}"),
        }
    }
}

#[tokio::test]
async fn without_redis_open_reads_go_on_and_sessions_come_back_with_it() {
    let redis = Redis::start().await;
    let app = with_default_limits().redis_url(redis.url()).spawn().await;
    let user = app.sign_in(PHONE).await;
    let open = Load::start(&app.visitor(), "/api/user/1");
    let signed = Load::start(&user, "/api/user/me");

    redis.stop_hard();
    testkit::wait_until("sessions are refused", NOTICED, async || {
        user.get("/api/user/me").await.status == 503
    })
    .await;
    let send = app.visitor().post("/api/user/code?phone=13900000002").await;
    assert_eq!(
        (send.status.as_u16(), send.code().as_str()),
        (503, "unavailable")
    );
    assert_eq!(app.visitor().get("/readyz").await.status, 503);
    assert_eq!(app.visitor().get("/healthz").await.status, 200);

    redis.start_again().await;
    testkit::wait_until("sessions are back", RECOVERED, async || {
        user.get("/api/user/me").await.status == 200
    })
    .await;
    testkit::wait_until("ready again", RECOVERED, async || {
        app.visitor().get("/readyz").await.status == 200
    })
    .await;
    let open = open.stop().await;
    assert!(
        open.iter().all(|answer| answer.status == 200),
        "open reads need no Redis"
    );
    assert_polite(&signed.stop().await);
}

#[tokio::test]
async fn without_sql_sessions_go_on_and_the_rest_comes_back_with_it() {
    let mariadb = MariaDb::start().await;
    let database = mariadb.create_database().await;
    let app = with_default_limits().sql_url(database.url()).spawn().await;
    let user = app.sign_in(PHONE).await;
    let open = Load::start(&app.visitor(), "/api/user/1");
    let signed = Load::start(&user, "/api/user/me");

    mariadb.stop_hard();
    testkit::wait_until("reads of SQL are refused", NOTICED, async || {
        app.visitor().get("/api/user/1").await.status == 503
    })
    .await;
    assert_eq!(app.visitor().get("/readyz").await.status, 503);
    // A code that was sent before stays good: it is not used up by a sign-in that SQL cannot finish.
    let visitor = app.visitor();
    let sent = visitor
        .post("/api/user/code?phone=13900000002")
        .await
        .data();
    let login = serde_json::json!({ "phone": "13900000002", "code": sent["demoCode"] });
    assert_eq!(
        visitor.post_json("/api/user/login", &login).await.status,
        503
    );

    mariadb.start_again().await;
    testkit::wait_until("reads are back", RECOVERED, async || {
        app.visitor().get("/api/user/1").await.status == 200
    })
    .await;
    assert!(
        visitor
            .post_json("/api/user/login", &login)
            .await
            .data()
            .is_string()
    );
    let signed = signed.stop().await;
    assert!(
        signed.iter().all(|answer| answer.status == 200),
        "sessions need no SQL"
    );
    assert_polite(&open.stop().await);
}

#[tokio::test]
async fn a_redis_that_does_not_answer_is_given_up_within_the_time_limit() {
    let redis = Redis::start().await;
    let app = with_default_limits().redis_url(redis.url()).spawn().await;
    let user = app.sign_in(PHONE).await;
    redis.freeze().await;
    testkit::wait_until("sessions are refused", NOTICED, async || {
        user.get("/api/user/me").await.status == 503
    })
    .await;
    redis.thaw();
    testkit::wait_until("sessions are back", RECOVERED, async || {
        user.get("/api/user/me").await.status == 200
    })
    .await;
}
