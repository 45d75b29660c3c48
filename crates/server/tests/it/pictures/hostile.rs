//! Files that are sent to do harm, over HTTP: each is refused by its code, and nothing is kept of it.

use testkit::TestApp;

use super::form::{send, send_parts};
use super::{PHONE, PHOTO, files_in};

const UNSUPPORTED: &str = "image_unsupported";
const TOO_LARGE: &str = "image_too_large";

const FILES: [(&str, &[u8], &str); 9] = [
    (
        "SVG",
        b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>",
        UNSUPPORTED,
    ),
    (
        "HTML",
        b"<html><script>alert(1)</script></html>",
        UNSUPPORTED,
    ),
    (
        "script that begins as a GIF",
        b"GIF89a/*<script>*/=alert(1)",
        UNSUPPORTED,
    ),
    (
        "GIF",
        include_bytes!("../../../../pictures/tests/it/files/animated.gif"),
        UNSUPPORTED,
    ),
    (
        "PNG cut short",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        UNSUPPORTED,
    ),
    (
        "PNG of 40,000 a side",
        include_bytes!("../../../../pictures/tests/it/files/header_40k.png"),
        TOO_LARGE,
    ),
    (
        "PNG of 65,535 a side",
        include_bytes!("../../../../pictures/tests/it/files/header_65535.png"),
        TOO_LARGE,
    ),
    (
        "JPEG of 65,535 a side",
        include_bytes!("../../../../pictures/tests/it/files/header_65535.jpg"),
        TOO_LARGE,
    ),
    (
        "bomb of 400 megapixels",
        include_bytes!("../../../../pictures/tests/it/files/bomb_400mp.png"),
        TOO_LARGE,
    ),
];

#[tokio::test]
async fn hostile_files_are_refused_and_leave_nothing() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    for (name, file, code) in FILES {
        let refused = send(&me, file).await;
        assert_eq!(refused.status, 200, "{name}");
        assert_eq!(refused.code(), code, "{name}");
    }
    assert_eq!(files_in(&app.data_dir().join("imgs")), 0);
    assert_eq!(app.visitor().get("/readyz").await.status, 200);
}

#[tokio::test]
async fn a_file_that_is_two_things_at_once_is_a_picture_afterwards() {
    const PAYLOAD: &[u8] = b"<script>alert(document.domain)</script>";
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let both = [PHOTO, PAYLOAD].concat();
    let sent = send_parts(&me, &[("file", "page.html", &both)]).await;
    let name = sent.data().as_str().unwrap().to_owned();
    assert!(name.ends_with(".jpg"), "{name}");
    let kept = std::fs::read(super::file_of(&app, &name)).unwrap();
    assert!(!kept.windows(8).any(|part| part == &PAYLOAD[..8]));
    assert!(!kept.windows(6).any(|part| part == b"secret"));
}
