//! What can go wrong while a code is delivered, and whether it may have arrived all the same.

use thiserror::Error;

use super::gateway_fault::GatewayRefusal;
use super::{SenderName, smtp};

#[derive(Debug, Error)]
pub enum SenderError {
    #[error("no sender reaches such contacts")]
    NoSender,
    #[error("the mail server address is not usable")]
    BadMailServer(#[source] lettre::transport::smtp::Error),
    #[error("the sender address {0:?} is not usable")]
    BadSenderAddress(String),
    #[error("the mail could not be written")]
    Compose(#[source] lettre::error::Error),
    #[error("the mail server could not be talked to")]
    Mail(#[source] lettre::transport::smtp::Error),
    /// Without the server's text, which quotes the address.
    #[error("the mail server answered {0}")]
    MailRefused(lettre::transport::smtp::response::Code),
    #[error("the mail server's answer could not be read")]
    MailAnswerUnreadable,
    #[error("the webhook could not be called")]
    Webhook(#[source] reqwest::Error),
    #[error("the webhook answered {0}")]
    WebhookRefused(reqwest::StatusCode),
    #[error("the client of {gateway} could not be built")]
    GatewayClient {
        gateway: SenderName,
        source: reqwest::Error,
    },
    #[error("{gateway} could not be called")]
    GatewayCall {
        gateway: SenderName,
        source: reqwest::Error,
    },
    #[error("the answer of {gateway} with status {status} could not be read")]
    GatewayAnswerUnreadable {
        gateway: SenderName,
        status: reqwest::StatusCode,
    },
    #[error("{0}")]
    GatewayRefused(GatewayRefusal),
    #[error("the gateway refused the number")]
    NumberRefused,
    /// Whatever the last gateway said: the message of an earlier one may arrive.
    #[error("no gateway confirmed the code, and an earlier one may have sent it")]
    AfterDoubt(#[source] Box<SenderError>),
}

impl SenderError {
    /// Whether the message may have been sent despite the error: the other side got the request and its outcome is
    /// unknown. Counting that as not sent would allow unlimited messages through a slow gateway and would invalidate
    /// a code that arrived.
    pub(crate) fn is_in_doubt(&self) -> bool {
        match self {
            Self::Webhook(source) | Self::GatewayCall { source, .. } => {
                !source.is_connect() && !source.is_builder()
            }
            // A gateway may fail after it forwarded the message, and a proxy may answer 502 or 504 while the gateway
            // goes on. Only a 4xx says that the call was understood and refused.
            Self::WebhookRefused(status) => {
                status.is_server_error() || *status == reqwest::StatusCode::REQUEST_TIMEOUT
            }
            Self::GatewayAnswerUnreadable { status, .. } => {
                !status.is_client_error() || *status == reqwest::StatusCode::REQUEST_TIMEOUT
            }
            Self::GatewayRefused(refusal) => refusal.fault.is_in_doubt(),
            Self::Mail(error) => smtp::may_have_left(error),
            Self::MailAnswerUnreadable | Self::AfterDoubt(_) => true,
            Self::NoSender
            | Self::BadMailServer(_)
            | Self::BadSenderAddress(_)
            | Self::Compose(_)
            | Self::MailRefused(_)
            | Self::GatewayClient { .. }
            | Self::NumberRefused => false,
        }
    }
}
