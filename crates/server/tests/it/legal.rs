//! The pages about privacy and terms over HTTP: what is kept comes from the data map, who runs the site from the settings, and
//! the operator's own documents are handed on as text.

use std::fs;

use serde_json::{Value, json};
use storage::data_map::{Owner, Purpose, TABLES};
use testkit::TestApp;

use crate::process::{Home, only_line};

async fn get(app: &TestApp, page: &str) -> Value {
    let path = format!("/api/site/{page}");
    app.visitor().get(&path).await.data()
}

#[tokio::test]
async fn what_is_kept_is_told_by_purpose_with_the_days_in_force() {
    let app = TestApp::builder()
        .setting("retention.notices_days", 77)
        .setting("account.deletion_grace_days", 3)
        .spawn()
        .await;
    let privacy = get(&app, "privacy").await;
    assert_eq!(privacy["deletionGraceDays"], 3);
    assert_eq!(privacy["operator"], json!({}));
    assert_eq!(privacy.get("document"), None);
    let uses = privacy["uses"].as_array().unwrap();
    let of = |purpose: &str| uses.iter().find(|it| it["purpose"] == purpose).unwrap();
    let days = json!({ "until": "days", "days": 77 });
    assert!(of("notices")["kept"].as_array().unwrap().contains(&days));
    assert_eq!(of("money")["kept"], json!([{ "until": "books" }]));
    assert_eq!(of("money")["remains"], "books");
    assert_eq!(of("content").get("remains"), None);
    assert_eq!(of("content")["exported"], true);

    let owned = TABLES.iter().filter(|table| table.owner != Owner::Nobody);
    let mut purposes: Vec<Purpose> = owned
        .flat_map(|table| table.columns.iter().map(|column| column.purpose))
        .filter(|purpose| *purpose != Purpose::Operation)
        .collect();
    purposes.sort_unstable();
    purposes.dedup();
    assert_eq!(uses.len(), purposes.len());
}

#[tokio::test]
async fn the_operator_is_named_and_the_terms_know_how_long_an_order_waits() {
    let app = TestApp::builder()
        .setting("site.operator_name", "<b>西湖探店</b> & Co.")
        .setting("site.contact", "help@example.com")
        .setting("order.pay_deadline_secs", 600)
        .setting("order.remind_secs", 0)
        .spawn()
        .await;
    let operator = json!({ "name": "<b>西湖探店</b> & Co.", "contact": "help@example.com" });
    let terms = get(&app, "terms").await;
    let expected = json!({ "operator": operator, "payDeadlineSecs": 600 });
    assert_eq!(terms, expected);
    assert_eq!(get(&app, "privacy").await["operator"], operator);
}

/// As JSON it is data; the pages show it by interpolation (`web/src/legal/blocks.test.ts`).
#[tokio::test]
async fn the_operators_documents_are_handed_on_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = "# Terms\n<script>alert(1)</script>\n- </textarea><img src=x onerror=alert(1)>";
    let file = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let app = TestApp::builder()
        .setting("site.privacy_file", file("privacy.md", "我们的隐私政策\n"))
        .setting("site.terms_file", file("terms.md", hostile))
        .spawn()
        .await;
    assert_eq!(get(&app, "privacy").await["document"], "我们的隐私政策");
    let reply = app.visitor().get("/api/site/terms").await;
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.data()["document"], hostile);
}

#[test]
fn a_document_that_is_missing_keeps_the_site_from_starting_and_doctor_names_it() {
    let home = Home::new();
    let missing = [("TANDIAN_SITE__PRIVACY_FILE", "none.md")];
    let output = home.run(&["serve"], &missing);
    assert!(!output.status.success());
    let line = only_line(&output);
    assert!(
        line.contains("cannot use site.privacy_file none.md"),
        "{line}"
    );
    let output = home.run(&["doctor"], &missing);
    assert_eq!(output.status.code(), Some(1));
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(
        report.contains("cannot use site.privacy_file none.md"),
        "{report}"
    );
}
