//! What a merchant asks for: one payment, and where its person and its news go.

use std::fmt;

use jiff::Timestamp;

use crate::{CreateError, MAX_AMOUNT_CENTS, OutTradeNo};

/// Longer subjects are cut: it is the line a person reads at the cashier, and no record.
pub const MAX_SUBJECT_CHARS: usize = 128;

/// What Alipay stores of either address.
pub const MAX_URL_LEN: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentRequest {
    pub out_trade_no: OutTradeNo,
    /// What the person reads at the cashier.
    pub subject: String,
    pub amount_cents: u64,
    /// Where the person's browser goes afterwards. Whoever arrives there proves nothing: ask `query`.
    pub return_url: String,
    /// Where the provider's server tells us, signed.
    pub notify_url: String,
    /// From then on the provider takes no payment under this number.
    pub expires_at: Timestamp,
    pub device: Device,
}

/// Which cashier suits the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// A page with a QR code and a login.
    Desktop,
    /// A page that hands over to the provider's app.
    Phone,
}

/// Where to send the person's browser. The address is a bearer of the payment, so it prints without its query.
#[derive(Clone, PartialEq, Eq)]
pub struct Redirect {
    pub url: String,
}

impl Redirect {
    /// What comes after the question mark: for the sandbox, the link as its cashier takes it.
    pub fn query(&self) -> &str {
        self.url.split_once('?').map_or("", |(_, query)| query)
    }
}

impl fmt::Debug for Redirect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.url.split('?').next().unwrap_or_default();
        write!(f, "Redirect({place}?***)")
    }
}

impl PaymentRequest {
    pub(crate) fn check(&self, now: Timestamp) -> Result<(), CreateError> {
        if !(1..=MAX_AMOUNT_CENTS).contains(&self.amount_cents) {
            return Err(CreateError::Amount(self.amount_cents));
        }
        if self.expires_at <= now {
            return Err(CreateError::Expired);
        }
        check_url("return_url", &self.return_url)?;
        check_url("notify_url", &self.notify_url)?;
        if self.cashier_subject().is_empty() {
            return Err(CreateError::NoSubject);
        }
        Ok(())
    }

    /// The subject as a cashier takes it: one line, cut to size, without the characters Alipay refuses.
    pub(crate) fn cashier_subject(&self) -> String {
        let spaced = |c: char| {
            if c.is_control() || matches!(c, '/' | '=' | '&') {
                ' '
            } else {
                c
            }
        };
        let line: String = self.subject.chars().map(spaced).collect();
        let words: Vec<&str> = line.split_whitespace().collect();
        let cut: String = words.join(" ").chars().take(MAX_SUBJECT_CHARS).collect();
        cut.trim_end().to_owned()
    }
}

fn check_url(field: &'static str, url: &str) -> Result<(), CreateError> {
    let known = url.starts_with("https://") || url.starts_with("http://");
    let plain = url.bytes().all(|byte| byte.is_ascii_graphic());
    if known && plain && url.len() <= MAX_URL_LEN {
        Ok(())
    } else {
        Err(CreateError::Url(field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> PaymentRequest {
        PaymentRequest {
            out_trade_no: OutTradeNo::parse("1").unwrap(),
            subject: "火锅 100 元代金券".to_owned(),
            amount_cents: 8800,
            return_url: "https://shop.example/orders/1".to_owned(),
            notify_url: "https://shop.example/notify".to_owned(),
            expires_at: Timestamp::from_second(1_000).unwrap(),
            device: Device::Desktop,
        }
    }

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    #[test]
    fn a_request_that_no_cashier_takes_is_refused_before_it_is_sent() {
        assert_eq!(request().check(NOW), Ok(()));
        let refused = |change: fn(&mut PaymentRequest)| {
            let mut request = request();
            change(&mut request);
            request.check(NOW)
        };
        assert_eq!(refused(|r| r.amount_cents = 0), Err(CreateError::Amount(0)));
        let over = MAX_AMOUNT_CENTS + 1;
        assert_eq!(
            refused(|r| r.amount_cents = MAX_AMOUNT_CENTS + 1),
            Err(CreateError::Amount(over))
        );
        assert_eq!(refused(|r| r.expires_at = NOW), Err(CreateError::Expired));
        assert_eq!(
            refused(|r| r.notify_url = "javascript:alert(1)".to_owned()),
            Err(CreateError::Url("notify_url"))
        );
        assert_eq!(
            refused(|r| r.return_url = "https://a b".to_owned()),
            Err(CreateError::Url("return_url"))
        );
        assert_eq!(
            refused(|r| r.subject = " / \n".to_owned()),
            Err(CreateError::NoSubject)
        );
    }

    #[test]
    fn a_subject_becomes_one_short_line() {
        let mut request = request();
        request.subject = " 两人餐/周末\n=5&折 ".to_owned();
        assert_eq!(request.cashier_subject(), "两人餐 周末 5 折");
        request.subject = "长".repeat(MAX_SUBJECT_CHARS + 5);
        assert_eq!(request.cashier_subject().chars().count(), MAX_SUBJECT_CHARS);
    }

    #[test]
    fn a_redirect_prints_without_what_it_bears() {
        let redirect = Redirect {
            url: "https://pay.example/gateway.do?sign=abc".to_owned(),
        };
        assert_eq!(
            format!("{redirect:?}"),
            "Redirect(https://pay.example/gateway.do?***)"
        );
    }
}
