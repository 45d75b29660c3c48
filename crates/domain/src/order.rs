//! Order statuses and their transitions.
//!
//! ```text
//! pending ─> unpaid ─> paid ─> used
//!              │        └───> refunding ─> refunded
//!              └─> cancelled
//! ```
//! An order holds its unit of stock from the grant until it is cancelled or refunded.

use std::fmt;

use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderStatus {
    /// Granted by the gate, not yet recorded in SQL.
    Pending = 0,
    Unpaid = 1,
    Paid = 2,
    Used = 3,
    Cancelled = 4,
    Refunding = 5,
    Refunded = 6,
}

/// How an order is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PayType {
    Balance = 1,
    Alipay = 2,
    WeChat = 3,
}

#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("there is no order status {0}")]
pub struct UnknownStatus(pub i16);

#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("there is no way to pay number {0}")]
pub struct UnknownPayType(pub i16);

/// The redeem code that a buyer shows at the counter. It is a bearer secret: `Debug` hides it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RedeemCode(String);

/// 53 bits: with a million codes alive, a guess is right once in ten thousand million.
pub const REDEEM_CODE_DIGITS: usize = 16;

impl OrderStatus {
    pub const ALL: [Self; 7] = [
        Self::Pending,
        Self::Unpaid,
        Self::Paid,
        Self::Used,
        Self::Cancelled,
        Self::Refunding,
        Self::Refunded,
    ];

    /// The allowed next statuses.
    pub const fn next(self) -> &'static [Self] {
        match self {
            Self::Pending => &[Self::Unpaid],
            Self::Unpaid => &[Self::Paid, Self::Cancelled],
            Self::Paid => &[Self::Used, Self::Refunding],
            Self::Refunding => &[Self::Refunded],
            Self::Used | Self::Cancelled | Self::Refunded => &[],
        }
    }

    pub fn may_become(self, next: Self) -> bool {
        self.next().contains(&next)
    }

    /// Whether an order in this status holds a unit of stock.
    pub const fn is_live(self) -> bool {
        !matches!(self, Self::Cancelled | Self::Refunded)
    }

    /// The number in `tb_voucher_order.status` and on the wire.
    pub const fn code(self) -> i16 {
        self as i16
    }
}

impl TryFrom<i16> for OrderStatus {
    type Error = UnknownStatus;

    fn try_from(code: i16) -> Result<Self, UnknownStatus> {
        Self::ALL
            .into_iter()
            .find(|status| status.code() == code)
            .ok_or(UnknownStatus(code))
    }
}

impl fmt::Display for OrderStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pending => "pending",
            Self::Unpaid => "unpaid",
            Self::Paid => "paid",
            Self::Used => "used",
            Self::Cancelled => "cancelled",
            Self::Refunding => "refunding",
            Self::Refunded => "refunded",
        })
    }
}

impl PayType {
    pub const ALL: [Self; 3] = [Self::Balance, Self::Alipay, Self::WeChat];

    /// The number in `tb_voucher_order.pay_type` and on the wire.
    pub const fn code(self) -> i16 {
        self as i16
    }
}

impl TryFrom<i16> for PayType {
    type Error = UnknownPayType;

    fn try_from(code: i16) -> Result<Self, UnknownPayType> {
        Self::ALL
            .into_iter()
            .find(|pay_type| pay_type.code() == code)
            .ok_or(UnknownPayType(code))
    }
}

impl RedeemCode {
    /// Builds a code from a source of uniform indexes: `pick(n)` must return a number below `n` from a cryptographic
    /// generator.
    pub fn generate(mut pick: impl FnMut(usize) -> usize) -> Self {
        const DIGITS: &[u8; 10] = b"0123456789";
        let digits = (0..REDEEM_CODE_DIGITS).map(|_| char::from(DIGITS[pick(DIGITS.len())]));
        Self(digits.collect())
    }

    /// Parses a scanned or typed code; spaces and dashes are ignored. Only the format is checked.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: String = text
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '-')
            .take(REDEEM_CODE_DIGITS + 1)
            .collect();
        let is_plausible =
            digits.len() == REDEEM_CODE_DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
        is_plausible.then_some(Self(digits))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// For reading: in groups of four.
    pub fn spaced(&self) -> String {
        let digits = self.0.as_bytes().chunks(4);
        let groups: Vec<&str> = digits.filter_map(|it| str::from_utf8(it).ok()).collect();
        groups.join(" ")
    }
}

impl fmt::Debug for RedeemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedeemCode(***)")
    }
}

/// Order ids on the wire, for `#[serde(with = "domain::order::id_as_text")]`: written as a string, because they exceed
/// what a JSON number keeps; read from a string or a number, because old clients send either.
pub mod id_as_text {
    use serde::de::{Error, Unexpected, Visitor};
    use serde::{Deserializer, Serializer};
    use std::fmt;

    use crate::OrderId;

    pub fn serialize<S: Serializer>(id: &OrderId, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(id)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<OrderId, D::Error> {
        deserializer.deserialize_any(IdVisitor)
    }

    struct IdVisitor;

    impl Visitor<'_> for IdVisitor {
        type Value = OrderId;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an order id")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<OrderId, E> {
            let invalid = |_| E::invalid_value(Unexpected::Str(text), &self);
            text.parse().map_err(invalid)
        }

        fn visit_i64<E: Error>(self, value: i64) -> Result<OrderId, E> {
            Ok(OrderId::new(value))
        }

        fn visit_u64<E: Error>(self, value: u64) -> Result<OrderId, E> {
            let invalid = |_| E::invalid_value(Unexpected::Unsigned(value), &self);
            i64::try_from(value).map(OrderId::new).map_err(invalid)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn these_transitions_exist_and_no_others() {
        use OrderStatus::*;
        let legal = [
            (Pending, Unpaid),
            (Unpaid, Paid),
            (Unpaid, Cancelled),
            (Paid, Used),
            (Paid, Refunding),
            (Refunding, Refunded),
        ];
        for from in OrderStatus::ALL {
            for to in OrderStatus::ALL {
                assert_eq!(
                    from.may_become(to),
                    legal.contains(&(from, to)),
                    "{from} {to}"
                );
            }
        }
    }

    #[test]
    fn an_order_holds_its_unit_until_it_is_cancelled_or_refunded() {
        use OrderStatus::*;
        for status in OrderStatus::ALL {
            let is_live = !matches!(status, Cancelled | Refunded);
            assert_eq!(status.is_live(), is_live, "{status}");
        }
    }

    #[test]
    fn no_transition_makes_an_ended_order_live_again() {
        for from in OrderStatus::ALL.into_iter().filter(|it| !it.is_live()) {
            assert!(from.next().is_empty(), "{from}");
        }
    }

    #[test]
    fn codes_round_trip() {
        for status in OrderStatus::ALL {
            assert_eq!(OrderStatus::try_from(status.code()), Ok(status));
        }
        for pay_type in PayType::ALL {
            assert_eq!(PayType::try_from(pay_type.code()), Ok(pay_type));
        }
        assert_eq!(OrderStatus::try_from(7), Err(UnknownStatus(7)));
        assert_eq!(PayType::try_from(0), Err(UnknownPayType(0)));
    }

    #[test]
    fn codes_are_digits_however_they_are_grouped() {
        let mut turn = 0;
        let code = RedeemCode::generate(|below| {
            turn += 1;
            turn % below
        });
        assert_eq!(code.as_str(), "1234567890123456");
        assert_eq!(code.spaced(), "1234 5678 9012 3456");
        for typed in [
            "1234567890123456",
            " 1234 5678 9012 3456 ",
            "1234-5678-9012-3456",
        ] {
            assert_eq!(RedeemCode::parse(typed), Some(code.clone()));
        }
        let long = "1".repeat(10_000);
        for other in [
            "",
            "123456789012345",
            "12345678901234567",
            "123456789012345六",
            &long,
        ] {
            assert_eq!(RedeemCode::parse(other), None, "{other:.20}");
        }
        assert!(!format!("{code:?}").contains("1234"));
    }

    #[test]
    fn an_order_id_is_read_from_text_or_number() {
        use serde::de::IntoDeserializer;
        use serde::de::value::Error;
        let id = crate::OrderId::new(470_000_000_000_000_001);
        let text = IntoDeserializer::<Error>::into_deserializer("470000000000000001");
        assert_eq!(id_as_text::deserialize(text), Ok(id));
        let number = IntoDeserializer::<Error>::into_deserializer(470_000_000_000_000_001_u64);
        assert_eq!(id_as_text::deserialize(number), Ok(id));
        for bad in ["", "x", "1.5", "99999999999999999999"] {
            let text = IntoDeserializer::<Error>::into_deserializer(bad);
            assert!(id_as_text::deserialize(text).is_err(), "{bad}");
        }
    }
}
