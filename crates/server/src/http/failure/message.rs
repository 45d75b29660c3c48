//! What a person reads about a failure, in both languages.

use std::borrow::Cow;

use app::Language;
use domain::OrderStatus;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) chinese: &'static str,
    pub(super) english: &'static str,
    /// Fill `{0}`, `{1}`, … of both texts.
    pub(super) limits: &'static [u64],
}

impl Message {
    const fn plain(chinese: &'static str, english: &'static str) -> Self {
        Self {
            chinese,
            english,
            limits: &[],
        }
    }

    /// The message of `busy` for a buyer in a flash sale.
    pub(super) const SALE_BUSY: &Self = &Self::plain(
        "秒杀系统繁忙，请稍后重试",
        "The sale is busy: please try again in a moment",
    );

    /// Why an order of this status does not allow a step.
    pub(super) fn of_status(status: OrderStatus) -> &'static Self {
        match status {
            OrderStatus::Pending => {
                const { &Self::plain("订单处理中，请稍候", "The order is being processed") }
            }
            OrderStatus::Unpaid => {
                const { &Self::plain("订单尚未支付", "The order is not paid yet") }
            }
            OrderStatus::Paid => const { &Self::plain("订单已支付", "The order is paid") },
            OrderStatus::Used => const { &Self::plain("订单已核销", "The order has been used") },
            OrderStatus::Cancelled => {
                const { &Self::plain("订单已取消", "The order was cancelled") }
            }
            OrderStatus::Refunding => {
                const { &Self::plain("订单退款中", "The order is being refunded") }
            }
            OrderStatus::Refunded => const { &Self::plain("订单已退款", "The order was refunded") },
        }
    }

    pub(super) fn text(&self, language: Language) -> Cow<'static, str> {
        let (template, number): (_, fn(u64) -> String) = match language {
            Language::Chinese => (self.chinese, chinese_number),
            Language::English => (self.english, english_number),
        };
        if self.limits.is_empty() {
            return Cow::Borrowed(template);
        }
        let filled = self.limits.iter().enumerate();
        let filled = filled.fold(template.to_owned(), |text, (place, limit)| {
            text.replace(&format!("{{{place}}}"), &number(*limit))
        });
        Cow::Owned(filled)
    }
}

/// Round ten thousands are counted in 万.
fn chinese_number(number: u64) -> String {
    const WAN: u64 = 10_000;
    if number >= WAN && number.is_multiple_of(WAN) {
        format!("{}万", number / WAN)
    } else {
        number.to_string()
    }
}

fn english_number(number: u64) -> String {
    match number / 1_000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", english_number(thousands), number % 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Code;
    use super::*;

    /// Not limits: the smallest amount of money, an example, and a year.
    const NO_LIMITS: [&str; 3] = ["0.01", "10:00-22:00", "1900"];

    /// A limit that changes must not leave its message behind. `0` and `1` are the ends where a range begins.
    #[test]
    fn every_number_in_a_message_is_a_placeholder() {
        for code in Code::ALL {
            let message = code.message();
            for text in [message.chinese, message.english] {
                let mut rest = text.to_owned();
                for place in 0..message.limits.len() {
                    rest = rest.replace(&format!("{{{place}}}"), "");
                }
                for allowed in NO_LIMITS {
                    rest = rest.replace(allowed, "");
                }
                let numbers = rest.split(|character: char| !character.is_ascii_digit());
                let written = numbers.filter(|number| !["", "0", "1"].contains(number));
                assert_eq!(written.collect::<Vec<_>>(), [""; 0], "{code:?}: {text}");
            }
        }
    }

    #[test]
    fn every_limit_of_a_message_is_used() {
        for code in Code::ALL {
            let message = code.message();
            for place in 0..message.limits.len() {
                let placeholder = format!("{{{place}}}");
                assert!(message.english.contains(&placeholder), "{code:?}");
            }
        }
    }

    #[test]
    fn numbers_are_written_as_each_language_does() {
        let message = Message {
            chinese: "最多{0}，共{1}",
            english: "at most {0} of {1}",
            limits: &[2_048, 10_000_000],
        };
        assert_eq!(message.text(Language::Chinese), "最多2048，共1000万");
        assert_eq!(
            message.text(Language::English),
            "at most 2,048 of 10,000,000"
        );
    }
}
