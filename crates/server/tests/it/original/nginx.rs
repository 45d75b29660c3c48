//! A real nginx in front: the original's own configuration, and the two that come with Tandian (`deploy/nginx`).

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, Nginx, NginxSetup, TestApp, TestAppBuilder};

use super::browser::Browser;
use super::pages::Visit;
use super::shape::{Shape, check_refused, check_reply};
use super::{Town, VISITOR};
use crate::flash::PATIENCE;

/// The original's own, in all that matters: it strips `/api`, sends no address along, and has no `client_max_body_size`.
const ORIGINAL: &str = "
worker_processes  1;
events {
    worker_connections  1024;
}
http {
    include       mime.types;
    default_type  application/json;
    sendfile        on;
    keepalive_timeout  65;
    server {
        listen       8080;
        server_name  localhost;
        location / {
            root   html/hmdp;
            index  index.html index.htm;
        }
        error_page   500 502 503 504  /50x.html;
        location /api {
            default_type  application/json;
            keepalive_timeout   30s;
            keepalive_requests  1000;
            proxy_http_version 1.1;
            rewrite /api(/.*) $1 break;
            proxy_pass_request_headers on;
            proxy_next_upstream error timeout;
            proxy_pass http://127.0.0.1:8081;
        }
    }
    upstream backend {
        server 127.0.0.1:8081 max_fails=5 fail_timeout=10s weight=1;
    }
}
";

const ORIGINAL_PAGES: &str = include_str!("../../../../../deploy/nginx/original-pages.conf");
const SITE_TLS: &str = include_str!("../../../../../deploy/nginx/site-tls.conf");

const PAGE: &str = "<!DOCTYPE html><title>黑马点评</title>";

/// The text with each of these replaced; each must be there.
#[track_caller]
fn adapted(configuration: &str, changes: &[(&str, String)]) -> String {
    changes
        .iter()
        .fold(configuration.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from} is not in the configuration");
            text.replace(from, to)
        })
}

/// nginx with a page of the original's and one of its pictures.
async fn with_pages(setup: NginxSetup, configuration: &str, app: &TestApp) -> (Nginx, String) {
    setup.write("html/hmdp/index.html", PAGE);
    setup.write("html/hmdp/imgs/add.png", "the original's own");
    setup.write("html/hmdp/imgs/types/ms.png", "the original's own");
    let [addr, _] = setup.addrs();
    let configuration = adapted(
        configuration,
        &[
            ("8080;", format!("{addr};")),
            ("127.0.0.1:8081", app.original_address().to_string()),
        ],
    );
    (setup.start(&configuration).await, format!("http://{addr}"))
}

/// A JPEG of more than a megabyte: the picture of the other tests, with that much said about it.
fn large_photo() -> Vec<u8> {
    const PHOTO: &[u8] = include_bytes!("../../../../pictures/tests/it/files/turned.jpg");
    let mut photo = PHOTO[..2].to_vec();
    for _ in 0..24 {
        photo.extend([0xff, 0xfe, 0xff, 0xff]);
        photo.extend([b'x'; 0xffff - 2]);
    }
    photo.extend(&PHOTO[2..]);
    photo
}

/// The numbers of `stock` that a page sees live.
struct Stocks {
    response: reqwest::Response,
    text: String,
}

impl Stocks {
    async fn open(http: &reqwest::Client, url: String) -> Self {
        let response = http.get(url).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let text = String::new();
        Self { response, text }
    }

    async fn next(&mut self) -> i64 {
        let next = async {
            loop {
                if let Some((event, rest)) = self.text.split_once("\n\n") {
                    let data = event.strip_prefix("data: ").map(str::to_owned);
                    self.text = rest.to_owned();
                    if let Some(data) = data {
                        let sale: Value = serde_json::from_str(&data).unwrap();
                        return sale["stock"].as_i64().unwrap();
                    }
                    continue;
                }
                let chunk = self
                    .response
                    .chunk()
                    .await
                    .unwrap()
                    .expect("the sale goes on");
                self.text.push_str(std::str::from_utf8(&chunk).unwrap());
            }
        };
        tokio::time::timeout(PATIENCE, next)
            .await
            .expect("an event that is not held back")
    }
}

/// A browser at another address of this machine.
fn at(address: [u8; 4]) -> reqwest::ClientBuilder {
    let address = IpAddr::V4(Ipv4Addr::from(address));
    reqwest::Client::builder().local_address(address).no_proxy()
}

#[tokio::test]
async fn the_originals_own_nginx_needs_nothing_but_our_host_and_port() {
    let town = Town::build().await;
    let (_nginx, url) = with_pages(Nginx::prepare(), ORIGINAL, &town.app).await;
    let mut browser = Browser::open(url.clone(), "/api");
    browser.sign_in(VISITOR).await;
    let visit = Visit {
        town: &town,
        browser,
    };
    visit.all().await;
    let visitor = Client::new(url);
    assert_eq!(visitor.get("/").await.text, PAGE);
    assert_eq!(
        visitor.get("/imgs//types/ms.png").await.text,
        "the original's own"
    );
    let unknown = visitor.get("/api/nothing").await;
    assert_eq!(
        (unknown.status.as_u16(), &unknown.json()["success"]),
        (404, &json!(false))
    );
}

#[tokio::test]
async fn our_nginx_for_the_originals_pages_serves_them_with_pictures_and_events() {
    let town = Town::on(behind_proxy(TestApp::builder()).spawn().await).await;
    let (_nginx, url) = with_pages(Nginx::prepare(), ORIGINAL_PAGES, &town.app).await;
    let mut browser = Browser::open(url.clone(), "/api");
    browser.sign_in(VISITOR).await;

    let visitor = Client::new(url.clone());
    assert_eq!(visitor.get("/").await.text, PAGE);
    for (path, is_theirs) in [
        ("/imgs/add.png", true),
        ("/imgs//types/ms.png", true),
        ("/imgs/icons/default-icon.png", false),
        ("/imgs//types/KTV.png", false),
    ] {
        let picture = visitor.get(path).await;
        assert_eq!(picture.status, 200, "{path}");
        assert_eq!(picture.text == "the original's own", is_theirs, "{path}");
        assert_eq!(picture.header("content-type"), "image/png", "{path}");
    }
    let photo = large_photo();
    assert!(photo.len() > 1024 * 1024);
    let sent = browser.upload(&photo).await;
    check_reply(&sent, &Shape::Text);
    let shown = format!("/imgs{}", sent.data().as_str().unwrap());
    let shown = visitor.get(&shown).await;
    assert_eq!(
        (shown.status.as_u16(), shown.header("content-type")),
        (200, "image/jpeg")
    );
    let too_large = browser.upload(&vec![0; 11 * 1024 * 1024]).await;
    check_refused(&too_large, "图片过大");

    let events = format!("{url}/api/voucher/seckill/{}/events", town.sale);
    let mut stocks = Stocks::open(&reqwest::Client::new(), events).await;
    assert_eq!(stocks.next().await, 5);
    Visit {
        town: &town,
        browser,
    }
    .all()
    .await;
    assert_eq!(stocks.next().await, 4);
}

fn behind_proxy(builder: TestAppBuilder) -> TestAppBuilder {
    builder.setting("http.trusted_proxies", "127.0.0.1")
}

#[tokio::test]
async fn limits_count_the_visitor_and_not_the_proxy() {
    let limited = TestApp::builder().setting("code.per_address_per_hour", 1);
    let app = behind_proxy(limited).spawn().await;
    let (_nginx, url) = with_pages(Nginx::prepare(), ORIGINAL_PAGES, &app).await;
    let ask = async |http: reqwest::ClientBuilder, phone: &str, said: &str| {
        let url = format!("{url}/api/user/code?phone={phone}");
        let request = http
            .build()
            .unwrap()
            .post(url)
            .header("x-forwarded-for", said);
        let reply: Value = request.send().await.unwrap().json().await.unwrap();
        reply["success"].as_bool().unwrap()
    };
    assert!(ask(at([127, 0, 0, 2]), "13688668889", "").await);
    assert!(!ask(at([127, 0, 0, 2]), "13688668890", "").await);
    assert!(
        !ask(at([127, 0, 0, 2]), "13688668891", "203.0.113.7").await,
        "an invented address"
    );
    assert!(
        ask(at([127, 0, 0, 3]), "13688668892", "").await,
        "another visitor"
    );
}

#[tokio::test]
async fn a_visitor_has_two_hundred_connections_at_most() {
    let app = behind_proxy(TestApp::builder()).spawn().await;
    let few = adapted(
        ORIGINAL_PAGES,
        &[(
            "limit_conn visitors 200;",
            "limit_conn visitors 1;".to_owned(),
        )],
    );
    let (_nginx, url) = with_pages(Nginx::prepare(), &few, &app).await;
    // A request that is not complete holds its place; nginx counts from the end of the head on.
    let (host, path) = (url.trim_start_matches("http://"), "/api/user/login");
    let mut slow = tokio::net::TcpStream::connect(host).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n"
    );
    tokio::io::AsyncWriteExt::write_all(&mut slow, head.as_bytes())
        .await
        .unwrap();
    let visitor = Client::new(url);
    testkit::wait_until("the place is taken", PATIENCE, async || {
        visitor.get("/api/shop-type/list").await.status == 429
    })
    .await;
    drop(slow);
    testkit::wait_until("the place is free", PATIENCE, async || {
        visitor.get("/api/shop-type/list").await.status == 200
    })
    .await;
}

#[tokio::test]
async fn our_site_behind_tls() {
    let setup = Nginx::prepare();
    let [plain, tls] = setup.addrs();
    let (certificate, key, authority) = setup.issue_certificate();
    let origin = format!("https://localhost:{}", tls.port());
    let builder = behind_proxy(TestApp::builder()).setting("http.public_url", &origin);
    let town = Town::on(builder.spawn().await).await;
    let configuration = adapted(
        SITE_TLS,
        &[
            ("listen 80;", format!("listen {plain};")),
            ("listen 443 ssl", format!("listen {tls} ssl")),
            ("example.com;", "localhost;".to_owned()),
            (
                "/etc/ssl/example.com/fullchain.pem",
                certificate.display().to_string(),
            ),
            (
                "/etc/ssl/example.com/privkey.pem",
                key.display().to_string(),
            ),
            ("127.0.0.1:8080", town.app.address().to_string()),
        ],
    );
    let _nginx = setup.start(&configuration).await;
    let authority = reqwest::Certificate::from_pem(authority.as_bytes()).unwrap();
    let http = at([127, 0, 0, 1]).add_root_certificate(authority);
    let http = http.timeout(Duration::from_secs(60)).build().unwrap();
    let visitor = Client::over(origin.clone(), http.clone());

    let redirected = Client::new(format!("http://localhost:{}", plain.port()));
    let redirected = redirected.get("/shops/1?sort=score").await;
    assert_eq!(redirected.status, 301);
    assert_eq!(
        redirected.header("location"),
        "https://localhost/shops/1?sort=score"
    );

    let page = visitor.get("/shop/1").await;
    assert!(
        page.header("content-type").starts_with("text/html"),
        "{page:?}"
    );
    assert_ne!(page.header("strict-transport-security"), "");
    let sent = visitor
        .post_json("/api/user/code", &json!({"phone": VISITOR}))
        .await;
    let login = json!({"phone": VISITOR, "code": sent.data()["demoCode"]});
    let login = visitor.post_json("/api/user/login", &login).await;
    let cookie = login
        .header("set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    assert!(cookie.starts_with("__Host-tandian_session="), "{cookie}");
    let me = visitor
        .clone()
        .with_header("cookie", &cookie)
        .with_header("origin", &origin);
    let like = format!("/api/blog/like/{}", town.note);
    let liked = me.send(Method::PUT, &like, None).await;
    assert_eq!(
        liked.data(),
        Value::Null,
        "by cookie, from a page of the site"
    );

    let upload = Browser::open(origin.clone(), "/api").over(http.clone());
    let upload = upload.with_token(login.data().as_str().unwrap());
    let sent = upload.upload(&large_photo()).await;
    let picture = visitor
        .get(&format!("/imgs{}", sent.data().as_str().unwrap()))
        .await;
    assert_eq!(picture.status, 200);

    let events = format!("{origin}/api/voucher/seckill/{}/events", town.sale);
    let mut stocks = Stocks::open(&http, events).await;
    assert_eq!(stocks.next().await, 5);
    let claim = format!("/api/voucher-order/seckill/{}", town.sale);
    assert!(me.post(&claim).await.data().is_string());
    assert_eq!(stocks.next().await, 4);
}
