//! Which code each refusal of a use case has.

use app::Refusal;
use domain::{InvalidNote, InvalidProfile, InvalidShop, InvalidVoucher};

use super::{Code, Failure};

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::PhoneInvalid => Self::new(Code::PhoneInvalid),
            Refusal::EmailInvalid => Self::new(Code::EmailInvalid),
            Refusal::PhoneUnsupported => Self::new(Code::PhoneUnsupported),
            Refusal::CodeTooOften { retry_after } => Self::until(Code::CodeTooOften, retry_after),
            Refusal::CodeDailyLimit { retry_after } => {
                Self::until(Code::CodeDailyLimit, retry_after)
            }
            Refusal::LoginLocked { retry_after } => Self::until(Code::LoginLocked, retry_after),
            Refusal::CodeWrong => Self::new(Code::CodeWrong),
            Refusal::CodeExpired => Self::new(Code::CodeExpired),
            Refusal::PasswordLoginOff => Self::new(Code::PasswordLoginOff),
            Refusal::UserBlocked => Self::new(Code::UserBlocked),
            Refusal::ProfileInvalid(field) => Self::new(match field {
                InvalidProfile::NickName => Code::NickNameInvalid,
                InvalidProfile::Icon => Code::IconInvalid,
                InvalidProfile::City => Code::CityInvalid,
                InvalidProfile::Introduce => Code::IntroduceInvalid,
                InvalidProfile::Birthday => Code::BirthdayInvalid,
            }),
            Refusal::SessionNotFound => Self::new(Code::SessionNotFound),
            Refusal::ShopNotFound => Self::new(Code::ShopNotFound),
            Refusal::ShopIdMissing => Self::new(Code::ShopIdMissing),
            Refusal::ShopInvalid(field) => Self::new(match field {
                InvalidShop::Name => Code::ShopNameInvalid,
                InvalidShop::Type => Code::ShopTypeUnknown,
                InvalidShop::Images => Code::ShopImagesInvalid,
                InvalidShop::Area => Code::ShopAreaInvalid,
                InvalidShop::Address => Code::ShopAddressInvalid,
                InvalidShop::Position => Code::ShopPositionInvalid,
                InvalidShop::AvgPrice => Code::ShopPriceInvalid,
                InvalidShop::OpenHours => Code::ShopHoursInvalid,
            }),
            Refusal::VoucherNotFound => Self::new(Code::VoucherNotFound),
            Refusal::VoucherInvalid(field) => Self::new(match field {
                InvalidVoucher::Title => Code::VoucherTitleInvalid,
                InvalidVoucher::SubTitle => Code::VoucherSubTitleInvalid,
                InvalidVoucher::Rules => Code::VoucherRulesInvalid,
                InvalidVoucher::PayValue => Code::VoucherPriceInvalid,
                InvalidVoucher::ActualValue => Code::VoucherValueInvalid,
                InvalidVoucher::Stock => Code::VoucherStockInvalid,
                InvalidVoucher::Window => Code::VoucherWindowInvalid,
                InvalidVoucher::LimitPerUser => Code::VoucherLimitInvalid,
                InvalidVoucher::Spread => Code::VoucherSpreadInvalid,
            }),
            Refusal::StockSold => Self::new(Code::StockSold),
            Refusal::SoldOut => Self::new(Code::SoldOut),
            Refusal::AlreadyBought(order) => Self::about_order(Code::AlreadyBought, order),
            Refusal::NotStarted => Self::new(Code::NotStarted),
            Refusal::Ended => Self::new(Code::Ended),
            Refusal::ClaimTokenInvalid => Self::new(Code::ClaimTokenInvalid),
            Refusal::OrderNotFound => Self::new(Code::OrderNotFound),
            Refusal::OrderFailed => Self::new(Code::OrderFailed),
            Refusal::OrderStatus(status) => Self::order_status(status),
            Refusal::TooManyUnpaid => Self::new(Code::TooManyUnpaid),
            Refusal::VoucherOffShelf => Self::new(Code::VoucherOffShelf),
            Refusal::VoucherIsFlashSale => Self::new(Code::VoucherIsFlashSale),
            Refusal::PayTypeUnsupported => Self::new(Code::PayTypeUnsupported),
            Refusal::BalanceTooSmall => Self::new(Code::BalanceTooSmall),
            Refusal::PayTooLate => Self::new(Code::PayTooLate),
            Refusal::NothingPaid => Self::new(Code::NothingPaid),
            Refusal::PaymentNotFound => Self::new(Code::PaymentNotFound),
            Refusal::PaymentClosed => Self::new(Code::PaymentClosed),
            Refusal::RedeemCodeUnknown => Self::new(Code::RedeemCodeUnknown),
            Refusal::RedeemWrongShop => Self::new(Code::RedeemWrongShop),
            Refusal::RedeemUsed => Self::new(Code::RedeemUsed),
            Refusal::RedeemRefunded => Self::new(Code::RedeemRefunded),
            Refusal::NoSuchPicture => Self::new(Code::BadFileName),
            Refusal::PictureInUse => Self::new(Code::PictureInUse),
            Refusal::TooManyPictures => Self::new(Code::TooManyPictures),
            Refusal::TooManyUploads => Self::new(Code::TooManyUploads),
            Refusal::ImageUnsupported => Self::new(Code::ImageUnsupported),
            Refusal::ImageTooLarge => Self::new(Code::ImageTooLarge),
            Refusal::SelfFollow => Self::new(Code::SelfFollow),
            Refusal::UserNotFound => Self::new(Code::UserNotFound),
            Refusal::FollowLimit => Self::new(Code::FollowLimit),
            Refusal::NoteNotFound => Self::new(Code::NoteNotFound),
            Refusal::NoteInvalid(field) => Self::new(match field {
                InvalidNote::Title => Code::NoteTitleInvalid,
                InvalidNote::Content => Code::NoteContentInvalid,
                InvalidNote::Pictures => Code::NoteImagesInvalid,
                InvalidNote::Stars => Code::NoteScoreInvalid,
            }),
            Refusal::CommentNotFound => Self::new(Code::CommentNotFound),
            Refusal::CommentInvalid => Self::new(Code::CommentInvalid),
            Refusal::Forbidden => Self::new(Code::Forbidden),
        }
    }
}
