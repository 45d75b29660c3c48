//! The one shape of every reply under `/api`: `{"success", "errorMsg"?, "code"?, "data"?, "total"?, "fields"?}`.
//! Absent rather than null, at every level.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::Json;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, OneOfBuilder, Schema, Type};

use super::failure::Code;

/// How a successful reply with data begins.
const BEFORE_DATA: &[u8] = b"{\"success\":true,\"data\":";

/// Room for a page of notes of the usual length.
const WRITTEN_BYTES: usize = 8 * 1024;

/// A successful reply.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Envelope<T> {
    #[schema(schema_with = always_true)]
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    data: Option<T>,
}

/// The description of a successful reply without data.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only describes what `Reply::done` sends")]
pub(super) struct Done {
    #[schema(schema_with = always_true)]
    success: bool,
}

/// A refusal or an error.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Failure)]
pub(super) struct FailureEnvelope {
    #[schema(schema_with = always_false)]
    pub(super) success: bool,
    /// For people, in the language of `Accept-Language`.
    #[schema(value_type = String)]
    pub(super) error_msg: Cow<'static, str>,
    /// For programs: stable.
    pub(super) code: Code,
    /// What the refusal needs besides its words: an object, such as `retryAfterSecs`, or the id of an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, schema_with = failure_data)]
    pub(super) data: Option<serde_json::Value>,
    /// Where a malformed request is wrong: place → what is wrong there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub(super) fields: BTreeMap<String, String>,
}

/// A reply that is 200 has two shapes; `success` discriminates them, for validators and for type checkers.
fn always_true() -> Object {
    always(true)
}

fn always_false() -> Object {
    always(false)
}

fn failure_data() -> Schema {
    OneOfBuilder::new()
        .item(Object::with_type(Type::Object))
        .item(Object::with_type(Type::String))
        .into()
}

fn always(value: bool) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Boolean)
        .enum_values(Some([value]))
        .build()
}

/// What handlers return on success.
#[derive(Debug)]
pub(super) struct Reply<T>(Option<T>);

impl<T> Reply<T> {
    pub(super) fn new(data: T) -> Self {
        Self(Some(data))
    }

    /// Absent data when there is nothing of that kind.
    pub(super) fn maybe(data: Option<T>) -> Self {
        Self(data)
    }
}

impl Reply<()> {
    pub(super) fn done() -> Self {
        Self(None)
    }
}

impl<T: Serialize> Reply<T> {
    fn into_envelope(self) -> Envelope<T> {
        Envelope {
            success: true,
            data: self.0,
        }
    }

    /// The body of the reply, for those who keep it.
    pub(super) fn into_bytes(self) -> Bytes {
        self.to_bytes()
    }

    /// As [`Reply::into_bytes`], for those who still need the reply.
    pub(super) fn to_bytes(&self) -> Bytes {
        let envelope = Envelope {
            success: true,
            data: self.0.as_ref(),
        };
        let json = serde_json::to_vec(&envelope);
        json.expect("views are plain structs").into()
    }
}

/// A successful reply whose data is already JSON: `write` appends it.
pub(super) fn written_reply(write: impl FnOnce(&mut Vec<u8>)) -> Response {
    let mut json = Vec::with_capacity(WRITTEN_BYTES);
    json.extend_from_slice(BEFORE_DATA);
    write(&mut json);
    json.push(b'}');
    ([(CONTENT_TYPE, "application/json")], Bytes::from(json)).into_response()
}

/// The data in the body of a successful reply.
pub(super) fn data_of(body: &[u8]) -> &[u8] {
    let data = body.strip_prefix(BEFORE_DATA);
    let data = data.and_then(|data| data.strip_suffix(b"}"));
    data.expect("a reply begins and ends like this")
}

/// Appends a part of a written reply.
pub(super) fn write_json(json: &mut Vec<u8>, part: &impl Serialize) {
    serde_json::to_writer(json, part)
        .expect("views are plain structs, and a vector takes all bytes");
}

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        Json(self.into_envelope()).into_response()
    }
}
