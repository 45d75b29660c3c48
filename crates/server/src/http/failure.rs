//! How every failure looks on the wire: a code, its status and its message.
//!
//! Refusals that a person should read are 200: clients of the original hide the text of any other status.
//! A [`Failure`] does not know the language of its reader, nor the dialect; request middleware renders it, where both are
//! known.

mod code;
mod message;
mod original;
mod plain;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use app::account::{NumberQuestion, SecondProof};
use app::{Error, Language, Refusal};
use axum::Json;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{OrderId, OrderStatus};
use serde_json::{Value, json};
use supervise::LogRateLimit;

pub use code::Code;
use message::Message;

use super::dialect::Dialect;
use super::envelope::FailureEnvelope;

/// A reply other than success, before its message is chosen.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    code: Code,
    /// Replaces the usual message of the code.
    message: Option<&'static Message>,
    data: Option<Value>,
    fields: BTreeMap<String, String>,
    /// A parameter that must be there is not: the original distinguishes that from one that cannot be read.
    is_missing: bool,
    retry_after: Option<Duration>,
}

/// `Retry-After` when a dependency does not answer.
const OUTAGE_RETRY_AFTER: Duration = Duration::from_secs(2);
/// `Retry-After` when no admission slot is free: requests are short, so that passes quickly.
const BUSY_RETRY_AFTER: Duration = Duration::from_secs(1);

/// Enough to say what is wrong with a field, and too short to echo a request.
const PROBLEM_MAX_CHARS: usize = 200;

impl Failure {
    pub(super) fn new(code: Code) -> Self {
        Self {
            code,
            message: None,
            data: None,
            fields: BTreeMap::new(),
            is_missing: false,
            retry_after: None,
        }
    }

    /// A request that cannot be understood; `place` is a parameter or a path into the body.
    pub(super) fn malformed(place: &str, problem: impl Into<String>) -> Self {
        let mut failure = Self::new(Code::Malformed);
        let (place, problem) = (shortened(place.to_owned()), shortened(problem.into()));
        failure.fields.insert(place, problem);
        failure
    }

    /// A request without a parameter that must be in its query or its form.
    pub(super) fn missing(place: &str, problem: impl Into<String>) -> Self {
        Self {
            is_missing: true,
            ..Self::malformed(place, problem)
        }
    }

    pub(super) fn busy() -> Self {
        Self {
            retry_after: Some(BUSY_RETRY_AFTER),
            ..Self::new(Code::Busy)
        }
    }

    /// The gate of a sale cannot decide at the moment.
    pub(super) fn sale_busy(retry_after: Duration) -> Self {
        Self {
            message: Some(Message::SALE_BUSY),
            retry_after: Some(retry_after),
            ..Self::new(Code::Busy)
        }
    }

    /// To a buyer, every outage is an outage of the sale.
    pub(super) fn into_sale_busy(self) -> Self {
        match self.code {
            Code::Unavailable => Self::sale_busy(OUTAGE_RETRY_AFTER),
            _ => self,
        }
    }

    /// The outcome of the claim is unknown; repeating the claim returns the same order, if there is one.
    fn processing(order: OrderId) -> Self {
        Self {
            retry_after: Some(BUSY_RETRY_AFTER),
            ..Self::about_order(Code::Processing, order)
        }
    }

    /// The order's status does not allow the step; `data.status` has the status.
    fn order_status(status: OrderStatus) -> Self {
        Self {
            message: Some(Message::of_status(status)),
            data: Some(json!({ "status": status.code() })),
            ..Self::new(Code::OrderStatus)
        }
    }

    /// What the person is asked: whose account the number had, and what proves it.
    fn number_in_question(question: &NumberQuestion) -> Self {
        let proofs = question.proofs.iter().map(|proof| match proof {
            SecondProof::Email => "email",
            SecondProof::Password => "password",
        });
        Self {
            data: Some(json!({
                "ticket": question.ticket.as_str(),
                "nickName": question.nick_name,
                "proofs": proofs.collect::<Vec<_>>(),
            })),
            ..Self::new(Code::NumberInQuestion)
        }
    }

    pub(super) fn status(&self) -> StatusCode {
        self.code.status()
    }

    /// A failure with the id of an order in `data`.
    fn about_order(code: Code, order: OrderId) -> Self {
        Self {
            data: Some(Value::String(order.to_string())),
            ..Self::new(code)
        }
    }

    pub(super) fn too_many(retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(Code::TooMany)
        }
    }

    fn outage() -> Self {
        Self {
            retry_after: Some(OUTAGE_RETRY_AFTER),
            ..Self::new(Code::Unavailable)
        }
    }

    /// A refusal with the time until it ends, in `data.retryAfterSecs`.
    fn until(code: Code, retry_after: Duration) -> Self {
        Self {
            data: Some(json!({ "retryAfterSecs": whole_secs(retry_after) })),
            ..Self::new(code)
        }
    }

    pub(super) fn render(self, dialect: Dialect, language: Language) -> Response {
        let retry_after = self.retry_after;
        let mut response = match dialect {
            Dialect::Site => self.render_for_site(language),
            Dialect::Original => self.render_for_original(language),
        };
        if let Some(retry_after) = retry_after {
            let secs = HeaderValue::from(whole_secs(retry_after));
            response.headers_mut().insert(RETRY_AFTER, secs);
        }
        response
    }

    fn text(&self, language: Language) -> Cow<'static, str> {
        let message = self.message.unwrap_or_else(|| self.code.message());
        message.text(language)
    }

    /// The reply at once where the status is 200 for every reader, for handlers whose refusals are frequent; other failures
    /// are left to request middleware, which logs and counts them by their status.
    pub(super) fn reply_now(self, dialect: Dialect, language: Language) -> Result<Response, Self> {
        match self.code.status() {
            StatusCode::OK => Ok(self.render(dialect, language)),
            _ => Err(self),
        }
    }

    fn render_for_site(self, language: Language) -> Response {
        let status = self.code.status();
        if self.message.is_none() && self.data.is_none() && self.fields.is_empty() {
            let json = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
            let body = plain::plain_body(self.code, language);
            return (status, json, body).into_response();
        }
        (status, Json(self.into_envelope(language))).into_response()
    }

    fn into_envelope(self, language: Language) -> FailureEnvelope {
        FailureEnvelope {
            success: false,
            error_msg: self.text(language),
            code: self.code,
            data: self.data,
            fields: self.fields,
        }
    }
}

/// Parsers quote what they could not read, however long it is.
fn shortened(mut problem: String) -> String {
    if let Some((end, _)) = problem.char_indices().nth(PROBLEM_MAX_CHARS) {
        problem.truncate(end);
        problem.push('…');
    }
    problem
}

/// Rounded up: a retry at the stated second must not be too early.
pub(super) fn whole_secs(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

impl IntoResponse for Failure {
    /// Request middleware finds the failure among the extensions and renders it.
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let code = Code::of_refusal(&refusal);
        match refusal {
            Refusal::CodeTooOften { retry_after }
            | Refusal::CodeDailyLimit { retry_after }
            | Refusal::LoginLocked { retry_after } => Self::until(code, retry_after),
            Refusal::AlreadyBought(order) => Self::about_order(code, order),
            Refusal::NoteAlreadyPublished(note) => Self {
                data: Some(json!({ "id": note.get() })),
                ..Self::new(code)
            },
            Refusal::OrderStatus(status) => Self::order_status(status),
            Refusal::NumberInQuestion(question) => Self::number_in_question(&question),
            _ => Self::new(code),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::TooMany { retry_after } => Self::too_many(retry_after),
            Error::SaleBusy { retry_after } => Self::sale_busy(retry_after),
            Error::Processing(order) => Self::processing(order),
            Error::IdempotencyMismatch => Self::new(Code::IdempotencyMismatch),
            Error::InProgress { retry_after } => Self {
                retry_after: Some(retry_after),
                ..Self::new(Code::InProgress)
            },
            Error::Busy { retry_after } => Self {
                retry_after: Some(retry_after),
                ..Self::new(Code::Busy)
            },
            Error::PictureFileStore(_)
            | Error::Storage(_)
            | Error::Kv(_)
            | Error::Cache(_)
            | Error::Announce(_)
            | Error::Look(_)
            | Error::Gate(_)
            | Error::Settle(_)
            | Error::Shared(_)
            | Error::Lock(_)
            | Error::OrderId(_)
            | Error::OrderIdTaken(_)
            | Error::Payment(_)
            | Error::Sender(_) => fault(&error),
        }
    }
}

/// In an outage every request fails: one log event a second says as much as all of them.
static OUTAGES: LogRateLimit = LogRateLimit::every(Duration::from_secs(1));

/// Logs the error, here and nowhere else; the client does not see the cause.
fn fault(error: &Error) -> Failure {
    let causes = Causes(error);
    if error.is_outage() {
        if let Some(held_back) = OUTAGES.pass() {
            tracing::warn!(error = %causes, held_back, "request failed: a dependency does not answer");
        }
        Failure::outage()
    } else {
        tracing::error!(error = %causes, "request failed");
        Failure::new(Code::Internal)
    }
}

/// An error with all its causes in one line.
pub(crate) struct Causes<'a>(pub(crate) &'a (dyn std::error::Error + 'static));

impl std::fmt::Display for Causes<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)?;
        let mut next = self.0.source();
        while let Some(cause) = next {
            write!(f, ": {cause}")?;
            next = cause.source();
        }
        Ok(())
    }
}
