//! Pictures on other hosts are brought home: from a real server, within bounds, and from nowhere else.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use app::pictures::{ImportReport, import_outside, list_outside_hosts};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use serde_json::Value;
use testkit::{LocalS3, TestApp};
use tokio::net::TcpListener;

use super::execute;
use crate::notes::{AUTHOR, READER, SHOP, furnish, id_of, publish};
use crate::pictures::on_bucket;
use crate::process::Home;

const PHOTO: &[u8] = include_bytes!("../../../../pictures/tests/it/files/turned.jpg");

/// A host of pictures, and of what is not quite one.
#[derive(Clone)]
struct PictureServer {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
}

impl PictureServer {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            requests: Arc::default(),
        };
        let routes = Router::new()
            .route("/a.jpg", get(photo))
            .route("/b.jpg", get(photo))
            .route("/text.jpg", get(|| async { "<html>no picture</html>" }))
            .route("/large.jpg", get(endless))
            .route("/moved.jpg", get(|| redirect("/a.jpg")))
            .route("/round.jpg", get(|| redirect("/round.jpg")))
            .route(
                "/inside.jpg",
                get(|| redirect("http://127.0.0.1:1/secret.jpg")),
            )
            .route(
                "/metadata.jpg",
                get(|| redirect("http://169.254.169.254/latest")),
            )
            .with_state(server.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        server
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

async fn photo(State(server): State<PictureServer>, headers: HeaderMap) -> Vec<u8> {
    assert!(!headers.contains_key(header::REFERER));
    server.requests.fetch_add(1, Ordering::SeqCst);
    PHOTO.to_vec()
}

/// More than any picture may have, without a length.
async fn endless() -> Response {
    let chunk = || Ok::<_, std::io::Error>(vec![0_u8; 1024 * 1024]);
    let chunks = futures_util::stream::iter((0..64).map(move |_| chunk()));
    Body::from_stream(chunks).into_response()
}

async fn redirect(to: &'static str) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, to)]).into_response()
}

async fn import(app: &TestApp) -> ImportReport {
    import_outside(app.core(), &mut |_| {}).await.unwrap()
}

async fn get_text(app: &TestApp, path: &str, field: &str) -> String {
    let row: Value = app.visitor().get(path).await.data();
    row[field].as_str().unwrap().to_owned()
}

async fn site(builder: testkit::TestAppBuilder, server: &PictureServer) -> TestApp {
    let app = builder
        .setting("pictures.outside_hosts", server.address)
        .spawn()
        .await;
    furnish(&app).await;
    app
}

async fn is_shown(app: &TestApp, address: &str) {
    let shown = app.visitor().get(address).await;
    assert_eq!(shown.status, 200, "{address}");
    assert_eq!(shown.header("content-type"), "image/jpeg");
}

async fn brings_every_kind_home(app: TestApp, server: PictureServer) {
    let (author, reader) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let (author_id, note) = (id_of(&author).await, publish(&app, &author).await);
    let (a, b) = (server.url("a.jpg"), server.url("b.jpg"));
    let statements = [
        format!(
            "UPDATE tb_shop SET images = '{a},https://elsewhere.example/x.jpg,{b},' WHERE id = {SHOP}"
        ),
        format!("UPDATE tb_blog SET images = '/imgs/old.jpg,{a}' WHERE id = {note}"),
        format!("UPDATE tb_user SET icon = '{b}' WHERE id = {author_id}"),
        format!("UPDATE tb_shop_type SET icon = '{a}' WHERE id = 1"),
    ];
    execute(app.sql_url(), &statements).await;
    let hosts = list_outside_hosts(app.core().db()).await.unwrap().pictures;
    let counts: Vec<(&str, u64)> = hosts.iter().map(|(host, n)| (host.as_str(), *n)).collect();
    assert_eq!(
        counts,
        [
            (server.address.to_string().as_str(), 5),
            ("elsewhere.example", 1)
        ]
    );

    let report = import(&app).await;
    assert_eq!((report.imported, report.failed), (5, 0), "{report:?}");
    assert_eq!(report.not_allowed.get("elsewhere.example"), Some(&1));
    assert_eq!(server.requests(), 5);
    let shop = get_text(&app, &format!("/api/shop/{SHOP}"), "images").await;
    let shop: Vec<&str> = shop.split(',').collect();
    assert_eq!(
        (shop.len(), shop[1]),
        (3, "https://elsewhere.example/x.jpg")
    );
    let images = get_text(&app, &format!("/api/blog/{note}"), "images").await;
    let (old, new) = images.split_once(',').unwrap();
    assert_eq!(old, "/imgs/old.jpg");
    let icon = reader.get(&format!("/api/user/{author_id}")).await.data()["icon"].clone();
    for address in [shop[0], shop[2], new, icon.as_str().unwrap()] {
        assert!(address.starts_with("/imgs/blogs/"), "{address}");
        is_shown(&app, address).await;
    }
    let types = storage::shop_types::list(app.core().db()).await.unwrap();
    let of_food = types.iter().find(|it| it.id.get() == 1).unwrap();
    is_shown(&app, &format!("/imgs{}", of_food.icon)).await;

    let again = import(&app).await;
    assert_eq!((again.imported, again.failed), (0, 0));
    assert_eq!(server.requests(), 5, "what is home is not fetched again");
    let cleared = app::pictures::clean(app.core(), jiff::Timestamp::now()).await;
    assert_eq!(cleared.unwrap(), 0, "every imported picture is in use");
}

#[tokio::test]
async fn pictures_of_every_kind_of_row_are_brought_home() {
    let server = PictureServer::start().await;
    let app = site(TestApp::builder(), &server).await;
    brings_every_kind_home(app, server).await;
}

#[tokio::test]
async fn pictures_are_brought_home_on_mariadb() {
    let server = PictureServer::start().await;
    let app = site(TestApp::builder().on_mariadb(), &server).await;
    brings_every_kind_home(app, server).await;
}

#[tokio::test]
async fn pictures_are_brought_home_to_a_bucket() {
    let (server, bucket) = (PictureServer::start().await, LocalS3::start().await);
    let app = site(on_bucket(&bucket), &server).await;
    brings_every_kind_home(app, server).await;
}

#[tokio::test]
async fn what_cannot_be_fetched_is_reported_and_the_rest_goes_on() {
    let server = PictureServer::start().await;
    let app = site(TestApp::builder(), &server).await;
    let cases = [
        ("missing.jpg", "404"),
        ("text.jpg", "not a readable"),
        ("large.jpg", "larger than"),
        ("round.jpg", "more than 3 times"),
        ("inside.jpg", "127.0.0.1"),
        ("metadata.jpg", "169.254.169.254"),
    ];
    let mut pictures: Vec<String> = cases.iter().map(|(path, _)| server.url(path)).collect();
    pictures.insert(3, server.url("moved.jpg"));
    let images = pictures.join(",");
    let update = format!("UPDATE tb_shop SET images = '{images}' WHERE id = {SHOP}");
    execute(app.sql_url(), &[update]).await;
    let report = import(&app).await;
    assert_eq!((report.imported, report.failed), (1, 6), "{report:?}");
    for (path, words) in cases {
        let url = server.url(path);
        let failure = report.failures.iter().find(|it| it.url == url).unwrap();
        assert!(failure.reason.contains(words), "{failure:?}");
        assert_eq!((failure.noun, failure.id), ("shop", SHOP));
    }
    let shop = get_text(&app, &format!("/api/shop/{SHOP}"), "images").await;
    let kept = cases
        .iter()
        .all(|(path, _)| shop.contains(&server.url(path)));
    assert!(kept && !shop.contains("moved.jpg"), "{shop}");
}

#[tokio::test]
async fn a_name_that_leads_into_the_own_network_is_not_asked() {
    let server = PictureServer::start().await;
    let host = format!("localhost:{}", server.address.port());
    let app = TestApp::builder()
        .setting("pictures.outside_hosts", &host)
        .spawn()
        .await;
    furnish(&app).await;
    let images = format!("http://{host}/a.jpg,http://{}/b.jpg", server.address);
    let update = format!("UPDATE tb_shop SET images = '{images}' WHERE id = {SHOP}");
    execute(app.sql_url(), &[update]).await;
    let report = import(&app).await;
    assert_eq!((report.imported, report.failed), (0, 1), "{report:?}");
    let reason = &report.failures[0].reason;
    assert!(reason.contains("private address"), "{reason}");
    assert_eq!(report.not_allowed.values().sum::<u64>(), 1);
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn a_host_that_is_down_is_given_up() {
    // Bound and closed: nobody listens there for the moment.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = PictureServer {
        address: listener.local_addr().unwrap(),
        requests: Arc::default(),
    };
    drop(listener);
    let app = site(TestApp::builder(), &server).await;
    let pictures: Vec<String> = (0..20).map(|n| server.url(&format!("{n}.jpg"))).collect();
    let images = pictures.join(",");
    let update = format!("UPDATE tb_shop SET images = '{images}' WHERE id = {SHOP}");
    execute(app.sql_url(), &[update]).await;
    let report = import(&app).await;
    assert_eq!((report.imported, report.failed), (0, 20));
    let not_asked = report
        .failures
        .iter()
        .filter(|it| it.reason.starts_with("not asked"));
    let not_asked = not_asked.count();
    assert!((10..=15).contains(&not_asked), "{not_asked}");
}

/// The row changes while its picture is on the way: the change stays, and nothing is left behind.
#[tokio::test]
async fn a_row_that_changed_meanwhile_keeps_its_change() {
    let server = PictureServer::start().await;
    let app = site(TestApp::builder(), &server).await;
    let db = app.core().db();
    let url = server.url("a.jpg");
    storage::uploads::record(db, domain::UserId::new(0), "/blogs/1/1/x.jpg")
        .await
        .unwrap();
    let replace = |url: String| async move {
        let table = storage::outside_pictures::PictureTable::Shops;
        storage::outside_pictures::replace(db, table, SHOP, &url, "/blogs/1/1/x.jpg").await
    };
    use storage::outside_pictures::Replaced;
    assert_eq!(replace(url.clone()).await.unwrap(), Replaced::Changed);
    let update = format!("UPDATE tb_shop SET images = '{url}' WHERE id = {SHOP}");
    execute(app.sql_url(), &[update]).await;
    assert_eq!(replace(url.clone()).await.unwrap(), Replaced::Done);
    assert_eq!(replace(url).await.unwrap(), Replaced::Changed);
}

/// Two threads: one waits for the command, the other serves it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_lists_hosts_imports_and_says_what_is_left() {
    let server = PictureServer::start().await;
    let home = Home::new();
    let address = server.address.to_string();
    let env = [("TANDIAN_PICTURES__OUTSIDE_HOSTS", address.as_str())];
    let run = |args: &'static [&'static str]| {
        let output = home.run(args, &env);
        let said = String::from_utf8(output.stdout.clone()).unwrap();
        (output.status.code(), said)
    };
    assert_eq!(run(&["migrate"]).0, Some(0));
    let (code, said) = run(&["pictures", "list"]);
    assert_eq!(
        (code, said.as_str()),
        (Some(0), "No row names a picture of another host.\n")
    );
    let path = home.folder.path().join("data/tandian.db");
    let url = format!("sqlite://{}", path.display());
    let insert = format!(
        "INSERT INTO tb_shop_type (id, name, icon, sort, create_time, update_time) VALUES \
         (1, '美食', '{}', 1, '2022-01-01 00:00:00', '2022-01-01 00:00:00'), \
         (2, 'KTV', '{}', 1, '2022-01-01 00:00:00', '2022-01-01 00:00:00'), \
         (3, '酒吧', 'https://elsewhere.example/x.jpg', 1, '2022-01-01 00:00:00', '2022-01-01 00:00:00')",
        server.url("a.jpg"),
        server.url("missing.jpg"),
    );
    execute(&url, &[insert]).await;
    let (_, said) = run(&["pictures", "list"]);
    assert!(
        said.contains(&format!("{address}  2 picture(s), shown")),
        "{said}"
    );
    assert!(
        said.contains("elsewhere.example  1 picture(s), not shown"),
        "{said}"
    );
    let (code, said) = run(&["pictures", "import"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("Imported 1 picture(s), 1 failed."), "{said}");
    assert!(
        said.contains("shop type 2: ") && said.contains("404"),
        "{said}"
    );
    assert!(
        said.contains("Left 1 picture(s) on elsewhere.example"),
        "{said}"
    );
}
