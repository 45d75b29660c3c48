//! How everything that can go wrong looks on the wire: the closed list of codes, their status and their words.
//!
//! Refusals that a person should read are 200: clients of the original hide the text of any other status.
//! A [`Failure`] does not know the language of its reader; the shell renders it last, where the request is known.

mod words;

use std::collections::BTreeMap;
use std::time::Duration;

use app::{Error, Language, Refusal};
use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{InvalidProfile, InvalidShop};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::envelope::FailureEnvelope;

/// Every `code` a client can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    PhoneInvalid,
    EmailInvalid,
    PhoneUnsupported,
    CodeTooOften,
    CodeDailyLimit,
    LoginLocked,
    CodeWrong,
    CodeExpired,
    PasswordLoginOff,
    UserBlocked,
    NickNameInvalid,
    IconInvalid,
    CityInvalid,
    IntroduceInvalid,
    BirthdayInvalid,
    SessionNotFound,
    ShopNotFound,
    ShopIdMissing,
    ShopNameInvalid,
    ShopTypeUnknown,
    ShopImagesInvalid,
    ShopAreaInvalid,
    ShopAddressInvalid,
    ShopPositionInvalid,
    ShopPriceInvalid,
    ShopHoursInvalid,
    Malformed,
    NotSignedIn,
    Forbidden,
    ForeignOrigin,
    NoSuchRoute,
    MethodNotAllowed,
    BodyTooLarge,
    UnsupportedMediaType,
    TooMany,
    Internal,
    Busy,
    Unavailable,
}

/// A reply other than success, still without words.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    code: Code,
    data: Option<Value>,
    fields: BTreeMap<String, String>,
    retry_after: Option<Duration>,
}

/// How soon a client may ask again when something we depend on is away.
const OUTAGE_RETRY_AFTER: Duration = Duration::from_secs(2);
/// How soon when we have too much to do: the queue is short, so it passes quickly.
const BUSY_RETRY_AFTER: Duration = Duration::from_secs(1);

/// Enough to say what is wrong with a field; a reply is no place to read a request back to its sender.
const PROBLEM_MAX_CHARS: usize = 200;

impl Code {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::PhoneInvalid
            | Self::EmailInvalid
            | Self::PhoneUnsupported
            | Self::CodeTooOften
            | Self::CodeDailyLimit
            | Self::LoginLocked
            | Self::CodeWrong
            | Self::CodeExpired
            | Self::PasswordLoginOff
            | Self::UserBlocked
            | Self::NickNameInvalid
            | Self::IconInvalid
            | Self::CityInvalid
            | Self::IntroduceInvalid
            | Self::BirthdayInvalid
            | Self::SessionNotFound
            | Self::ShopNotFound
            | Self::ShopIdMissing
            | Self::ShopNameInvalid
            | Self::ShopTypeUnknown
            | Self::ShopImagesInvalid
            | Self::ShopAreaInvalid
            | Self::ShopAddressInvalid
            | Self::ShopPositionInvalid
            | Self::ShopPriceInvalid
            | Self::ShopHoursInvalid => StatusCode::OK,
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::NotSignedIn => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::NoSuchRoute => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Busy | Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl Failure {
    pub(super) fn new(code: Code) -> Self {
        Self {
            code,
            data: None,
            fields: BTreeMap::new(),
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

    pub(super) fn busy() -> Self {
        Self {
            retry_after: Some(BUSY_RETRY_AFTER),
            ..Self::new(Code::Busy)
        }
    }

    fn too_many(retry_after: Duration) -> Self {
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

    pub(super) fn render(self, language: Language) -> Response {
        let envelope = FailureEnvelope {
            success: false,
            error_msg: words::of(self.code, language).to_owned(),
            code: self.code,
            data: self.data,
            fields: self.fields,
        };
        let mut response = (self.code.status(), Json(envelope)).into_response();
        if let Some(retry_after) = self.retry_after {
            let secs = HeaderValue::from(whole_secs(retry_after));
            response.headers_mut().insert(RETRY_AFTER, secs);
        }
        response
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

/// Rounded up: asking at the stated second must not be too early.
pub(super) fn whole_secs(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

impl IntoResponse for Failure {
    /// Leaves the rendering to the shell, which finds the failure among the extensions.
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::TooMany { retry_after } => Self::too_many(retry_after),
            Error::Storage(_)
            | Error::Kv(_)
            | Error::Cache(_)
            | Error::Announce(_)
            | Error::Lock(_)
            | Error::Sender(_) => fault(&error),
        }
    }
}

/// Logged here and nowhere else; the client learns nothing of the cause.
fn fault(error: &Error) -> Failure {
    let causes = Causes(error);
    if error.is_outage() {
        tracing::warn!(error = %causes, "a dependency is away");
        Failure::outage()
    } else {
        tracing::error!(error = %causes, "a request failed");
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

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::PhoneInvalid => Self::new(Code::PhoneInvalid),
            Refusal::EmailInvalid => Self::new(Code::EmailInvalid),
            Refusal::PhoneUnsupported => Self::new(Code::PhoneUnsupported),
            Refusal::CodeTooOften { retry_after } => Self::until(Code::CodeTooOften, retry_after),
            Refusal::CodeDailyLimit { retry_after } => {
                Self::until(Code::CodeDailyLimit, retry_after)
            }
            Refusal::LoginLocked { retry_after } => Self::until(Code::LoginLocked, retry_after),
            Refusal::CodeWrong => Self::new(Code::CodeWrong),
            Refusal::CodeExpired => Self::new(Code::CodeExpired),
            Refusal::PasswordLoginOff => Self::new(Code::PasswordLoginOff),
            Refusal::UserBlocked => Self::new(Code::UserBlocked),
            Refusal::ProfileInvalid(field) => Self::new(match field {
                InvalidProfile::NickName => Code::NickNameInvalid,
                InvalidProfile::Icon => Code::IconInvalid,
                InvalidProfile::City => Code::CityInvalid,
                InvalidProfile::Introduce => Code::IntroduceInvalid,
                InvalidProfile::Birthday => Code::BirthdayInvalid,
            }),
            Refusal::SessionNotFound => Self::new(Code::SessionNotFound),
            Refusal::ShopNotFound => Self::new(Code::ShopNotFound),
            Refusal::ShopIdMissing => Self::new(Code::ShopIdMissing),
            Refusal::ShopInvalid(field) => Self::new(match field {
                InvalidShop::Name => Code::ShopNameInvalid,
                InvalidShop::Type => Code::ShopTypeUnknown,
                InvalidShop::Images => Code::ShopImagesInvalid,
                InvalidShop::Area => Code::ShopAreaInvalid,
                InvalidShop::Address => Code::ShopAddressInvalid,
                InvalidShop::Position => Code::ShopPositionInvalid,
                InvalidShop::AvgPrice => Code::ShopPriceInvalid,
                InvalidShop::OpenHours => Code::ShopHoursInvalid,
            }),
            Refusal::Forbidden => Self::new(Code::Forbidden),
        }
    }
}
