//! The log of the real program, at its most talkative, holds nothing that belongs to a person: no number, address, token,
//! code or password, wherever in a request it stood. The one exception is the demo sender, whose log line is how a code arrives.
//! What is written on behalf of a request names it, by the id that its reply carries.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{Client, PATIENT_SETTINGS, wait_for};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};

use crate::sms_gateways::{Behaviour, KEY_ID, KEY_SECRET, SmsGateway};

/// Far above what any of this takes, so that only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(30);
/// People of each kind: by phone and by e-mail.
const PEOPLE: usize = 5;

/// The program in a folder of its own, logging to a file there.
struct Program {
    process: Child,
    log: PathBuf,
    _folder: TempDir,
}

impl Program {
    fn start(settings: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let log = folder.path().join("log");
        let process = Command::new(env!("CARGO_BIN_EXE_tandian"))
            .arg("serve")
            .current_dir(folder.path())
            .env("TANDIAN_HTTP__ADDR", "127.0.0.1:0")
            .env("TANDIAN_METRICS__ADDR", "")
            .env("TANDIAN_LOG__FORMAT", "json")
            .env("TANDIAN_LOG__FILTER", "trace")
            .envs(PATIENT_SETTINGS)
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log).unwrap())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        Self {
            process,
            log,
            _folder: folder,
        }
    }

    /// Where it listens, once it does.
    async fn url(&self) -> String {
        wait_for("the program serves", PATIENCE, || async {
            let entries = self.lines().into_iter();
            let mut entries = entries.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
            let serving = entries.find(|entry| entry["message"] == "serving")?;
            Some(format!("http://{}", serving["address"].as_str()?))
        })
        .await
    }

    fn lines(&self) -> Vec<String> {
        let log = fs::read_to_string(&self.log).unwrap();
        log.lines().map(str::to_owned).collect()
    }

    /// Ends it in order and returns everything it wrote.
    async fn stop(mut self) -> Vec<String> {
        let pid = self.process.id().unwrap().to_string();
        let signalled = Command::new("kill").args(["-TERM", &pid]).status().await;
        assert!(signalled.unwrap().success());
        let ended = tokio::time::timeout(PATIENCE, self.process.wait()).await;
        assert!(ended.unwrap().unwrap().success());
        self.lines()
    }
}

/// What must not be found, and the codes that may stand in the demo sender's lines.
#[derive(Default)]
struct Secrets {
    personal: BTreeSet<String>,
    codes: BTreeSet<String>,
}

impl Secrets {
    /// What a line gives away.
    fn found_in(&self, line: &str) -> Vec<&String> {
        let entry: Value = serde_json::from_str(line).unwrap_or_else(|_| json!(line));
        let is_delivery = entry["message"] == "demo login code";
        let codes = self
            .codes
            .iter()
            .filter(|code| !is_delivery && says(&entry, code));
        let personal = self.personal.iter().filter(|it| line.contains(it.as_str()));
        personal.chain(codes).collect()
    }
}

/// Whether any text of an entry holds `code`. Times and request ids may hold its six digits by chance.
fn says(entry: &Value, code: &str) -> bool {
    match entry {
        Value::String(text) => text.contains(code),
        Value::Array(items) => items.iter().any(|item| says(item, code)),
        Value::Object(members) => members.iter().any(|(name, member)| {
            !matches!(name.as_str(), "timestamp" | "request") && says(member, code)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A user signs in, reads some pages and signs out.
async fn visit(visitor: &Client, contact: (&str, &str), secrets: &mut Secrets) {
    let (kind, value) = contact;
    let path = format!("/api/user/code?{kind}={value}");
    let sent = visitor.post(&path).await.data();
    let code = sent["demoCode"].as_str().unwrap().to_owned();
    visitor.post(&path).await;
    visitor
        .post_json("/api/user/code", &json!({ kind: value }))
        .await;
    let login = json!({ kind: value, "code": "999999x" });
    visitor.post_json("/api/user/login", &login).await;
    let login = json!({ kind: value, "code": code, "password": code });
    let token = visitor.post_json("/api/user/login", &login).await.data();
    let token = token.as_str().unwrap().to_owned();
    let person = visitor.clone().with_token(&token);
    assert_eq!(person.get("/api/user/me").await.status, 200);
    person.get("/api/user/sessions").await;
    let change = json!({ "nickName": value, "introduce": value, "icon": value });
    person.put_json("/api/user/info", &change).await;
    let password = format!("correct horse of {value}");
    let set = json!({ "password": password });
    person.put_json("/api/user/password", &set).await.data();
    let change = json!({ "password": password, "oldPassword": format!("{password}!") });
    person.put_json("/api/user/password", &change).await;
    let login = json!({ kind: value, "password": password });
    visitor.post_json("/api/user/login", &login).await.data();
    person.post("/api/user/logout").await;
    assert_eq!(person.get("/api/user/me").await.status, 401);
    secrets.codes.insert(code);
    let hashes = "$argon2id$".to_owned();
    secrets
        .personal
        .extend([value.to_owned(), token, password, hashes]);
}

/// The same secret in every place of a request where it does not belong.
async fn misplace(visitor: &Client, secret: &str) {
    for path in [
        format!("/api/user/{secret}"),
        format!("/api/user/info/{secret}"),
        format!("/api/{secret}"),
        format!("/{secret}"),
        format!("/imgs/{secret}.png"),
        format!("/api/site?token={secret}"),
    ] {
        visitor.get(&path).await;
        visitor.post(&path).await;
    }
    for body in [
        json!({ "phone": [secret] }),
        json!({ "phone": { "is": secret } }),
        json!(secret),
        json!({ "gender": secret, "birthday": secret }),
    ] {
        visitor.post_json("/api/user/login", &body).await;
        visitor.put_json("/api/user/info", &body).await;
    }
    let broken = format!("{{\"phone\":\"{secret}\"").into_bytes();
    let json = Some(("application/json", broken));
    visitor.send(Method::POST, "/api/user/login", json).await;
    for header in [
        "authorization",
        "cookie",
        "user-agent",
        "origin",
        "x-forwarded-for",
    ] {
        let visitor = visitor.clone().with_header(header, secret);
        visitor.get("/api/user/me").await;
    }
}

#[tokio::test]
async fn no_log_line_holds_what_belongs_to_a_person() {
    let program = Program::start(&[("TANDIAN_PASSWORD__ENABLED", "true")]);
    let visitor = Client::new(program.url().await);
    let mut secrets = Secrets::default();
    for number in 0..PEOPLE {
        let phone = format!("1381234567{number}");
        visit(&visitor, ("phone", &phone), &mut secrets).await;
        let email = format!("li.ming{number}@example.com");
        visit(&visitor, ("email", &email), &mut secrets).await;
    }
    for secret in ["13900008888", "zhang.san@example.com"] {
        misplace(&visitor, secret).await;
        secrets.personal.insert(secret.to_owned());
    }
    let log = program.stop().await;
    let answered = log
        .iter()
        .filter(|line| line.contains("\"request answered\""));
    assert!(
        answered.count() > 100,
        "the log is too quiet to prove anything"
    );
    for line in &log {
        let found = secrets.found_in(line);
        assert!(found.is_empty(), "{found:?} in {line}");
    }
}

#[tokio::test]
async fn a_line_names_the_request_that_it_was_written_for() {
    let program = Program::start(&[]);
    let visitor = Client::new(program.url().await);
    // A write, which runs as a task of its own.
    let phone = json!({ "phone": "13812345678" });
    let sent = visitor.post_json("/api/user/code", &phone).await;
    let id = sent.header("x-request-id");
    let log = program.stop().await;
    let entries = log.iter().map(|line| serde_json::from_str::<Value>(line));
    let named: Vec<Value> = entries
        .map(Result::unwrap)
        .filter(|entry| entry["request"] == id)
        .collect();
    for message in ["demo login code", "request answered"] {
        let found = named.iter().filter(|entry| entry["message"] == message);
        assert_eq!(found.count(), 1, "{message}: {log:#?}");
    }
}

/// Mail servers quote the address they refuse, and what they say is a cause of the failure that is logged.
#[tokio::test]
async fn a_mail_servers_reply_about_a_person_stays_out_of_the_log() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async move { refuse_mail(listener.accept().await.unwrap().0).await });
    let program = Program::start(&[
        ("TANDIAN_CODE__SENDER", "smtp"),
        ("TANDIAN_CODE__SMTP__URL", &url),
        ("TANDIAN_CODE__SMTP__FROM", "codes@tandian.example"),
    ]);
    let visitor = Client::new(program.url().await);
    let path = "/api/user/code?email=wang.wu@example.com";
    assert_eq!(visitor.post(path).await.code(), "unavailable");
    server.abort();
    let log = program.stop().await.join("\n");
    assert!(log.contains("the mail server answered 550"), "{log}");
    assert!(!log.contains("wang.wu"), "{log}");
}

/// Gateways get numbers and codes in addresses and bodies, and their keys sign what is sent.
#[tokio::test]
async fn what_sms_gateways_get_and_answer_stays_out_of_the_log() {
    let (aliyun, tencent) = (SmsGateway::aliyun().await, SmsGateway::tencent().await);
    // What it was asked is in the address, which a failed call could quote.
    aliyun.behave(Behaviour::SendsAndStaysSilent);
    tencent.behave(Behaviour::RefusesNumber(
        "FailedOperation.InsufficientBalanceInSmsPackage",
    ));
    let mut settings = vec![
        ("TANDIAN_CODE__SENDER".to_owned(), "by_contact".to_owned()),
        (
            "TANDIAN_CODE__PHONE".to_owned(),
            "aliyun,tencent".to_owned(),
        ),
    ];
    for (key, value) in [aliyun.settings(), tencent.settings()].concat() {
        let key = key.to_uppercase().replace('.', "__");
        settings.push((format!("TANDIAN_{key}"), value));
    }
    let settings: Vec<(&str, &str)> = settings
        .iter()
        .map(|(key, value)| (&**key, &**value))
        .collect();
    let program = Program::start(&settings);
    let visitor = Client::new(program.url().await);
    let path = "/api/user/code?phone=13912345678";
    assert_eq!(visitor.post(path).await.code(), "unavailable");
    let mut secrets = Secrets::default();
    secrets.codes.insert(aliyun.sent()[0].variables[0].clone());
    let signature = aliyun.requests()[0].header("authorization").to_owned();
    let personal = ["13912345678", KEY_ID, KEY_SECRET, &*signature];
    secrets.personal.extend(personal.map(str::to_owned));
    let log = program.stop().await;
    for part in [
        "code gateway failed, the next one is tried",
        "tencent answered FailedOperation.InsufficientBalanceInSmsPackage (request a0aabda6",
    ] {
        assert!(
            log.iter().any(|line| line.contains(part)),
            "{part}: {log:#?}"
        );
    }
    for line in &log {
        let found = secrets.found_in(line);
        assert!(found.is_empty(), "{found:?} in {line}");
    }
}

/// Greets, and refuses every recipient by name.
async fn refuse_mail(stream: TcpStream) {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    writer.write_all(b"220 test\r\n").await.unwrap();
    while let Ok(Some(line)) = lines.next_line().await {
        let reply = match line.strip_prefix("RCPT TO:") {
            Some(recipient) => format!("550 5.1.1 {recipient}: no such mailbox\r\n"),
            None => "250 fine\r\n".to_owned(),
        };
        writer.write_all(reply.as_bytes()).await.unwrap();
    }
}
