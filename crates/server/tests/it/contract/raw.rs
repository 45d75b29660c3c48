//! What no HTTP client sends, on bare sockets: the server may refuse or hang up, but it stays and answers the next.

use std::time::Duration;

use testkit::TestApp;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Shorter than the server's patience with slow clients, far longer than an answer takes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Sends bytes, says that no more will come, and reads to the end.
async fn talk(app: &TestApp, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    // The server may hang up while we still write; what it said before that counts.
    let _ = stream.write_all(request).await;
    let _ = stream.shutdown().await;
    read_to_end(stream, request).await
}

/// Sends a request that asks for the connection to be closed, and reads to the end.
async fn ask(app: &TestApp, request: &str) -> String {
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    read_to_end(stream, request.as_bytes()).await
}

async fn read_to_end(mut stream: TcpStream, request: &[u8]) -> String {
    let mut answer = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    assert!(
        read.is_ok(),
        "the connection stays open: {:.80?}",
        String::from_utf8_lossy(request)
    );
    String::from_utf8_lossy(&answer).into_owned()
}

/// The status of the first answer; `None` if there is none.
fn status(answer: &str) -> Option<u16> {
    answer
        .strip_prefix("HTTP/1.1 ")
        .or(answer.strip_prefix("HTTP/1.0 "))?
        .get(..3)?
        .parse()
        .ok()
}

async fn assert_alive(app: &TestApp) {
    assert_eq!(app.visitor().get("/api/site").await.status, 200);
}

#[tokio::test]
async fn what_is_no_http_is_refused_and_the_next_is_answered() {
    let app = TestApp::spawn().await;
    let requests: [&[u8]; 18] = [
        b"",
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /api/site\r\n\r\n",
        b"GET /api/site HTTP/9.9\r\n\r\n",
        b"GET  /api/site  HTTP/1.1\r\n\r\n",
        b"G\x00T /api/site HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /api/\xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /api/site HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n",
        b"GET /api/site HTTP/1.1\r\nhost: x\r\n folded: y\r\n\r\n",
        b"GET /api/site HTTP/1.1\r\nhost: x\r\nx: a\x00b\r\n\r\n",
        b"POST /api/user/login HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"POST /api/user/login HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999999999999\r\n\r\n",
        b"POST /api/user/login HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        b"POST /api/user/login HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03TLS hello",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: elsewhere.example\r\n\r\n",
    ];
    for request in requests {
        let answer = talk(&app, request).await;
        let is_refusal = status(&answer).is_none_or(|it| (400..500).contains(&it));
        assert!(is_refusal, "{}: {answer}", String::from_utf8_lossy(request));
        assert_alive(&app).await;
    }
}

#[tokio::test]
async fn oversized_heads_are_refused_and_the_next_is_answered() {
    let app = TestApp::spawn().await;
    let long_url = format!(
        "GET /api/{} HTTP/1.1\r\nhost: x\r\n\r\n",
        "a".repeat(70_000)
    );
    let long_header = format!(
        "GET /api/site HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n",
        "a".repeat(2_000_000)
    );
    let many_headers = format!(
        "GET /api/site HTTP/1.1\r\nhost: x\r\n{}\r\n",
        "x: y\r\n".repeat(5_000)
    );
    for request in [long_url, long_header, many_headers] {
        let answer = talk(&app, request.as_bytes()).await;
        let status = status(&answer);
        assert!(matches!(status, None | Some(414 | 431)), "{answer:.200}");
        assert_alive(&app).await;
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_is_malformed() {
    let app = TestApp::spawn().await;
    let head = "POST /api/user/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    for rest in [
        "content-length: 100\r\n\r\n{\"phone\":",
        "transfer-encoding: chunked\r\n\r\n10\r\n{\"phone\":",
        "transfer-encoding: chunked\r\n\r\n9\r\n{\"phone\":\r\nzz\r\n",
        "transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{",
    ] {
        let answer = talk(&app, format!("{head}{rest}").as_bytes()).await;
        assert!(
            matches!(status(&answer), None | Some(400)),
            "{rest:?}: {answer}"
        );
        assert_alive(&app).await;
    }
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let app = TestApp::spawn().await;
    let site = "GET /api/site HTTP/1.1\r\nhost: x\r\n\r\n";
    let nowhere = "GET /api/nowhere HTTP/1.1\r\nhost: x\r\n\r\n";
    let login = "POST /api/user/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
    let last = "GET /api/site HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let answers = ask(&app, &format!("{site}{nowhere}{login}{last}")).await;
    let statuses: Vec<_> = answers
        .match_indices("HTTP/1.1 ")
        .map(|(at, _)| status(&answers[at..]))
        .collect();
    assert_eq!(
        statuses,
        [Some(200), Some(404), Some(400), Some(200)],
        "{answers}"
    );
}

/// The second request hides in the unread body of the first. It must not be taken for one.
#[tokio::test]
async fn an_unread_body_is_never_taken_for_a_request() {
    let app = TestApp::spawn().await;
    let hidden = "GET /api/nowhere HTTP/1.1\r\nhost: x\r\n\r\n";
    let length = hidden.len();
    let last = "GET /api/site HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    for head in [
        "GET /api/site",
        "POST /api/site",
        "POST /api/user/me",
        "DELETE /healthz",
    ] {
        let request =
            format!("{head} HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\n\r\n{hidden}{last}");
        let answers = ask(&app, &request).await;
        assert!(!answers.contains("no_such_route"), "{head}: {answers}");
    }
}

#[tokio::test]
async fn old_and_unusual_forms_are_answered() {
    let app = TestApp::spawn().await;
    for request in [
        "GET /api/site HTTP/1.0\r\n\r\n",
        "GET http://elsewhere.example/api/site HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
        "GET /api/site HTTP/1.1\r\nHOST:x\r\nExpect: 100-continue\r\nconnection: close\r\n\r\n",
        "GET /api/site HTTP/1.1\nhost: x\nconnection: close\n\n",
        "\r\nGET /api/site HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    ] {
        let answer = ask(&app, request).await;
        assert_eq!(status(&answer), Some(200), "{request:?}: {answer}");
    }
}
