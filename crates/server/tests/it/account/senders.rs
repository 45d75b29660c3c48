//! Codes that really leave the house: by mail and by webhook.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use testkit::{TestApp, TestAppBuilder};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::{PHONE, login, send_code};

const SECRET: &str = "a-shared-secret-of-thirty-two-chars";

/// What the operator's gateway saw.
#[derive(Clone, Default)]
struct Gateway {
    calls: Arc<Mutex<Vec<(HeaderMap, String)>>>,
    /// Its reply; 200 by default.
    answer: Arc<Mutex<StatusCode>>,
    is_silent: Arc<Mutex<bool>>,
}

impl Gateway {
    fn answer(&self, status: StatusCode) {
        *self.answer.lock().unwrap() = status;
    }

    /// The code of its last call.
    fn code(&self) -> String {
        let calls = self.calls.lock().unwrap();
        let body: Value = serde_json::from_str(&calls.last().unwrap().1).unwrap();
        body["code"].as_str().unwrap().to_owned()
    }
}

async fn take(State(gateway): State<Gateway>, headers: HeaderMap, body: String) -> StatusCode {
    gateway.calls.lock().unwrap().push((headers, body));
    if *gateway.is_silent.lock().unwrap() {
        std::future::pending::<()>().await;
    }
    *gateway.answer.lock().unwrap()
}

async fn with_webhook(gateway: &Gateway) -> TestAppBuilder {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/send", listener.local_addr().unwrap());
    let router = Router::new()
        .route("/send", post(take))
        .with_state(gateway.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    TestApp::builder()
        .setting("code.sender", "webhook")
        .setting("code.webhook.url", url)
        .setting("code.webhook.secret", SECRET)
}

#[tokio::test]
async fn a_webhook_gets_a_signed_call_and_the_code_signs_in() {
    let gateway = Gateway::default();
    let app = with_webhook(&gateway).await.spawn().await;
    let visitor = app.visitor();
    let sent = send_code(&visitor, PHONE).await.data();
    assert_eq!(
        sent,
        json!({ "retryAfterSecs": 60 }),
        "the reply does not show the code"
    );

    let (headers, body) = gateway.calls.lock().unwrap().remove(0);
    let signature = headers["x-tandian-signature"].to_str().unwrap();
    let (at, hex) = signature
        .strip_prefix("t=")
        .unwrap()
        .split_once(",v1=")
        .unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(format!("{at}.{body}").as_bytes());
    let expected: String = mac
        .finalize()
        .into_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(hex, expected);

    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (&body["kind"], &body["to"]),
        (&json!("phone"), &json!(PHONE))
    );
    assert_eq!(body["ttlSecs"], 120);
    assert!(
        login(&visitor, PHONE, body["code"].as_str().unwrap())
            .await
            .data()
            .is_string()
    );
}

#[tokio::test]
async fn a_code_that_the_gateway_refuses_is_no_code_and_costs_no_wait() {
    let gateway = Gateway::default();
    gateway.answer(StatusCode::UNPROCESSABLE_ENTITY);
    let app = with_webhook(&gateway).await.spawn().await;
    let visitor = app.visitor();
    let failed = send_code(&visitor, PHONE).await;
    assert_eq!(failed.status, 503);
    assert_eq!(failed.code(), "unavailable");
    assert!(!failed.header("retry-after").is_empty());

    let code = gateway.code();
    assert_eq!(login(&visitor, PHONE, &code).await.code(), "code_expired");
    gateway.answer(StatusCode::OK);
    send_code(&visitor, PHONE).await.data();
}

/// The gateway may have handed the message on before it failed, and a proxy may have given up on one that goes on.
#[tokio::test]
async fn a_gateway_that_fails_may_have_sent_the_code() {
    let gateway = Gateway::default();
    let app = with_webhook(&gateway).await.spawn().await;
    let visitor = app.visitor();
    for (place, status) in [500, 502, 503, 504, 408].into_iter().enumerate() {
        let phone = format!("1390000001{place}");
        gateway.answer(StatusCode::from_u16(status).unwrap());
        let failed = send_code(&visitor, &phone).await;
        assert_eq!(failed.code(), "unavailable", "{status}");
        let again = send_code(&visitor, &phone).await;
        assert_eq!(again.code(), "code_too_often", "{status}");
        let signed_in = login(&visitor, &phone, &gateway.code()).await;
        assert!(signed_in.data().is_string(), "{status}");
    }
}

/// A gateway that sends the message and dies before it says so must not be asked for more and more of them.
#[tokio::test]
async fn a_code_that_may_have_been_sent_counts_as_sent() {
    let gateway = Gateway::default();
    *gateway.is_silent.lock().unwrap() = true;
    let app = with_webhook(&gateway)
        .await
        .setting("code.webhook.timeout_ms", 100)
        .spawn()
        .await;
    let visitor = app.visitor();
    assert_eq!(send_code(&visitor, PHONE).await.code(), "unavailable");
    assert_eq!(send_code(&visitor, PHONE).await.code(), "code_too_often");
    let code = gateway.code();
    assert!(login(&visitor, PHONE, &code).await.data().is_string());
}

#[tokio::test]
async fn without_a_free_slot_requests_are_refused_at_once_and_probes_answered() {
    // A gateway that takes the call and never answers keeps one request in the house.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/send", listener.local_addr().unwrap());
    let app = TestApp::builder()
        .setting("http.max_in_flight", 1)
        .setting("code.sender", "webhook")
        .setting("code.webhook.url", url)
        .setting("code.webhook.secret", SECRET)
        .spawn()
        .await;
    let visitor = app.visitor();
    let slow = tokio::spawn({
        let visitor = visitor.clone();
        async move { send_code(&visitor, PHONE).await }
    });
    let _held = listener.accept().await.unwrap();
    let refused = visitor.get("/api/user/1").await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (503, "busy")
    );
    assert_eq!(refused.header("retry-after"), "1");
    for probe in ["/healthz", "/readyz"] {
        assert_eq!(visitor.get(probe).await.status, 200, "{probe}");
    }
    slow.abort();
}

#[tokio::test]
async fn a_server_that_stops_finishes_the_write_of_a_client_that_has_gone() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/send", listener.local_addr().unwrap());
    let app = TestApp::builder()
        .setting("code.sender", "webhook")
        .setting("code.webhook.url", url)
        .setting("code.webhook.secret", SECRET)
        .spawn()
        .await;
    let visitor = app.visitor();
    let client = tokio::spawn(async move { send_code(&visitor, PHONE).await });
    let (gateway, _) = listener.accept().await.unwrap();
    client.abort();
    assert!(client.await.unwrap_err().is_cancelled());

    let stopping = app.stop();
    tokio::pin!(stopping);
    let long_enough = std::time::Duration::from_secs(2);
    let early = tokio::time::timeout(long_enough, &mut stopping).await;
    assert!(early.is_err(), "it ended with the write under way");
    drop(gateway);
    stopping.await;
}

#[tokio::test]
async fn a_mail_brings_the_code_in_the_readers_language() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = TestApp::builder()
        .setting("code.sender", "smtp")
        .setting("code.smtp.url", format!("smtp://{address}"))
        .setting("code.smtp.from", "Tandian <codes@tandian.example>")
        .spawn()
        .await;
    let visitor = app.visitor().with_header("accept-language", "en");
    let mailbox =
        tokio::spawn(async move { receive_mail(listener.accept().await.unwrap().0).await });
    let to = json!({ "email": "li@example.com" });
    visitor.post_json("/api/user/code", &to).await.data();
    let mail = mailbox.await.unwrap();
    assert!(mail.contains("To: li@example.com"), "{mail}");
    assert!(mail.contains("codes@tandian.example"), "{mail}");
    let code = mail.split("Your sign-in code is ").nth(1).expect(&mail)[..6].to_owned();
    let body = json!({ "email": "li@example.com", "code": code });
    assert!(
        visitor
            .post_json("/api/user/login", &body)
            .await
            .data()
            .is_string()
    );
    // This sender reaches no phones, and says so.
    assert_eq!(send_code(&visitor, PHONE).await.code(), "phone_unsupported");
}

/// A mail server that is lost between the mail and its answer has the mail, or has not.
#[tokio::test]
async fn a_mail_whose_answer_is_lost_counts_as_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = TestApp::builder()
        .setting("code.sender", "smtp")
        .setting("code.smtp.url", format!("smtp://{address}"))
        .setting("code.smtp.from", "Tandian <codes@tandian.example>")
        .spawn()
        .await;
    let visitor = app.visitor().with_header("accept-language", "en");
    let mailbox = tokio::spawn(async move { lose_mail(listener.accept().await.unwrap().0).await });
    let to = json!({ "email": "li@example.com" });
    let sent = visitor.post_json("/api/user/code", &to).await;
    assert_eq!(sent.code(), "unavailable");
    let mail = mailbox.await.unwrap();
    let again = visitor.post_json("/api/user/code", &to).await;
    assert_eq!(again.code(), "code_too_often");
    let code = mail.split("Your sign-in code is ").nth(1).expect(&mail)[..6].to_owned();
    let body = json!({ "email": "li@example.com", "code": code });
    let signed_in = visitor.post_json("/api/user/login", &body).await;
    assert!(signed_in.data().is_string());
}

/// A mail server that takes the mail and hangs up without an answer.
async fn lose_mail(stream: TcpStream) -> String {
    serve_mail(stream, b"").await
}

/// The receiving end of SMTP, as far as one mail needs it; returns the mail.
async fn receive_mail(stream: TcpStream) -> String {
    serve_mail(stream, b"250 taken\r\n").await
}

async fn serve_mail(stream: TcpStream, last_answer: &[u8]) -> String {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    writer.write_all(b"220 test\r\n").await.unwrap();
    let mut mail = None::<String>;
    while let Ok(Some(line)) = lines.next_line().await {
        let reply: &[u8] = match (&mut mail, line.as_str()) {
            (Some(text), ".") => {
                writer.write_all(last_answer).await.unwrap();
                return std::mem::take(text);
            }
            (Some(text), line) => {
                text.push_str(line);
                text.push('\n');
                continue;
            }
            (None, "DATA") => {
                mail = Some(String::new());
                b"354 go on\r\n"
            }
            (None, _) => b"250 fine\r\n",
        };
        writer.write_all(reply).await.unwrap();
    }
    mail.unwrap_or_default()
}
