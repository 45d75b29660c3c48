//! The closed list of codes, and the status that each travels with.

use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// Every `code` a client can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    PhoneInvalid,
    EmailInvalid,
    PhoneUnsupported,
    CodeTooOften,
    CodeDailyLimit,
    LoginLocked,
    CodeWrong,
    CodeExpired,
    PasswordLoginOff,
    UserBlocked,
    NickNameInvalid,
    IconInvalid,
    CityInvalid,
    IntroduceInvalid,
    BirthdayInvalid,
    SessionNotFound,
    ShopNotFound,
    ShopIdMissing,
    ShopNameInvalid,
    ShopTypeUnknown,
    ShopImagesInvalid,
    ShopAreaInvalid,
    ShopAddressInvalid,
    ShopPositionInvalid,
    ShopPriceInvalid,
    ShopHoursInvalid,
    VoucherNotFound,
    VoucherTitleInvalid,
    VoucherSubTitleInvalid,
    VoucherRulesInvalid,
    VoucherPriceInvalid,
    VoucherValueInvalid,
    VoucherStockInvalid,
    VoucherWindowInvalid,
    VoucherLimitInvalid,
    VoucherSpreadInvalid,
    StockSold,
    SoldOut,
    AlreadyBought,
    NotStarted,
    Ended,
    ClaimTokenInvalid,
    OrderNotFound,
    OrderFailed,
    OrderStatus,
    TooManyUnpaid,
    VoucherOffShelf,
    VoucherIsFlashSale,
    PayTypeUnsupported,
    BalanceTooSmall,
    PayTooLate,
    NothingPaid,
    PaymentNotFound,
    PaymentClosed,
    RedeemCodeUnknown,
    RedeemWrongShop,
    RedeemUsed,
    RedeemRefunded,
    BadFileName,
    PictureInUse,
    TooManyPictures,
    TooManyUploads,
    ImageUnsupported,
    ImageTooLarge,
    SelfFollow,
    UserNotFound,
    FollowLimit,
    NoteNotFound,
    NoteTitleInvalid,
    NoteContentInvalid,
    NoteImagesInvalid,
    NoteScoreInvalid,
    CommentNotFound,
    CommentInvalid,
    Malformed,
    NotSignedIn,
    Forbidden,
    ForeignOrigin,
    NoSuchRoute,
    MethodNotAllowed,
    IdempotencyMismatch,
    InProgress,
    BodyTooLarge,
    BodyTooSlow,
    UnsupportedMediaType,
    TooMany,
    Internal,
    Busy,
    Processing,
    Unavailable,
}

impl Code {
    pub(in crate::http) fn status(self) -> StatusCode {
        match self {
            Self::PhoneInvalid
            | Self::EmailInvalid
            | Self::PhoneUnsupported
            | Self::CodeTooOften
            | Self::CodeDailyLimit
            | Self::LoginLocked
            | Self::CodeWrong
            | Self::CodeExpired
            | Self::PasswordLoginOff
            | Self::UserBlocked
            | Self::NickNameInvalid
            | Self::IconInvalid
            | Self::CityInvalid
            | Self::IntroduceInvalid
            | Self::BirthdayInvalid
            | Self::SessionNotFound
            | Self::ShopNotFound
            | Self::ShopIdMissing
            | Self::ShopNameInvalid
            | Self::ShopTypeUnknown
            | Self::ShopImagesInvalid
            | Self::ShopAreaInvalid
            | Self::ShopAddressInvalid
            | Self::ShopPositionInvalid
            | Self::ShopPriceInvalid
            | Self::ShopHoursInvalid
            | Self::VoucherNotFound
            | Self::VoucherTitleInvalid
            | Self::VoucherSubTitleInvalid
            | Self::VoucherRulesInvalid
            | Self::VoucherPriceInvalid
            | Self::VoucherValueInvalid
            | Self::VoucherStockInvalid
            | Self::VoucherWindowInvalid
            | Self::VoucherLimitInvalid
            | Self::VoucherSpreadInvalid
            | Self::StockSold
            | Self::SoldOut
            | Self::AlreadyBought
            | Self::NotStarted
            | Self::Ended
            | Self::ClaimTokenInvalid
            | Self::OrderNotFound
            | Self::OrderFailed
            | Self::OrderStatus
            | Self::TooManyUnpaid
            | Self::VoucherOffShelf
            | Self::VoucherIsFlashSale
            | Self::PayTypeUnsupported
            | Self::BalanceTooSmall
            | Self::PayTooLate
            | Self::NothingPaid
            | Self::PaymentNotFound
            | Self::PaymentClosed
            | Self::RedeemCodeUnknown
            | Self::RedeemWrongShop
            | Self::RedeemUsed
            | Self::RedeemRefunded
            | Self::BadFileName
            | Self::PictureInUse
            | Self::TooManyPictures
            | Self::TooManyUploads
            | Self::ImageUnsupported
            | Self::ImageTooLarge
            | Self::SelfFollow
            | Self::UserNotFound
            | Self::FollowLimit
            | Self::NoteNotFound
            | Self::NoteTitleInvalid
            | Self::NoteContentInvalid
            | Self::NoteImagesInvalid
            | Self::NoteScoreInvalid
            | Self::CommentNotFound
            | Self::CommentInvalid => StatusCode::OK,
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::NotSignedIn => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::NoSuchRoute => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::IdempotencyMismatch | Self::InProgress => StatusCode::CONFLICT,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Busy | Self::Processing | Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}
