//! The one sender of codes by e-mail.

use domain::Email;

use super::delivery_metrics;
use super::review::{Review, SenderReview};
use super::{CodeMessage, Delivery, SenderError, SenderName, Smtp, Webhook};

#[derive(Debug)]
pub enum EmailSender {
    Smtp(Smtp),
    Webhook(Webhook),
}

impl EmailSender {
    fn name(&self) -> SenderName {
        match self {
            Self::Smtp(_) => SenderName::Smtp,
            Self::Webhook(_) => SenderName::Webhook,
        }
    }

    pub(super) async fn send(
        &self,
        address: &Email,
        message: &CodeMessage<'_>,
    ) -> Result<Delivery, SenderError> {
        let sent = match self {
            Self::Smtp(smtp) => smtp.send(address, message).await,
            Self::Webhook(webhook) => webhook.send("email", address.as_str(), message).await,
        };
        let delivery = sent.map(|()| Delivery::Sent);
        delivery_metrics::count(self.name(), &delivery);
        delivery
    }

    pub(super) async fn review(&self) -> SenderReview {
        let outcome = match self {
            Self::Smtp(smtp) => smtp.review().await.map(|()| Review::Accepted(Vec::new())),
            Self::Webhook(_) => Ok(Review::WouldSend),
        };
        SenderReview {
            sender: self.name(),
            outcome,
        }
    }
}
