//! Shops: where they stand, what they are called, who keeps them.
//!
//! Invariants: every shop stands within the radius of a real quarter of its city; each block's
//! first [`NEAR_HOME`] shops are around the position that the original's pages are fixed to, so
//! that "nearby" is never empty; review count and score are those of the shop's notes.

mod places;

use jiff::{SignedDuration, Timestamp};

use crate::block::{self, Block};
use crate::kinds::{SEQUENCE, ShopKind};
use crate::notes;
use crate::people::{MERCHANT, MERCHANTS};
use crate::random::{Random, Stream};
use places::{CHENGDU, HANGZHOU, HANGZHOU_NORTH, SHANGHAI, ShopArea};

/// Shops of each block around the home position, all types among them.
const NEAR_HOME: u32 = 80;
/// Up to these local indices shops are in Hangzhou, then in Shanghai, the rest in Chengdu.
const HANGZHOU_END: u32 = 140;
const SHANGHAI_END: u32 = 230;

/// The demo merchant keeps every third shop of the first block.
const MERCHANT_SHARE: u32 = 3;

#[derive(Debug, Clone, PartialEq)]
pub struct Shop {
    pub id: i64,
    pub name: String,
    pub type_id: i64,
    /// One to four picture addresses.
    pub images: Vec<String>,
    pub city: &'static str,
    pub area: &'static str,
    pub address: String,
    /// Longitude.
    pub x: f64,
    /// Latitude.
    pub y: f64,
    pub avg_price_yuan: u32,
    /// How many notes are about it.
    pub comments: u32,
    /// The mean of its notes' scores, times ten.
    pub score: u32,
    pub open_hours: &'static str,
    /// In a city's network, and nobody's: no number there begins with 0.
    pub phone: String,
    pub owner_id: i64,
    pub opened_at: Timestamp,
}

pub(crate) fn shops(block: Block, now: Timestamp) -> Vec<Shop> {
    let ratings = notes::ratings(block);
    (0..block::SHOPS)
        .zip(ratings)
        .map(|(local, rating)| Shop {
            comments: rating.notes,
            score: rating.score(),
            ..shop(block, local, now)
        })
        .collect()
}

/// The kind of the shop with this local index, in every block.
pub(crate) fn kind(local: u32) -> ShopKind {
    SEQUENCE[local as usize % SEQUENCE.len()]
}

/// The quarter of the shop with this local index.
pub(crate) fn area(block: Block, local: u32) -> &'static str {
    place(block, local).area
}

/// The name of the shop with this local index, without its branch.
pub(crate) fn brand(block: Block, local: u32) -> String {
    let kind = kind(local);
    let prefixes = if kind.is_food() {
        places::FOOD_NAMES
    } else {
        places::LEISURE_NAMES
    };
    // Walking the prefixes instead of drawing them keeps adjacent shops from sharing a name.
    let turn = (block.0 * 7 + local * 11) as usize;
    let suffixes = kind.facts().suffixes;
    let suffix = suffixes[(local as usize / SEQUENCE.len() + turn) % suffixes.len()];
    format!("{}{suffix}", prefixes[turn % prefixes.len()])
}

fn shop(block: Block, local: u32, now: Timestamp) -> Shop {
    let mut random = block.random(Stream::Shop, local);
    let place = place(block, local);
    let kind = kind(local);
    let facts = kind.facts();
    let (x, y) = place.point(&mut random);
    Shop {
        id: block.shop_id(local),
        name: format!("{}({}店)", brand(block, local), place.area),
        type_id: facts.type_id,
        images: images(kind, look(block, local), &mut random),
        city: place.city,
        area: place.area,
        address: address(place, &mut random),
        x,
        y,
        avg_price_yuan: random.between(facts.price_yuan.0, facts.price_yuan.1),
        comments: 0,
        score: 0,
        open_hours: random.pick(facts.hours),
        owner_id: block.person_id(owner(block, local, &mut random)),
        opened_at: now - SignedDuration::from_hours(24 * i64::from(random.between(65, 900))),
        phone: phone(local, &mut random),
    }
}

fn place(block: Block, local: u32) -> &'static ShopArea {
    let places = match local {
        0..NEAR_HOME => HANGZHOU_NORTH,
        NEAR_HOME..HANGZHOU_END => HANGZHOU,
        HANGZHOU_END..SHANGHAI_END => SHANGHAI,
        _ => CHENGDU,
    };
    &places[(block.0 + local) as usize % places.len()]
}

fn address(place: &ShopArea, random: &mut Random) -> String {
    let road = random.pick(place.roads);
    let number = random.between(2, 688);
    let floor = match random.below(4) {
        0 => format!("{}层", random.between(1, 6)),
        1 => format!("{}室", random.between(1, 5) * 100 + random.between(1, 18)),
        _ => String::new(),
    };
    format!("{}{road}{number}号{floor}", place.district)
}

/// Drawn last, so that what was drawn before it stays as it was.
fn phone(local: u32, random: &mut Random) -> String {
    let area_code = match local {
        0..HANGZHOU_END => "0571",
        HANGZHOU_END..SHANGHAI_END => "021",
        _ => "028",
    };
    let (first, last) = (random.below(1_000), random.below(10_000));
    format!("{area_code}-0{first:03} {last:04}")
}

/// Which front and which room of its kind are the shop's, wherever it is shown.
pub(crate) fn look(block: Block, local: u32) -> u32 {
    block.0 + local + local / SEQUENCE.len() as u32
}

/// Its front, and what is behind it: dishes where there is something to eat, the room elsewhere.
fn images(kind: ShopKind, look: u32, random: &mut Random) -> Vec<String> {
    let scene = kind.facts().scene;
    let mut images = if kind.is_food() {
        let dishes = random.between(1, 3);
        scene.urls(dishes, random)
    } else {
        vec![scene.room_url(look)]
    };
    // Food sells by its dishes, but a row of shops reads better with some fronts in it.
    let at = if random.chance(60) { images.len() } else { 0 };
    images.insert(at, scene.front_url(look));
    images
}

fn owner(block: Block, local: u32, random: &mut Random) -> u32 {
    if block.is_first() && local.is_multiple_of(MERCHANT_SHARE) {
        return MERCHANT;
    }
    random.between(MERCHANTS.start, MERCHANTS.end - 1)
}
