//! A one-bucket server for the part of S3 that pictures use, over real HTTP: put, get and delete.
//!
//! It proves nothing about a real store, but it is strict where clients go wrong: it computes every
//! signature (AWS, version 4) and every checksum itself. `TANDIAN_TEST_S3` runs the same tests on a real one.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use sha2::{Digest as _, Sha256};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

#[derive(Debug, Default)]
struct State {
    objects: BTreeMap<String, Bytes>,
    refuses: bool,
}

type Shared = Arc<Mutex<State>>;

/// Stops when dropped.
#[derive(Debug)]
pub struct LocalS3 {
    endpoint: String,
    state: Shared,
    task: JoinHandle<()>,
}

impl LocalS3 {
    pub const REGION: &str = "here";
    pub const BUCKET: &str = "pictures";
    pub const ACCESS_KEY: &str = "somebody";
    pub const SECRET_KEY: &str = "what only somebody knows";

    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a free port on loopback");
        let address = listener.local_addr().expect("a bound listener");
        let endpoint = format!("http://{address}");
        let state = Shared::default();
        let task = tokio::spawn(accept(listener, state.clone()));
        Self {
            endpoint,
            state,
            task,
        }
    }

    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Answers 403 from now on, as a store does whose keys were changed: clients do not retry that.
    pub fn refuse_everybody(&self) {
        lock(&self.state).refuses = true;
    }

    pub fn serve_again(&self) {
        lock(&self.state).refuses = false;
    }
}

impl Drop for LocalS3 {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(state: &Shared) -> MutexGuard<'_, State> {
    state.lock().expect("no request panics with the lock")
}

async fn accept(listener: TcpListener, state: Shared) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve(stream, state.clone()));
    }
}

async fn serve(stream: TcpStream, state: Shared) {
    let answer = service_fn(move |request| {
        let state = state.clone();
        async move { Ok::<_, Infallible>(answer(request, &state).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new();
    // A client may disconnect at any time.
    let _ = connection
        .serve_connection(TokioIo::new(stream), answer)
        .await;
}

async fn answer(request: Request<Incoming>, state: &Shared) -> Response<Full<Bytes>> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.expect("a whole body").to_bytes();
    let request = Request::from_parts(head, body);
    if !is_signed(&request) {
        return reply(
            StatusCode::FORBIDDEN,
            "<Error><Code>SignatureDoesNotMatch</Code></Error>",
        );
    }
    let bucket = format!("/{}/", LocalS3::BUCKET);
    let Some(key) = request.uri().path().strip_prefix(&bucket) else {
        return reply(
            StatusCode::NOT_FOUND,
            "<Error><Code>NoSuchBucket</Code></Error>",
        );
    };
    let mut state = lock(state);
    if state.refuses {
        return reply(
            StatusCode::FORBIDDEN,
            "<Error><Code>AccessDenied</Code></Error>",
        );
    }
    match *request.method() {
        Method::PUT => {
            state.objects.insert(key.to_owned(), request.body().clone());
            reply(StatusCode::OK, "")
        }
        Method::GET => match state.objects.get(key) {
            Some(object) => reply(StatusCode::OK, object.clone()),
            None => reply(
                StatusCode::NOT_FOUND,
                "<Error><Code>NoSuchKey</Code></Error>",
            ),
        },
        Method::DELETE => {
            state.objects.remove(key);
            reply(StatusCode::NO_CONTENT, "")
        }
        _ => reply(StatusCode::NOT_IMPLEMENTED, ""),
    }
}

fn reply(status: StatusCode, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    Response::builder()
        .status(status)
        .header("etag", "\"one\"")
        .header("last-modified", "Sun, 15 Nov 2026 12:00:00 GMT")
        .body(Full::new(body.into()))
        .expect("a status and two fixed headers")
}

/// As the store's own documentation has it: "Signature Version 4 signing process".
fn is_signed(request: &Request<Bytes>) -> bool {
    let header = |name: &str| {
        let value = request.headers().get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("")
    };
    let fields: BTreeMap<&str, &str> = header("authorization")
        .trim_start_matches("AWS4-HMAC-SHA256 ")
        .split(", ")
        .filter_map(|field| field.split_once('='))
        .collect();
    let field = |name| fields.get(name).copied().unwrap_or("");
    let content_hash = hex(&Sha256::digest(request.body()));
    if header("x-amz-content-sha256") != content_hash {
        return false;
    }
    let names = field("SignedHeaders");
    let headers: String = names
        .split(';')
        .map(|name| format!("{name}:{}\n", header(name).trim()))
        .collect();
    let canonical = format!(
        "{}\n{}\n{}\n{headers}\n{names}\n{content_hash}",
        request.method(),
        request.uri().path(),
        request.uri().query().unwrap_or(""),
    );
    let time = header("x-amz-date");
    let scope = format!(
        "{}/{}/s3/aws4_request",
        &time[..8.min(time.len())],
        LocalS3::REGION
    );
    let canonical_hash = hex(&Sha256::digest(canonical.as_bytes()));
    let to_sign = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{canonical_hash}");
    let key = scope.split('/').fold(
        format!("AWS4{}", LocalS3::SECRET_KEY).into_bytes(),
        |key, part| keyed_hash(&key, part),
    );
    field("Credential") == format!("{}/{scope}", LocalS3::ACCESS_KEY)
        && field("Signature") == hex(&keyed_hash(&key, &to_sign))
}

fn keyed_hash(key: &[u8], text: &str) -> Vec<u8> {
    let mut hash = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
    hash.update(text.as_bytes());
    hash.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
