//! What every answer must be, whatever the question was.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::header::{ALLOW, CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{Method, StatusCode};
use serde_json::Value;

use super::description::{Description, Reply, Target};
use super::wire::{RawReply, RawRequest};

const SECURITY_HEADERS: [&str; 6] = [
    "content-security-policy",
    "x-content-type-options",
    "x-frame-options",
    "referrer-policy",
    "cross-origin-opener-policy",
    "permissions-policy",
];

/// A failure says what is wrong; it does not read the request back to its sender.
const FAILURE_MAX_BYTES: usize = 2_048;

/// Words that only the inside of the server knows.
const INSIDE: [&str; 7] = [
    "sqlx", "sqlite", "sea_orm", "panicked", ".rs:", "redis", "src/",
];

/// What was seen over a whole run.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) statuses: BTreeSet<u16>,
    /// Statuses by method and path of an operation.
    pub(super) by_operation: BTreeMap<String, BTreeSet<u16>>,
    /// Messages by code.
    pub(super) words: BTreeMap<String, BTreeSet<String>>,
}

type Verdict = Result<(), String>;

/// `Err` says which rule the answer breaks.
pub(super) fn judge(
    description: &Description,
    request: &RawRequest,
    answer: &RawReply,
    seen: &mut Seen,
) -> Verdict {
    let status = answer.status.as_u16();
    seen.statuses.insert(status);
    require(status < 500, || format!("a server error, {status}"))?;
    judge_headers(answer)?;
    match description.target(&request.method, request.target.path()) {
        Target::Operation(operation) => {
            let name = format!("{} {}", operation.method, operation.template);
            let reply = operation.replies.get(&status);
            let reply = reply.ok_or_else(|| format!("{name} does not describe {status}"))?;
            seen.by_operation.entry(name).or_default().insert(status);
            judge_body(request, answer, reply, seen)
        }
        _ if is_foreign(request, answer) => judge_body(request, answer, &description.failure, seen),
        Target::OtherMethod(allowed) => {
            require(status == 405, || {
                format!("{status} for a method that is not described")
            })?;
            judge_allow(answer, &allowed)?;
            judge_body(request, answer, &description.failure, seen)
        }
        Target::NoSuchRoute => {
            require(status == 404, || {
                format!("{status} where nothing is described")
            })?;
            judge_body(request, answer, &description.failure, seen)
        }
        Target::Outside => judge_outside(request, answer),
    }
}

fn require(holds: bool, problem: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(problem()) }
}

fn judge_headers(answer: &RawReply) -> Verdict {
    for name in SECURITY_HEADERS {
        require(answer.headers.contains_key(name), || format!("no {name}"))?;
    }
    let id = header(answer, "x-request-id");
    let is_ours = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    require(is_ours, || format!("x-request-id is {id:?}"))
}

fn judge_allow(answer: &RawReply, described: &[&Method]) -> Verdict {
    let mut wanted: BTreeSet<&str> = described.iter().map(|method| method.as_str()).collect();
    if wanted.contains("GET") {
        wanted.insert("HEAD");
    }
    let allow = header(answer, ALLOW.as_str());
    let given: BTreeSet<&str> = allow.split(',').map(str::trim).collect();
    require(given == wanted, || {
        format!("Allow is {given:?}, described are {wanted:?}")
    })
}

/// A write that a browser sends for another site is refused before anybody looks where it goes.
fn is_foreign(request: &RawRequest, answer: &RawReply) -> bool {
    let says_where = ["origin", "sec-fetch-site"];
    let refusals = [
        (StatusCode::FORBIDDEN, "foreign_origin"),
        (StatusCode::UNAUTHORIZED, "foreign_session"),
    ];
    !request.method.is_safe()
        && says_where
            .iter()
            .any(|name| request.headers.contains_key(*name))
        && serde_json::from_slice::<Value>(&answer.body).is_ok_and(|body| {
            refusals
                .iter()
                .any(|(status, code)| answer.status == *status && body["code"] == *code)
        })
}

/// Pages, files and pictures: nothing is described, but nothing may be changed there either.
fn judge_outside(request: &RawRequest, answer: &RawReply) -> Verdict {
    let reads = [Method::GET, Method::HEAD];
    let status = answer.status.as_u16();
    if reads.contains(&request.method) {
        let usual = [200, 206, 303, 304, 307, 308, 400, 404, 416];
        require(usual.contains(&status), || {
            format!("{status} outside the API")
        })
    } else {
        require(status == 405, || {
            format!("{status} for a write outside the API")
        })
    }
}

fn judge_body(request: &RawRequest, answer: &RawReply, reply: &Reply, seen: &mut Seen) -> Verdict {
    let media = header(answer, CONTENT_TYPE.as_str());
    require(media == "application/json", || {
        format!("Content-Type is {media:?}")
    })?;
    if request.method == Method::HEAD || answer.headers.contains_key(CONTENT_ENCODING) {
        return Ok(());
    }
    let body: Value =
        serde_json::from_slice(&answer.body).map_err(|error| format!("no JSON: {error}"))?;
    require(!holds_null(&body), || format!("null in {body}"))?;
    for validator in [&reply.as_written, &reply.named_only] {
        let checked = validator.validate(&body);
        checked.map_err(|error| format!("{error} at {}: {body}", error.instance_path()))?;
    }
    let is_success = body["success"] == true;
    require(is_success || body["success"] == false, || {
        format!("neither success nor failure: {body}")
    })?;
    if is_success {
        return require(answer.status == 200, || {
            format!("success with {}", answer.status)
        });
    }
    judge_failure(answer, &body, seen)
}

fn judge_failure(answer: &RawReply, body: &Value, seen: &mut Seen) -> Verdict {
    let code = body["code"].as_str().unwrap_or_default().to_owned();
    let words = body["errorMsg"].as_str().unwrap_or_default().to_owned();
    let is_malformed = code == "malformed";
    require(is_malformed == body["fields"].is_object(), || {
        format!("fields and {code}: {body}")
    })?;
    require(is_malformed == (answer.status == 400), || {
        format!("{} and {code}", answer.status)
    })?;
    let waits = answer.headers.contains_key(RETRY_AFTER);
    require(waits == (answer.status == 429), || {
        format!("Retry-After with {}", answer.status)
    })?;
    let size = answer.body.len();
    require(size <= FAILURE_MAX_BYTES, || {
        format!("a failure of {size} bytes")
    })?;
    let text = body.to_string().to_lowercase();
    let inside = INSIDE.iter().find(|word| text.contains(**word));
    require(inside.is_none(), || format!("{inside:?} in {body}"))?;
    seen.words.entry(code).or_default().insert(words);
    Ok(())
}

fn holds_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(holds_null),
        Value::Object(members) => members.values().any(holds_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn header<'a>(answer: &'a RawReply, name: &str) -> &'a str {
    let value = answer.headers.get(name);
    value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}
