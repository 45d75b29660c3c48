//! Delivers login codes: e-mail by one sender, phones by one or more gateways in order.
//!
//! Invariant: one request has one code. Whatever fails on the way, every gateway that is tried gets the same one.

mod aliyun;
mod delivery_metrics;
mod digest;
mod email;
mod error;
mod gateway_client;
mod gateway_fault;
mod phone_gateways;
mod review;
mod smtp;
mod tencent;
mod webhook;

use std::fmt;
use std::time::Duration;

use domain::{Contact, LoginCode};

pub use aliyun::{Aliyun, AliyunSettings};
pub use email::EmailSender;
pub use error::SenderError;
pub use gateway_fault::{GatewayFault, GatewayRefusal};
pub use phone_gateways::{PhoneGateway, PhoneGateways};
pub use review::{ItemState, Review, ReviewedItem, SenderReview};
pub use smtp::Smtp;
pub use tencent::{Tencent, TencentParam, TencentSettings};
pub use webhook::Webhook;

use crate::Language;

#[derive(Debug)]
pub enum CodeSender {
    /// Shows the code in the reply and in the log. The settings refuse it in production.
    Demo,
    ByContact(ContactSenders),
}

/// Who delivers to which kind of contact; a kind without a sender gets no codes.
#[derive(Debug)]
pub struct ContactSenders {
    pub phone: Option<PhoneGateways>,
    pub email: Option<EmailSender>,
}

/// The senders by their names in the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderName {
    Smtp,
    Webhook,
    Aliyun,
    Tencent,
}

/// How a delivery ended, if it did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    Sent,
    Refused(NumberRefusal),
}

/// Why a gateway sends nothing to this number. Another gateway is not asked: the reason is the number itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberRefusal {
    /// It does not exist, or its owner has unsubscribed from messages.
    Unreachable,
    /// It was sent as many messages as the gateway allows for a while.
    TooManyMessages,
}

/// What is sent, whoever delivers it.
#[derive(Debug)]
pub(crate) struct CodeMessage<'a> {
    pub(crate) code: &'a LoginCode,
    pub(crate) ttl: Duration,
    pub(crate) site_name: &'a str,
    pub(crate) language: Language,
}

impl CodeSender {
    pub fn is_demo(&self) -> bool {
        matches!(self, Self::Demo)
    }

    pub fn reaches_phones(&self) -> bool {
        match self {
            Self::Demo => true,
            Self::ByContact(senders) => senders.phone.is_some(),
        }
    }

    pub fn reaches_email(&self) -> bool {
        match self {
            Self::Demo => true,
            Self::ByContact(senders) => senders.email.is_some(),
        }
    }

    pub(crate) fn reaches(&self, contact: &Contact) -> bool {
        match contact {
            Contact::Phone(_) => self.reaches_phones(),
            Contact::Email(_) => self.reaches_email(),
        }
    }

    pub(crate) async fn send(
        &self,
        contact: &Contact,
        message: &CodeMessage<'_>,
    ) -> Result<Delivery, SenderError> {
        let senders = match self {
            Self::Demo => {
                let code = message.code.as_str();
                tracing::info!(?contact, code, "demo login code");
                return Ok(Delivery::Sent);
            }
            Self::ByContact(senders) => senders,
        };
        match contact {
            Contact::Phone(phone) => {
                let gateways = senders.phone.as_ref().ok_or(SenderError::NoSender)?;
                gateways.send(phone, message).await
            }
            Contact::Email(address) => {
                let sender = senders.email.as_ref().ok_or(SenderError::NoSender)?;
                sender.send(address, message).await
            }
        }
    }

    /// Checks the credentials of every sender without sending anything.
    pub async fn review(&self) -> Vec<SenderReview> {
        let Self::ByContact(senders) = self else {
            return Vec::new();
        };
        let mut reviews = Vec::new();
        if let Some(gateways) = &senders.phone {
            reviews.extend(gateways.review().await);
        }
        if let Some(sender) = &senders.email {
            reviews.push(sender.review().await);
        }
        reviews
    }
}

impl CodeMessage<'_> {
    /// How long the code is good for, as messages say it.
    pub(crate) fn minutes(&self) -> u64 {
        self.ttl.as_secs().div_ceil(60)
    }
}

impl SenderName {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Smtp => "smtp",
            Self::Webhook => "webhook",
            Self::Aliyun => "aliyun",
            Self::Tencent => "tencent",
        }
    }
}

impl fmt::Display for SenderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}
