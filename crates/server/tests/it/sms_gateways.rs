//! SMS gateways of Aliyun and Tencent for tests, over real HTTP on loopback.
//!
//! They send nothing and prove nothing about the real ones, but they are strict where clients go wrong: each computes every
//! signature itself from the raw request, with another library than the product's, refuses old times and used nonces, and
//! answers with the documented errors.

mod aliyun;
mod tencent;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use jiff::Timestamp;
use ring::{digest, hmac};
use serde_json::Value;
use testkit::TestAppBuilder;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub(crate) const SIGN: &str = "探店";
pub(crate) const KEY_ID: &str = "LTAI-key-of-a-test";
pub(crate) const KEY_SECRET: &str = "secret-of-the-key-of-a-test";

/// Stops when dropped.
pub(crate) struct SmsGateway {
    kind: Kind,
    origin: String,
    state: Arc<Mutex<GatewayState>>,
    task: JoinHandle<()>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Aliyun,
    Tencent,
}

pub(crate) struct GatewayState {
    pub(crate) behaviour: Behaviour,
    /// How far the gateway's clock is ahead of ours.
    pub(crate) clock_ahead_secs: i64,
    /// As the gateway's own API writes it.
    pub(crate) sign_status: i64,
    pub(crate) template_status: i64,
    pub(crate) template_content: &'static str,
    requests: Vec<RawRequest>,
    sent: Vec<SentMessage>,
    nonces: HashSet<String>,
    answered: Vec<String>,
}

/// What it does with requests to send that are correct; looking up is not affected.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Behaviour {
    Works,
    Refuses(u16, &'static str),
    /// As `Refuses`, where the API answers for each number.
    RefusesNumber(&'static str),
    SendsAndStaysSilent,
    SendsAndAnswersNonsense,
}

#[derive(Clone, Debug)]
pub(crate) struct RawRequest {
    pub(crate) path_and_query: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentMessage {
    pub(crate) phone: String,
    pub(crate) variables: Vec<String>,
}

/// Status and body, or nothing ever.
type Answer = Option<(u16, Value)>;
/// Status and code of a refusal.
type Refused = (u16, String);

impl SmsGateway {
    pub(crate) async fn aliyun() -> Self {
        Self::start(
            Kind::Aliyun,
            1,
            "您的验证码为 ${code}，${minutes} 分钟内有效。",
        )
        .await
    }

    pub(crate) async fn tencent() -> Self {
        Self::start(Kind::Tencent, 0, "您的验证码为 {1}，{2} 分钟内有效。").await
    }

    async fn start(kind: Kind, approved: i64, template_content: &'static str) -> Self {
        let state = Arc::new(Mutex::new(GatewayState {
            behaviour: Behaviour::Works,
            clock_ahead_secs: 0,
            sign_status: approved,
            template_status: approved,
            template_content,
            requests: Vec::new(),
            sent: Vec::new(),
            nonces: HashSet::new(),
            answered: Vec::new(),
        }));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .fallback(serve)
            .with_state((kind, state.clone()));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            kind,
            origin,
            state,
            task,
        }
    }

    fn state(&self) -> MutexGuard<'_, GatewayState> {
        self.state.lock().unwrap()
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut GatewayState)) {
        change(&mut self.state());
    }

    pub(crate) fn behave(&self, behaviour: Behaviour) {
        self.state().behaviour = behaviour;
    }

    pub(crate) fn sent(&self) -> Vec<SentMessage> {
        self.state().sent.clone()
    }

    pub(crate) fn requests(&self) -> Vec<RawRequest> {
        self.state().requests.clone()
    }

    /// The codes of all answers.
    pub(crate) fn answered(&self) -> Vec<String> {
        self.state().answered.clone()
    }

    /// Settings that reach it, by their names; what `code.phone` says is the caller's.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        let common = match self.kind {
            Kind::Aliyun => aliyun::SETTINGS,
            Kind::Tencent => tencent::SETTINGS,
        };
        let endpoint = match self.kind {
            Kind::Aliyun => "code.aliyun.endpoint",
            Kind::Tencent => "code.tencent.endpoint",
        };
        let common = common
            .iter()
            .map(|(key, value)| (*key, (*value).to_owned()));
        common.chain([(endpoint, self.origin.clone())]).collect()
    }

    /// Repeats a request byte by byte, after `change`; returns the code of the answer.
    pub(crate) async fn repeat(
        &self,
        request: &RawRequest,
        change: impl FnOnce(&mut RawRequest),
    ) -> String {
        let mut request = request.clone();
        change(&mut request);
        let sent = reqwest::Client::new()
            .post(format!("{}{}", self.origin, request.path_and_query))
            .headers(request.headers)
            .body(request.body)
            .send();
        sent.await.unwrap().text().await.unwrap();
        self.answered().pop().unwrap()
    }
}

impl Drop for SmsGateway {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A site whose phones are served by these gateways in order.
pub(crate) fn site_with(
    builder: TestAppBuilder,
    phone: &str,
    gateways: &[&SmsGateway],
) -> TestAppBuilder {
    let builder = builder
        .setting("code.sender", "by_contact")
        .setting("code.phone", phone);
    let settings = gateways.iter().flat_map(|gateway| gateway.settings());
    settings.fold(builder, |builder, (key, value)| builder.setting(key, value))
}

async fn serve(
    State((kind, state)): State<(Kind, Arc<Mutex<GatewayState>>)>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 64 * 1024).await.unwrap();
    let method = parts.method.as_str().to_owned();
    let request = RawRequest {
        path_and_query: parts.uri.path_and_query().unwrap().to_string(),
        headers: parts.headers,
        body,
    };
    let answer = {
        let mut state = state.lock().unwrap();
        state.requests.push(request.clone());
        match kind {
            Kind::Aliyun => aliyun::answer(&method, &request, &mut state),
            Kind::Tencent => tencent::answer(&method, &request, &mut state),
        }
    };
    let Some((status, body)) = answer else {
        return std::future::pending().await;
    };
    let status = StatusCode::from_u16(status).unwrap();
    let text = match body {
        // Nonsense is not even JSON.
        Value::Null => Body::from("<html>"),
        body => Body::from(body.to_string()),
    };
    (status, [("content-type", "application/json")], text).into_response()
}

impl RawRequest {
    fn path(&self) -> &str {
        self.path_and_query.split('?').next().unwrap()
    }

    fn query(&self) -> &str {
        self.path_and_query
            .split_once('?')
            .map_or("", |(_, query)| query)
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap()).trim()
    }

    /// `name:value` lines of these headers, as both APIs sign them.
    fn signed_lines(&self, names: &str, in_lower_case: bool) -> String {
        let line = |name: &str| {
            let value = self.header(name);
            match in_lower_case {
                true => format!("{name}:{}\n", value.to_lowercase()),
                false => format!("{name}:{value}\n"),
            }
        };
        names.split(';').map(line).collect()
    }
}

impl GatewayState {
    fn now_secs(&self) -> i64 {
        Timestamp::now().as_second() + self.clock_ahead_secs
    }
}

/// The value of `name=…` in an authorization.
fn part<'a>(authorization: &'a str, name: &str) -> &'a str {
    let (_, rest) = authorization
        .split_once(&format!("{name}="))
        .unwrap_or_default();
    rest.split(',').next().unwrap().trim()
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    hmac::sign(&key, text.as_bytes()).as_ref().to_vec()
}

fn sha256(bytes: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, bytes).as_ref())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
