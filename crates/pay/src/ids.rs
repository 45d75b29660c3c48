//! The numbers by which the two sides know a payment and a refund.
//!
//! Both are chosen by the merchant, so that asking twice is asking for the same thing. Their alphabet is the narrowest
//! any provider allows, which also makes them safe in a URL, a log line and a form.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What Alipay stores of either number.
pub const MAX_NUMBER_LEN: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a number has 1 to {MAX_NUMBER_LEN} letters, digits or underscores")]
pub struct BadNumber;

/// The merchant's name for one payment. It must never be used for another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OutTradeNo(String);

/// The merchant's name for one refund: the same number again is the same refund, not a second one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RefundNo(String);

impl OutTradeNo {
    pub fn parse(text: impl Into<String>) -> Result<Self, BadNumber> {
        checked(text.into()).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl RefundNo {
    pub fn parse(text: impl Into<String>) -> Result<Self, BadNumber> {
        checked(text.into()).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn checked(text: String) -> Result<String, BadNumber> {
    let fits = (1..=MAX_NUMBER_LEN).contains(&text.len());
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if fits && text.bytes().all(plain) {
        Ok(text)
    } else {
        Err(BadNumber)
    }
}

impl TryFrom<String> for OutTradeNo {
    type Error = BadNumber;

    fn try_from(text: String) -> Result<Self, BadNumber> {
        Self::parse(text)
    }
}

impl TryFrom<String> for RefundNo {
    type Error = BadNumber;

    fn try_from(text: String) -> Result<Self, BadNumber> {
        Self::parse(text)
    }
}

impl From<OutTradeNo> for String {
    fn from(number: OutTradeNo) -> Self {
        number.0
    }
}

impl From<RefundNo> for String {
    fn from(number: RefundNo) -> Self {
        number.0
    }
}

impl fmt::Display for OutTradeNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for RefundNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_short_and_plain() {
        for good in ["1", "A_9", &"x".repeat(MAX_NUMBER_LEN)] {
            assert!(OutTradeNo::parse(good).is_ok(), "{good}");
            assert!(RefundNo::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "a-b",
            "a b",
            "订单",
            "a&b=c",
            &"x".repeat(MAX_NUMBER_LEN + 1),
        ] {
            assert_eq!(OutTradeNo::parse(bad), Err(BadNumber), "{bad}");
            assert_eq!(RefundNo::parse(bad), Err(BadNumber), "{bad}");
        }
    }
}
