//! The ten shop types of the original, under its ids, names, icons and order.

/// A kind of shop as the home page lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShopType {
    pub id: i64,
    pub name: &'static str,
    /// Without the `/imgs` that pages put before it, as the original stores it.
    pub icon: &'static str,
    pub sort: i32,
}

/// Id, name and icon in display order; existing clients know these ids.
const TYPES: [(i64, &str, &str); 10] = [
    (1, "美食", "/types/ms.png"),
    (2, "KTV", "/types/ktv.png"),
    (3, "丽人·美发", "/types/lrmf.png"),
    (10, "美睫·美甲", "/types/mjmj.png"),
    (5, "按摩·足疗", "/types/amzl.png"),
    (6, "美容SPA", "/types/spa.png"),
    (7, "亲子游乐", "/types/qzyl.png"),
    (8, "酒吧", "/types/jiuba.png"),
    (9, "轰趴馆", "/types/hpg.png"),
    (4, "健身运动", "/types/jsyd.png"),
];

pub(crate) fn shop_types() -> impl Iterator<Item = ShopType> + use<> {
    TYPES
        .into_iter()
        .zip(1..)
        .map(|((id, name, icon), sort)| ShopType {
            id,
            name,
            icon,
            sort,
        })
}
