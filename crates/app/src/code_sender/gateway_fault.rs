//! What a gateway's error code means for us: whose fault it is, and so whether another gateway may help.

use std::fmt;

use super::{NumberRefusal, SenderName};

/// An answer other than success, by the gateway's own code. Its text is left out: it may quote the number.
#[derive(Debug)]
pub struct GatewayRefusal {
    pub gateway: SenderName,
    pub fault: GatewayFault,
    pub(super) code: String,
    pub(super) request_id: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GatewayFault {
    Number(NumberRefusal),
    /// The gateway does not know the key, or it is disabled.
    KeyId,
    /// The signature is wrong, so the secret is.
    KeySecret,
    /// Our clock and the gateway's differ.
    Clock,
    /// The key may not do this.
    Permission,
    /// The account has no money, is suspended, or has not subscribed.
    Account,
    /// The account has sent as much as it may for a while.
    Quota,
    /// The app does not exist or belongs to another account.
    App,
    Sign,
    Template,
    /// The gateway failed, perhaps after it had passed the message on.
    Outage,
    /// A code that we do not know: the message was not accepted.
    Other,
}

/// Longer than any documented code; what is longer is cut.
const CODE_MAX_CHARS: usize = 80;

impl GatewayRefusal {
    pub(super) fn new(
        gateway: SenderName,
        fault: GatewayFault,
        code: &str,
        request_id: &str,
    ) -> Self {
        Self {
            gateway,
            fault,
            code: plain(code),
            request_id: plain(request_id),
        }
    }
}

impl GatewayFault {
    pub(super) fn is_in_doubt(self) -> bool {
        self == Self::Outage
    }
}

impl fmt::Display for GatewayRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} answered {}", self.gateway, self.code)?;
        if !self.request_id.is_empty() {
            write!(f, " (request {})", self.request_id)?;
        }
        Ok(())
    }
}

/// Codes and request ids have letters, digits and few marks: whatever else an answer holds stays out of the log.
fn plain(text: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "._-".contains(*c);
    text.chars().filter(is_plain).take(CODE_MAX_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_shown_by_its_plain_letters_and_not_without_end() {
        let code = format!("isv.A\n<{}", "b".repeat(100));
        let refusal =
            GatewayRefusal::new(SenderName::Aliyun, GatewayFault::Other, &code, "1-2 3\r");
        let expected = format!("aliyun answered isv.A{} (request 1-23)", "b".repeat(75));
        assert_eq!(refusal.to_string(), expected);
    }
}
