//! Vouchers: ordinary ones over many shops, and a handful of flash sales.
//!
//! Invariant: in every block, on shops of the demo merchant in the first, one flash sale is
//! running at the plan's moment, one starts ten minutes after it and one is over.

use jiff::{SignedDuration, Timestamp};

use crate::block::{self, Block};
use crate::random::{Random, Stream};
use crate::shops;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voucher {
    pub id: i64,
    pub shop_id: i64,
    pub title: String,
    pub sub_title: &'static str,
    pub rules: String,
    /// What the buyer pays.
    pub pay_value_cents: i64,
    /// What it is worth in the shop.
    pub actual_value_cents: i64,
    /// Present if it is sold in a flash sale.
    pub flash_sale: Option<FlashSale>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlashSale {
    pub stock: u32,
    pub limit_per_user: u32,
    pub begin_at: Timestamp,
    pub end_at: Timestamp,
}

/// A flash sale of every block, placed in time relative to the plan's moment.
struct Showcase {
    /// A multiple of three, so that the demo merchant owns it in the first block.
    shop: u32,
    pay_yuan: i64,
    worth_yuan: i64,
    stock: u32,
    limit_per_user: u32,
    begin_mins: i64,
    end_mins: i64,
}

const HOUR: i64 = 60;
const DAY: i64 = 24 * HOUR;

/// The running ones run for weeks: a demo site is started again long after it was filled.
const SHOWCASES: [Showcase; 8] = [
    showcase((0, 9, 30), (100, 1), (-HOUR, 30 * DAY)),
    showcase((6, 19, 50), (50, 1), (10, 7 * DAY)),
    showcase((12, 29, 100), (20, 1), (-3 * DAY, -DAY)),
    showcase((3, 39, 99), (1_000, 1), (-2 * HOUR, 14 * DAY)),
    showcase((15, 9, 25), (200, 2), (-DAY, 21 * DAY)),
    showcase((33, 49, 128), (30, 1), (DAY, 3 * DAY)),
    showcase((150, 59, 150), (80, 1), (-6 * HOUR, 10 * DAY)),
    showcase((240, 25, 68), (120, 1), (3 * HOUR, 5 * DAY)),
];

const fn showcase(
    (shop, pay_yuan, worth_yuan): (u32, i64, i64),
    (stock, limit_per_user): (u32, u32),
    (begin_mins, end_mins): (i64, i64),
) -> Showcase {
    Showcase {
        shop,
        pay_yuan,
        worth_yuan,
        stock,
        limit_per_user,
        begin_mins,
        end_mins,
    }
}

const SUB_TITLES: &[&str] = &[
    "周一至周日均可使用",
    "周一至周五均可使用",
    "全场通用，节假日可用",
    "免预约，到店即用",
    "需提前一天预约",
];

const RULES: &[&str] = &[
    "全场通用",
    "无需预约",
    "可无限叠加",
    "不兑现、不找零",
    "仅限堂食",
    "每桌最多使用两张",
    "酒水饮料除外",
    "不与其他优惠同享",
];

/// Face values in yuan, smallest first; a shop takes one near what a visit costs.
const FACE_VALUES_YUAN: [u32; 8] = [20, 30, 50, 80, 100, 200, 300, 500];

pub(crate) fn vouchers(
    blocks: impl Iterator<Item = Block>,
    now: Timestamp,
) -> impl Iterator<Item = Voucher> {
    blocks
        .flat_map(move |block| {
            let flash = SHOWCASES.iter().map(move |s| flash(block, s, now));
            flash.chain((0..block::SHOPS).flat_map(move |local| ordinary(block, local)))
        })
        .zip(1..)
        .map(|(voucher, id)| Voucher { id, ..voucher })
}

fn flash(block: Block, showcase: &Showcase, now: Timestamp) -> Voucher {
    let from_now = |mins| now + SignedDuration::from_mins(mins);
    Voucher {
        id: 0,
        shop_id: block.shop_id(showcase.shop),
        title: format!("秒杀·{}元代金券", showcase.worth_yuan),
        sub_title: "限时限量，先到先得",
        rules: format!(
            "每人限购{}张\n购买后30天内有效\n全场通用\n不兑现、不找零",
            showcase.limit_per_user
        ),
        pay_value_cents: showcase.pay_yuan * 100,
        actual_value_cents: showcase.worth_yuan * 100,
        flash_sale: Some(FlashSale {
            stock: showcase.stock,
            limit_per_user: showcase.limit_per_user,
            begin_at: from_now(showcase.begin_mins),
            end_at: from_now(showcase.end_mins),
        }),
    }
}

/// None to two vouchers of one shop.
fn ordinary(block: Block, local: u32) -> impl Iterator<Item = Voucher> {
    let mut random = block.random(Stream::Vouchers, local);
    let price_yuan = shops::kind(local).facts().price_yuan.0;
    let fitting = FACE_VALUES_YUAN.iter().position(|v| *v >= price_yuan);
    let start = fitting.unwrap_or(FACE_VALUES_YUAN.len() - 1);
    let values = FACE_VALUES_YUAN.into_iter().skip(start);
    values
        .take(random.below(3) as usize)
        .map(move |yuan| ordinary_of(block.shop_id(local), yuan, &mut random))
}

fn ordinary_of(shop_id: i64, worth_yuan: u32, random: &mut Random) -> Voucher {
    let worth_cents = i64::from(worth_yuan) * 100;
    let percent = i64::from(random.between(78, 95));
    let rules: Vec<&str> = random
        .distinct(4, RULES.len() as u32)
        .map(|at| RULES[at as usize])
        .collect();
    Voucher {
        id: 0,
        shop_id,
        title: format!("{worth_yuan}元代金券"),
        sub_title: random.pick(SUB_TITLES),
        rules: rules.join("\n"),
        pay_value_cents: worth_cents * percent / 100,
        actual_value_cents: worth_cents,
        flash_sale: None,
    }
}
