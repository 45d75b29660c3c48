//! Every code that a client can meet: its status, and its message in both languages.
//!
//! A new refusal is a variant of `app::Refusal` and one row here, which the compiler asks for. A message says what to do
//! where there is something to do. A number in a message is a placeholder, filled from the constant that the rule itself
//! uses.

use app::{Refusal, pictures};
use axum::http::StatusCode;
use domain::{
    InvalidNote, InvalidProfile, InvalidShop, InvalidVoucher, note, password, profile, shop,
    voucher,
};
use serde::Serialize;
use storage::follows;
use utoipa::ToSchema;

use super::message::Message;
use crate::http::lab::crowd;

const MIB: usize = 1024 * 1024;
const MEGA: u64 = 1_000_000;

/// Rows of `code [limits] = refusal => status, Chinese message, English message;`, where codes of the HTTP layer itself
/// have no refusal. A macro, because the codes must be an enum for the compiler and for OpenAPI, and everything about one
/// code should be one line.
macro_rules! codes {
    ($(
        $code:ident $([$($limit:expr),+])? $(= $refusal:pat)? => $status:ident, $chinese:literal, $english:literal;
    )+) => {
        /// Every `code` a client can meet.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Code {
            $($code,)+
        }

        impl Code {
            pub(super) const ALL: &[Self] = &[$(Self::$code,)+];

            pub(super) fn of_refusal(refusal: &Refusal) -> Self {
                match refusal {
                    $($($refusal => Self::$code,)?)+
                }
            }

            pub(in crate::http) fn status(self) -> StatusCode {
                match self {
                    $(Self::$code => StatusCode::$status,)+
                }
            }

            pub(super) fn message(self) -> &'static Message {
                match self {
                    $(Self::$code => const { &Message {
                        chinese: $chinese,
                        english: $english,
                        limits: &[$($($limit as u64),+)?],
                    } },)+
                }
            }
        }
    };
}

codes! {
    PhoneInvalid = Refusal::PhoneInvalid => OK, "手机号格式错误", "This is not a mainland mobile number";
    EmailInvalid = Refusal::EmailInvalid => OK, "邮箱格式错误", "This is not an e-mail address";
    PhoneUnsupported = Refusal::PhoneUnsupported => OK, "本站只支持邮箱验证码登录", "This site sends codes by e-mail only: please use your e-mail address";
    CodeTooOften = Refusal::CodeTooOften { .. } => OK, "发送过于频繁，请稍后再试", "A code was sent a moment ago: please wait before asking for another";
    CodeDailyLimit = Refusal::CodeDailyLimit { .. } => OK, "今日发送次数已达上限", "No more codes today: please try again tomorrow";
    LoginLocked = Refusal::LoginLocked { .. } => OK, "登录已锁定，请稍后再试", "Too many wrong tries: signing in is locked for a while";
    CodeWrong = Refusal::CodeWrong => OK, "验证码错误", "The code is wrong";
    CodeExpired = Refusal::CodeExpired => OK, "验证码已失效，请重新获取", "The code is no longer valid: please ask for a new one";
    PasswordLoginOff = Refusal::PasswordLoginOff => OK, "密码登录未开启", "Signing in with a password is not available: please use a code";
    PasswordWrong = Refusal::PasswordWrong => OK, "账号或密码错误", "The account or the password is wrong: please check both, or use a code";
    OldPasswordWrong = Refusal::OldPasswordWrong => OK, "原密码错误", "The present password is wrong";
    PasswordNeeded = Refusal::PasswordNeeded => OK, "请输入原密码或验证码", "Please enter the present password, or a code";
    PasswordInvalid [password::PASSWORD_CHARS_MIN, password::PASSWORD_CHARS_MAX] = Refusal::PasswordInvalid => OK, "密码须为{0}到{1}个字符", "The password must have {0} to {1} characters";
    UserBlocked = Refusal::UserBlocked => OK, "账号已被停用，请联系管理员", "This account is blocked: please contact the site's administrator";
    NickNameInvalid [profile::NICK_NAME_MAX_CHARS] = Refusal::ProfileInvalid(InvalidProfile::NickName) => OK, "昵称须为1到{0}个可见字符", "The nick name must have 1 to {0} visible characters";
    IconInvalid = Refusal::ProfileInvalid(InvalidProfile::Icon) => OK, "头像必须是本站的图片", "The picture must be one that was uploaded to this site";
    CityInvalid [profile::CITY_MAX_CHARS] = Refusal::ProfileInvalid(InvalidProfile::City) => OK, "城市不能超过{0}个可见字符", "The city must have at most {0} visible characters";
    IntroduceInvalid [profile::INTRODUCE_MAX_CHARS] = Refusal::ProfileInvalid(InvalidProfile::Introduce) => OK, "个人介绍不能超过{0}个字符", "The introduction must have at most {0} characters";
    BirthdayInvalid = Refusal::ProfileInvalid(InvalidProfile::Birthday) => OK, "生日须在1900年与今天之间", "The birthday must lie between 1900 and today";
    SessionNotFound = Refusal::SessionNotFound => OK, "该登录已经失效", "That session has already ended";
    ShopNotFound = Refusal::ShopNotFound => OK, "店铺不存在", "There is no such shop";
    ShopIdMissing = Refusal::ShopIdMissing => OK, "店铺id不能为空", "The id of the shop is missing";
    ShopNameInvalid [shop::NAME_MAX_CHARS] = Refusal::ShopInvalid(InvalidShop::Name) => OK, "店铺名称须为1到{0}个可见字符", "The name must have 1 to {0} visible characters";
    ShopTypeUnknown = Refusal::ShopInvalid(InvalidShop::Type) => OK, "店铺类型不存在", "There is no such type of shop";
    ShopImagesInvalid [shop::IMAGES_MAX] = Refusal::ShopInvalid(InvalidShop::Images) => OK, "图片最多{0}张", "There may be at most {0} pictures";
    ShopPictureForeign = Refusal::ShopInvalid(InvalidShop::ForeignPicture) => OK, "店铺只能使用本人上传的图片或原有的图片，请先上传", "A shop shows pictures that its owner uploaded and those it has already: please upload the picture first";
    ShopAreaInvalid [shop::AREA_MAX_CHARS] = Refusal::ShopInvalid(InvalidShop::Area) => OK, "商圈不能超过{0}个可见字符", "The area must have at most {0} visible characters";
    ShopAddressInvalid [shop::ADDRESS_MAX_CHARS] = Refusal::ShopInvalid(InvalidShop::Address) => OK, "地址须为1到{0}个可见字符", "The address must have 1 to {0} visible characters";
    ShopPositionInvalid = Refusal::ShopInvalid(InvalidShop::Position) => OK, "经纬度超出范围", "The position must be a longitude and a latitude on the map";
    ShopPriceInvalid [shop::AVG_PRICE_MAX_YUAN] = Refusal::ShopInvalid(InvalidShop::AvgPrice) => OK, "人均价格须在0到{0}元之间", "The average price must lie between 0 and {0} yuan";
    ShopHoursInvalid [shop::OPEN_HOURS_MAX_CHARS] = Refusal::ShopInvalid(InvalidShop::OpenHours) => OK, "营业时间须写明时间，如10:00-22:00，且不超过{0}个字符", "Opening hours must name times, such as 10:00-22:00, in at most {0} characters";
    VoucherNotFound = Refusal::VoucherNotFound => OK, "优惠券不存在", "There is no such voucher";
    VoucherTitleInvalid [voucher::TITLE_MAX_CHARS] = Refusal::VoucherInvalid(InvalidVoucher::Title) => OK, "标题须为1到{0}个可见字符", "The title must have 1 to {0} visible characters";
    VoucherSubTitleInvalid [voucher::SUB_TITLE_MAX_CHARS] = Refusal::VoucherInvalid(InvalidVoucher::SubTitle) => OK, "副标题不能超过{0}个字符", "The subtitle must have at most {0} characters";
    VoucherRulesInvalid [voucher::RULES_MAX_CHARS] = Refusal::VoucherInvalid(InvalidVoucher::Rules) => OK, "使用规则不能超过{0}个字符", "The rules must have at most {0} characters";
    VoucherPriceInvalid = Refusal::VoucherInvalid(InvalidVoucher::PayValue) => OK, "售价须大于0且不能高于面值", "The price must be above 0 and at most the voucher's value";
    VoucherValueInvalid [voucher::VALUE_MAX_CENTS / 100] = Refusal::VoucherInvalid(InvalidVoucher::ActualValue) => OK, "面值须在0.01元到{0}元之间", "The value must lie between 0.01 and {0} yuan";
    VoucherStockInvalid [voucher::STOCK_MAX] = Refusal::VoucherInvalid(InvalidVoucher::Stock) => OK, "库存须在1到{0}之间", "There must be 1 to {0} pieces";
    VoucherWindowInvalid = Refusal::VoucherInvalid(InvalidVoucher::Window) => OK, "结束时间必须晚于开始时间", "The sale must end after it begins";
    VoucherLimitInvalid [voucher::LIMIT_PER_USER_MAX] = Refusal::VoucherInvalid(InvalidVoucher::LimitPerUser) => OK, "每人限购须在1到{0}之间", "A person may have 1 to {0} pieces";
    VoucherSpreadInvalid = Refusal::VoucherInvalid(InvalidVoucher::Spread) => OK, "分桶数须在1与分区数之间", "The sale must be spread over at least 1 part and at most as many as the site has";
    StockSold = Refusal::StockSold => OK, "库存不能低于已售数量", "More pieces are sold than that";
    SoldOut = Refusal::SoldOut => OK, "库存不足", "Sold out";
    AlreadyBought = Refusal::AlreadyBought(_) => OK, "不能重复下单", "You have bought this already";
    NotStarted = Refusal::NotStarted => OK, "秒杀尚未开始", "The sale has not begun";
    Ended = Refusal::Ended => OK, "秒杀已经结束", "The sale is over";
    ClaimTokenInvalid = Refusal::ClaimTokenInvalid => OK, "抢购凭证已失效，请刷新页面后重试", "The page's claim token is no longer valid: please reload the page";
    OrderNotFound = Refusal::OrderNotFound => OK, "订单不存在", "There is no such order";
    OrderFailed = Refusal::OrderFailed => OK, "下单失败，名额已退回，请重新抢购", "The order could not be completed and its piece was given back: please try again";
    OrderStatus = Refusal::OrderStatus(_) => OK, "订单状态不允许该操作", "The order's status does not allow this";
    TooManyUnpaid = Refusal::TooManyUnpaid => OK, "待付款订单太多，请先付款或取消", "You have too many unpaid orders: pay or cancel one first";
    VoucherOffShelf = Refusal::VoucherOffShelf => OK, "优惠券已下架", "This voucher is not for sale any more";
    VoucherIsFlashSale = Refusal::VoucherIsFlashSale => OK, "秒杀券请通过抢购下单", "This voucher is sold in a flash sale: please claim it there";
    PayTypeUnsupported = Refusal::PayTypeUnsupported => OK, "暂不支持该支付方式", "This way to pay is not available here: please choose another";
    BalanceTooSmall = Refusal::BalanceTooSmall => OK, "余额不足，请选择其他支付方式", "Your balance is too small: please pay in another way";
    PayTooLate = Refusal::PayTooLate => OK, "支付时间已过，请重新下单", "The time to pay is over: please order again";
    NothingPaid = Refusal::NothingPaid => OK, "该订单不在本站支付，请联系商家退款", "This order was not paid on this site: please ask the shop";
    PaymentNotFound = Refusal::PaymentNotFound => OK, "支付单不存在", "There is no such payment";
    PaymentClosed = Refusal::PaymentClosed => OK, "支付单已关闭，请返回订单重新支付", "This payment is over: please go back to the order";
    RedeemCodeUnknown = Refusal::RedeemCodeUnknown => OK, "核销码不存在，请核对后重试", "No order has this code: please check it";
    RedeemWrongShop = Refusal::RedeemWrongShop => OK, "该券不属于您的店铺", "This voucher is for another shop";
    RedeemUsed = Refusal::RedeemUsed => OK, "该券已核销，不能重复使用", "This voucher has been used already";
    RedeemRefunded = Refusal::RedeemRefunded => OK, "该券已退款，不能使用", "This voucher was refunded";
    BadFileName = Refusal::NoSuchPicture => OK, "错误的文件名称", "There is no picture of this name";
    PictureNotYours = Refusal::PictureNotYours => OK, "图片不是您本人上传的，或已用在别处", "The picture is not one that you uploaded, or it is in use elsewhere";
    PictureInUse = Refusal::PictureInUse => OK, "图片正在使用中，不能删除", "The picture is in use: delete what shows it first";
    TooManyPictures = Refusal::TooManyPictures => OK, "图片数量已达上限，请先删除一些", "You keep as many pictures as you may: please delete some first";
    TooManyUploads = Refusal::TooManyUploads => OK, "同时上传的图片过多，请等前面的图片传完再试", "You are sending as many pictures at once as you may: please wait for them";
    ImageUnsupported = Refusal::ImageUnsupported => OK, "图片格式不支持", "This is no JPEG, PNG or WebP that can be read";
    ImageTooLarge [pictures::MAX_BYTES / MIB, pictures::MAX_PIXELS / MEGA] = Refusal::ImageTooLarge => OK, "图片过大", "The picture is too large: at most {0} MB and {1} megapixels";
    SelfFollow = Refusal::SelfFollow => OK, "不能关注自己", "You cannot follow yourself";
    UserNotFound = Refusal::UserNotFound => OK, "用户不存在", "There is no such person";
    FollowLimit [follows::MAX_FOLLOWEES] = Refusal::FollowLimit => OK, "最多关注{0}人", "You follow {0} people already, and nobody may follow more";
    NoteNotFound = Refusal::NoteNotFound => OK, "笔记不存在", "There is no such note";
    NoteTitleInvalid [note::TITLE_MAX_CHARS] = Refusal::NoteInvalid(InvalidNote::Title) => OK, "标题须为1到{0}个可见字符", "The title must have 1 to {0} visible characters";
    NoteContentInvalid [note::CONTENT_MAX_CHARS] = Refusal::NoteInvalid(InvalidNote::Content) => OK, "正文须为1到{0}个字符", "The text must have 1 to {0} characters";
    NoteImagesInvalid [note::PICTURES_MAX] = Refusal::NoteInvalid(InvalidNote::Pictures) => OK, "请选择1到{0}张自己上传的图片", "There must be 1 to {0} pictures that you uploaded";
    NoteScoreInvalid [note::STARS_MAX] = Refusal::NoteInvalid(InvalidNote::Stars) => OK, "评分须为1到{0}星", "There may be 1 to {0} stars";
    CommentNotFound = Refusal::CommentNotFound => OK, "评论不存在", "There is no such comment";
    CommentInvalid [note::COMMENT_MAX_CHARS] = Refusal::CommentInvalid => OK, "评论须为1到{0}个字符", "A comment must have 1 to {0} characters";
    LabCrowdOff => FORBIDDEN, "这里不能发起抢购：请在运行网站的机器上用 make lab-play 启动网站后再试", "A crowd cannot be started from here: start the site with `make lab-play` and open it on that machine";
    LabCrowdInvalid [crowd::MAX_BUYERS] => OK, "人数须在1到{0}之间，库存至少1件且不超过人数", "There must be 1 to {0} buyers, and at least one unit but no more units than buyers";
    LabCrowdRunning => OK, "已有一场抢购在进行，请等它结束或先取消", "A crowd is running already: wait for it, or cancel it";
    LabVersionUnknown => OK, "实验室没有这个版本", "The lab has no such version";
    Malformed => BAD_REQUEST, "请求格式错误", "The request cannot be understood: `fields` says where";
    NotSignedIn => UNAUTHORIZED, "请先登录", "Please sign in first";
    Forbidden = Refusal::Forbidden => FORBIDDEN, "没有权限", "Your account is not allowed to do this";
    ForeignOrigin => FORBIDDEN, "请求来自其他网站，已拒绝", "The request comes from another site and was refused";
    ForeignSession => UNAUTHORIZED, "其他网站的页面不能使用您的登录状态，请在本站登录", "A page of another site cannot use your session: please sign in here";
    NoSuchRoute => NOT_FOUND, "接口不存在", "There is nothing at this address";
    MethodNotAllowed => METHOD_NOT_ALLOWED, "请求方法不支持", "This address does not take this method";
    IdempotencyMismatch => CONFLICT, "该幂等键已用于其他请求", "This Idempotency-Key was used for another request";
    InProgress => CONFLICT, "相同的请求正在处理，请稍候", "The same request is being worked on: please wait a moment";
    BodyTooLarge => PAYLOAD_TOO_LARGE, "请求内容过大", "The request body is too large";
    BodyTooSlow => REQUEST_TIMEOUT, "请求内容传输过慢，请检查网络后重试", "The request body arrived too slowly: please check the connection and try again";
    UnsupportedMediaType => UNSUPPORTED_MEDIA_TYPE, "请求内容类型不支持", "This content type is not supported here";
    TooMany => TOO_MANY_REQUESTS, "请求过于频繁，请稍后再试", "Too many requests: please wait before trying again";
    Internal => INTERNAL_SERVER_ERROR, "服务器异常", "Something went wrong on our side";
    Busy => SERVICE_UNAVAILABLE, "系统繁忙，请稍后重试", "The site is busy: please try again in a moment";
    Processing => SERVICE_UNAVAILABLE, "订单处理中，请稍后查询", "Your order is being processed: please look again in a moment";
    Unavailable => SERVICE_UNAVAILABLE, "服务暂时不可用，请稍后重试", "The service is briefly unavailable: please try again in a moment";
}
