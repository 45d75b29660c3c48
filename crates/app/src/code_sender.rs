//! Delivers login codes.

mod smtp;
mod webhook;

use std::time::Duration;

use domain::{Contact, LoginCode};
use thiserror::Error;

pub use smtp::Smtp;
pub use webhook::Webhook;

use crate::Language;

#[derive(Debug)]
pub enum CodeSender {
    /// Shows the code in the reply and in the log. The settings refuse it in production.
    Demo,
    Smtp(Smtp),
    Webhook(Webhook),
}

#[derive(Debug, Error)]
pub enum SenderError {
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
}

impl SenderError {
    /// Whether the message may have been sent despite the error: the other side got the request and its outcome is
    /// unknown. Counting that as not sent would allow unlimited messages through a slow gateway and would invalidate
    /// a code that arrived.
    pub(crate) fn is_in_doubt(&self) -> bool {
        match self {
            Self::Webhook(error) => !error.is_connect() && !error.is_builder(),
            // A gateway may fail after it forwarded the message, and a proxy may answer 502 or 504 while the gateway
            // goes on. Only a 4xx says that the call was understood and refused.
            Self::WebhookRefused(status) => {
                status.is_server_error() || *status == reqwest::StatusCode::REQUEST_TIMEOUT
            }
            Self::Mail(error) => smtp::may_have_left(error),
            Self::MailAnswerUnreadable => true,
            Self::BadMailServer(_)
            | Self::BadSenderAddress(_)
            | Self::Compose(_)
            | Self::MailRefused(_) => false,
        }
    }
}

impl CodeSender {
    pub fn is_demo(&self) -> bool {
        matches!(self, Self::Demo)
    }

    pub fn reaches(&self, contact: &Contact) -> bool {
        match self {
            Self::Demo | Self::Webhook(_) => true,
            Self::Smtp(_) => matches!(contact, Contact::Email(_)),
        }
    }

    pub(crate) async fn send(
        &self,
        contact: &Contact,
        code: &LoginCode,
        ttl: Duration,
        site_name: &str,
        language: Language,
    ) -> Result<(), SenderError> {
        match self {
            Self::Demo => {
                tracing::info!(?contact, code = code.as_str(), "demo login code");
                Ok(())
            }
            Self::Smtp(smtp) => smtp.send(contact, code, ttl, site_name, language).await,
            Self::Webhook(webhook) => webhook.send(contact, code, ttl, language).await,
        }
    }
}
