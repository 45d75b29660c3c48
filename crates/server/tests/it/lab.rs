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

#[tokio::test]
async fn the_schedules_of_a_version_are_loaded_apart_with_every_step() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let all = visitor.get("/api/lab").await.data();
    let findings = all["versions"][0]["findings"].as_array().unwrap().clone();
    let harmless = findings.iter().find(|it| it["attack"] == "kill").unwrap();
    assert_eq!(harmless["moments"].as_array().unwrap().len(), 0);
    assert_eq!(
        all["versions"][0]["findings"][0]["moments"][0]["saw"],
        serde_json::Value::Null
    );

    let reply = visitor.get("/api/lab/versions/no-lock").await;
    let recorded = reply.data();
    assert_eq!(recorded["sources"][0]["file"], "versions/no_lock.rs");
    let race = &recorded["schedules"][0];
    assert_eq!(
        (&race["attack"], &race["begin"]["sql stock"]),
        (&"race".into(), &"1".into())
    );
    let step = &race["steps"][0];
    assert_eq!(step["saw"]["SELECT stock"], "1");
    let code = recorded["sources"][0]["code"].as_str().unwrap();
    let line = usize::try_from(step["at"]["line"].as_u64().unwrap()).unwrap();
    assert!(
        code.lines()
            .nth(line - 1)
            .unwrap()
            .contains("stock is read")
    );
    let harm = race["steps"].as_array().unwrap().iter();
    let harm: Vec<_> = harm.filter(|it| it["harm"][0] == "oversold").collect();
    assert_eq!(harm.len(), 1, "{race}");

    let returning = app
        .visitor()
        .with_header("if-none-match", reply.header("etag"));
    let again = returning.get("/api/lab/versions/no-lock").await;
    assert_eq!(again.status, 304);
    let unknown = visitor.get("/api/lab/versions/no-such").await;
    assert_eq!(unknown.code(), "lab_version_unknown");
}
