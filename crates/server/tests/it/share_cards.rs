//! Share cards: what a messenger finds at the address of a shop, a note or a sale, before any script runs.

use std::time::Duration;

use domain::Role;
use serde_json::json;
use testkit::{Client, HttpReply, TestApp};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::flash::Market;
use crate::notes::{self, AUTHOR, draft, picture};
use crate::shops::{
    ADMIN, FOOD, HERE, MERCHANT, add_shops, add_types, new_shop, open_shop, shop_row, sign_in,
};

/// Long enough for a connection of its own on a busy machine.
const LISTENING: Duration = Duration::from_secs(10);

/// The content of a tag of the page's head.
#[track_caller]
fn tag<'a>(page: &'a HttpReply, name: &str) -> &'a str {
    let start = format!("=\"{name}\" content=\"");
    let (_, rest) = page
        .text
        .split_once(&start)
        .unwrap_or_else(|| panic!("no {name} in {}", page.text));
    rest.split_once('"').unwrap().0
}

#[track_caller]
fn title(page: &HttpReply) -> &str {
    let (_, rest) = page.text.split_once("<title>").unwrap();
    rest.split_once("</title>").unwrap().0
}

#[tokio::test]
async fn a_shop_has_a_card_of_its_own_in_both_languages() {
    let app = TestApp::spawn().await;
    add_types(&app).await;
    let mut row = shop_row(7, FOOD, HERE);
    row.name = "外婆家".to_owned();
    row.images = "/imgs/shops/a.webp,/imgs/shops/b.webp".to_owned();
    row.avg_price_yuan = Some(80);
    row.score = 45;
    add_shops(&app, &[row]).await;
    let page = app.visitor().get("/shop/7").await;
    assert_eq!(page.status, 200);
    assert_eq!(title(&page), "外婆家 · 探店");
    assert_eq!(tag(&page, "og:title"), "外婆家");
    assert_eq!(tag(&page, "og:site_name"), "探店");
    assert_eq!(tag(&page, "og:type"), "place");
    assert_eq!(tag(&page, "og:url"), format!("{}/shop/7", app.url()));
    let picture = format!("{}/imgs/shops/a.webp", app.url());
    assert_eq!(tag(&page, "og:image"), picture);
    assert_eq!(tag(&page, "twitter:card"), "summary_large_image");
    let facts = "4.5分 · ¥80/人 · 金华路29号";
    assert_eq!(tag(&page, "og:description"), facts);
    assert_eq!(tag(&page, "description"), facts);
    let english = app.visitor().with_header("accept-language", "en-GB,en");
    let english = english.get("/shop/7?from=chat").await;
    let facts = "4.5 stars · ¥80 per person · 金华路29号";
    assert_eq!(tag(&english, "og:description"), facts);
    assert_eq!(tag(&english, "og:locale"), "en_US");
    assert_eq!(english.header("vary"), "accept-encoding, accept-language");
}

#[tokio::test]
async fn a_hostile_name_stays_text_in_the_bytes_on_the_wire() {
    let app = TestApp::spawn().await;
    add_types(&app).await;
    let merchant = sign_in(&app, MERCHANT, Role::Merchant).await;
    let name = "\"/><script>alert('1')</script> & 🍜";
    let id = open_shop(&merchant, &new_shop(name)).await;
    let reply = raw(&app, &format!("/shop/{id}"), "shop.example:81").await;
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    let policy = reply
        .lines()
        .filter(|line| line.starts_with("content-security-policy"));
    assert_eq!(policy.count(), 1, "{reply}");
    assert!(!reply.contains("alert('1')"), "{reply}");
    assert!(!reply.contains("<script>"), "{reply}");
    assert!(reply.contains("og:title\" content=\"&quot;/"), "{reply}");
    assert!(reply.contains(" &amp; 🍜\" />"), "{reply}");
    let own = format!("og:url\" content=\"http://shop.example:81/shop/{id}\"");
    assert!(reply.contains(&own), "{reply}");
}

#[tokio::test]
async fn links_name_the_public_address_whatever_host_is_asked() {
    let public = "https://tandian.example";
    let app = TestApp::builder()
        .setting("http.public_url", public)
        .spawn()
        .await;
    add_types(&app).await;
    add_shops(&app, &[shop_row(7, FOOD, HERE)]).await;
    let reply = raw(&app, "/shop/7", "evil.example").await;
    assert!(reply.contains("og:url\" content=\"https://tandian.example/shop/7\""));
    assert!(!reply.contains("evil.example"), "{reply}");
    let home = raw(&app, "/", "evil.example").await;
    assert!(home.contains("og:image\" content=\"https://tandian.example/icons/"));
    assert!(!home.contains("og:url"), "{home}");
}

#[tokio::test]
async fn a_host_that_is_none_is_not_repeated() {
    let app = TestApp::spawn().await;
    for host in ["a\"onload=", "a b", "user@host"] {
        let reply = raw(&app, "/", host).await;
        assert!(!reply.contains(host), "{reply}");
    }
}

#[tokio::test]
async fn a_note_has_a_card_until_it_is_hidden() {
    for app in notes::sites().await {
        let author = app.sign_in(AUTHOR).await;
        let images = picture(&app, &author).await;
        let mut note = draft(&images);
        note["title"] = json!("\"好吃\" & 🍜");
        note["content"] = json!("下次<br>再来".repeat(40));
        let id = author.post_json("/api/blog", &note).await.data();
        let path = format!("/note/{id}");
        let page = app.visitor().get(&path).await;
        assert_eq!(page.status, 200);
        assert_eq!(tag(&page, "og:type"), "article");
        assert_eq!(tag(&page, "og:title"), "&quot;好吃&quot; &amp; 🍜");
        let text = tag(&page, "og:description");
        assert!(
            text.starts_with("下次 再来") && text.ends_with('…'),
            "{text}"
        );
        assert!(tag(&page, "og:image").ends_with(".webp"));
        let admin = sign_in(&app, ADMIN, Role::Admin).await;
        let hidden = admin.post(&format!("/api/console/notes/{id}/hide")).await;
        assert_eq!(hidden.status, 200);
        assert_default(&app.visitor().get(&path).await);
        admin
            .post(&format!("/api/console/notes/{id}/restore"))
            .await;
        assert_eq!(app.visitor().get(&path).await.status, 200);
        author.delete(&format!("/api/blog/{id}")).await;
        assert_default(&app.visitor().get(&path).await);
    }
}

#[tokio::test]
async fn a_sale_has_the_card_of_its_voucher_and_its_shop() {
    for market in Market::on_both().await {
        let id = market.sell(7).await;
        let page = market.app.visitor().get(&format!("/sale/{id}")).await;
        assert_eq!(page.status, 200);
        assert_eq!(tag(&page, "og:title"), "100元代金券");
        assert_eq!(tag(&page, "og:type"), "product");
        let facts = "¥80 抵 ¥100 · 茶餐厅 · 周一至周日可用";
        assert_eq!(tag(&page, "og:description"), facts);
        // The shop has no picture.
        assert!(tag(&page, "og:image").ends_with("/icons/icon-512.png"));
        assert_eq!(tag(&page, "twitter:card"), "summary");
    }
}

/// The page of the site, for an address that is about nothing there is.
#[track_caller]
fn assert_default(page: &HttpReply) {
    assert_eq!(page.status, 404);
    assert_eq!(title(page), "探店");
    assert_eq!(tag(page, "og:title"), "探店");
    assert_eq!(tag(page, "og:type"), "website");
    assert!(!page.text.contains("og:url"), "{}", page.text);
}

#[tokio::test]
async fn an_address_about_nothing_has_the_sites_card_and_the_status_404() {
    let app = notes::site().await;
    let visitor = app.visitor();
    for path in [
        "/shop/987654",
        "/shop/x",
        "/note/987654",
        "/sale/987654",
        "/sale/9223372036854775808",
        "/no/such/page",
    ] {
        assert_default(&visitor.get(path).await);
    }
    let home = visitor.get("/").await;
    assert_eq!((home.status.as_u16(), title(&home)), (200, "探店"));
    let script = visitor.clone().with_header("accept", "application/json");
    assert_eq!(script.get("/shop/1").await.code(), "no_such_route");
    let head = visitor.send(reqwest::Method::HEAD, "/shop/1", None).await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
}

#[tokio::test]
async fn a_card_is_revalidated_by_what_it_says() {
    let app = notes::site().await;
    let merchant = sign_in(&app, MERCHANT, Role::Merchant).await;
    let id = open_shop(&merchant, &new_shop("茶餐厅")).await;
    let path = format!("/shop/{id}");
    let page = app.visitor().get(&path).await;
    assert_eq!(page.header("cache-control"), "no-cache");
    let known = |client: Client| client.with_header("if-none-match", page.header("etag"));
    assert_eq!(known(app.visitor()).get(&path).await.status, 304);
    let english = app.visitor().with_header("accept-language", "en");
    assert_eq!(known(english).get("/shop/1").await.status, 200);
    let packed = app
        .visitor()
        .with_header("accept-encoding", "br")
        .get(&path)
        .await;
    assert_eq!(packed.header("etag"), page.header("etag"));
    assert_eq!(packed.header("content-encoding"), "br");
    let change = json!({ "id": id, "name": "新茶餐厅" });
    merchant.put_json("/api/shop", &change).await;
    let changed = known(app.visitor()).get(&path).await;
    assert_eq!(
        (changed.status.as_u16(), tag(&changed, "og:title")),
        (200, "新茶餐厅")
    );
}

/// A card costs what reading the shop costs: nothing, once it is in memory.
#[tokio::test]
async fn the_card_of_a_shop_in_memory_reads_neither_redis_nor_sql() {
    let app = notes::site().await;
    testkit::wait_until("invalidations arrive", LISTENING, async || {
        app.core().shops().stats().subscribed
    })
    .await;
    let visitor = app.visitor();
    testkit::wait_until("the shop is in memory", LISTENING, async || {
        let hits = app.core().shops().stats().l1_hits;
        visitor.get("/shop/1").await;
        app.core().shops().stats().l1_hits > hits
    })
    .await;
    let before = app.core().shops().stats();
    for _ in 0..20 {
        assert_eq!(visitor.get("/shop/1").await.status, 200);
    }
    let after = app.core().shops().stats();
    assert_eq!(after.l1_hits - before.l1_hits, 20);
    assert_eq!((after.l2_hits, after.loads), (before.l2_hits, before.loads));
}

/// The reply as its bytes, to a request whose host no client library would send.
async fn raw(app: &TestApp, path: &str, host: &str) -> String {
    let mut connection = TcpStream::connect(app.address()).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut reply = Vec::new();
    connection.read_to_end(&mut reply).await.unwrap();
    String::from_utf8(reply).unwrap()
}
