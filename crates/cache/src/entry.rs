//! The encoding of an entry in Redis, and the decoded entry.
//!
//! ```text
//! byte 0      format of this header, and codec of the value
//! byte 1      1 if the row does not exist
//! bytes 2-3   schema of the value, as the loader numbers it
//! bytes 4-7   grace: how long the entry outlives its soft expiry, in milliseconds
//! bytes 8-11  how long the load took, in milliseconds
//! bytes 12-19 version of the row plus one, or zero
//! bytes 20-27 stamp: which fill wrote it
//! then        the value
//! ```
//! All numbers are big-endian; the scripts know the offsets of grace, version and stamp. An entry holds no wall-clock time:
//! the time to the soft expiry is the remaining TTL of the key less the grace, so no two clocks are ever compared.
//!
//! The invariant: bytes of another format, of another schema, or that do not decode, are a miss, never an error.
//!
//! Releases that share a Redis during an upgrade share keys, so that each sees the invalidations of the other. Whatever the
//! format, grace, version and stamp stay where they are: the scripts of every release read them in entries of every other.

use std::{sync::Arc, time::Duration};

use crate::{Codec, CodecError, Loader};

/// Formats of releases and codecs. A number is never used again: an older release must not read the bytes of a newer one.
/// 1 was postcard without a check of the value.
const MESSAGE_PACK: u8 = 2;
const POSTCARD: u8 = 3;
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

/// What Redis holds under the key of a value.
pub(crate) enum StoredEntry<V> {
    /// Nothing, or bytes of another format or schema.
    None,
    Some(CacheEntry<V>),
    /// Bytes of this format and schema that do not decode, with the stamp that they have.
    Undecodable(Stamp, CodecError),
}

/// Encodes an entry.
pub(crate) fn encode<L: Loader>(
    entry: &CacheEntry<L::Value>,
    codec: Codec,
) -> Result<Vec<u8>, CodecError> {
    let grace = entry.usable_for.saturating_sub(entry.fresh_for);
    let version = entry.value.as_deref().and_then(L::version);
    let mut bytes = Vec::with_capacity(HEADER_BYTES + USUAL_BYTES);
    bytes.extend([format(codec), u8::from(entry.value.is_none())]);
    bytes.extend(L::SCHEMA.to_be_bytes());
    bytes.extend(millis(grace).to_be_bytes());
    bytes.extend(millis(entry.load_time).to_be_bytes());
    bytes.extend(version.map_or(RowVersion::NONE, RowVersion::new).0);
    bytes.extend(entry.stamp.0);
    if let Some(value) = entry.value.as_deref() {
        codec.encode(value, &mut bytes)?;
    }
    Ok(bytes)
}

/// The encoded value of an encoded entry.
pub(crate) fn value_bytes(entry: &[u8]) -> &[u8] {
    entry.get(HEADER_BYTES..).unwrap_or_default()
}

/// Decodes bytes whose key has the TTL `usable_for`.
pub(crate) fn decode<L: Loader>(
    bytes: &[u8],
    usable_for: Duration,
    codec: Codec,
) -> StoredEntry<L::Value> {
    let Some(header) = Header::read(bytes) else {
        return StoredEntry::None;
    };
    if header.schema_mark != schema_mark::<L>(codec) {
        return StoredEntry::None;
    }
    let value = match (header.is_absent, value_bytes(bytes)) {
        (false, bytes) => codec.decode(bytes).map(|value| Some(Arc::new(value))),
        (true, []) => Ok(None),
        (true, trailing) => Err(CodecError::TrailingBytes(trailing.len())),
    };
    match value {
        Ok(value) => StoredEntry::Some(CacheEntry {
            value,
            stamp: header.stamp,
            load_time: header.load_time,
            fresh_for: usable_for.saturating_sub(header.grace),
            usable_for,
        }),
        Err(error) => StoredEntry::Undecodable(header.stamp, error),
    }
}

/// The bytes that identify format, codec and schema of this loader's entries.
pub(crate) fn schema_mark<L: Loader>(codec: Codec) -> [u8; 3] {
    let [high, low] = L::SCHEMA.to_be_bytes();
    [format(codec), high, low]
}

fn format(codec: Codec) -> u8 {
    match codec {
        Codec::MessagePack => MESSAGE_PACK,
        Codec::Postcard => POSTCARD,
    }
}

/// The header of an entry, without the version, which only the scripts read.
struct Header {
    schema_mark: [u8; 3],
    is_absent: bool,
    grace: Duration,
    load_time: Duration,
    stamp: Stamp,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (header, _) = bytes.split_first_chunk::<HEADER_BYTES>()?;
        let ([format, is_absent, high, low], rest) = header.split_first_chunk()?;
        let (grace, rest) = rest.split_first_chunk()?;
        let (load_time, rest) = rest.split_first_chunk()?;
        Some(Self {
            schema_mark: [*format, *high, *low],
            is_absent: *is_absent != 0,
            grace: Duration::from_millis(u32::from_be_bytes(*grace).into()),
            load_time: Duration::from_millis(u32::from_be_bytes(*load_time).into()),
            stamp: Stamp(*rest.last_chunk()?),
        })
    }
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    struct Numbers;

    impl Loader for Numbers {
        type Key = u64;
        type Value = u64;
        type Error = Infallible;
        const SCHEMA: u16 = 0x0102;

        async fn load(&self, key: &u64) -> Result<Option<u64>, Infallible> {
            Ok(Some(*key))
        }

        fn version(number: &u64) -> Option<u64> {
            Some(*number)
        }
    }

    fn entry(value: Option<u64>) -> CacheEntry<u64> {
        CacheEntry {
            value: value.map(Arc::new),
            stamp: Stamp(*b"stamp678"),
            load_time: Duration::from_millis(5),
            fresh_for: Duration::from_millis(1000),
            usable_for: Duration::from_millis(1258),
        }
    }

    /// Another release that shares the keys invalidates, leases and fills by these places, and reads entries of format 1.
    #[test]
    fn other_releases_find_the_header_where_it_was_and_do_not_read_the_value() {
        for codec in [Codec::MessagePack, Codec::Postcard] {
            let bytes = encode::<Numbers>(&entry(Some(7)), codec).unwrap();
            assert_ne!(bytes[0], 1);
            assert_eq!(bytes[1..4], [0, 1, 2]);
            assert_eq!(bytes[4..8], 258_u32.to_be_bytes());
            assert_eq!(bytes[12..20], 8_u64.to_be_bytes());
            assert_eq!(bytes[20..28], *b"stamp678");
        }
    }

    #[test]
    fn an_entry_decodes_to_what_it_was_and_by_no_other_codec() {
        let codecs = [Codec::MessagePack, Codec::Postcard];
        for value in [Some(7), None] {
            for (written, read) in codecs
                .into_iter()
                .flat_map(|it| codecs.map(|read| (it, read)))
            {
                let bytes = encode::<Numbers>(&entry(value), written).unwrap();
                let decoded = decode::<Numbers>(&bytes, Duration::from_millis(1258), read);
                match decoded {
                    StoredEntry::Some(decoded) => {
                        assert_eq!(written, read);
                        assert_eq!(decoded.value.as_deref().copied(), value);
                        assert_eq!(decoded.stamp, entry(value).stamp);
                        assert_eq!(decoded.load_time, entry(value).load_time);
                        assert_eq!(decoded.fresh_for, entry(value).fresh_for);
                    }
                    StoredEntry::None => assert_ne!(written, read),
                    StoredEntry::Undecodable(..) => panic!("{written:?} read as {read:?}"),
                }
            }
        }
    }
}
