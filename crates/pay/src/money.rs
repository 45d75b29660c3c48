//! Cents inside, yuan with a point on the wire. No float in between, so no cent is ever lost to rounding.

/// 100,000,000.00 yuan, the most Alipay takes in one payment. The sandbox keeps to it too.
pub const MAX_AMOUNT_CENTS: u64 = 10_000_000_000;

const CENTS_A_YUAN: u64 = 100;

pub(crate) fn to_yuan(cents: u64) -> String {
    format!("{}.{:02}", cents / CENTS_A_YUAN, cents % CENTS_A_YUAN)
}

/// Reads `12`, `12.3` or `12.34`; anything else, and anything above the most that can be paid, is no amount.
pub(crate) fn from_yuan(text: &str) -> Option<u64> {
    let (yuan, cents) = text.split_once('.').unwrap_or((text, "0"));
    let cents = match cents.len() {
        1 => digits(cents)? * 10,
        2 => digits(cents)?,
        _ => return None,
    };
    let total = digits(yuan)?
        .checked_mul(CENTS_A_YUAN)?
        .checked_add(cents)?;
    (total <= MAX_AMOUNT_CENTS).then_some(total)
}

/// `str::parse` would take a sign.
fn digits(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_amount_is_read_to_the_cent_or_not_at_all() {
        let good = [("0.01", 1), ("88.88", 8888), ("88.8", 8880), ("88", 8800)];
        for (text, cents) in good {
            assert_eq!(from_yuan(text), Some(cents), "{text}");
        }
        let most = to_yuan(MAX_AMOUNT_CENTS);
        assert_eq!(from_yuan(&most), Some(MAX_AMOUNT_CENTS));
        for bad in [
            "",
            ".",
            "1.",
            ".5",
            "+1",
            "-1",
            "1e3",
            "1.234",
            "1,00",
            " 1",
            "1.+1",
            "100000000.01",
            "99999999999999999999",
        ] {
            assert_eq!(from_yuan(bad), None, "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(cents in 0..=MAX_AMOUNT_CENTS) {
            prop_assert_eq!(from_yuan(&to_yuan(cents)), Some(cents));
        }
    }
}
