//! A site that keeps its pictures in a bucket: people notice nothing, until the bucket is away.

use serde_json::Value;
use testkit::{LocalS3, TestApp, TestAppBuilder};

use super::form::send;
use super::{PHONE, PHOTO, delete, files_in, upload};

pub(crate) fn on_bucket(server: &LocalS3) -> TestAppBuilder {
    TestApp::builder()
        .setting("pictures.store", "s3")
        .setting("pictures.s3.endpoint", server.endpoint())
        .setting("pictures.s3.region", LocalS3::REGION)
        .setting("pictures.s3.bucket", LocalS3::BUCKET)
        .setting("pictures.s3.access_key", LocalS3::ACCESS_KEY)
        .setting("pictures.s3.secret_key", LocalS3::SECRET_KEY)
}

#[tokio::test]
async fn pictures_live_in_the_bucket_and_look_the_same() {
    let server = LocalS3::start().await;
    let app = on_bucket(&server).spawn().await;
    let me = app.sign_in(PHONE).await;
    let name = upload(&me).await;
    assert_eq!(files_in(&app.data_dir().join("imgs")), 0);
    for address in [format!("/imgs{name}"), format!("/imgs{name}?size=small")] {
        let shown = app.visitor().get(&address).await;
        assert_eq!(shown.status, 200);
        assert_eq!(shown.header("content-type"), "image/jpeg");
        assert_eq!(shown.header("x-content-type-options"), "nosniff");
        let policy = shown.header("content-security-policy");
        assert_eq!(policy, "default-src 'none'; sandbox");
        assert!(shown.header("cache-control").contains("s-maxage=60"));
    }
    let folder = app.data_dir().join("imgs");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("icon.png"), "demo").unwrap();
    assert_eq!(app.visitor().get("/imgs/icon.png").await.text, "demo");
    assert_eq!(delete(&me, &name).await.data(), Value::Null);
    assert_eq!(app.visitor().get(&format!("/imgs{name}")).await.status, 404);
}

#[tokio::test]
async fn while_the_bucket_is_away_that_is_said_and_nothing_is_lost() {
    let server = LocalS3::start().await;
    let app = on_bucket(&server).spawn().await;
    let me = app.sign_in(PHONE).await;
    let name = upload(&me).await;
    server.refuse_everybody();
    let refused = send(&me, PHOTO).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (503, "unavailable")
    );
    let shown = app.visitor().get(&format!("/imgs{name}")).await;
    assert_eq!(shown.status, 503);
    assert!(!shown.header("cache-control").contains("immutable"));
    assert_eq!(delete(&me, &name).await.data(), Value::Null);
    server.serve_again();
    let a_day_ago = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(24);
    assert_eq!(
        app::pictures::clean(app.core(), a_day_ago).await.unwrap(),
        1
    );
    assert_eq!(app.visitor().get(&format!("/imgs{name}")).await.status, 404);
}
