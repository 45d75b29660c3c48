//! The unit of scale: a thousand people, the shops they keep and the notes they write.
//!
//! Invariant: nothing in a block depends on another block or on the scale, and references stay
//! inside it, so a block can be made alone and forgotten. The one exception, fans that later
//! blocks lend to the first block's stars, lives in [`crate::social`].

use crate::random::{Random, Stream};

/// People in a block.
pub(crate) const PEOPLE: u32 = 1_000;
/// Shops in a block.
pub(crate) const SHOPS: u32 = 300;
/// Notes in a block.
pub(crate) const NOTES: u32 = 600;

/// A block by its index, counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block(pub(crate) u32);

impl Block {
    pub(crate) fn is_first(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn person_id(self, local: u32) -> i64 {
        self.id(PEOPLE, local)
    }

    pub(crate) fn shop_id(self, local: u32) -> i64 {
        self.id(SHOPS, local)
    }

    pub(crate) fn note_id(self, local: u32) -> i64 {
        self.id(NOTES, local)
    }

    /// The random numbers of one thing in this block, independent of every other thing's.
    pub(crate) fn random(self, stream: Stream, local: u32) -> Random {
        Random::new(stream, u64::from(self.0) << 32 | u64::from(local))
    }

    fn id(self, size: u32, local: u32) -> i64 {
        debug_assert!(local < size, "a local index stays inside its block");
        i64::from(self.0) * i64::from(size) + i64::from(local) + 1
    }
}
