//! Every code that a client can meet: its status, and its message in both languages.
//!
//! A new refusal is a variant of `app::Refusal` and one row here, which the compiler asks for. A message says what to do
//! where there is something to do. A number in a message is a placeholder, filled from the constant that the rule itself
//! uses.

use app::{Refusal, pictures};
use axum::http::StatusCode;
use domain::{
    InvalidNote, InvalidProfile, InvalidShop, InvalidVoucher, block, favourite, mention, note,
    opinion, password, profile, shop, unfinished_note, voucher,
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
    PhoneInvalid = Refusal::PhoneInvalid => OK, "手机号格式错误", "That doesn't look like a mainland China mobile number";
    EmailInvalid = Refusal::EmailInvalid => OK, "邮箱格式错误", "That doesn't look like an email address";
    PhoneUnsupported = Refusal::PhoneUnsupported => OK, "本站只支持邮箱验证码登录", "This site sends codes by email only. Please use your email address.";
    EmailUnsupported = Refusal::EmailUnsupported => OK, "本站只支持手机验证码登录，请填写手机号", "This site sends codes by text message only. Please use your phone number.";
    PhoneUnreachable = Refusal::PhoneUnreachable => OK, "该手机号无法接收短信，请核对号码，或换一个手机号", "We can't text this number. Check it, or use another one.";
    PhoneMessageLimit = Refusal::PhoneMessageLimit => OK, "该手机号收到的短信太多，请稍后再试", "This number has been sent too many messages. Please try again later.";
    CodeTooOften = Refusal::CodeTooOften { .. } => OK, "发送过于频繁，请稍后再试", "Please wait before requesting another code";
    CodeDailyLimit = Refusal::CodeDailyLimit { .. } => OK, "今日发送次数已达上限", "You've reached today's limit for codes, please come back tomorrow";
    LoginLocked = Refusal::LoginLocked { .. } => OK, "登录已锁定，请稍后再试", "Too many wrong attempts, please wait before signing in again";
    CodeWrong = Refusal::CodeWrong => OK, "验证码错误", "That code isn't right, please check it";
    CodeExpired = Refusal::CodeExpired => OK, "验证码已失效，请重新获取", "That code has expired. Get a new one.";
    PasswordLoginOff = Refusal::PasswordLoginOff => OK, "密码登录未开启", "Password sign-in isn't available here. Please use a code.";
    PasswordWrong = Refusal::PasswordWrong => OK, "账号或密码错误", "Wrong account or password. Check both, or sign in with a code.";
    OldPasswordWrong = Refusal::OldPasswordWrong => OK, "原密码错误", "Your current password isn't right";
    PasswordNeeded = Refusal::PasswordNeeded => OK, "请输入原密码或验证码", "Enter your current password or a code";
    PasswordInvalid [password::PASSWORD_CHARS_MIN, password::PASSWORD_CHARS_MAX] = Refusal::PasswordInvalid => OK, "密码须为{0}到{1}个字符", "Use {0} to {1} characters for your password";
    UserBlocked = Refusal::UserBlocked => OK, "账号已被停用，请联系管理员", "This account is blocked. Please contact the site's administrator.";
    AccountClosing = Refusal::AccountClosing => OK, "账号正在注销，无法登录", "This account is being deleted. You can't sign in to it any more.";
    AccountNotSettled = Refusal::AccountNotSettled => OK, "账号还有未处理完的事项，请按页面提示处理后再注销", "Some things need to be settled before your account can be deleted. The page lists them.";
    ConfirmationNeeded = Refusal::ConfirmationNeeded => OK, "请先获取验证码，确认是你本人操作", "Get a code first to confirm it's you";
    ContactTaken = Refusal::ContactTaken => OK, "这个手机号或邮箱已绑定其他账号，请换一个，或先登录那个账号解绑", "Another account already uses this phone number or email. Use a different one, or sign in to that account and remove it there first.";
    ContactChanged = Refusal::ContactChanged => OK, "账号的手机号或邮箱刚在别处改过，请刷新页面后重试", "Your phone number or email was just changed elsewhere. Reload the page and try again.";
    LastContact = Refusal::LastContact => OK, "账号至少要保留一个手机号或邮箱", "Your account needs at least one phone number or email";
    DemoAccount = Refusal::DemoAccount => OK, "示例账号由大家共用，不能修改手机号和邮箱", "Demo accounts are shared, so their phone number and email can't be changed";
    NumberInQuestion = Refusal::NumberInQuestion(_) => OK, "这个手机号注册过账号，但很久没有登录，请在网站的登录页确认账号是不是你的", "This number has an account that hasn't been used for a long time. Please say on the site's sign-in page whether it's yours.";
    TicketExpired = Refusal::TicketExpired => OK, "确认已超时，请重新获取验证码登录", "This took too long. Please get a new code and sign in again.";
    NotThatAccount = Refusal::NotThatAccount => OK, "这个邮箱不是该账号绑定的邮箱，请核对后重试", "This email doesn't belong to that account. Check it and try again.";
    OperatorNeeded = Refusal::OperatorNeeded => OK, "这个账号需要由网站运营方确认身份，请联系他们", "The people who run this site have to confirm that this account is yours. Please contact them.";
    NickNameInvalid [profile::NICK_NAME_MAX_CHARS] = Refusal::ProfileInvalid(InvalidProfile::NickName) => OK, "昵称须为1到{0}个可见字符", "Use 1 to {0} characters for your nickname";
    IconInvalid = Refusal::ProfileInvalid(InvalidProfile::Icon) => OK, "头像必须是本站的图片", "Choose a photo that was uploaded to this site";
    CityInvalid [profile::CITY_MAX_CHARS] = Refusal::ProfileInvalid(InvalidProfile::City) => OK, "城市不能超过{0}个可见字符", "Use {0} characters or fewer for the city";
    IntroduceInvalid [profile::INTRODUCE_MAX_CHARS] = Refusal::ProfileInvalid(InvalidProfile::Introduce) => OK, "个人简介不能超过{0}个字符", "Use {0} characters or fewer for your bio";
    BirthdayInvalid = Refusal::ProfileInvalid(InvalidProfile::Birthday) => OK, "生日须在1900年与今天之间", "Your birthday must be between 1900 and today";
    SessionNotFound = Refusal::SessionNotFound => OK, "该登录已经失效", "That device is already signed out";
    ShopNotFound = Refusal::ShopNotFound => OK, "店铺不存在", "Shop not found";
    ShopIdMissing = Refusal::ShopIdMissing => OK, "店铺id不能为空", "The shop's id is missing";
    ShopNameInvalid [shop::NAME_MAX_CHARS] = Refusal::ShopInvalid(InvalidShop::Name) => OK, "店铺名称须为1到{0}个可见字符", "Use 1 to {0} characters for the shop's name";
    ShopTypeUnknown = Refusal::ShopInvalid(InvalidShop::Type) => OK, "店铺分类不存在", "Choose a category from the list";
    ShopImagesInvalid [shop::IMAGES_MAX] = Refusal::ShopInvalid(InvalidShop::Images) => OK, "图片最多{0}张", "A shop can have up to {0} photos";
    ShopPictureForeign = Refusal::ShopInvalid(InvalidShop::ForeignPicture) => OK, "店铺只能使用本人上传的图片或原有的图片，请先上传", "A shop can only use photos its owner uploaded. Please upload the photo first.";
    ShopAreaInvalid [shop::AREA_MAX_CHARS] = Refusal::ShopInvalid(InvalidShop::Area) => OK, "商圈不能超过{0}个可见字符", "Use {0} characters or fewer for the area";
    ShopAddressInvalid [shop::ADDRESS_MAX_CHARS] = Refusal::ShopInvalid(InvalidShop::Address) => OK, "地址须为1到{0}个可见字符", "Use 1 to {0} characters for the address";
    ShopPositionInvalid = Refusal::ShopInvalid(InvalidShop::Position) => OK, "经纬度超出范围", "That longitude and latitude aren't on the map";
    ShopPriceInvalid [shop::AVG_PRICE_MAX_YUAN] = Refusal::ShopInvalid(InvalidShop::AvgPrice) => OK, "人均价格须在0到{0}元之间", "The average price must be between 0 and {0} yuan";
    ShopHoursInvalid [shop::OPEN_HOURS_MAX_CHARS] = Refusal::ShopInvalid(InvalidShop::OpenHours) => OK, "营业时间须写明时间，如10:00-22:00，且不超过{0}个字符", "Write opening hours as times, such as 10:00-22:00, in {0} characters or fewer";
    ShopPhoneInvalid [shop::PHONE_DIGITS_MIN, shop::PHONE_DIGITS_MAX] = Refusal::ShopInvalid(InvalidShop::Phone) => OK, "电话须为一个{0}到{1}位的号码，可用空格和-分隔，如0571-0001 2345", "Enter one phone number of {0} to {1} digits; spaces and hyphens are fine, such as 0571-0001 2345";
    VoucherNotFound = Refusal::VoucherNotFound => OK, "代金券不存在", "Voucher not found";
    VoucherTitleInvalid [voucher::TITLE_MAX_CHARS] = Refusal::VoucherInvalid(InvalidVoucher::Title) => OK, "标题须为1到{0}个可见字符", "Use 1 to {0} characters for the title";
    VoucherSubTitleInvalid [voucher::SUB_TITLE_MAX_CHARS] = Refusal::VoucherInvalid(InvalidVoucher::SubTitle) => OK, "副标题不能超过{0}个字符", "Use {0} characters or fewer for the subtitle";
    VoucherRulesInvalid [voucher::RULES_MAX_CHARS] = Refusal::VoucherInvalid(InvalidVoucher::Rules) => OK, "使用规则不能超过{0}个字符", "Use {0} characters or fewer for the terms";
    VoucherPriceInvalid = Refusal::VoucherInvalid(InvalidVoucher::PayValue) => OK, "售价须大于0且不能高于面值", "The price must be more than 0 and no more than the voucher is worth";
    VoucherValueInvalid [voucher::VALUE_MAX_CENTS / 100] = Refusal::VoucherInvalid(InvalidVoucher::ActualValue) => OK, "面值须在0.01元到{0}元之间", "A voucher can be worth 0.01 to {0} yuan";
    VoucherStockInvalid [voucher::STOCK_MAX] = Refusal::VoucherInvalid(InvalidVoucher::Stock) => OK, "库存须在1到{0}之间", "The stock must be between 1 and {0}";
    VoucherWindowInvalid = Refusal::VoucherInvalid(InvalidVoucher::Window) => OK, "结束时间必须晚于开始时间", "The sale must end after it starts";
    VoucherLimitInvalid [voucher::LIMIT_PER_USER_MAX] = Refusal::VoucherInvalid(InvalidVoucher::LimitPerUser) => OK, "每人限购须在1到{0}之间", "The limit per person must be between 1 and {0}";
    VoucherSpreadInvalid = Refusal::VoucherInvalid(InvalidVoucher::Spread) => OK, "分桶数须在1与分区数之间", "The number of parts must be between 1 and the site's own number of parts";
    StockSold = Refusal::StockSold => OK, "库存不能低于已售数量", "More than that are already sold";
    SoldOut = Refusal::SoldOut => OK, "库存不足", "Sold out";
    AlreadyBought = Refusal::AlreadyBought(_) => OK, "不能重复下单", "You've already bought this";
    NotStarted = Refusal::NotStarted => OK, "秒杀尚未开始", "The sale hasn't started yet";
    Ended = Refusal::Ended => OK, "秒杀已经结束", "The sale has ended";
    ClaimTokenInvalid = Refusal::ClaimTokenInvalid => OK, "抢购凭证已失效，请刷新页面后重试", "This page has been open too long. Reload it and try again.";
    OrderNotFound = Refusal::OrderNotFound => OK, "订单不存在", "Order not found";
    OrderFailed = Refusal::OrderFailed => OK, "下单失败，名额已退回，请重新抢购", "Your order didn't go through, and you haven't been charged. Please try again.";
    OrderStatus = Refusal::OrderStatus(_) => OK, "订单状态不允许该操作", "That isn't possible for this order any longer";
    TooManyUnpaid = Refusal::TooManyUnpaid => OK, "待付款订单太多，请先付款或取消", "You have too many unpaid orders. Pay for one or cancel one first.";
    VoucherOffShelf = Refusal::VoucherOffShelf => OK, "代金券已下架", "This voucher is no longer for sale";
    VoucherIsFlashSale = Refusal::VoucherIsFlashSale => OK, "秒杀券请通过抢购下单", "This voucher is sold in a flash sale. Please buy it there.";
    PayTypeUnsupported = Refusal::PayTypeUnsupported => OK, "暂不支持该支付方式", "This payment method isn't available here. Please choose another.";
    BalanceTooSmall = Refusal::BalanceTooSmall => OK, "余额不足，请选择其他支付方式", "Your balance is too low. Please choose another payment method.";
    PayTooLate = Refusal::PayTooLate => OK, "支付时间已过，请重新下单", "The time to pay has run out. Please order again.";
    NothingPaid = Refusal::NothingPaid => OK, "该订单不在本站支付，请联系商家退款", "This order wasn't paid on this site. Please ask the shop for a refund.";
    PaymentNotFound = Refusal::PaymentNotFound => OK, "支付单不存在", "Payment not found";
    PaymentClosed = Refusal::PaymentClosed => OK, "支付单已关闭，请返回订单重新支付", "This payment is closed. Go back to the order to pay again.";
    RedeemCodeUnknown = Refusal::RedeemCodeUnknown => OK, "券码不存在，请核对后重试", "We can't find that voucher code. Please check it.";
    RedeemWrongShop = Refusal::RedeemWrongShop => OK, "该券不属于你的店铺", "This voucher is for another shop";
    RedeemUsed = Refusal::RedeemUsed => OK, "该券已核销，不能重复使用", "This voucher has already been used";
    RedeemRefunded = Refusal::RedeemRefunded => OK, "该券已退款，不能使用", "This voucher was refunded and can't be used";
    BadFileName = Refusal::NoSuchPicture => OK, "错误的文件名称", "Photo not found";
    PictureNotYours = Refusal::PictureNotYours => OK, "图片不是你本人上传的，或已用在别处", "You didn't upload this photo, or it's in use elsewhere";
    PictureInUse = Refusal::PictureInUse => OK, "图片正在使用中，不能删除", "This photo is in use. Delete what shows it first.";
    TooManyPictures = Refusal::TooManyPictures => OK, "图片数量已达上限，请先删除一些", "You've reached the limit for photos. Please delete some first.";
    TooManyUploads = Refusal::TooManyUploads => OK, "同时上传的图片过多，请等前面的图片传完再试", "You're uploading too many photos at once. Wait for them to finish.";
    ImageUnsupported = Refusal::ImageUnsupported => OK, "图片格式不支持", "We can't open this photo. Use JPEG, PNG or WebP.";
    ImageTooLarge [pictures::MAX_BYTES / MIB, pictures::MAX_PIXELS / MEGA] = Refusal::ImageTooLarge => OK, "图片过大", "This photo is too large. Use up to {0} MB and {1} megapixels.";
    SelfFollow = Refusal::SelfFollow => OK, "不能关注自己", "You can't follow yourself";
    UserNotFound = Refusal::UserNotFound => OK, "用户不存在", "Person not found";
    FollowLimit [follows::MAX_FOLLOWEES] = Refusal::FollowLimit => OK, "最多关注{0}人", "You can follow up to {0} people. Unfollow someone first.";
    SelfBlock = Refusal::SelfBlock => OK, "不能拉黑自己", "You can't block yourself";
    BlockLimit [block::BLOCKS_MAX] = Refusal::BlockLimit => OK, "最多拉黑{0}人，请先移出一些", "You can block up to {0} people. Unblock someone first.";
    PersonBlocked = Refusal::PersonBlocked => OK, "你已拉黑对方，请先移出黑名单", "You've blocked this person. Unblock them first.";
    InteractionRefused = Refusal::InteractionRefused => OK, "无法与对方互动", "You can't interact with this person";
    FavouriteLimit [favourite::FAVOURITES_MAX] = Refusal::FavouriteLimit => OK, "最多收藏{0}家店铺，请先移除一些", "You can save up to {0} shops. Remove one first.";
    FavouriteNoteLimit [favourite::FAVOURITE_NOTES_MAX] = Refusal::FavouriteNoteLimit => OK, "最多收藏{0}篇笔记，请先移除一些", "You can save up to {0} notes. Remove one first.";
    FavouriteListNotFound = Refusal::FavouriteListNotFound => OK, "收藏夹不存在，请刷新后重试", "That list is gone. Reload the page and try again.";
    FavouriteListNameInvalid [favourite::LIST_NAME_MAX_CHARS] = Refusal::FavouriteListNameInvalid => OK, "收藏夹名称须为1到{0}个可见字符", "Use 1 to {0} characters for the list's name";
    FavouriteListNameTaken = Refusal::FavouriteListNameTaken => OK, "已有同名的收藏夹，请换一个名称", "You already have a list with this name. Choose another one.";
    FavouriteListLimit [favourite::LISTS_MAX] = Refusal::FavouriteListLimit => OK, "最多创建{0}个收藏夹，请先删除一个", "You can have up to {0} lists. Delete one first.";
    NoteNotFound = Refusal::NoteNotFound => OK, "笔记不存在", "Note not found";
    NoteTitleInvalid [note::TITLE_MAX_CHARS] = Refusal::NoteInvalid(InvalidNote::Title) => OK, "标题须为1到{0}个可见字符", "Use 1 to {0} characters for the title";
    NoteContentInvalid [note::CONTENT_MAX_CHARS] = Refusal::NoteInvalid(InvalidNote::Content) => OK, "正文须为1到{0}个字符", "Use 1 to {0} characters for the text";
    NoteImagesInvalid [note::PICTURES_MAX] = Refusal::NoteInvalid(InvalidNote::Pictures) => OK, "请选择1到{0}张自己上传的图片", "Add 1 to {0} photos of your own";
    NoteScoreInvalid [note::STARS_MAX] = Refusal::NoteInvalid(InvalidNote::Stars) => OK, "评分须为1到{0}星", "Give 1 to {0} stars";
    NoteRatingsInvalid [note::STARS_MAX] = Refusal::NoteInvalid(InvalidNote::Ratings) => OK, "分项评分须为1到{0}星，并且要先打总分", "Give 1 to {0} stars overall, and 1 to {0} for each of the details";
    NoteDishesInvalid [opinion::DISHES_MAX, opinion::DISH_MAX_CHARS] = Refusal::NoteInvalid(InvalidNote::Dishes) => OK, "最多推荐{0}项，每项须为1到{1}个可见字符", "Recommend up to {0} things, with 1 to {1} characters each";
    NoteAlreadyPublished = Refusal::NoteAlreadyPublished(_) => OK, "这篇笔记已经发布，刚改的内容还没有发布；请在已发布的笔记里修改", "This note is already published, without your latest changes. Edit the published note instead.";
    NoteChanged = Refusal::NoteChanged => OK, "这篇笔记刚在别处改过，请打开最新的内容再修改", "This note was just edited somewhere else. Open the latest version and edit that.";
    NoteDraftInvalid [unfinished_note::TITLE_MAX_CHARS, unfinished_note::TEXT_MAX_CHARS] = Refusal::NoteDraftInvalid => OK, "草稿太大了：标题最多{0}个字，正文最多{1}个字，图片须是在这里上传的", "Use up to {0} characters for a draft's title, {1} for its text, and photos uploaded here";
    NoteDraftChanged = Refusal::NoteDraftChanged => OK, "这篇草稿在别的设备上改过，请选择保留哪一份", "This draft was changed on another device. Choose which version to keep.";
    NoteDraftGone = Refusal::NoteDraftGone => OK, "这篇草稿已在别的设备上删除", "This draft was deleted on another device";
    NoteDraftLimit [unfinished_note::DRAFTS_MAX] = Refusal::NoteDraftLimit => OK, "最多保存{0}篇草稿，请先发布或删除一篇", "You can keep up to {0} drafts. Publish or delete one first.";
    CommentNotFound = Refusal::CommentNotFound => OK, "评论不存在", "Comment not found";
    CommentInvalid [note::COMMENT_MAX_CHARS] = Refusal::CommentInvalid => OK, "评论须为1到{0}个字符", "Use 1 to {0} characters for a comment";
    NoteMentionsTooMany [mention::NOTE_MENTIONS_MAX] = Refusal::NoteMentionsTooMany => OK, "一篇笔记最多@{0}个人，请去掉几个", "A note can mention up to {0} people. Take some out.";
    CommentMentionsTooMany [mention::COMMENT_MENTIONS_MAX] = Refusal::CommentMentionsTooMany => OK, "一条评论最多@{0}个人，请去掉几个", "A comment can mention up to {0} people. Take some out.";
    LabCrowdOff => FORBIDDEN, "这里不能发起抢购：请在运行网站的机器上用 make lab-play 启动网站后再试", "A crowd can't be started from here. Start the site with `make lab-play` and open it on that machine.";
    LabCrowdInvalid [crowd::MAX_BUYERS] => OK, "人数须在1到{0}之间，库存至少1件且不超过人数", "Choose 1 to {0} buyers, and from 1 unit to as many as there are buyers";
    LabCrowdRunning => OK, "已有一场抢购在进行，请等它结束或先取消", "A crowd is already running. Wait for it, or cancel it.";
    LabVersionUnknown => OK, "实验室没有这个版本", "Version not found";
    Malformed => BAD_REQUEST, "请求格式错误", "This request isn't valid. See `fields` for what is wrong.";
    NotSignedIn => UNAUTHORIZED, "请先登录", "Please sign in first";
    Forbidden = Refusal::Forbidden => FORBIDDEN, "没有权限", "Your account isn't allowed to do this";
    ForeignOrigin => FORBIDDEN, "请求来自其他网站，已拒绝", "We refused this request because it comes from another site";
    ForeignSession => UNAUTHORIZED, "其他网站的页面不能使用你的登录状态，请在本站登录", "Another site's page can't use your session. Please sign in here.";
    NoSuchRoute => NOT_FOUND, "接口不存在", "Nothing found at this address";
    MethodNotAllowed => METHOD_NOT_ALLOWED, "请求方法不支持", "This address doesn't support that method";
    IdempotencyMismatch => CONFLICT, "该幂等键已用于其他请求", "This Idempotency-Key was already used for a different request";
    InProgress => CONFLICT, "相同的请求正在处理，请稍候", "We're still working on the same request. Please wait a moment.";
    BodyTooLarge => PAYLOAD_TOO_LARGE, "请求内容过大", "The request is too large";
    BodyTooSlow => REQUEST_TIMEOUT, "请求内容传输过慢，请检查网络后重试", "Your data arrived too slowly. Check your connection and try again.";
    UnsupportedMediaType => UNSUPPORTED_MEDIA_TYPE, "请求内容类型不支持", "This content type isn't supported";
    TooMany => TOO_MANY_REQUESTS, "请求过于频繁，请稍后再试", "Too many requests, please slow down";
    Internal => INTERNAL_SERVER_ERROR, "服务器异常", "Something went wrong on our side";
    Busy => SERVICE_UNAVAILABLE, "系统繁忙，请稍后重试", "We're very busy right now, please give us a moment";
    Processing => SERVICE_UNAVAILABLE, "订单处理中，请稍后查询", "Your order is still being processed, please check again in a moment";
    Unavailable => SERVICE_UNAVAILABLE, "服务暂时不可用，请稍后重试", "We're briefly unavailable, please give us a moment";
}
