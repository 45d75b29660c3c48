//! What shops of each kind sell vouchers for, and on which terms.
//!
//! Invariant: no two of a kind's terms contradict each other, so any of them may stand together.

use crate::kinds::ShopKind;

/// A service or a meal at a fixed price, with what it costs without a voucher.
pub(super) type Package = (&'static str, u32);

/// What the vouchers of a kind of shop say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offers {
    pub(super) packages: [Package; 2],
    pub(super) terms: &'static Terms,
}

#[derive(Debug)]
pub(super) struct Terms {
    /// On every voucher, first.
    pub(super) always: &'static [&'static str],
    pub(super) some: &'static [&'static str],
}

/// On which days a voucher can be used.
pub(super) const DAYS: &[&str] = &[
    "周一至周日通用",
    "周末、节假日通用",
    "周一至周五可用，节假日除外",
    "全年通用，除夕至初三除外",
];

const MEAL: Terms = Terms {
    always: &["无需预约，高峰时段可能需要等位", "不与其他优惠同享"],
    some: &[
        "仅限堂食",
        "每桌最多使用两张",
        "酒水饮料除外",
        "不兑现、不找零",
    ],
};
const SNACK: Terms = Terms {
    always: &["无需预约，到店即用", "不与其他优惠同享"],
    some: &[
        "堂食、外带均可",
        "每次最多使用两张",
        "不兑现、不找零",
        "季节限定款除外",
    ],
};
const SONG: Terms = Terms {
    always: &["需提前3小时预约包厢", "不与其他优惠同享"],
    some: &[
        "酒水小食另计",
        "超时按店内价格计费",
        "到店请出示券码",
        "限指定包型使用",
    ],
};
const BEAUTY: Terms = Terms {
    always: &["需提前一天预约", "不与其他优惠同享"],
    some: &[
        "每人每次限用一张",
        "到店请出示券码",
        "迟到20分钟以上可能需要改约",
        "加项以到店报价为准",
    ],
};
const BODY: Terms = Terms {
    always: &["需提前2小时预约", "不与其他优惠同享"],
    some: &[
        "每人每次限用一张",
        "孕期及酒后请勿体验",
        "可指定技师，不另收费",
        "时长以项目说明为准",
    ],
};
const SPORT: Terms = Terms {
    always: &["需提前一天预约", "不与其他优惠同享"],
    some: &[
        "仅限本人使用",
        "请自备运动鞋和毛巾",
        "迟到15分钟不能入场",
        "16岁以下需家长陪同",
    ],
};
const CHILDREN: Terms = Terms {
    always: &["无需预约，满场时需要等候", "不与其他优惠同享"],
    some: &[
        "入场请穿袜子",
        "儿童需有成人陪同",
        "出场后再次入场需重新购票",
        "超龄儿童按成人计",
    ],
};
const DRINK: Terms = Terms {
    always: &["无需预约，到店即用", "不与其他优惠同享"],
    some: &[
        "未满18岁不可使用",
        "每桌最多使用两张",
        "特别活动日除外",
        "饮酒后请勿驾车",
    ],
};
const HOUSE: Terms = Terms {
    always: &["需提前两天预约", "不与其他优惠同享"],
    some: &[
        "到店付押金，离场退还",
        "超时按小时计费",
        "可自带食材，用后请清洁",
        "请勿携带宠物入场",
    ],
};

pub(super) const fn of_kind(kind: ShopKind) -> Offers {
    let (packages, terms) = match kind {
        ShopKind::Noodles => ([("单人拌面套餐", 36), ("双人吃面套餐", 72)], &MEAL),
        ShopKind::HotPot => ([("双人火锅套餐", 238), ("四人火锅套餐", 458)], &MEAL),
        ShopKind::HomeCooking => ([("双人家常套餐", 168), ("四人聚餐套餐", 328)], &MEAL),
        ShopKind::DimSum => ([("双人早茶套餐", 128), ("四人点心套餐", 248)], &MEAL),
        ShopKind::Sushi => ([("单人寿司拼盘", 128), ("双人日料套餐", 358)], &MEAL),
        ShopKind::Coffee => ([("任选咖啡一杯", 35), ("咖啡配甜点下午茶", 68)], &SNACK),
        ShopKind::Cakes => ([("双人甜品下午茶", 98), ("6英寸生日蛋糕", 218)], &SNACK),
        ShopKind::Skewers => ([("双人撸串套餐", 158), ("四人夜宵套餐", 298)], &MEAL),
        ShopKind::Salad => ([("单人能量碗", 45), ("双人轻食套餐", 88)], &SNACK),
        ShopKind::Ktv => ([("小包下午场3小时", 198), ("中包夜场4小时", 458)], &SONG),
        ShopKind::Hair => ([("单人洗剪吹", 128), ("烫发或染发套餐", 498)], &BEAUTY),
        ShopKind::Gym => ([("单次体验课", 88), ("10次团课卡", 680)], &SPORT),
        ShopKind::Massage => ([("60分钟足疗", 168), ("90分钟全身推拿", 298)], &BODY),
        ShopKind::Spa => ([("60分钟补水护理", 298), ("90分钟精油SPA", 528)], &BEAUTY),
        ShopKind::Kids => ([("一大一小畅玩票", 128), ("一大一小5次卡", 520)], &CHILDREN),
        ShopKind::Bar => ([("特调鸡尾酒双杯", 136), ("精酿4杯配小食", 198)], &DRINK),
        ShopKind::Party => (
            [("15人内包场4小时", 1_280), ("20人内通宵包场", 2_280)],
            &HOUSE,
        ),
        ShopKind::Nails => ([("纯色美甲", 138), ("美甲美睫套餐", 298)], &BEAUTY),
    };
    Offers { packages, terms }
}
