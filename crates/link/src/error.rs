//! What can go wrong with a command, told apart by what may have happened to it.
//!
//! The one question a caller must be able to answer is whether the command took effect: [`LinkError::fate`]. No error
//! holds a password, a key or an argument; `Display` leaves the cause to [`source`](std::error::Error::source).

use std::{fmt, sync::Arc, time::Duration};

use redis::{ErrorKind, RedisError, Value};

use crate::target::Address;

/// A command that brought no usable answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LinkError {
    /// There is no connection and none can be made at the moment.
    #[error("redis cannot be reached")]
    Unreachable(#[source] Cause),
    /// [`Options::max_in_flight`](crate::Options::max_in_flight) commands are waiting already.
    #[error("too many commands are waiting for redis")]
    Saturated,
    /// The command cannot be sent as it is, which is a mistake of the caller.
    #[error("the command cannot be sent")]
    Invalid(#[source] Cause),
    /// No answer came in time.
    #[error("redis did not answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// The connection went away between the command and its answer.
    #[error("the connection to redis was lost before the answer")]
    Lost(#[source] Cause),
    /// The server answered with an error.
    #[error("redis refused the command: {code} {message}")]
    Refused { code: String, message: String },
    /// The server did as it was told, and its answer is not of the type the caller named.
    #[error("the answer of redis has another type than expected")]
    Unexpected(#[source] Cause),
}

/// What is known about the effect of a command that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It never left: certainly without effect, so repeating it is safe.
    NotSent,
    /// It may have taken effect or not, and may even do so after this error.
    Unknown,
    /// The server answered with an error. A single command had no effect; a script may have had one before it failed,
    /// and so may the other commands of a pipeline.
    Refused,
    /// It took effect; only its answer could not be read.
    Done,
}

impl LinkError {
    pub fn fate(&self) -> Fate {
        match self {
            Self::Unreachable(_) | Self::Saturated | Self::Invalid(_) => Fate::NotSent,
            Self::TimedOut(_) | Self::Lost(_) => Fate::Unknown,
            Self::Refused { .. } => Fate::Refused,
            Self::Unexpected(_) => Fate::Done,
        }
    }

    /// The error code of the server's answer, such as `WRONGTYPE` or `OOM`.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused { code, .. } => Some(code),
            _ => None,
        }
    }

    /// Whether Redis as a whole is the trouble (gone, stalled, starting, without a master) rather than this command,
    /// so that asking again a little later is sensible.
    pub fn is_outage(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Saturated | Self::TimedOut(_) | Self::Lost(_) => true,
            Self::Refused { code, .. } => {
                is_passing(code) || is_stale_master(code) || takes_no_writes(code)
            }
            Self::Invalid(_) | Self::Unexpected(_) => false,
        }
    }

    /// Judges the failure of a command that was handed to a live connection.
    pub(crate) fn after_sending(error: RedisError, timeout: Duration) -> Self {
        // Of several error answers the first one stands for all.
        let answers = error.clone().into_server_errors();
        if let Some((_, first)) = answers.as_deref().and_then(<[_]>::first) {
            return Self::refused(first.code(), first.details());
        }
        match error.kind() {
            ErrorKind::Io if error.is_timeout() => Self::TimedOut(timeout),
            ErrorKind::UnexpectedReturnType => Self::Unexpected(Cause::new(error)),
            ErrorKind::Client | ErrorKind::InvalidClientConfig => Self::Invalid(Cause::new(error)),
            _ => Self::Lost(Cause::new(error)),
        }
    }

    fn refused(code: &str, message: Option<&str>) -> Self {
        Self::Refused {
            code: code.to_owned(),
            message: without_arguments(message.unwrap_or_default()).to_owned(),
        }
    }
}

/// The answer, unless it is an error.
pub(crate) fn accept(answer: Value) -> Result<Value, LinkError> {
    match answer {
        Value::ServerError(error) => Err(LinkError::refused(error.code(), error.details())),
        answer => Ok(answer),
    }
}

/// Codes of a server that is not ready yet, or of a cluster that is rearranging itself.
pub(crate) fn is_passing(code: &str) -> bool {
    matches!(
        code,
        "LOADING" | "BUSY" | "TRYAGAIN" | "CLUSTERDOWN" | "MASTERDOWN"
    )
}

/// Codes of a server that is not, or no longer, the one to write to.
pub(crate) fn is_stale_master(code: &str) -> bool {
    matches!(code, "READONLY" | "MASTERDOWN")
}

/// Codes of a server whose disk, memory or replicas do not allow writes.
fn takes_no_writes(code: &str) -> bool {
    matches!(code, "MISCONF" | "OOM" | "NOREPLICAS")
}

/// The server's message. For an unknown command it would repeat the first arguments, which may be anything.
fn without_arguments(message: &str) -> &str {
    message
        .split_once(", with args")
        .map_or(message, |(before, _)| before)
}

/// What lies below a [`LinkError`], as text: the client library's own errors say everything twice in a chain.
#[derive(Clone)]
pub struct Cause(Arc<str>);

impl Cause {
    pub(crate) fn new(cause: impl fmt::Display) -> Self {
        Self(cause.to_string().into())
    }

    /// What a server did or said. The library quotes the code of an answer it does not know, which reads badly.
    pub(crate) fn at(address: &Address, error: &RedisError) -> Self {
        match (error.code(), error.detail()) {
            (Some(code), Some(detail)) => Self::new(format_args!("{address}: {code} {detail}")),
            _ => Self::new(format_args!("{address}: {error}")),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl std::error::Error for Cause {}
