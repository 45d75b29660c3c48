//! The lab's report, as the page asks for it.

use testkit::TestApp;

#[tokio::test]
async fn the_report_is_sent_once_and_again_when_it_is_another_one() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let released = visitor.get("/api/lab").await;
    assert_eq!(released.status, 200);
    assert_eq!(released.header("cache-control"), "no-cache");

    let returning = visitor.with_header("if-none-match", released.header("etag"));
    let again = returning.get("/api/lab").await;
    assert_eq!((again.status.as_u16(), again.text.len()), (304, 0));
    assert_eq!(again.header("etag"), released.header("etag"));

    let mut own = released.data();
    own["madeAt"] = "2030-01-01T00:00:00Z".into();
    let folder = app.data_dir().join("lab");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("report.json"), own.to_string()).unwrap();
    let newer = returning.get("/api/lab").await;
    assert_eq!(newer.status, 200);
    assert_eq!(newer.data()["madeAt"], "2030-01-01T00:00:00Z");
}
