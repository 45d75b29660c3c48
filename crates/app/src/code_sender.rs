//! How a login code reaches its person.

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
    #[error("the mail server did not take the mail")]
    Mail(#[source] lettre::transport::smtp::Error),
    #[error("the webhook could not be called")]
    Webhook(#[source] reqwest::Error),
    #[error("the webhook answered {0}")]
    WebhookRefused(reqwest::StatusCode),
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
