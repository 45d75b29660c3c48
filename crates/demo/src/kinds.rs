//! Kinds of shop, finer than the ten types: what a place is called, costs, and looks like.
//!
//! Invariant: each of the ten types has at least one kind, and [`SEQUENCE`] brings every kind
//! up often enough that a few dozen shops in a row cover all types.

use crate::pictures::Scene;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShopKind {
    Noodles,
    HotPot,
    HomeCooking,
    DimSum,
    Sushi,
    Coffee,
    Cakes,
    Skewers,
    Salad,
    Ktv,
    Hair,
    Gym,
    Massage,
    Spa,
    Kids,
    Bar,
    Party,
    Nails,
}

/// What the shops of a kind have in common.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) type_id: i64,
    pub(crate) price_yuan: (u32, u32),
    pub(crate) hours: &'static [&'static str],
    pub(crate) suffixes: &'static [&'static str],
    /// The scene its pictures show, besides the shop front.
    pub(crate) scene: Scene,
}

/// The order in which kinds come up along the shops of a block: two fifths of all are food.
pub(crate) const SEQUENCE: [ShopKind; 45] = {
    use ShopKind::*;
    [
        Noodles,
        Ktv,
        HotPot,
        Hair,
        Nails, //
        HomeCooking,
        Massage,
        DimSum,
        Spa,
        Kids, //
        Sushi,
        Bar,
        Coffee,
        Party,
        Gym, //
        Cakes,
        Ktv,
        Skewers,
        Hair,
        Nails, //
        Salad,
        Massage,
        Noodles,
        Spa,
        Kids, //
        HotPot,
        Bar,
        Coffee,
        Party,
        Gym, //
        HomeCooking,
        Ktv,
        DimSum,
        Hair,
        Nails, //
        Cakes,
        Massage,
        Skewers,
        Spa,
        Kids, //
        Sushi,
        Bar,
        Salad,
        Party,
        Gym,
    ]
};

const LUNCH_AND_DINNER: &[&str] = &["10:30-21:30", "11:00-14:00,17:00-21:30", "11:00-22:00"];
const ALL_DAY: &[&str] = &["09:00-21:00", "10:00-22:00", "09:30-21:30"];
const LATE: &[&str] = &["17:00-02:00", "18:00-02:00", "17:30-01:00"];
const AROUND_THE_CLOCK: &[&str] = &["00:00-24:00", "12:00-06:00", "10:00-02:00"];

impl ShopKind {
    pub(crate) fn is_food(self) -> bool {
        self.facts().type_id == 1
    }

    pub(crate) fn facts(self) -> &'static Facts {
        match self {
            Self::Noodles => &NOODLES,
            Self::HotPot => &HOT_POT,
            Self::HomeCooking => &HOME_COOKING,
            Self::DimSum => &DIM_SUM,
            Self::Sushi => &SUSHI,
            Self::Coffee => &COFFEE,
            Self::Cakes => &CAKES,
            Self::Skewers => &SKEWERS,
            Self::Salad => &SALAD,
            Self::Ktv => &KTV,
            Self::Hair => &HAIR,
            Self::Gym => &GYM,
            Self::Massage => &MASSAGE,
            Self::Spa => &SPA,
            Self::Kids => &KIDS,
            Self::Bar => &BAR,
            Self::Party => &PARTY,
            Self::Nails => &NAILS,
        }
    }
}

static NOODLES: Facts = Facts {
    type_id: 1,
    price_yuan: (18, 45),
    hours: &["06:30-20:00", "07:00-21:00", "06:00-14:00,16:30-20:30"],
    suffixes: &["面馆", "片儿川", "拌面铺", "牛肉面"],
    scene: Scene::Noodles,
};
static HOT_POT: Facts = Facts {
    type_id: 1,
    price_yuan: (85, 160),
    hours: &["11:00-02:00", "11:00-23:00", "16:30-02:00"],
    suffixes: &["火锅", "铜锅涮肉", "牛油火锅", "菌汤锅"],
    scene: Scene::HotPot,
};
static HOME_COOKING: Facts = Facts {
    type_id: 1,
    price_yuan: (55, 130),
    hours: LUNCH_AND_DINNER,
    suffixes: &["小馆", "家常菜", "饭店", "私房菜"],
    scene: Scene::HomeCooking,
};
static DIM_SUM: Facts = Facts {
    type_id: 1,
    price_yuan: (45, 98),
    hours: &["08:00-21:00", "07:30-14:30", "09:00-21:30"],
    suffixes: &["茶点", "小笼包", "早茶", "点心铺"],
    scene: Scene::DimSum,
};
static SUSHI: Facts = Facts {
    type_id: 1,
    price_yuan: (88, 260),
    hours: LUNCH_AND_DINNER,
    suffixes: &["寿司", "日料", "居酒屋", "鱼生"],
    scene: Scene::Sushi,
};
static COFFEE: Facts = Facts {
    type_id: 1,
    price_yuan: (22, 48),
    hours: &["08:00-20:00", "09:00-22:00", "10:00-21:00"],
    suffixes: &["咖啡", "咖啡馆", "咖啡研究所", "烘焙咖啡"],
    scene: Scene::Coffee,
};
static CAKES: Facts = Facts {
    type_id: 1,
    price_yuan: (28, 68),
    hours: ALL_DAY,
    suffixes: &["甜品", "蛋糕", "糖水铺", "烘焙"],
    scene: Scene::Cakes,
};
static SKEWERS: Facts = Facts {
    type_id: 1,
    price_yuan: (60, 120),
    hours: LATE,
    suffixes: &["烧烤", "炭火烤串", "羊肉串", "烤肉"],
    scene: Scene::Skewers,
};
static SALAD: Facts = Facts {
    type_id: 1,
    price_yuan: (32, 58),
    hours: &["10:00-20:30", "10:30-20:00"],
    suffixes: &["轻食", "沙拉", "能量碗", "素食"],
    scene: Scene::Salad,
};
static KTV: Facts = Facts {
    type_id: 2,
    price_yuan: (55, 120),
    hours: AROUND_THE_CLOCK,
    suffixes: &["KTV", "量贩KTV", "音乐派对", "欢唱吧"],
    scene: Scene::Ktv,
};
static HAIR: Facts = Facts {
    type_id: 3,
    price_yuan: (68, 320),
    hours: ALL_DAY,
    suffixes: &["造型", "发型工作室", "美发沙龙", "理发店"],
    scene: Scene::Hair,
};
static GYM: Facts = Facts {
    type_id: 4,
    price_yuan: (39, 150),
    hours: &["06:30-23:00", "07:00-22:30", "00:00-24:00"],
    suffixes: &["健身", "运动空间", "健身工作室", "运动馆"],
    scene: Scene::Gym,
};
static MASSAGE: Facts = Facts {
    type_id: 5,
    price_yuan: (98, 238),
    hours: &["10:00-02:00", "11:00-24:00", "12:00-02:00"],
    suffixes: &["足道", "推拿", "养生馆", "按摩"],
    scene: Scene::Massage,
};
static SPA: Facts = Facts {
    type_id: 6,
    price_yuan: (168, 480),
    hours: ALL_DAY,
    suffixes: &["SPA", "美容会所", "皮肤管理", "芳疗馆"],
    scene: Scene::Spa,
};
static KIDS: Facts = Facts {
    type_id: 7,
    price_yuan: (58, 158),
    hours: &["09:30-20:30", "10:00-21:00"],
    suffixes: &["儿童乐园", "亲子乐园", "亲子空间", "儿童探索馆"],
    scene: Scene::Kids,
};
static BAR: Facts = Facts {
    type_id: 8,
    price_yuan: (78, 188),
    hours: LATE,
    suffixes: &["酒吧", "精酿", "小酒馆", "鸡尾酒吧"],
    scene: Scene::Bar,
};
static PARTY: Facts = Facts {
    type_id: 9,
    price_yuan: (88, 168),
    hours: AROUND_THE_CLOCK,
    suffixes: &["轰趴馆", "聚会空间", "桌游别墅", "派对屋"],
    scene: Scene::Party,
};
static NAILS: Facts = Facts {
    type_id: 10,
    price_yuan: (88, 268),
    hours: ALL_DAY,
    suffixes: &["美甲", "美甲沙龙", "美甲美睫", "指尖工作室"],
    scene: Scene::Nails,
};
