//! Demo data, deterministic and made by code: people, shops, notes, vouchers, pictures.
//!
//! The crate does no I/O, reads no clock and uses no other crate of ours: a caller that seeds a
//! database turns these plain structs into rows and writes the pictures where they belong.
//!
//! Invariants: one plan always gives the same data, on every machine and with every version of
//! every dependency. The data is a row of equal [blocks](block), each closed in itself, so any
//! scale streams in bounded memory, and a larger scale only adds to what a smaller one made
//! (counters of the first block's stars aside: they gain fans from the new blocks).
//! Every counter equals the number of things it counts.

mod block;
mod daytime;
mod kinds;
mod notes;
mod people;
mod pictures;
mod random;
mod shops;
mod social;
mod types;
mod vouchers;

use jiff::Timestamp;

use block::Block;
pub use notes::Note;
pub use people::{ADMIN_PHONE, Gender, MERCHANT_PHONE, Person, Role, VISITOR_PHONE};
pub use pictures::{Picture, PictureFile};
pub use shops::Shop;
pub use social::{Comment, Follow, Like};
pub use types::ShopType;
pub use vouchers::{FlashSale, SoldUnit, Voucher};

/// Ten million people, the most for which the demo range of phone numbers stays in one prefix.
pub const MAX_SCALE: u32 = 10_000;

/// What to make: how much, and as seen from which moment.
#[derive(Debug, Clone, Copy)]
pub struct DemoPlan {
    /// Multiplies people, shops, notes and what hangs on them.
    pub scale: u32,
    /// Notes were written before it; flash sales run, start and end around it.
    pub now: Timestamp,
}

/// A scale of zero, or more people than there are demo phone numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("scale must be between 1 and {MAX_SCALE}, not {0}")]
pub struct ScaleOutOfRange(pub u32);

/// The demo world of one plan. Every iterator starts afresh and streams.
#[derive(Debug, Clone, Copy)]
pub struct Demo {
    scale: u32,
    now: Timestamp,
}

impl Demo {
    /// Checks the plan; nothing is generated yet.
    pub fn new(plan: DemoPlan) -> Result<Self, ScaleOutOfRange> {
        if !(1..=MAX_SCALE).contains(&plan.scale) {
            return Err(ScaleOutOfRange(plan.scale));
        }
        let now = Timestamp::from_second(plan.now.as_second())
            .expect("a whole second below a valid timestamp is a valid timestamp");
        Ok(Self {
            scale: plan.scale,
            now,
        })
    }

    /// How many people, shops and notes there will be, for progress bars.
    pub fn counts(&self) -> DemoCounts {
        DemoCounts {
            people: self.scale * block::PEOPLE,
            shops: self.scale * block::SHOPS,
            notes: self.scale * block::NOTES,
        }
    }

    /// The ten shop types, with the original's ids, in display order.
    pub fn shop_types(&self) -> impl Iterator<Item = ShopType> + use<> {
        types::shop_types()
    }

    /// People by ascending id. The first three are the demo visitor, merchant and admin.
    pub fn people(&self) -> impl Iterator<Item = Person> + use<> {
        let demo = *self;
        self.blocks().flat_map(move |b| people::people(b, &demo))
    }

    /// Shops by ascending id.
    pub fn shops(&self) -> impl Iterator<Item = Shop> + use<> {
        let now = self.now;
        self.blocks().flat_map(move |b| shops::shops(b, now))
    }

    /// Notes by ascending id; within a block, later ids are later notes.
    pub fn notes(&self) -> impl Iterator<Item = Note> + use<> {
        let now = self.now;
        self.blocks().flat_map(move |b| notes::notes(b, now))
    }

    /// Comments by ascending id, each after the comment it answers.
    pub fn comments(&self) -> impl Iterator<Item = Comment> + use<> {
        social::comments(self.blocks(), self.now)
    }

    /// Likes grouped by note, earliest first; a person likes a note at most once.
    pub fn likes(&self) -> impl Iterator<Item = Like> + use<> {
        let now = self.now;
        self.blocks().flat_map(move |b| social::likes(b, now))
    }

    /// Follows by ascending id, unique, never of oneself.
    pub fn follows(&self) -> impl Iterator<Item = Follow> + use<> {
        social::follows(self.blocks(), self.now)
    }

    /// Vouchers by ascending id, ordinary ones and flash sales.
    pub fn vouchers(&self) -> impl Iterator<Item = Voucher> + use<> {
        vouchers::vouchers(self.blocks(), self.now)
    }

    /// Every picture the data refers to: a fixed pool, whatever the scale.
    pub fn pictures(&self) -> impl Iterator<Item = Picture> + use<> {
        pictures::all()
    }

    fn blocks(&self) -> impl Iterator<Item = Block> + use<> {
        (0..self.scale).map(Block)
    }
}

/// How many items some iterators of a [`Demo`] will yield.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DemoCounts {
    pub people: u32,
    pub shops: u32,
    pub notes: u32,
}
