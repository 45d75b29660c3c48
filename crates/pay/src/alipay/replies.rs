//! What the gateway replies, as far as it matters here. Fields about the buyer are not named, so they are never read.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::{Refusal, RefusalKind, money};

/// Longest code kept of a reply, for the log.
const MAX_CODE_CHARS: usize = 64;

/// The gateway's word for success.
const SUCCESS: &str = "10000";
/// A refusal by the business behind the gateway; the other codes are about the merchant's keys and rights.
const BUSINESS_FAILED: &str = "40004";
/// Not refused, not done: the service was not available, or the payment is being worked on.
const UNDECIDED: [&str; 2] = ["20000", "10003"];

#[derive(Debug, Deserialize)]
pub(super) struct Head {
    code: String,
    #[serde(default)]
    sub_code: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReplyStatus {
    Done,
    Refused(Refusal),
    /// The code, for the log.
    Undecided(String),
}

#[derive(Debug, Deserialize)]
pub(super) struct QueryReply {
    pub(super) out_trade_no: String,
    pub(super) trade_no: String,
    pub(super) trade_status: String,
    #[serde(deserialize_with = "cents")]
    pub(super) total_amount: u64,
    pub(super) send_pay_date: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CloseReply {
    pub(super) out_trade_no: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RefundReply {
    pub(super) out_trade_no: String,
    /// `Y` if this very call moved money.
    pub(super) fund_change: Option<String>,
    pub(super) gmt_refund_pay: Option<String>,
}

/// Everything is missing where there is no such refund.
#[derive(Debug, Deserialize)]
pub(super) struct RefundQueryReply {
    pub(super) out_trade_no: Option<String>,
    pub(super) out_request_no: Option<String>,
    pub(super) refund_status: Option<String>,
    #[serde(default, deserialize_with = "maybe_cents")]
    pub(super) refund_amount: Option<u64>,
    pub(super) gmt_refund_pay: Option<String>,
}

impl Head {
    pub(super) fn verdict(&self) -> ReplyStatus {
        let code = self.label();
        if self.code == SUCCESS {
            ReplyStatus::Done
        } else if self.is_undecided() {
            ReplyStatus::Undecided(code)
        } else {
            ReplyStatus::Refused(Refusal {
                kind: self.kind(),
                code,
            })
        }
    }

    /// The codes, in characters that can stand in a log line.
    pub(super) fn label(&self) -> String {
        let code = match self.sub_code.as_str() {
            "" => &self.code,
            sub_code => sub_code,
        };
        let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        code.chars().filter(plain).take(MAX_CODE_CHARS).collect()
    }

    /// `isp` is a fault on Alipay's side of the gateway, and "system error" one behind it: either may have done the work.
    fn is_undecided(&self) -> bool {
        UNDECIDED.contains(&self.code.as_str())
            || self.sub_code.ends_with("SYSTEM_ERROR")
            || self.sub_code.starts_with("isp.")
            || self.sub_code.starts_with("aop.unknow")
    }

    fn kind(&self) -> RefusalKind {
        if self.code != BUSINESS_FAILED {
            return RefusalKind::NotAllowed;
        }
        match self.sub_code.as_str() {
            "ACQ.TRADE_NOT_EXIST" => RefusalKind::NotFound,
            "ACQ.SELLER_BALANCE_NOT_ENOUGH" => RefusalKind::NotEnoughFunds,
            "ACQ.DISCORDANT_REPEAT_REQUEST" => RefusalKind::NumberReused,
            "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL"
            | "ACQ.REASON_TRADE_REFUND_FEE_ERR"
            | "ACQ.REFUND_FEE_ERROR" => RefusalKind::TooMuch,
            "ACQ.TRADE_STATUS_ERROR"
            | "ACQ.REASON_TRADE_STATUS_INVALID"
            | "ACQ.REASON_ILLEGAL_STATUS"
            | "ACQ.REASON_TRADE_BEEN_FREEZEN"
            | "ACQ.TRADE_HAS_FINISHED"
            | "ACQ.TRADE_HAS_CLOSE"
            | "ACQ.TRADE_NOT_ALLOW_REFUND" => RefusalKind::WrongState,
            _ => RefusalKind::Other,
        }
    }
}

/// The specification shows amounts as texts and as numbers; the digits are read as they stand, never as a float.
fn cents<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    money::from_yuan(raw.get().trim_matches('"'))
        .ok_or_else(|| serde::de::Error::custom("not an amount"))
}

fn maybe_cents<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    cents(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(code: &str, sub_code: &str) -> ReplyStatus {
        let head = Head {
            code: code.to_owned(),
            sub_code: sub_code.to_owned(),
        };
        head.verdict()
    }

    #[test]
    fn a_fault_on_their_side_decides_nothing() {
        for (code, sub_code) in [
            ("20000", "isp.unknow-error"),
            ("40004", "ACQ.SYSTEM_ERROR"),
            ("40004", "aop.ACQ.SYSTEM_ERROR"),
            ("10003", ""),
        ] {
            let verdict = verdict(code, sub_code);
            assert!(
                matches!(verdict, ReplyStatus::Undecided(_)),
                "{code} {sub_code}"
            );
        }
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let kind = |code, sub_code| match verdict(code, sub_code) {
            ReplyStatus::Refused(refusal) => Some(refusal.kind),
            _ => None,
        };
        assert_eq!(kind("10000", ""), None);
        let business = |sub_code| kind("40004", sub_code);
        assert_eq!(business("ACQ.TRADE_NOT_EXIST"), Some(RefusalKind::NotFound));
        assert_eq!(
            business("ACQ.TRADE_HAS_CLOSE"),
            Some(RefusalKind::WrongState)
        );
        assert_eq!(business("ACQ.NEW_WORD"), Some(RefusalKind::Other));
        assert_eq!(
            kind("40002", "isv.invalid-signature"),
            Some(RefusalKind::NotAllowed)
        );
    }

    #[test]
    fn an_amount_may_be_a_text_or_a_number() {
        let read = |json: &str| {
            let reply: Result<RefundQueryReply, _> = serde_json::from_str(json);
            reply.ok().map(|reply| reply.refund_amount)
        };
        assert_eq!(read(r#"{"refund_amount":"12.30"}"#), Some(Some(1230)));
        assert_eq!(read(r#"{"refund_amount":12.33}"#), Some(Some(1233)));
        assert_eq!(read("{}"), Some(None));
        assert_eq!(read(r#"{"refund_amount":1e3}"#), None);
    }
}
