//! Vouchers: ordinary ones over many shops, and a handful of flash sales, some of which people have bought from.
//!
//! Invariants: in every block, on shops of the demo merchant in the first, one flash sale is running at the plan's
//! moment, one starts ten minutes after it and one is over; windows are hours long. What is sold is at most the stock,
//! to nobody twice, and within the window.

mod offers;

use jiff::{SignedDuration, Timestamp};

use crate::block::{self, Block};
use crate::people::MERCHANTS;
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlashSale {
    /// All units, sold ones included.
    pub stock: u32,
    pub limit_per_user: u32,
    pub begin_at: Timestamp,
    pub end_at: Timestamp,
    /// Who has bought a unit by now, the earliest first.
    pub sold: Vec<SoldUnit>,
}

/// A unit that was bought in a flash sale, and used since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoldUnit {
    /// Counts all sold units of the plan.
    pub order_id: i64,
    pub buyer_id: i64,
    pub bought_at: Timestamp,
    pub used_at: Timestamp,
}

/// A flash sale of every block, placed in time relative to the plan's moment.
struct Showcase {
    /// A multiple of three, so that the demo merchant owns it in the first block.
    shop: u32,
    /// Which of the two packages of its kind.
    package: usize,
    pay_cents: i64,
    stock: u32,
    sold: u32,
    limit_per_user: u32,
    begin_mins: i64,
    end_mins: i64,
}

const HOUR: i64 = 60;

/// Those whose ids do not depend on how many vouchers a block has: pages of documents and tests name them.
const SHOWCASES: [Showcase; 8] = [
    showcase((0, 0), (990, 1), (100, 53), (-HOUR, 5 * HOUR)),
    showcase((6, 0), (4_900, 1), (50, 0), (10, 4 * HOUR)),
    showcase((12, 1), (1_900, 1), (60, 41), (-5 * HOUR, -HOUR)),
    showcase((3, 0), (3_900, 1), (200, 118), (-2 * HOUR, 8 * HOUR)),
    showcase((15, 0), (2_900, 2), (120, 46), (-3 * HOUR, 6 * HOUR)),
    showcase((33, 1), (9_900, 1), (30, 0), (3 * HOUR, 9 * HOUR)),
    // Nearly sold out, and sold out.
    showcase((30, 0), (5_900, 1), (60, 57), (-HOUR - 30, 4 * HOUR)),
    showcase((27, 0), (990, 1), (80, 80), (-2 * HOUR - 30, 3 * HOUR)),
];

/// In the other cities; after the ordinary vouchers.
const FAR_SHOWCASES: [Showcase; 2] = [
    showcase((150, 1), (6_900, 1), (80, 31), (-30, 7 * HOUR)),
    showcase((240, 0), (1_990, 1), (120, 0), (HOUR, 7 * HOUR)),
];

const fn showcase(
    (shop, package): (u32, usize),
    (pay_cents, limit_per_user): (i64, u32),
    (stock, sold): (u32, u32),
    (begin_mins, end_mins): (i64, i64),
) -> Showcase {
    Showcase {
        shop,
        package,
        pay_cents,
        stock,
        sold,
        limit_per_user,
        begin_mins,
        end_mins,
    }
}

/// Face values in yuan, smallest first; a shop takes one near what a visit costs.
const FACE_VALUES_YUAN: [u32; 8] = [20, 30, 50, 80, 100, 200, 300, 500];

pub(crate) fn vouchers(
    blocks: impl Iterator<Item = Block>,
    now: Timestamp,
) -> impl Iterator<Item = Voucher> {
    let mut next_order = 1;
    blocks
        .flat_map(move |block| {
            let flash = move |(place, showcase)| flash(block, place, showcase, now);
            let near = (0..).zip(&SHOWCASES).map(flash);
            let far = (SHOWCASES.len() as u32..).zip(&FAR_SHOWCASES).map(flash);
            let ordinary = (0..block::SHOPS).flat_map(move |local| ordinary(block, local));
            near.chain(ordinary).chain(far)
        })
        .zip(1..)
        .map(move |(mut voucher, id)| {
            voucher.id = id;
            let sold = voucher
                .flash_sale
                .iter_mut()
                .flat_map(|sale| &mut sale.sold);
            for unit in sold {
                unit.order_id = next_order;
                next_order += 1;
            }
            voucher
        })
}

fn flash(block: Block, place: u32, showcase: &Showcase, now: Timestamp) -> Voucher {
    let from_now = |mins| now + SignedDuration::from_mins(mins);
    let (begin_at, end_at) = (from_now(showcase.begin_mins), from_now(showcase.end_mins));
    let offers = offers::of_kind(shops::kind(showcase.shop));
    let (title, worth_yuan) = offers.packages[showcase.package];
    let mut random = block.random(Stream::Orders, place);
    let sold = sold(
        block,
        showcase.sold,
        (begin_at, end_at.min(now)),
        now,
        &mut random,
    );
    let limit = format!("每人限购{}张", showcase.limit_per_user);
    let rules: Vec<&str> = std::iter::once(limit.as_str())
        .chain(["购买后30天内有效"])
        .chain(offers.terms.always.iter().copied())
        .collect();
    Voucher {
        id: 0,
        shop_id: block.shop_id(showcase.shop),
        title: title.to_owned(),
        sub_title: "限时限量，先到先得",
        rules: rules.join("\n"),
        pay_value_cents: showcase.pay_cents,
        actual_value_cents: i64::from(worth_yuan) * 100,
        flash_sale: Some(FlashSale {
            stock: showcase.stock,
            limit_per_user: showcase.limit_per_user,
            begin_at,
            end_at,
            sold,
        }),
    }
}

/// Most come early, as in any flash sale, and go there before the sale is over.
fn sold(
    block: Block,
    count: u32,
    (begin_at, until): (Timestamp, Timestamp),
    now: Timestamp,
    random: &mut Random,
) -> Vec<SoldUnit> {
    // Neither the demo accounts nor merchants.
    let first = MERCHANTS.end;
    let buyers: Vec<u32> = random.distinct(count, block::PEOPLE - first).collect();
    let within = |from: Timestamp, to: Timestamp, share: f64| {
        let span_secs = to.as_second() - from.as_second();
        from + SignedDuration::from_secs((span_secs as f64 * share) as i64)
    };
    let mut sold: Vec<SoldUnit> = buyers
        .into_iter()
        .map(|buyer| {
            let early = random.unit();
            let bought_at = within(begin_at, until, early * early);
            SoldUnit {
                order_id: 0,
                buyer_id: block.person_id(first + buyer),
                bought_at,
                used_at: within(bought_at, now, random.unit()),
            }
        })
        .collect();
    sold.sort_by_key(|unit| (unit.bought_at, unit.buyer_id));
    sold
}

/// None to two vouchers of one shop: places to eat begin with one over an amount, the others have packages.
fn ordinary(block: Block, local: u32) -> impl Iterator<Item = Voucher> {
    let mut random = block.random(Stream::Vouchers, local);
    let count = random.below(3) as usize;
    let kind = shops::kind(local);
    let offers = offers::of_kind(kind);
    let [small, large] = offers
        .packages
        .map(|(title, yuan)| (title.to_owned(), yuan));
    let price_yuan = kind.facts().price_yuan.0;
    let face = FACE_VALUES_YUAN
        .into_iter()
        .find(|value| *value >= price_yuan);
    let amount = face.map(|yuan| (format!("{yuan}元代金券"), yuan));
    let chosen = match amount {
        Some(amount) if kind.is_food() => [amount, small],
        _ => [small, large],
    };
    chosen
        .into_iter()
        .take(count)
        .map(move |(title, worth_yuan)| {
            ordinary_of(
                block.shop_id(local),
                title,
                worth_yuan,
                offers.terms,
                &mut random,
            )
        })
}

fn ordinary_of(
    shop_id: i64,
    title: String,
    worth_yuan: u32,
    terms: &offers::Terms,
    random: &mut Random,
) -> Voucher {
    let worth_cents = i64::from(worth_yuan) * 100;
    let percent = i64::from(random.between(68, 92));
    let mut chosen: Vec<u32> = random.distinct(2, terms.some.len() as u32).collect();
    chosen.sort_unstable();
    let some = chosen.into_iter().map(|at| terms.some[at as usize]);
    let rules: Vec<&str> = terms.always.iter().copied().chain(some).collect();
    Voucher {
        id: 0,
        shop_id,
        title,
        sub_title: random.pick(offers::DAYS),
        rules: rules.join("\n"),
        pay_value_cents: price(worth_cents * percent / 100),
        actual_value_cents: worth_cents,
        flash_sale: None,
    }
}

/// A price as shops write them: nine tenths below ten yuan and above, whole yuan never.
fn price(cents: i64) -> i64 {
    cents / 100 * 100 - 10
}
