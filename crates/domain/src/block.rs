//! Blocking people: who is blocked cannot follow, comment on or mention who blocks them.

/// Far more than anybody needs, and few enough to keep a person's whole list in memory.
pub const BLOCKS_MAX: u32 = 1_000;
