//! The encoding of an entry in Redis, and the decoded entry.
//!
//! ```text
//! byte 0      format of this header, and codec of the value
//! byte 1      1 if the row does not exist, plus 2 if it has tags, plus 4 if the value is compressed
//! bytes 2-3   schema of the value, as the loader numbers it
//! bytes 4-7   grace: how long the entry outlives its soft expiry, in milliseconds
//! bytes 8-11  how long the load took, in milliseconds
//! bytes 12-19 version of the row plus one, or zero
//! bytes 20-27 stamp: which fill wrote it
//! then, with tags: their number, one byte; of each the bytes of its name, two bytes; the name; its version, eight bytes
//! then        the value; if it is compressed, its length, four bytes, and a block of LZ4
//! ```
//! Tags and compression are formats of their own, so that a release that knows neither does not read them; entries without
//! both are written as such a release would.
//!
//! All numbers are big-endian; the scripts know the offsets of grace, version and stamp. An entry holds no wall-clock time:
//! the time to the soft expiry is the remaining TTL of the key less the grace, so no two clocks are ever compared.
//!
//! The invariant: bytes of another format, of another schema, or that do not decode, are a miss, never an error.
//!
//! Releases that share a Redis during an upgrade share keys, so that each sees the invalidations of the other. Whatever the
//! format, grace, version and stamp stay where they are: the scripts of every release read them in entries of every other.

use std::{sync::Arc, time::Duration};

use crate::{
    Codec, CodecError, Loader,
    tags::{EntryTags, Tags},
};

/// Formats of releases and codecs. A number is never used again: an older release must not read the bytes of a newer one.
/// 1 was postcard without a check of the value.
const MESSAGE_PACK: u8 = 2;
const POSTCARD: u8 = 3;
/// The same with more flags than "absent".
const FLAGGED_MESSAGE_PACK: u8 = 4;
const FLAGGED_POSTCARD: u8 = 5;
const HEADER_BYTES: usize = 28;

const ABSENT: u8 = 1;
const TAGGED: u8 = 2;
const COMPRESSED: u8 = 4;

/// No block of LZ4 holds more bytes than this for each of its own. Bytes that claim more are damaged, and would only be
/// believed with their memory.
const LARGEST_RATIO: usize = 255;

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
    /// The version of the row, for the scripts; an entry that was read has none.
    pub(crate) version: RowVersion,
    pub(crate) tags: Tags,
}

impl<V> Clone for CacheEntry<V> {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            tags: self.tags.clone(),
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
    /// A tag of the entry was invalidated.
    Outdated(Stamp),
}

/// The bytes of an entry, and where its value begins.
pub(crate) struct EncodedEntry {
    pub(crate) bytes: Vec<u8>,
    value_at: usize,
}

impl EncodedEntry {
    pub(crate) fn value(&self) -> &[u8] {
        self.bytes.get(self.value_at..).unwrap_or_default()
    }

    /// Compresses the value if that makes the entry smaller.
    pub(crate) fn compress(&mut self) {
        let length = u32::try_from(self.value().len());
        let compressed = lz4_flex::block::compress(self.value());
        let Some(length) = length
            .ok()
            .filter(|_| compressed.len() + 4 < self.value().len())
        else {
            return;
        };
        self.bytes.truncate(self.value_at);
        self.bytes.extend(length.to_be_bytes());
        self.bytes.extend(compressed);
        self.bytes[0] = flagged(self.bytes[0]);
        self.bytes[1] |= COMPRESSED;
    }
}

/// Encodes an entry, its value not compressed.
pub(crate) fn encode<L: Loader>(
    entry: &CacheEntry<L::Value>,
    codec: Codec,
) -> Result<EncodedEntry, CodecError> {
    let grace = entry.usable_for.saturating_sub(entry.fresh_for);
    let absent = if entry.value.is_none() { ABSENT } else { 0 };
    let mut bytes = Vec::with_capacity(HEADER_BYTES + USUAL_BYTES);
    match entry.tags {
        None => bytes.extend([format(codec), absent]),
        Some(_) => bytes.extend([flagged(format(codec)), absent | TAGGED]),
    }
    bytes.extend(L::SCHEMA.to_be_bytes());
    bytes.extend(millis(grace).to_be_bytes());
    bytes.extend(millis(entry.load_time).to_be_bytes());
    bytes.extend(entry.version.0);
    bytes.extend(entry.stamp.0);
    if let Some(tags) = entry.tags.as_deref() {
        encode_tags(tags, &mut bytes)?;
    }
    let value_at = bytes.len();
    if let Some(value) = entry.value.as_deref() {
        codec.encode(value, &mut bytes)?;
    }
    Ok(EncodedEntry { bytes, value_at })
}

/// An entry with tags that do not fit, or whose versions are unknown, is not encoded.
fn encode_tags(tags: &EntryTags, bytes: &mut Vec<u8>) -> Result<(), CodecError> {
    let refused = || CodecError::Encode("the tags of the key do not fit".into());
    if !tags.fit() {
        return Err(refused());
    }
    bytes.push(u8::try_from(tags.tags.len()).map_err(|_| refused())?);
    for (name, version) in &tags.tags {
        let length = u16::try_from(name.len()).map_err(|_| refused())?;
        bytes.extend(length.to_be_bytes());
        bytes.extend(name.as_bytes());
        bytes.extend(version.ok_or_else(refused)?.0);
    }
    Ok(())
}

/// The tags of an entry, and the bytes after them.
fn decode_tags(bytes: &[u8]) -> Option<(StoredTags, &[u8])> {
    let (count, mut rest) = bytes.split_first()?;
    let mut tags = Vec::with_capacity((*count).into());
    for _ in 0..*count {
        let (length, after) = rest.split_first_chunk()?;
        let (name, after) = after.split_at_checked(u16::from_be_bytes(*length).into())?;
        let (version, after) = after.split_first_chunk()?;
        let name = std::str::from_utf8(name).ok()?.to_owned();
        tags.push((name, Some(Stamp(*version))));
        rest = after;
    }
    Some((tags, rest))
}

/// The names of the tags of an entry that has some, whatever its codec and schema.
pub(crate) fn tag_names(bytes: &[u8]) -> Vec<String> {
    let tags = Header::read(bytes).and_then(|(_, body)| decode_tags(body));
    let (tags, _) = tags.unwrap_or_default();
    tags.into_iter().map(|(name, _)| name).collect()
}

/// Names and versions of tags, as an entry has them.
pub(crate) type StoredTags = Vec<(String, Option<Stamp>)>;

fn decompress(bytes: &[u8]) -> Result<Vec<u8>, CodecError> {
    let damaged = || CodecError::Decode("the compressed value is damaged".into());
    let (length, block) = bytes.split_first_chunk().ok_or_else(damaged)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| damaged())?;
    if length > block.len().saturating_mul(LARGEST_RATIO) {
        return Err(damaged());
    }
    let value = lz4_flex::block::decompress(block, length)
        .map_err(|error| CodecError::Decode(Box::new(error)))?;
    if value.len() == length {
        Ok(value)
    } else {
        Err(damaged())
    }
}

/// Decodes bytes whose key has the TTL `usable_for`. The tags of the entry are given to `note`.
pub(crate) fn decode<L: Loader>(
    bytes: &[u8],
    usable_for: Duration,
    codec: Codec,
    note: impl FnOnce(StoredTags) -> EntryTags,
) -> StoredEntry<L::Value> {
    let Some((header, body)) = Header::read(bytes) else {
        return StoredEntry::None;
    };
    if !schema_marks::<L>(codec).contains(&header.schema_mark) {
        return StoredEntry::None;
    }
    match decode_body(header.flags, body, codec) {
        Ok((value, tags)) => StoredEntry::Some(CacheEntry {
            value: value.map(Arc::new),
            stamp: header.stamp,
            load_time: header.load_time,
            fresh_for: usable_for.saturating_sub(header.grace),
            usable_for,
            version: RowVersion::NONE,
            tags: (!tags.is_empty()).then(|| Arc::new(note(tags))),
        }),
        Err(error) => StoredEntry::Undecodable(header.stamp, error),
    }
}

fn decode_body<V: serde::de::DeserializeOwned>(
    flags: u8,
    body: &[u8],
    codec: Codec,
) -> Result<(Option<V>, StoredTags), CodecError> {
    let (tags, body) = match flags & TAGGED {
        0 => (Vec::new(), body),
        _ => decode_tags(body)
            .ok_or_else(|| CodecError::Decode("the tags of the entry are damaged".into()))?,
    };
    if flags & ABSENT != 0 {
        return match body {
            [] => Ok((None, tags)),
            trailing => Err(CodecError::TrailingBytes(trailing.len())),
        };
    }
    let value = match flags & COMPRESSED {
        0 => codec.decode(body)?,
        _ => codec.decode(&decompress(body)?)?,
    };
    Ok((Some(value), tags))
}

/// The bytes that identify format, codec and schema of this loader's entries, without and with flags.
pub(crate) fn schema_marks<L: Loader>(codec: Codec) -> [[u8; 3]; 2] {
    let [high, low] = L::SCHEMA.to_be_bytes();
    let format = format(codec);
    [[format, high, low], [flagged(format), high, low]]
}

fn format(codec: Codec) -> u8 {
    match codec {
        Codec::MessagePack => MESSAGE_PACK,
        Codec::Postcard => POSTCARD,
    }
}

/// The same codec in the format with more flags.
fn flagged(format: u8) -> u8 {
    match format {
        MESSAGE_PACK => FLAGGED_MESSAGE_PACK,
        POSTCARD => FLAGGED_POSTCARD,
        flagged => flagged,
    }
}

/// The header of an entry, without the version, which only the scripts read.
struct Header {
    schema_mark: [u8; 3],
    flags: u8,
    grace: Duration,
    load_time: Duration,
    stamp: Stamp,
}

impl Header {
    /// The header, and the bytes after it.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (header, body) = bytes.split_first_chunk::<HEADER_BYTES>()?;
        let ([format, flags, high, low], rest) = header.split_first_chunk()?;
        let (grace, rest) = rest.split_first_chunk()?;
        let (load_time, rest) = rest.split_first_chunk()?;
        let header = Self {
            schema_mark: [*format, *high, *low],
            flags: *flags,
            grace: Duration::from_millis(u32::from_be_bytes(*grace).into()),
            load_time: Duration::from_millis(u32::from_be_bytes(*load_time).into()),
            stamp: Stamp(*rest.last_chunk()?),
        };
        Some((header, body))
    }
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::tags::TagGenerations;

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
            version: value.map_or(RowVersion::NONE, RowVersion::new),
            tags: None,
        }
    }

    fn no_tags(tags: StoredTags) -> EntryTags {
        panic!("the entry has no tags: {tags:?}")
    }

    /// Another release that shares the keys invalidates, leases and fills by these places, and reads entries of format 1.
    #[test]
    fn other_releases_find_the_header_where_it_was_and_do_not_read_the_value() {
        for codec in [Codec::MessagePack, Codec::Postcard] {
            let bytes = encode::<Numbers>(&entry(Some(7)), codec).unwrap().bytes;
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
                let bytes = encode::<Numbers>(&entry(value), written).unwrap().bytes;
                let ttl = Duration::from_millis(1258);
                let decoded = decode::<Numbers>(&bytes, ttl, read, no_tags);
                match decoded {
                    StoredEntry::Some(decoded) => {
                        assert_eq!(written, read);
                        assert_eq!(decoded.value.as_deref().copied(), value);
                        assert_eq!(decoded.stamp, entry(value).stamp);
                        assert_eq!(decoded.load_time, entry(value).load_time);
                        assert_eq!(decoded.fresh_for, entry(value).fresh_for);
                    }
                    StoredEntry::None => assert_ne!(written, read),
                    _ => panic!("{written:?} read as {read:?}"),
                }
            }
        }
    }

    struct Texts;

    impl Loader for Texts {
        type Key = u64;
        type Value = String;
        type Error = Infallible;

        async fn load(&self, _: &u64) -> Result<Option<String>, Infallible> {
            Ok(None)
        }
    }

    fn text_entry(value: &str, tags: &[&str]) -> CacheEntry<String> {
        let tags = tags
            .iter()
            .map(|tag| ((*tag).to_owned(), Some(Stamp([7; 8]))));
        let tags = TagGenerations::new().note(tags.collect());
        CacheEntry {
            value: Some(Arc::new(value.to_owned())),
            stamp: Stamp(*b"stamp678"),
            load_time: Duration::ZERO,
            fresh_for: Duration::from_secs(1),
            usable_for: Duration::from_secs(1),
            version: RowVersion::NONE,
            tags: (!tags.tags.is_empty()).then(|| Arc::new(tags)),
        }
    }

    #[test]
    fn tags_and_compression_come_back_and_older_releases_do_not_read_them() {
        for (tags, compresses) in [(&[][..], true), (&["a", "店"], false), (&["a", "店"], true)] {
            for codec in [Codec::MessagePack, Codec::Postcard] {
                let written = text_entry(&"tea ".repeat(200), tags);
                let mut encoded = encode::<Texts>(&written, codec).unwrap();
                let plain = encoded.bytes.len();
                if compresses {
                    encoded.compress();
                    assert!(encoded.bytes.len() < plain / 4);
                }
                assert!(
                    encoded.bytes[0] > POSTCARD,
                    "a release without flags reads 2 and 3"
                );
                let ttl = Duration::from_secs(1);
                let note = |tags| TagGenerations::new().note(tags);
                let decoded = decode::<Texts>(&encoded.bytes, ttl, codec, note);
                let StoredEntry::Some(decoded) = decoded else {
                    panic!("it does not decode");
                };
                assert_eq!(decoded.value, written.value);
                let names =
                    |entry: &CacheEntry<String>| entry.tags.as_ref().map(|it| it.tags.clone());
                assert_eq!(names(&decoded), names(&written));
            }
        }
    }

    #[test]
    fn a_value_that_does_not_shrink_is_stored_as_it_is() {
        let mut encoded = encode::<Texts>(&text_entry("x7#q", &[]), Codec::MessagePack).unwrap();
        let before = encoded.bytes.clone();
        encoded.compress();
        assert_eq!(encoded.bytes, before);
    }

    #[test]
    fn damaged_bytes_are_refused_and_claim_no_memory() {
        let mut encoded =
            encode::<Texts>(&text_entry(&"tea ".repeat(200), &["a"]), Codec::MessagePack).unwrap();
        encoded.compress();
        let length_at = encoded.value_at;
        let mut damaged = vec![encoded.bytes.clone(); 3];
        damaged[0][length_at..length_at + 4].fill(255);
        damaged[1][HEADER_BYTES] = 200;
        damaged[2].truncate(length_at + 6);
        for bytes in damaged {
            let note = |tags| TagGenerations::new().note(tags);
            let decoded = decode::<Texts>(&bytes, Duration::ZERO, Codec::MessagePack, note);
            assert!(matches!(decoded, StoredEntry::Undecodable(..)));
        }
    }
}
