//! A write that its sender may have named with an `Idempotency-Key`: done once, answered alike every time.
//!
//! The first answer is kept as it was sent, refusals included, in the language and dialect of its first reader. What says that
//! something of ours failed, or that it is too early, is not kept.

use std::sync::Arc;

use app::Language;
use app::idempotency::{self, IdempotencyKey, IdempotentRequest};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use kv::{KeptAnswer, RequestTurn, Session};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::http::dialect::Dialect;
use crate::http::envelope::Reply;
use crate::http::extract::{Signed, idempotency_key, is_json, parse_json, read_body};
use crate::http::failure::{Code, Failure};
use crate::http::routes::below_api;
use crate::http::state::HttpState;

/// Our answers have some hundred bytes.
const ANSWER_MAX_BYTES: usize = 64 * 1024;

/// Says that an answer was kept from the first time.
const REPLAYED: &str = "idempotency-replayed";

#[derive(Debug)]
pub(in crate::http) struct KeyedRequest {
    pub(super) session: Arc<Session>,
    key: Option<IdempotencyKey>,
    fingerprint: String,
    dialect: Dialect,
    language: Language,
    body: Bytes,
    is_json: bool,
}

impl FromRequest<HttpState> for KeyedRequest {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &HttpState) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let session = Signed::from_request_parts(&mut parts, state).await?.session;
        let key = idempotency_key(&parts.headers)?;
        let language = state.dialect().language(&parts.headers);
        let is_json = is_json(&parts.headers);
        let (method, path) = (parts.method.clone(), parts.uri.path().to_owned());
        // Fingerprints outlive a release: they are made of the path without the root, as they always were.
        let path = below_api(&path).unwrap_or(&path);
        let body = read_body(Request::from_parts(parts, body), state).await?;
        Ok(Self {
            session,
            key,
            fingerprint: idempotency::fingerprint(method.as_str(), path, &body),
            dialect: state.dialect(),
            language,
            body,
            is_json,
        })
    }
}

impl KeyedRequest {
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        if !self.is_json {
            return Err(Failure::new(Code::UnsupportedMediaType));
        }
        parse_json(&self.body)
    }

    /// Does the work, unless the same request was answered before.
    pub(super) async fn answer<R: Serialize>(
        &self,
        state: &HttpState,
        work: impl AsyncFnOnce(Option<&RequestTurn>) -> Result<Reply<R>, Failure>,
    ) -> Result<Response, Failure> {
        let Some(key) = &self.key else {
            return work(None).await.map(IntoResponse::into_response);
        };
        let app = state.app();
        match idempotency::begin(app, &self.session, key, &self.fingerprint).await? {
            IdempotentRequest::Completed(kept) => Ok(replay(kept)),
            IdempotentRequest::New(turn) => {
                let done = work(Some(&turn)).await;
                let answer = self.kept(&done).await;
                idempotency::finish(app, &turn, answer.as_ref()).await;
                match (done, answer) {
                    (_, Some(answer)) => Ok(respond(answer)),
                    (Ok(reply), None) => Ok(reply.into_response()),
                    (Err(failure), None) => Err(failure),
                }
            }
        }
    }

    /// The answer as it is sent, if it is worth keeping.
    async fn kept<R: Serialize>(&self, done: &Result<Reply<R>, Failure>) -> Option<KeptAnswer> {
        let (status, body) = match done {
            Ok(reply) => (StatusCode::OK, reply.to_bytes()),
            Err(failure) if is_final(failure.status()) => {
                let rendered = failure.clone().render(self.dialect, self.language);
                let status = rendered.status();
                let body = to_bytes(rendered.into_body(), ANSWER_MAX_BYTES)
                    .await
                    .ok()?;
                (status, body)
            }
            Err(_) => return None,
        };
        Some(KeptAnswer {
            status: status.as_u16(),
            body: body.into(),
        })
    }
}

/// Whether asking again could not end otherwise.
fn is_final(status: StatusCode) -> bool {
    !status.is_server_error() && status != StatusCode::TOO_MANY_REQUESTS
}

fn respond(answer: KeptAnswer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let json = [(CONTENT_TYPE, "application/json")];
    (status, json, Body::from(answer.body)).into_response()
}

fn replay(answer: KeptAnswer) -> Response {
    let mut response = respond(answer);
    let yes = HeaderValue::from_static("true");
    response.headers_mut().insert(REPLAYED, yes);
    response
}
