//! Voucher and flash-sale fields and their bounds.

use jiff::Timestamp;
use thiserror::Error;

use crate::text::{hides, is_line, is_name};

/// A submitted voucher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoucherDraft {
    pub title: String,
    pub sub_title: Option<String>,
    /// Lines of text.
    pub rules: Option<String>,
    /// What the buyer pays.
    pub pay_value_cents: i64,
    /// The value at the shop.
    pub actual_value_cents: i64,
}

/// A submitted flash sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaleDraft {
    pub stock: u32,
    pub begin_at: Timestamp,
    pub end_at: Timestamp,
    pub limit_per_user: u8,
    /// Over how many partitions the sale is spread.
    pub spread: u16,
}

/// The invalid field; the HTTP layer turns it into words.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum InvalidVoucher {
    #[error("the title must have 1 to {TITLE_MAX_CHARS} characters")]
    Title,
    #[error("the subtitle must have at most {SUB_TITLE_MAX_CHARS} characters")]
    SubTitle,
    #[error("the rules must have at most {RULES_MAX_CHARS} characters")]
    Rules,
    #[error("the price must lie between 1 and the voucher's value, in cents")]
    PayValue,
    #[error("the value must lie between 1 and {VALUE_MAX_CENTS} cents")]
    ActualValue,
    #[error("there must be 1 to {STOCK_MAX} units")]
    Stock,
    #[error("the sale must end after it begins, within the times this site can hold")]
    Window,
    #[error("a user may have 1 to {LIMIT_PER_USER_MAX} units")]
    LimitPerUser,
    #[error("the sale must be spread over 1 to as many partitions as there are")]
    Spread,
}

/// Whether a voucher is sold as long as it is on the shelf, or in a flash sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VoucherKind {
    Ordinary = 0,
    Flash = 1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VoucherStatus {
    OnShelf = 1,
    OffShelf = 2,
    Expired = 3,
}

/// Column widths of the original's table.
pub const TITLE_MAX_CHARS: usize = 255;
pub const SUB_TITLE_MAX_CHARS: usize = 255;
pub const RULES_MAX_CHARS: usize = 1_024;

/// A million yuan: far above any voucher, and sums of them stay far below 2^53.
pub const VALUE_MAX_CENTS: i64 = 100_000_000;
/// More than a flash sale has ever had, and well inside the column.
pub const STOCK_MAX: u32 = 10_000_000;
/// The highest limit per user.
pub const LIMIT_PER_USER_MAX: u8 = 99;

/// SQL knows no year above 9999, and the last day of it is not the same day in every zone.
const LATEST: Timestamp = Timestamp::constant(253_402_000_000, 0);

impl VoucherDraft {
    /// Trims texts and checks every field. Whether the shop exists is not known here.
    pub fn checked(mut self) -> Result<Self, InvalidVoucher> {
        self.title = self.title.trim().to_owned();
        self.sub_title = trimmed(self.sub_title);
        self.rules = trimmed(self.rules);
        let title_fits = is_name(&self.title, TITLE_MAX_CHARS);
        ensure(title_fits, InvalidVoucher::Title)?;
        let sub_title = self.sub_title.as_deref().unwrap_or_default();
        let sub_title_fits = is_line(sub_title, SUB_TITLE_MAX_CHARS);
        ensure(sub_title_fits, InvalidVoucher::SubTitle)?;
        let rules = self.rules.as_deref().unwrap_or_default();
        ensure(are_lines(rules), InvalidVoucher::Rules)?;
        let value_fits = (1..=VALUE_MAX_CENTS).contains(&self.actual_value_cents);
        ensure(value_fits, InvalidVoucher::ActualValue)?;
        let price_fits = (1..=self.actual_value_cents).contains(&self.pay_value_cents);
        ensure(price_fits, InvalidVoucher::PayValue)?;
        Ok(self)
    }
}

impl SaleDraft {
    /// `partitions` is the number that the site has.
    pub fn checked(self, partitions: u16) -> Result<Self, InvalidVoucher> {
        ensure((1..=STOCK_MAX).contains(&self.stock), InvalidVoucher::Stock)?;
        ensure(
            is_window(self.begin_at, self.end_at),
            InvalidVoucher::Window,
        )?;
        let limit_fits = (1..=LIMIT_PER_USER_MAX).contains(&self.limit_per_user);
        ensure(limit_fits, InvalidVoucher::LimitPerUser)?;
        ensure(
            (1..=partitions).contains(&self.spread),
            InvalidVoucher::Spread,
        )?;
        Ok(self)
    }
}

/// Whether a sale can be open from `begin` on and closed from `end` on.
pub fn is_window(begin: Timestamp, end: Timestamp) -> bool {
    Timestamp::UNIX_EPOCH <= begin && begin < end && end <= LATEST
}

impl VoucherKind {
    /// The number in `tb_voucher.type`.
    pub const fn code(self) -> i16 {
        self as i16
    }

    /// Unknown numbers are ordinary: they have no sale.
    pub const fn from_code(code: i16) -> Self {
        match code {
            1 => Self::Flash,
            _ => Self::Ordinary,
        }
    }
}

impl VoucherStatus {
    /// The number in `tb_voucher.status`.
    pub const fn code(self) -> i16 {
        self as i16
    }

    /// Unknown numbers are not for sale.
    pub const fn from_code(code: i16) -> Self {
        match code {
            1 => Self::OnShelf,
            3 => Self::Expired,
            _ => Self::OffShelf,
        }
    }
}

fn ensure(fits: bool, error: InvalidVoucher) -> Result<(), InvalidVoucher> {
    if fits { Ok(()) } else { Err(error) }
}

/// A blank text counts as absent.
fn trimmed(text: Option<String>) -> Option<String> {
    let text = text?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn are_lines(text: &str) -> bool {
    let is_foreign = |c: char| c.is_control() && c != '\n' && c != '\r' && c != '\t';
    text.chars().count() <= RULES_MAX_CHARS && !text.contains(is_foreign) && !hides(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> VoucherDraft {
        VoucherDraft {
            title: "50元代金券".to_owned(),
            sub_title: Some("周一至周日均可使用".to_owned()),
            rules: Some("全场通用\n无需预约".to_owned()),
            pay_value_cents: 4_750,
            actual_value_cents: 5_000,
        }
    }

    fn sale() -> SaleDraft {
        SaleDraft {
            stock: 100,
            begin_at: Timestamp::constant(1_800_000_000, 0),
            end_at: Timestamp::constant(1_800_003_600, 0),
            limit_per_user: 1,
            spread: 1,
        }
    }

    #[test]
    fn titles_are_trimmed_and_counted_in_characters() {
        let titled = |title: &str| VoucherDraft {
            title: title.to_owned(),
            ..draft()
        };
        let longest = "券".repeat(TITLE_MAX_CHARS);
        let checked = titled(&format!(" {longest} ")).checked().unwrap();
        assert_eq!(checked.title, longest);
        for bad in ["", "  ", "a\nb", &"券".repeat(TITLE_MAX_CHARS + 1)] {
            assert_eq!(titled(bad).checked(), Err(InvalidVoucher::Title), "{bad:?}");
        }
    }

    #[test]
    fn subtitles_and_rules_may_be_missing_and_have_an_end() {
        let with = |sub_title: &str, rules: &str| VoucherDraft {
            sub_title: Some(sub_title.to_owned()),
            rules: Some(rules.to_owned()),
            ..draft()
        };
        let checked = with(" ", "\n").checked().unwrap();
        assert_eq!((checked.sub_title, checked.rules), (None, None));
        let long = "券".repeat(SUB_TITLE_MAX_CHARS + 1);
        assert_eq!(with(&long, "").checked(), Err(InvalidVoucher::SubTitle));
        let long = "券".repeat(RULES_MAX_CHARS + 1);
        for bad in [long.as_str(), "a\0b"] {
            assert_eq!(with("", bad).checked(), Err(InvalidVoucher::Rules));
        }
    }

    #[test]
    fn nobody_pays_more_than_a_voucher_is_worth() {
        let priced = |pay_value_cents, actual_value_cents| VoucherDraft {
            pay_value_cents,
            actual_value_cents,
            ..draft()
        };
        for (pay, actual) in [(1, 1), (5_000, 5_000), (1, VALUE_MAX_CENTS)] {
            assert!(priced(pay, actual).checked().is_ok(), "{pay} {actual}");
        }
        for (pay, actual) in [(0, 1), (-1, 1), (5_001, 5_000)] {
            assert_eq!(priced(pay, actual).checked(), Err(InvalidVoucher::PayValue));
        }
        for (pay, actual) in [(0, 0), (1, VALUE_MAX_CENTS + 1), (i64::MIN, i64::MIN)] {
            assert_eq!(
                priced(pay, actual).checked(),
                Err(InvalidVoucher::ActualValue)
            );
        }
    }

    #[test]
    fn a_sale_has_stock_a_window_a_limit_and_a_spread() {
        let partitions = 16;
        assert_eq!(sale().checked(partitions), Ok(sale()));
        let refused = |change: fn(&mut SaleDraft)| {
            let mut sale = sale();
            change(&mut sale);
            sale.checked(partitions).unwrap_err()
        };
        assert_eq!(refused(|it| it.stock = 0), InvalidVoucher::Stock);
        assert_eq!(
            refused(|it| it.stock = STOCK_MAX + 1),
            InvalidVoucher::Stock
        );
        assert_eq!(
            refused(|it| it.end_at = it.begin_at),
            InvalidVoucher::Window
        );
        assert_eq!(
            refused(|it| it.end_at = Timestamp::MAX),
            InvalidVoucher::Window
        );
        assert_eq!(
            refused(|it| it.begin_at = Timestamp::MIN),
            InvalidVoucher::Window
        );
        assert_eq!(
            refused(|it| it.limit_per_user = 0),
            InvalidVoucher::LimitPerUser
        );
        assert_eq!(
            refused(|it| it.limit_per_user = 100),
            InvalidVoucher::LimitPerUser
        );
        assert_eq!(refused(|it| it.spread = 0), InvalidVoucher::Spread);
        assert_eq!(refused(|it| it.spread = 17), InvalidVoucher::Spread);
    }

    #[test]
    fn codes_round_trip_and_unknown_ones_sell_nothing() {
        for kind in [VoucherKind::Ordinary, VoucherKind::Flash] {
            assert_eq!(VoucherKind::from_code(kind.code()), kind);
        }
        let all = [
            VoucherStatus::OnShelf,
            VoucherStatus::OffShelf,
            VoucherStatus::Expired,
        ];
        for status in all {
            assert_eq!(VoucherStatus::from_code(status.code()), status);
        }
        assert_eq!(VoucherStatus::from_code(0), VoucherStatus::OffShelf);
        assert_eq!(VoucherKind::from_code(9), VoucherKind::Ordinary);
    }
}
