//! What pages of the original read when something is refused: words with status 200, or the way to sign-in.

use reqwest::Method;
use serde_json::json;
use testkit::{Client, TestApp};

use super::shape::{check_done, check_refused};
use super::{Browser, Town, VISITOR};
use crate::notes;

#[tokio::test]
async fn what_is_not_allowed_and_too_much_is_said_in_words() {
    let limited = TestApp::builder().setting("limits.follows_per_user_per_hour", 1);
    let town = Town::on(limited.spawn().await).await;
    let browser = town.browse(VISITOR).await;
    let voucher = json!({"shopId": 1, "title": "a", "payValue": 1, "actualValue": 2});
    let forbidden = browser.post_json("/voucher", voucher.clone()).await;
    check_refused(&forbidden, "没有权限");
    check_done(
        &browser
            .put(&format!("/follow/{}/true", town.author_id))
            .await,
    );
    let too_many = browser
        .put(&format!("/follow/{}/true", town.friend_id))
        .await;
    check_refused(&too_many, "请求过于频繁，请稍后再试");
    assert_ne!(too_many.header("retry-after"), "");

    let on_site = town.app.visitor().with_token(browser.client().token());
    let forbidden = on_site.post_json("/api/voucher", &voucher).await;
    assert_eq!(
        (forbidden.status.as_u16(), &*forbidden.code()),
        (403, "forbidden")
    );
}

#[tokio::test]
async fn a_write_by_cookie_alone_leads_to_sign_in() {
    let town = Town::build().await;
    let me = town.app.sign_in(VISITOR).await;
    let cookie = format!("tandian_session={}", me.token());
    let foreign = Client::new(town.app.original_url())
        .with_header("cookie", &cookie)
        .with_header("origin", "http://evil.example")
        .with_header("sec-fetch-site", "cross-site");
    let own = Client::new(town.app.original_url())
        .with_header("cookie", &cookie)
        .with_header("origin", &town.app.original_url());
    let like = format!("/blog/like/{}", town.note);
    for client in [&foreign, &own] {
        let refused = client.send(Method::PUT, &like, None).await;
        assert_eq!((refused.status.as_u16(), &*refused.text), (401, ""));
    }
    let by_link = "/upload/blog/delete?name=/blogs/1/1/x.jpg";
    assert_eq!(foreign.get(by_link).await.status, 401);
    let code = "/user/code?phone=13688668889";
    assert_eq!(
        foreign.post(code).await.status,
        401,
        "no page of another site asks for codes"
    );
    assert_eq!(notes::read(&me, town.note).await["liked"], 0);
}

#[tokio::test]
async fn signing_in_opens_no_session_by_cookie() {
    let town = Town::build().await;
    let browser = town.anonymous();
    let sent = browser.post(&format!("/user/code?phone={VISITOR}")).await;
    let code = sent.data()["demoCode"].clone();
    let login = browser.post_json("/user/login", json!({"phone": VISITOR, "code": code}));
    let login = login.await;
    let cookies: Vec<_> = login.headers.get_all("set-cookie").iter().collect();
    assert_eq!(cookies.len(), 1, "the device alone: {cookies:?}");
    assert!(cookies[0].to_str().unwrap().starts_with("tandian_device="));
}

#[tokio::test]
async fn wrong_values_are_200_with_words_and_missing_ones_400() {
    let town = Town::build().await;
    let browser = town.browse(VISITOR).await;
    for path in [
        "/shop/abc",
        "/shop/of/type?&typeId=x",
        "/shop/of/type?&typeId=1&current=x",
        "/blog/hot?&current=1.5",
        "/user/info/9999999999999999999",
    ] {
        let reply = browser.get(path).await;
        assert_eq!(reply.status, 200, "{path}");
        let json = reply.json();
        assert_eq!(json["success"], false, "{path}");
        assert!(
            json["errorMsg"]
                .as_str()
                .unwrap()
                .starts_with("请求格式错误"),
            "{json}"
        );
        assert_eq!(json.as_object().unwrap().len(), 2, "{json}");
    }
    for path in [
        "/shop/of/type?&current=1",
        "/blog/of/user?&current=1",
        "/blog/of/follow?",
        "/upload/blog/delete?",
    ] {
        let reply = browser.get(path).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["success"]),
            (400, &json!(false)),
            "{path}"
        );
    }
    assert_eq!(browser.post("/user/code").await.status, 400);
    let no_body = browser.post("/blog").await;
    assert_eq!(
        (no_body.status.as_u16(), &no_body.json()["success"]),
        (200, &json!(false))
    );
    let broken = browser.send(
        Method::POST,
        "/blog",
        Some(("application/json", b"{".to_vec())),
    );
    assert_eq!(broken.await.status, 200);
    let no_form = browser.post_json("/upload/blog", json!({})).await;
    assert_eq!(
        (no_form.status.as_u16(), &no_form.json()["success"]),
        (200, &json!(false))
    );
    let plain = browser.send(Method::POST, "/blog", Some(("text/plain", b"x".to_vec())));
    assert_eq!(plain.await.status, 415);
    check_refused(
        &browser.post("/user/code?phone=123").await,
        "手机号格式错误",
    );
    check_refused(&browser.get("/shop/12345").await, "店铺不存在");
    check_refused(&browser.get("/blog/12345").await, "笔记不存在");
}

#[tokio::test]
async fn parameters_as_the_original_reads_them() {
    let town = Town::build().await;
    let browser = town.browse(VISITOR).await;
    let first = browser.get("/shop/of/type?&typeId=1").await.data();
    for query in [
        "?typeId=1&current=",
        "?&&typeId=1&&",
        "?typeId=1&typeId=2&current=1",
        "?&typeId=1&current=0",
        "?&typeId=1&current=-3",
        "?&typeId=1&x=120.149993",
    ] {
        let shops = browser.get(&format!("/shop/of/type{query}")).await;
        assert_eq!(shops.data(), first, "{query}");
    }
    for path in ["//shop//of/type/?&typeId=1", "/shop/of/type/?typeId=1"] {
        assert_eq!(browser.get(path).await.data(), first, "{path}");
    }
    let follows = format!("/follow/or/not/{}", town.author_id);
    for (word, is_following) in [
        ("true", true),
        ("FALSE", false),
        ("on", true),
        ("off", false),
        ("Yes", true),
        ("no", false),
        ("1", true),
        ("0", false),
    ] {
        check_done(
            &browser
                .put(&format!("/follow/{}/{word}", town.author_id))
                .await,
        );
        assert_eq!(browser.get(&follows).await.data(), is_following, "{word}");
    }
    let other = browser
        .put(&format!("/follow/{}/maybe", town.author_id))
        .await;
    assert_eq!(
        (other.status.as_u16(), &other.json()["success"]),
        (200, &json!(false))
    );
}

#[tokio::test]
async fn a_picture_of_somebody_else_is_refused_in_words_that_say_so() {
    let town = Town::build().await;
    let theirs = notes::picture(&town.app, &town.friend).await;
    let browser = town.browse_as(&town.author);
    let words = "图片不是你本人上传的，或已用在别处";
    let published = browser.post_json("/blog", notes::draft(&theirs)).await;
    check_refused(&published, words);
    let upload = town.browse_as(&town.friend);
    let sent = upload.upload(include_bytes!(
        "../../../../pictures/tests/it/files/turned.jpg"
    ));
    let name = sent.await.data();
    let delete = format!("/upload/blog/delete?&name=/imgs{}", name.as_str().unwrap());
    check_refused(&browser.get(&delete).await, words);
    check_done(&upload.get(&delete).await);
}

#[tokio::test]
async fn an_unknown_path_is_404_with_the_envelope_on_both_listeners() {
    let town = Town::build().await;
    let browser = town.browse(VISITOR).await;
    for path in [
        "/",
        "/nothing",
        "/api/shop/1",
        "/shops/1",
        "/index.html",
        "/cashier/1",
        "/docs",
    ] {
        let reply = browser.get(path).await;
        let body = r#"{"success":false,"errorMsg":"接口不存在"}"#;
        assert_eq!((reply.status.as_u16(), &*reply.text), (404, body), "{path}");
    }
    assert_eq!(
        browser.send(Method::DELETE, "/shop/1", None).await.status,
        405
    );
    assert_eq!(browser.get("/healthz").await.status, 200);
    assert_eq!(browser.get("/readyz").await.status, 200);

    let site = town.app.visitor();
    for path in [
        "/api/nothing",
        "/user/me",
        "/shop/of/type?typeId=1",
        "/blog/hot",
        "/voucher/list/1",
    ] {
        let reply = site.get(path).await;
        assert_eq!(
            (reply.status.as_u16(), &*reply.code()),
            (404, "no_such_route"),
            "{path}"
        );
    }
    let as_script = Browser::open(town.app.url(), "");
    for path in ["/shop/1", "/user/1", "/whatever"] {
        let reply = as_script.get(path).await;
        assert_eq!(
            (reply.status.as_u16(), &*reply.code()),
            (404, "no_such_route"),
            "{path}"
        );
    }
}

/// The web app's own pages must stay pages, those that look like paths of the original among them.
#[tokio::test]
async fn every_page_of_the_web_app_is_still_a_page() {
    let app = TestApp::spawn().await;
    let browser = app
        .visitor()
        .with_header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/router.ts");
    let router = std::fs::read_to_string(file).unwrap();
    let paths = router.lines().filter_map(|line| {
        let path = line.trim().strip_prefix("path: \"")?.split('"').next()?;
        path.starts_with('/').then_some(path)
    });
    let mut count = 0;
    for path in paths.filter(|path| !path.contains("(.*)")) {
        let filled: Vec<&str> = path
            .split('/')
            .map(|part| if part.starts_with(':') { "7" } else { part })
            .collect();
        // An empty site has no such shop, note or sale, and its page says so.
        let is_missing = ["/shop/", "/note/", "/sale/"].map(|about| path.starts_with(about));
        let is_form = path.ends_with("/edit");
        let status = match is_missing.contains(&true) && !is_form {
            true => 404,
            false => 200,
        };
        for client in [&browser, &app.visitor()] {
            let reply = client.get(&filled.join("/")).await;
            assert_eq!(reply.status, status, "{path}");
            assert!(
                reply.header("content-type").starts_with("text/html"),
                "{path}"
            );
        }
        count += 1;
    }
    assert!(count > 20, "{count} paths found in router.ts");
}
