//! Sends codes by mail.

use std::fmt;
use std::time::Duration;

use domain::Email;
use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::transport::smtp;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use super::{CodeMessage, SenderError};
use crate::Language;

pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// Longer than a user waits for a code.
const TIMEOUT: Duration = Duration::from_secs(10);

impl Smtp {
    /// `url` is `smtps://user:password@host:465`, or `smtp://host:25` for a relay of one's own.
    pub fn new(url: &str, from: &str) -> Result<Self, SenderError> {
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(SenderError::BadMailServer)?
            .timeout(Some(TIMEOUT))
            .build();
        let from = from
            .parse()
            .map_err(|_| SenderError::BadSenderAddress(from.to_owned()))?;
        Ok(Self { transport, from })
    }

    pub(super) async fn send(
        &self,
        address: &Email,
        message: &CodeMessage<'_>,
    ) -> Result<(), SenderError> {
        let to: Mailbox = address
            .as_str()
            .parse()
            .map_err(|_| SenderError::BadSenderAddress(address.masked()))?;
        let (subject, text) = words(message);
        let mail = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(SenderError::Compose)?;
        let sent = self.transport.send(mail).await;
        sent.map(drop).map_err(explain)
    }

    /// Connects and logs in.
    pub(super) async fn review(&self) -> Result<(), SenderError> {
        match self.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(SenderError::MailAnswerUnreadable),
            Err(error) => Err(explain(error)),
        }
    }
}

fn explain(error: smtp::Error) -> SenderError {
    match error.status() {
        Some(code) => SenderError::MailRefused(code),
        None if error.is_response() => SenderError::MailAnswerUnreadable,
        None => SenderError::Mail(error),
    }
}

/// A mail server that was reached and then lost may have the mail. The library exposes the kind "never connected"
/// only in its message.
pub(super) fn may_have_left(error: &smtp::Error) -> bool {
    let never_reached = error.to_string().starts_with("Connection error");
    !(never_reached || error.is_client() || error.is_tls() || error.is_transport_shutdown())
}

fn words(message: &CodeMessage<'_>) -> (String, String) {
    let (code, site, minutes) = (message.code.as_str(), message.site_name, message.minutes());
    let unit = if minutes == 1 { "minute" } else { "minutes" };
    match message.language {
        Language::Chinese => (
            format!("{site} 登录验证码"),
            format!(
                "你的登录验证码是 {code}，{minutes} 分钟内有效。\n如非本人操作，请忽略这封邮件。不要把验证码告诉任何人。\n"
            ),
        ),
        Language::English => (
            format!("Your {site} sign-in code"),
            format!(
                "Your sign-in code is {code}. It expires in {minutes} {unit}.\nDidn't ask for it? You can ignore this email. Never share the code with anyone.\n"
            ),
        ),
    }
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Smtp")
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}
