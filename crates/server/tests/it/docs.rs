//! `/docs`: the viewer of the description works on a machine without internet, under our own content security policy.

use testkit::{HttpReply, TestApp};

/// The values of `name="…"` in a page.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let opening = format!(" {name}=\"");
    let after = page.split(&opening).skip(1);
    let values = after.map(|rest| rest.split_once('"').expect("an attribute ends").0);
    values.collect()
}

/// What the page loads, by path.
#[track_caller]
fn parts(page: &str) -> Vec<String> {
    let links = attributes(page, "href").into_iter();
    let links = links.chain(attributes(page, "src"));
    links
        .map(|link| {
            assert!(!link.contains("//"), "{link} is on another host");
            format!("/docs/{}", link.trim_start_matches("./"))
        })
        .collect()
}

#[track_caller]
fn expected_media(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("png") => "image/png",
        other => panic!("{path} is of the unexpected kind {other:?}"),
    }
}

#[track_caller]
fn policy<'a>(answer: &'a HttpReply, directive: &str) -> Vec<&'a str> {
    let policy = answer.header("content-security-policy");
    let mut directives = policy.split(';').map(|it| it.split_whitespace());
    let found = directives.find_map(|mut words| (words.next()? == directive).then_some(words));
    found
        .unwrap_or_else(|| panic!("no {directive} in {policy}"))
        .collect()
}

#[tokio::test]
async fn the_docs_page_works_offline() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let page = visitor.get("/docs/").await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    let parts = parts(&page.text);
    assert!(
        parts.iter().any(|path| path.ends_with(".js")),
        "{}",
        page.text
    );
    for path in parts {
        let part = visitor.get(&path).await;
        assert_eq!(part.status, 200, "{path}");
        let media = part.header("content-type");
        assert!(
            media.starts_with(expected_media(&path)),
            "{path} is {media}"
        );
    }
}

#[tokio::test]
async fn the_docs_page_shows_our_description_and_loads_nothing_else() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let start = visitor.get("/docs/swagger-initializer.js").await.text;
    assert!(start.contains("\"/openapi.json\""), "{start}");
    assert!(start.contains("\"validatorUrl\": \"none\""), "{start}");
    assert!(!start.contains("://"), "{start}");
    let description = visitor.get("/openapi.json").await;
    assert_eq!(description.header("content-type"), "application/json");
}

/// The policy allows scripts from our files only, so the page must not hold any of its own.
#[tokio::test]
async fn the_docs_page_keeps_to_the_content_security_policy() {
    let app = TestApp::spawn().await;
    let page = app.visitor().get("/docs/").await;
    assert_eq!(policy(&page, "script-src"), ["'self'"]);
    assert_eq!(policy(&page, "connect-src"), ["'self'"]);
    let scripts = page.text.matches("<script").count();
    assert_eq!(
        scripts,
        attributes(&page.text, "src").len(),
        "an inline script"
    );
    for handler in ["onload=", "onclick=", "javascript:"] {
        assert!(!page.text.contains(handler), "{handler}");
    }
}

/// Without one a phone shows the page as wide as a desktop's.
#[tokio::test]
async fn the_docs_page_has_a_viewport() {
    let app = TestApp::spawn().await;
    let page = app.visitor().get("/docs/").await;
    let viewport = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
    assert_eq!(page.text.matches(viewport).count(), 1, "{}", page.text);
}

#[tokio::test]
async fn the_short_address_leads_to_the_docs() {
    let app = TestApp::spawn().await;
    let answer = app.visitor().get("/docs").await;
    assert!(answer.status.is_redirection());
    assert_eq!(answer.header("location"), "/docs/");
}
