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
        "Lots of people are buying right now, please give it a moment",
    );

    /// Why an order of this status does not allow a step.
    pub(super) fn of_status(status: OrderStatus) -> &'static Self {
        match status {
            OrderStatus::Pending => {
                const {
                    &Self::plain("订单处理中，请稍候", "This order is still being processed")
                }
            }
            OrderStatus::Unpaid => {
                const { &Self::plain("订单尚未支付", "This order isn't paid yet") }
            }
            OrderStatus::Paid => const { &Self::plain("订单已支付", "This order is already paid") },
            OrderStatus::Used => {
                const { &Self::plain("订单已核销", "This order has already been used") }
            }
            OrderStatus::Cancelled => {
                const { &Self::plain("订单已取消", "This order was cancelled") }
            }
            OrderStatus::Refunding => {
                const { &Self::plain("订单退款中", "This order is being refunded") }
            }
            OrderStatus::Refunded => {
                const { &Self::plain("订单已退款", "This order was refunded") }
            }
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

    /// Not limits: the smallest amount of money, examples, and a year.
    const NO_LIMITS: [&str; 4] = ["0.01", "10:00-22:00", "0571-0001 2345", "1900"];

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

    /// What the glossary in `web/README.md` has another word for. The web app's own messages have the same test.
    const NOT_IN_CHINESE: [&str; 5] = ["核销码", "优惠券", "评价", "店家", "您"];
    const NOT_IN_ENGLISH: [&str; 12] = [
        "e-mail",
        "nick name",
        "picture",
        "coupon",
        "review",
        "there is no",
        "nobody",
        "somebody",
        "cannot",
        "is not",
        "you are ",
        "log in",
    ];

    /// Whether a word begins there: "this note" does not say "is not". Its end is open, for plurals.
    fn has_word(text: &str, word: &str) -> bool {
        let mut places = text.match_indices(word);
        places.any(|(start, _)| !text[..start].ends_with(char::is_alphanumeric))
    }

    #[test]
    fn a_word_is_found_where_it_begins() {
        assert!(has_word("the sale is not open", "is not"));
        assert!(has_word("reviews", "review"));
        assert!(!has_word("this note", "is not"));
    }

    #[test]
    fn messages_use_the_words_of_the_glossary() {
        let statuses = OrderStatus::ALL.into_iter().map(Message::of_status);
        let of_codes = Code::ALL.iter().map(|code| code.message());
        for message in of_codes.chain(statuses).chain([Message::SALE_BUSY]) {
            let english = message.english.to_lowercase();
            let wrong = NOT_IN_ENGLISH.iter().find(|word| has_word(&english, word));
            assert_eq!(wrong, None, "{english}");
            let wrong = NOT_IN_CHINESE
                .iter()
                .find(|word| message.chinese.contains(*word));
            assert_eq!(wrong, None, "{}", message.chinese);
        }
    }

    /// One sentence stands without a full stop, as the web app's messages do; two have both.
    #[test]
    fn a_full_stop_is_where_there_are_two_sentences() {
        for code in Code::ALL {
            let english = code.message().english;
            assert_eq!(
                english.contains(". "),
                english.ends_with('.'),
                "{code:?}: {english}"
            );
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
