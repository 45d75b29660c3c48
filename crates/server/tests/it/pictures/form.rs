//! Forms as browsers send them, and as they should not.

use reqwest::Method;
use serde_json::json;
use testkit::{Client, HttpReply, TestApp};

use super::{OTHER_PHONE, PHONE, PHOTO};

const MEDIA: &str = "multipart/form-data; boundary=between";

/// Parts of a form: name, file name, content.
type Part<'a> = (&'a str, &'a str, &'a [u8]);

fn form(parts: &[Part<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, file, content) in parts {
        let head = format!(
            "--between\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\
             content-type: image/png\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--between--\r\n");
    body
}

pub(super) async fn send_parts(me: &Client, parts: &[Part<'_>]) -> HttpReply {
    send_body(me, MEDIA, form(parts)).await
}

async fn send_body(me: &Client, media: &str, body: Vec<u8>) -> HttpReply {
    let path = "/api/upload/blog";
    me.send(Method::POST, path, Some((media, body))).await
}

/// With a name and a type that say something else than the file: neither is believed.
pub(crate) async fn send(me: &Client, file: &[u8]) -> HttpReply {
    send_parts(me, &[("file", "../../../etc/passwd.php", file)]).await
}

#[track_caller]
fn problem(answer: &HttpReply, place: &str) -> String {
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (400, "malformed")
    );
    let json = answer.json();
    json["fields"][place]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[tokio::test]
async fn a_form_has_one_part_called_file() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let wrong = send_parts(&me, &[("picture", "a.jpg", PHOTO)]).await;
    assert_eq!(problem(&wrong, "file"), "is missing");
    let none = send_parts(&me, &[]).await;
    assert!(none.code() == "malformed", "{none:?}");
    let twice = [("file", "a.jpg", PHOTO), ("file", "b.jpg", PHOTO)];
    let twice = send_parts(&me, &twice).await;
    assert_eq!(problem(&twice, "file"), "is there more than once");
    let empty = send_parts(&me, &[("file", "a.jpg", b"")]).await;
    assert_eq!(empty.code(), "image_unsupported");
    let beside = [("note", "", b"7".as_slice()), ("file", "a.jpg", PHOTO)];
    assert!(send_parts(&me, &beside).await.data().is_string());
}

#[tokio::test]
async fn a_body_that_is_no_form_is_refused_with_a_reason() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let json = send_body(&me, "application/json", b"{}".to_vec()).await;
    assert_eq!(json.status, 415);
    let no_boundary = send_body(&me, "multipart/form-data", form(&[])).await;
    assert_eq!(no_boundary.status, 415);
    let whole = form(&[("file", "a.jpg", PHOTO)]);
    for length in [0, 5, 40, 120, whole.len() - 20] {
        let cut = send_body(&me, MEDIA, whole[..length].to_vec()).await;
        assert_eq!(cut.status, 400, "{length}: {}", cut.text);
    }
}

/// Old clients show the words of a 200 alone, and a browser reads no answer before it has sent everything.
#[tokio::test]
async fn a_file_of_some_megabytes_too_many_is_refused_in_words() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let mut file = PHOTO.to_vec();
    file.resize(10 * 1024 * 1024, 0);
    assert!(send(&me, &file).await.data().is_string());
    file.push(0);
    let refused = send(&me, &file).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (200, "image_too_large")
    );
    file.resize(20 * 1024 * 1024, 0);
    assert_eq!(send(&me, &file).await.code(), "image_too_large");
}

#[tokio::test]
async fn at_the_upload_limit_the_next_upload_is_refused_before_it_is_read() {
    let builder = TestApp::builder().setting("pictures.max_in_hand", 1);
    let app = builder.spawn().await;
    let me = app.sign_in(PHONE).await;
    let held = begin(&app, &me).await;
    let refused = send(&me, PHOTO).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (503, "busy")
    );
    assert!(!refused.header("retry-after").is_empty());
    drop(held);
    assert!(send(&me, PHOTO).await.data().is_string());
}

/// An upload whose bytes are still on their way.
async fn begin(app: &TestApp, me: &Client) -> app::pictures::Upload {
    let token = domain::SessionToken::parse(me.token()).unwrap();
    let session = app::account::find_session(app.core(), &token).await;
    let session = session.unwrap().unwrap();
    let begun = app::pictures::begin_upload(app.core(), &session).await;
    begun.unwrap()
}

#[tokio::test]
async fn a_person_sends_no_more_at_once_than_the_site_allows_and_others_still_may() {
    let builder = TestApp::builder().setting("pictures.max_in_hand_per_user", 2);
    let app = builder.spawn().await;
    let (me, other) = (app.sign_in(PHONE).await, app.sign_in(OTHER_PHONE).await);
    let held = [begin(&app, &me).await, begin(&app, &me).await];
    let refused = send(&me, PHOTO).await;
    assert_eq!(
        (refused.status.as_u16(), refused.json()),
        (
            200,
            json!({
                "success": false, "code": "too_many_uploads",
                "errorMsg": "同时上传的图片过多，请等前面的图片传完再试",
            })
        )
    );
    assert!(send(&other, PHOTO).await.data().is_string());
    drop(held);
    for _ in 0..3 {
        assert!(send(&me, PHOTO).await.data().is_string());
    }
}
