//! The words of every code, in both languages. Each says what to do where there is something to do.

use app::Language;
use domain::OrderStatus;

use super::Code;

/// The same words in both languages, Chinese first.
pub(super) type Words = (&'static str, &'static str);

/// The message of `busy` for a buyer in a flash sale.
pub(super) const SALE_BUSY: Words = (
    "秒杀系统繁忙，请稍后重试",
    "The sale is busy: please try again in a moment",
);

pub(super) fn in_language((chinese, english): Words, language: Language) -> &'static str {
    match language {
        Language::Chinese => chinese,
        Language::English => english,
    }
}

/// Why an order that stands there does not take a step.
pub(super) fn of_status(status: OrderStatus) -> Words {
    match status {
        OrderStatus::Pending => ("订单处理中，请稍候", "The order is being processed"),
        OrderStatus::Unpaid => ("订单尚未支付", "The order is not paid yet"),
        OrderStatus::Paid => ("订单已支付", "The order is paid"),
        OrderStatus::Used => ("订单已核销", "The order has been used"),
        OrderStatus::Cancelled => ("订单已取消", "The order was cancelled"),
        OrderStatus::Refunding => ("订单退款中", "The order is being refunded"),
        OrderStatus::Refunded => ("订单已退款", "The order was refunded"),
    }
}

pub(super) fn of(code: Code) -> Words {
    match code {
        Code::PhoneInvalid => ("手机号格式错误", "This is not a mainland mobile number"),
        Code::EmailInvalid => ("邮箱格式错误", "This is not an e-mail address"),
        Code::PhoneUnsupported => (
            "本站只支持邮箱验证码登录",
            "This site sends codes by e-mail only: please use your e-mail address",
        ),
        Code::CodeTooOften => (
            "发送过于频繁，请稍后再试",
            "A code was sent a moment ago: please wait before asking for another",
        ),
        Code::CodeDailyLimit => (
            "今日发送次数已达上限",
            "No more codes today: please try again tomorrow",
        ),
        Code::LoginLocked => (
            "登录已锁定，请稍后再试",
            "Too many wrong codes: signing in is locked for a while",
        ),
        Code::CodeWrong => ("验证码错误", "The code is wrong"),
        Code::CodeExpired => (
            "验证码已失效，请重新获取",
            "The code is no longer valid: please ask for a new one",
        ),
        Code::PasswordLoginOff => (
            "密码登录未开启",
            "Signing in with a password is not available: please use a code",
        ),
        Code::UserBlocked => (
            "账号已被停用，请联系管理员",
            "This account is blocked: please contact the site's administrator",
        ),
        Code::NickNameInvalid => (
            "昵称须为1到32个可见字符",
            "The nick name must have 1 to 32 visible characters",
        ),
        Code::IconInvalid => (
            "头像必须是本站的图片",
            "The picture must be one that was uploaded to this site",
        ),
        Code::CityInvalid => (
            "城市不能超过64个可见字符",
            "The city must have at most 64 visible characters",
        ),
        Code::IntroduceInvalid => (
            "个人介绍不能超过128个字符",
            "The introduction must have at most 128 characters",
        ),
        Code::BirthdayInvalid => (
            "生日须在1900年与今天之间",
            "The birthday must lie between 1900 and today",
        ),
        Code::SessionNotFound => ("该登录已经失效", "That session has already ended"),
        Code::ShopNotFound => ("店铺不存在", "There is no such shop"),
        Code::ShopIdMissing => ("店铺id不能为空", "The id of the shop is missing"),
        Code::ShopNameInvalid => (
            "店铺名称须为1到128个可见字符",
            "The name must have 1 to 128 visible characters",
        ),
        Code::ShopTypeUnknown => ("店铺类型不存在", "There is no such type of shop"),
        Code::ShopImagesInvalid => (
            "图片须为本站图片，最多9张",
            "Pictures must be of this site, and at most 9",
        ),
        Code::ShopAreaInvalid => (
            "商圈不能超过128个可见字符",
            "The area must have at most 128 visible characters",
        ),
        Code::ShopAddressInvalid => (
            "地址须为1到255个可见字符",
            "The address must have 1 to 255 visible characters",
        ),
        Code::ShopPositionInvalid => (
            "经纬度超出范围",
            "The position must be a longitude and a latitude on the map",
        ),
        Code::ShopPriceInvalid => (
            "人均价格须在0到100万元之间",
            "The average price must lie between 0 and 1,000,000 yuan",
        ),
        Code::ShopHoursInvalid => (
            "营业时间须写明时间，如10:00-22:00，且不超过32个字符",
            "Opening hours must name times, such as 10:00-22:00, in at most 32 characters",
        ),
        Code::VoucherNotFound => ("优惠券不存在", "There is no such voucher"),
        Code::VoucherTitleInvalid => (
            "标题须为1到255个可见字符",
            "The title must have 1 to 255 visible characters",
        ),
        Code::VoucherSubTitleInvalid => (
            "副标题不能超过255个字符",
            "The subtitle must have at most 255 characters",
        ),
        Code::VoucherRulesInvalid => (
            "使用规则不能超过1024个字符",
            "The rules must have at most 1,024 characters",
        ),
        Code::VoucherPriceInvalid => (
            "售价须大于0且不能高于面值",
            "The price must be above 0 and at most the voucher's value",
        ),
        Code::VoucherValueInvalid => (
            "面值须在0.01元到100万元之间",
            "The value must lie between 0.01 and 1,000,000 yuan",
        ),
        Code::VoucherStockInvalid => (
            "库存须在1到1000万之间",
            "There must be 1 to 10,000,000 pieces",
        ),
        Code::VoucherWindowInvalid => (
            "结束时间必须晚于开始时间",
            "The sale must end after it begins",
        ),
        Code::VoucherLimitInvalid => ("每人限购须在1到99之间", "A person may have 1 to 99 pieces"),
        Code::VoucherSpreadInvalid => (
            "分桶数须在1与分区数之间",
            "The sale must be spread over at least 1 part and at most as many as the site has",
        ),
        Code::StockSold => ("库存不能低于已售数量", "More pieces are sold than that"),
        Code::SoldOut => ("库存不足", "Sold out"),
        Code::AlreadyBought => ("不能重复下单", "You have bought this already"),
        Code::NotStarted => ("秒杀尚未开始", "The sale has not begun"),
        Code::Ended => ("秒杀已经结束", "The sale is over"),
        Code::ClaimTokenInvalid => (
            "抢购凭证已失效，请刷新页面后重试",
            "The page's claim token is no longer valid: please reload the page",
        ),
        Code::OrderNotFound => ("订单不存在", "There is no such order"),
        Code::OrderFailed => (
            "下单失败，名额已退回，请重新抢购",
            "The order could not be completed and its piece was given back: please try again",
        ),
        Code::OrderStatus => (
            "订单状态不允许该操作",
            "The order's status does not allow this",
        ),
        Code::TooManyUnpaid => (
            "待付款订单太多，请先付款或取消",
            "You have too many unpaid orders: pay or cancel one first",
        ),
        Code::VoucherOffShelf => ("优惠券已下架", "This voucher is not for sale any more"),
        Code::VoucherIsFlashSale => (
            "秒杀券请通过抢购下单",
            "This voucher is sold in a flash sale: please claim it there",
        ),
        Code::PayTypeUnsupported => (
            "暂不支持该支付方式",
            "This way to pay is not available here: please choose another",
        ),
        Code::BalanceTooSmall => (
            "余额不足，请选择其他支付方式",
            "Your balance is too small: please pay in another way",
        ),
        Code::PayTooLate => (
            "支付时间已过，请重新下单",
            "The time to pay is over: please order again",
        ),
        Code::NothingPaid => (
            "该订单不在本站支付，请联系商家退款",
            "This order was not paid on this site: please ask the shop",
        ),
        Code::PaymentNotFound => ("支付单不存在", "There is no such payment"),
        Code::PaymentClosed => (
            "支付单已关闭，请返回订单重新支付",
            "This payment is over: please go back to the order",
        ),
        Code::RedeemCodeUnknown => (
            "核销码不存在，请核对后重试",
            "No order has this code: please check it",
        ),
        Code::RedeemWrongShop => ("该券不属于您的店铺", "This voucher is for another shop"),
        Code::RedeemUsed => (
            "该券已核销，不能重复使用",
            "This voucher has been used already",
        ),
        Code::RedeemRefunded => ("该券已退款，不能使用", "This voucher was refunded"),
        Code::BadFileName => ("错误的文件名称", "You have no picture of this name"),
        Code::PictureInUse => (
            "图片正在使用中，不能删除",
            "The picture is in use: delete what shows it first",
        ),
        Code::TooManyPictures => (
            "图片数量已达上限，请先删除一些",
            "You keep as many pictures as you may: please delete some first",
        ),
        Code::TooManyUploads => (
            "同时上传的图片过多，请等前面的图片传完再试",
            "You are sending as many pictures at once as you may: please wait for them",
        ),
        Code::ImageUnsupported => (
            "图片格式不支持",
            "This is no JPEG, PNG or WebP that can be read",
        ),
        Code::ImageTooLarge => (
            "图片过大",
            "The picture is too large: at most 10 MB and 40 megapixels",
        ),
        Code::SelfFollow => ("不能关注自己", "You cannot follow yourself"),
        Code::UserNotFound => ("用户不存在", "There is no such person"),
        Code::FollowLimit => (
            "最多关注5000人",
            "You follow 5,000 people already, and nobody may follow more",
        ),
        Code::NoteNotFound => ("笔记不存在", "There is no such note"),
        Code::NoteTitleInvalid => (
            "标题须为1到255个可见字符",
            "The title must have 1 to 255 visible characters",
        ),
        Code::NoteContentInvalid => (
            "正文须为1到2048个字符",
            "The text must have 1 to 2,048 characters",
        ),
        Code::NoteImagesInvalid => (
            "请上传1到9张图片",
            "There must be 1 to 9 pictures that you uploaded",
        ),
        Code::NoteScoreInvalid => ("评分须为1到5星", "There may be 1 to 5 stars"),
        Code::CommentNotFound => ("评论不存在", "There is no such comment"),
        Code::CommentInvalid => (
            "评论须为1到255个字符",
            "A comment must have 1 to 255 characters",
        ),
        Code::Malformed => (
            "请求格式错误",
            "The request cannot be understood: `fields` says where",
        ),
        Code::NotSignedIn => ("请先登录", "Please sign in first"),
        Code::Forbidden => ("没有权限", "Your account is not allowed to do this"),
        Code::ForeignOrigin => (
            "请求来自其他网站，已拒绝",
            "The request comes from another site and was refused",
        ),
        Code::NoSuchRoute => ("接口不存在", "There is nothing at this address"),
        Code::MethodNotAllowed => ("请求方法不支持", "This address does not take this method"),
        Code::IdempotencyMismatch => (
            "该幂等键已用于其他请求",
            "This Idempotency-Key was used for another request",
        ),
        Code::InProgress => (
            "相同的请求正在处理，请稍候",
            "The same request is being worked on: please wait a moment",
        ),
        Code::BodyTooLarge => ("请求内容过大", "The request body is too large"),
        Code::BodyTooSlow => (
            "请求内容传输过慢，请检查网络后重试",
            "The request body arrived too slowly: please check the connection and try again",
        ),
        Code::UnsupportedMediaType => (
            "请求内容类型不支持",
            "This content type is not supported here",
        ),
        Code::TooMany => (
            "请求过于频繁，请稍后再试",
            "Too many requests: please wait before trying again",
        ),
        Code::Internal => ("服务器异常", "Something went wrong on our side"),
        Code::Busy => (
            "系统繁忙，请稍后重试",
            "The site is busy: please try again in a moment",
        ),
        Code::Processing => (
            "订单处理中，请稍后查询",
            "Your order is being processed: please look again in a moment",
        ),
        Code::Unavailable => (
            "服务暂时不可用，请稍后重试",
            "The service is briefly unavailable: please try again in a moment",
        ),
    }
}
