//! The errors of a command, distinguished by whether the command may have been executed: [`LinkError::execution`].
//!
//! No error holds a password, a key or an argument; `Display` leaves the cause to [`source`](std::error::Error::source).

use std::{fmt, sync::Arc, time::Duration};

use redis::{ErrorKind, RedisError, Value};

use crate::target::ServerAddress;

/// Why a command has no usable reply.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// There is no connection.
    #[error("redis cannot be reached")]
    Unreachable(#[source] Cause),
    /// [`Options::max_in_flight`](crate::Options::max_in_flight) commands are waiting already.
    #[error("too many commands are waiting for redis")]
    Saturated,
    /// The command is malformed, which is a mistake of the caller.
    #[error("the command cannot be sent")]
    Invalid(#[source] Cause),
    /// No reply came in time.
    #[error("redis did not reply within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// The connection was lost between the command and its reply.
    #[error("the connection to redis was lost before the reply")]
    Lost(#[source] Cause),
    /// The server replied with an error.
    #[error("redis refused the command: {code} {message}")]
    Refused {
        /// The first word of the reply, such as `WRONGTYPE`.
        code: String,
        /// The rest of the reply, without arguments of the command.
        message: String,
    },
    /// The server executed the command, and its reply is not of the type that the caller expects.
    #[error("the reply of redis has another type than expected")]
    Unexpected(#[source] Cause),
}

/// Whether a failed command was executed. The four cases are all there are, so a `match` needs no wildcard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// It was not sent, so a retry is safe.
    NotSent,
    /// It may have been executed, or may still be after this error.
    Unknown,
    /// The server replied with an error. A single command had no effect; a script may have had one before it failed,
    /// and so may the other commands of a pipeline.
    Refused,
    /// It was executed; only its reply could not be decoded.
    Done,
}

impl LinkError {
    /// Whether the command was executed.
    pub fn execution(&self) -> Execution {
        match self {
            Self::Unreachable(_) | Self::Saturated | Self::Invalid(_) => Execution::NotSent,
            Self::TimedOut(_) | Self::Lost(_) => Execution::Unknown,
            Self::Refused { .. } => Execution::Refused,
            Self::Unexpected(_) => Execution::Done,
        }
    }

    /// The error code of the server's reply, such as `WRONGTYPE` or `OOM`.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused { code, .. } => Some(code),
            _ => None,
        }
    }

    /// Whether the cause is an outage of Redis (down, stalled, starting, without a master) rather than this command, so that
    /// a later retry may succeed.
    pub fn is_outage(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Saturated | Self::TimedOut(_) | Self::Lost(_) => true,
            Self::Refused { code, .. } => {
                is_passing(code) || is_stale_master(code) || takes_no_writes(code)
            }
            Self::Invalid(_) | Self::Unexpected(_) => false,
        }
    }

    /// Classifies the error of a command that was sent on a live connection.
    pub(crate) fn after_sending(error: RedisError, timeout: Duration) -> Self {
        // The first of several error replies is returned.
        let replies = error.clone().into_server_errors();
        if let Some((_, first)) = replies.as_deref().and_then(<[_]>::first) {
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

/// The reply, unless it is an error.
pub(crate) fn accept(reply: Value) -> Result<Value, LinkError> {
    match reply {
        Value::ServerError(error) => Err(LinkError::refused(error.code(), error.details())),
        reply => Ok(reply),
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

    /// What a server did or said. The library quotes the code of a reply it does not know, which reads badly.
    pub(crate) fn at(address: &ServerAddress, error: &RedisError) -> Self {
        Self::new(format_args!("{address}: {}", Self::of(error)))
    }

    pub(crate) fn of(error: &RedisError) -> Self {
        match (error.code(), error.detail()) {
            (Some(code), Some(detail)) => Self::new(format_args!("{code} {detail}")),
            _ => Self::new(error),
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
