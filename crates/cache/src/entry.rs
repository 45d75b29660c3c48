//! The encoding of an entry in Redis, and the decoded entry.
//!
//! ```text
//! byte 0      format of this header
//! byte 1      1 if the row does not exist
//! bytes 2-3   schema of the value, as the loader numbers it
//! bytes 4-7   grace: how long the entry outlives its soft expiry, in milliseconds
//! bytes 8-11  how long the load took, in milliseconds
//! bytes 12-19 version of the row plus one, or zero
//! bytes 20-27 stamp: which fill wrote it
//! then        the value, by postcard
//! ```
//! All numbers are big-endian; the scripts know the offsets of grace, version and stamp. An entry holds no wall-clock time:
//! the time to the soft expiry is the remaining TTL of the key less the grace, so no two clocks are ever compared.
//!
//! The invariant: bytes of another format, of another schema, or that do not decode, are a miss, never an error.

use std::{sync::Arc, time::Duration};

use crate::Loader;

/// Raise it when the header changes.
const FORMAT: u8 = 1;
const HEADER_BYTES: usize = 28;

/// Initial capacity for a value; a larger value grows the buffer.
const USUAL_BYTES: usize = 228;

/// Identifies the fill that wrote an entry; also the token of its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp(pub(crate) [u8; 8]);

impl Stamp {
    pub(crate) fn random() -> Self {
        Self(rand::random())
    }
}

/// The version of a row on the wire: eight bytes that compare like the number, zero for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowVersion(pub(crate) [u8; 8]);

impl RowVersion {
    pub(crate) const NONE: Self = Self([0; 8]);

    pub(crate) fn new(version: u64) -> Self {
        Self(version.saturating_add(1).to_be_bytes())
    }
}

/// A cached value; `None` if the row does not exist.
pub(crate) type MaybeValue<V> = Option<Arc<V>>;

/// An entry with its remaining lifetimes, counted from now.
pub(crate) struct CacheEntry<V> {
    pub(crate) value: MaybeValue<V>,
    pub(crate) stamp: Stamp,
    /// How long its load took; an early refresh starts about this long before the soft expiry.
    pub(crate) load_time: Duration,
    /// Time left until the soft expiry; zero after it.
    pub(crate) fresh_for: Duration,
    /// Time left until the hard expiry.
    pub(crate) usable_for: Duration,
}

impl<V> Clone for CacheEntry<V> {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            ..*self
        }
    }
}

impl<V> CacheEntry<V> {
    pub(crate) fn is_fresh(&self) -> bool {
        !self.fresh_for.is_zero()
    }
}

/// Encodes an entry; `None` if the value cannot be encoded.
pub(crate) fn encode<L: Loader>(entry: &CacheEntry<L::Value>) -> Option<Vec<u8>> {
    let grace = entry.usable_for.saturating_sub(entry.fresh_for);
    let version = entry.value.as_deref().and_then(L::version);
    let mut bytes = Vec::with_capacity(HEADER_BYTES + USUAL_BYTES);
    bytes.extend([FORMAT, u8::from(entry.value.is_none())]);
    bytes.extend(L::SCHEMA.to_be_bytes());
    bytes.extend(millis(grace).to_be_bytes());
    bytes.extend(millis(entry.load_time).to_be_bytes());
    bytes.extend(version.map_or(RowVersion::NONE, RowVersion::new).0);
    bytes.extend(entry.stamp.0);
    match &entry.value {
        Some(value) => postcard::to_extend(&**value, bytes).ok(),
        None => Some(bytes),
    }
}

/// Decodes bytes whose key has the TTL `usable_for`.
pub(crate) fn decode<L: Loader>(
    bytes: &[u8],
    usable_for: Duration,
) -> Option<CacheEntry<L::Value>> {
    let (header, payload) = bytes.split_first_chunk::<HEADER_BYTES>()?;
    let ([format, is_absent, schema @ ..], rest) = header.split_first_chunk::<4>()?;
    if *format != FORMAT || *schema != L::SCHEMA.to_be_bytes() {
        return None;
    }
    let value = match is_absent {
        0 => Some(Arc::new(postcard::from_bytes(payload).ok()?)),
        _ => None,
    };
    let (grace, rest) = rest.split_first_chunk()?;
    let (load_time, rest) = rest.split_first_chunk()?;
    let grace = Duration::from_millis(u32::from_be_bytes(*grace).into());
    Some(CacheEntry {
        value,
        stamp: Stamp(*rest.last_chunk()?),
        load_time: Duration::from_millis(u32::from_be_bytes(*load_time).into()),
        fresh_for: usable_for.saturating_sub(grace),
        usable_for,
    })
}

/// The stamp of bytes that have at least the header of an entry.
pub(crate) fn stamp_of(bytes: &[u8]) -> Stamp {
    let header = bytes.get(..HEADER_BYTES).and_then(<[u8]>::last_chunk);
    Stamp(header.copied().unwrap_or_default())
}

/// The bytes that identify format and schema of this loader's entries.
pub(crate) fn schema_mark<L: Loader>() -> [u8; 3] {
    let [high, low] = L::SCHEMA.to_be_bytes();
    [FORMAT, high, low]
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
