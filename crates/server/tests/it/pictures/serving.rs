//! How pictures are shown: in two sizes, for a while, and so that nothing in them runs.

use testkit::TestApp;

use super::form::send;
use super::{PHONE, upload};

const LARGE: &[u8] = include_bytes!("../../../../pictures/tests/it/files/profile_bomb.png");

#[tokio::test]
async fn a_picture_may_be_kept_for_a_while_and_runs_nothing() {
    let app = TestApp::spawn().await;
    let name = upload(&app.sign_in(PHONE).await).await;
    for address in [format!("/imgs{name}"), format!("/imgs{name}?size=small")] {
        let shown = app.visitor().get(&address).await;
        assert_eq!(shown.status, 200);
        assert_eq!(shown.header("content-type"), "image/jpeg");
        assert_eq!(shown.header("x-content-type-options"), "nosniff");
        let policy = shown.header("content-security-policy");
        assert_eq!(policy, "default-src 'none'; sandbox");
        let cache = shown.header("cache-control");
        assert_eq!(cache, "public, max-age=3600, s-maxage=60, must-revalidate");
        let tag = shown.header("etag").to_owned();
        let again = app.visitor().with_header("if-none-match", &tag);
        assert_eq!(again.get(&address).await.status, 304);
    }
    // What is part of the site has no owner who could hide it.
    std::fs::write(app.data_dir().join("imgs/icon.png"), "demo").unwrap();
    let kept = app.visitor().get("/imgs/icon.png").await;
    let cache = kept.header("cache-control");
    assert_eq!(cache, "public, max-age=31536000, immutable");
    let missing = app.visitor().get(&format!("/imgs{name}x")).await;
    assert_eq!(missing.status, 404);
    assert!(!missing.header("cache-control").contains("immutable"));
}

#[tokio::test]
async fn the_small_size_is_served_on_request_and_the_full_one_in_its_absence() {
    let app = TestApp::spawn().await;
    let name = upload(&app.sign_in(PHONE).await).await;
    let file = |name: &str| super::file_of(&app, name);
    std::fs::write(file(&name), "full").unwrap();
    let small = name.replace(".jpg", "_s.jpg");
    std::fs::write(file(&small), "small").unwrap();
    let visitor = app.visitor();
    let text = async |address: String| visitor.get(&address).await.text;
    assert_eq!(text(format!("/imgs{name}")).await, "full");
    assert_eq!(text(format!("/imgs{name}?size=small")).await, "small");
    assert_eq!(text(format!("/imgs{name}?a=b&size=small")).await, "small");
    // As with pictures of the original, which kept them in one size under names like ours.
    std::fs::remove_file(file(&small)).unwrap();
    assert_eq!(text(format!("/imgs{name}?size=small")).await, "full");
    std::fs::write(app.data_dir().join("imgs/icon.png"), "demo").unwrap();
    assert_eq!(text("/imgs/icon.png?size=small".to_owned()).await, "demo");
}

#[tokio::test]
async fn pictures_are_only_looked_at_there() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let sent = send(&me, LARGE).await;
    assert!(sent.status == 200, "{}", sent.text);
    let name = upload(&me).await;
    assert_eq!(me.delete(&format!("/imgs{name}")).await.status, 405);
    for path in [
        "/imgs/blogs",
        "/imgs/..%2ftandian.db",
        "/imgs/%2e%2e/tandian.db",
    ] {
        assert_eq!(me.get(path).await.status, 404, "{path}");
    }
}
