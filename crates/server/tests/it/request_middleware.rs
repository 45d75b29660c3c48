//! What every reply shares, the web app, and an ending that drops nobody.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::Method;
use testkit::{Client, HttpReply, TestApp};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

#[tokio::test]
async fn unknown_addresses_and_methods_have_their_true_status() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let unknown = visitor.get("/api/nothing/here").await;
    assert_eq!(
        (unknown.status.as_u16(), unknown.code().as_str()),
        (404, "no_such_route")
    );
    let wrong = visitor.send(Method::DELETE, "/api/user/me", None).await;
    assert_eq!(
        (wrong.status.as_u16(), wrong.code().as_str()),
        (405, "method_not_allowed")
    );
    assert!(wrong.header("allow").contains("GET"), "{wrong:?}");
    let page = visitor.post("/somewhere").await;
    assert_eq!(page.status, 405);
}

#[tokio::test]
async fn every_reply_has_its_id_and_its_guards() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let mut ids = std::collections::HashSet::new();
    for path in [
        "/",
        "/api/site",
        "/api/none",
        "/imgs/none.jpg",
        "/healthz",
        "/openapi.json",
    ] {
        let answer = visitor.get(path).await;
        assert!(
            ids.insert(answer.header("x-request-id").to_owned()),
            "{path}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src"), "{path}");
        assert!(!policy.contains("unsafe-eval"), "{path}");
    }
    assert_eq!(
        visitor.get("/api/site").await.header("cache-control"),
        "no-store"
    );
}

#[tokio::test]
async fn bodies_have_a_bound_and_a_type() {
    let app = TestApp::builder()
        .setting("http.body_limit_bytes", 2048)
        .spawn()
        .await;
    let visitor = app.visitor();
    let large = format!("{{\"phone\":\"{}\"}}", "1".repeat(4096)).into_bytes();
    let answer = visitor
        .send(
            Method::POST,
            "/api/user/login",
            Some(("application/json", large)),
        )
        .await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (413, "body_too_large")
    );
    let text = ("text/plain", b"{}".to_vec());
    let answer = visitor
        .send(Method::POST, "/api/user/login", Some(text))
        .await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (415, "unsupported_media_type")
    );
    let broken = ("application/json", b"{\"phone\":".to_vec());
    let answer = visitor
        .send(Method::POST, "/api/user/login", Some(broken))
        .await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (400, "malformed")
    );
}

#[tokio::test]
async fn a_body_that_never_comes_does_not_hold_a_place_for_ever() {
    let app = TestApp::builder()
        .setting("http.max_in_flight", 1)
        .setting("http.stall_secs", 1)
        .spawn()
        .await;
    let mut stalled = TcpStream::connect(app.address()).await.unwrap();
    let head = "POST /api/user/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                content-length: 100\r\n\r\n{";
    stalled.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    stalled.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
    let visitor = app.visitor();
    let limit = Duration::from_secs(5);
    testkit::wait_until("the place is free again", limit, async || {
        visitor.get("/api/user/1").await.status == 200
    })
    .await;
}

#[tokio::test]
async fn a_cross_site_write_is_refused() {
    let app = TestApp::spawn().await;
    let own = format!("http://{}", app.address());
    let from = |name: &str, value: &str| app.visitor().with_header(name, value);
    let foreign = [
        from("origin", "https://evil.example"),
        from("origin", "null"),
        from("sec-fetch-site", "cross-site"),
        from("sec-fetch-site", "same-site").with_header("origin", "http://sub.example"),
    ];
    let writes = [
        (Method::POST, "/api/user/code?phone=13900000001"),
        (Method::POST, "/api/user/login"),
        (Method::PUT, "/api/user/info"),
        (Method::DELETE, "/api/user/sessions/1"),
        (Method::POST, "/cashier/1"),
    ];
    for client in &foreign {
        for (method, path) in &writes {
            let refused = client.send(method.clone(), path, None).await;
            let outcome = (refused.status.as_u16(), refused.code());
            assert_eq!(outcome, (403, "foreign_origin".into()), "{path}");
            // Old pages go to sign-in on a 401.
            let cookie = format!("tandian_session={}", "0".repeat(40));
            let signed_in = client.clone().with_header("cookie", &cookie);
            let refused = signed_in.send(method.clone(), path, None).await;
            let outcome = (refused.status.as_u16(), refused.code());
            assert_eq!(outcome, (401, "foreign_session".into()), "{path}");
        }
        assert_eq!(client.get("/api/site").await.status, 200, "reading is free");
        // A provider's server proves who it is by its signature.
        let notified = client.post("/api/payment/notify/sandbox").await;
        assert_eq!(notified.status, 200);
        // A token in a header is no browser's doing.
        let deliberate = client.clone().with_token("0".repeat(40));
        assert_eq!(deliberate.post("/api/user/logout").await.status, 401);
    }
    let ours = [
        app.visitor(),
        from("origin", &own),
        from("sec-fetch-site", "same-origin").with_header("origin", "http://proxied.example"),
        from("sec-fetch-site", "none"),
    ];
    for (number, client) in ours.iter().enumerate() {
        let path = format!("/api/user/code?phone=1390000001{number}");
        assert_eq!(client.post(&path).await.status, 200, "{number}");
    }
}

#[tokio::test]
async fn the_web_app_is_served_with_deep_links_and_revalidation() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let home = visitor.get("/").await;
    assert_eq!(home.status, 200);
    assert_eq!(home.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(home.header("cache-control"), "no-cache");
    assert_eq!(
        visitor.get("/me/edit?x=1").await.text,
        home.text,
        "a deep link is the app"
    );
    let unknown = visitor.get("/no/such/page").await;
    assert_eq!(unknown.status, 404);
    assert_eq!(
        unknown.text, home.text,
        "the app says that there is no such page"
    );
    let again = visitor
        .clone()
        .with_header("if-none-match", home.header("etag"));
    assert_eq!(again.get("/").await.status, 304);
    assert_eq!(visitor.get("/assets/none.js").await.status, 404);
    assert_eq!(visitor.get("/../../etc/passwd").await.text, home.text);
}

#[tokio::test]
async fn pictures_come_from_the_data_folder_and_from_nowhere_else() {
    let app = TestApp::spawn().await;
    let folder = app.data_dir().join("imgs/demo");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.jpg"), b"picture").unwrap();
    let visitor = app.visitor();
    let picture = visitor.get("/imgs/demo/a.jpg").await;
    assert_eq!(
        (picture.status.as_u16(), picture.text.as_str()),
        (200, "picture")
    );
    assert_eq!(picture.header("content-type"), "image/jpeg");
    assert!(
        picture
            .header("content-security-policy")
            .contains("sandbox")
    );
    assert!(picture.header("cache-control").contains("immutable"));
    let small = "/imgs/demo/a.jpg?size=small";
    assert_eq!(
        visitor.get(small).await.text,
        "picture",
        "there is no other"
    );
    std::fs::write(folder.join("a_s.jpg"), b"small").unwrap();
    let found = visitor.get(small).await;
    assert_eq!((found.status.as_u16(), found.text.as_str()), (200, "small"));
    assert_eq!(visitor.get("/imgs/demo/a.jpg").await.text, "picture");
    // The original's pages write two slashes.
    assert_eq!(visitor.get("/imgs//demo/a.jpg").await.status, 200);
    let too_long = format!("/imgs/{}.jpg", "a".repeat(300));
    for path in [
        "/imgs/none.jpg",
        &too_long,
        "/imgs/a%00.jpg",
        "/imgs/demo/a.jpg/b.jpg",
        "/imgs/demo",
        "/imgs/..%2ftandian.db",
        "/imgs/%2e%2e/tandian.db",
    ] {
        assert_eq!(visitor.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn replies_are_compressed_for_those_who_ask() {
    let app = TestApp::spawn().await;
    let plain = app.visitor().get("/openapi.json").await;
    let packed = app
        .visitor()
        .with_header("accept-encoding", "br")
        .get("/openapi.json")
        .await;
    assert_eq!(plain.header("content-encoding"), "");
    assert_eq!(packed.header("content-encoding"), "br");
}

/// Where the app is built, that is; otherwise one small page stands in for it.
#[tokio::test]
async fn the_web_app_comes_as_its_build_compressed_it() {
    let app = TestApp::spawn().await;
    let takes = |codings: &str| app.visitor().with_header("accept-encoding", codings);
    let plain = takes("identity").get("/").await;
    assert_eq!(plain.header("content-encoding"), "");
    assert_eq!(plain.header("vary"), "accept-encoding, accept-language");
    if plain.text.contains("make web") {
        return;
    }
    let packed = takes("gzip, deflate, br").get("/").await;
    assert_eq!(packed.header("content-encoding"), "br");
    let bytes = |answer: &HttpReply| answer.header("content-length").parse::<usize>().unwrap();
    assert!(bytes(&packed) < bytes(&plain) / 2);
    assert_eq!(packed.header("etag"), plain.header("etag"));
    let refused = takes("gzip, br;q=0").get("/").await;
    assert_ne!(refused.header("content-encoding"), "br");
}

#[tokio::test]
async fn the_end_drops_no_request() {
    let app = TestApp::spawn().await;
    let base = app.url();
    let (stop, answered) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let (base, stop, answered) = (base.clone(), stop.clone(), answered.clone());
            tokio::spawn(async move {
                // Half of them keep their connection, half make a new one each time.
                let kept = Client::new(base.clone());
                while !stop.load(Ordering::Relaxed) {
                    let client = if number % 2 == 0 {
                        kept.clone()
                    } else {
                        Client::new(base.clone())
                    };
                    match client.try_send(Method::GET, "/api/user/1", None).await {
                        Ok(answer) => {
                            assert_eq!(answer.status, 200);
                            answered.fetch_add(1, Ordering::Relaxed);
                        }
                        // Nobody listens any more: the client knows that it was not served.
                        Err(error) if error.is_connect() => return,
                        Err(error) => panic!("a request was dropped: {error:?}"),
                    }
                }
            })
        })
        .collect();
    let limit = Duration::from_secs(60);
    testkit::wait_until("traffic", limit, async || {
        answered.load(Ordering::Relaxed) > 200
    })
    .await;
    app.stop().await;
    stop.store(true, Ordering::Relaxed);
    for task in tasks {
        task.await.unwrap();
    }
}

#[tokio::test]
async fn a_site_tells_its_clock_and_how_one_pays() {
    let app = TestApp::builder()
        .setting("site.time_zone", "Asia/Kolkata")
        .setting("payment.provider", "none")
        .spawn()
        .await;
    let before = jiff::Timestamp::now().as_millisecond();
    let site = app.visitor().get("/api/site").await.data();
    let after = jiff::Timestamp::now().as_millisecond();
    let reported = site["nowMs"].as_i64().unwrap();
    assert!((before..=after).contains(&reported), "{reported}");
    assert_eq!(site["utcOffsetSecs"], 19_800);
    assert_eq!(site["payTypes"], serde_json::json!([1]));
    let sandbox = TestApp::spawn().await.visitor().get("/api/site").await;
    assert_eq!(sandbox.data()["payTypes"], serde_json::json!([1, 2, 3]));
}
