//! How values become bytes in Redis, and the check that a codec suits a type.
//!
//! The invariant: a value that would come back from Redis as another value is not stored there. The check decodes what was
//! encoded and compares the two values by what they are in MessagePack with field names, because values need not
//! implement `Eq`. The bytes of the codec itself would not do: a positional codec that decodes a value into the wrong fields
//! encodes those fields to the same bytes again.

use std::{
    error::Error,
    hash::{BuildHasher, RandomState},
};

use serde::{
    Deserializer, Serialize,
    de::{DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor},
};

/// How the values of a cache become bytes in Redis. All processes that share a cache should use the same one: entries of
/// another codec are misses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Codec {
    /// MessagePack with field names, in the human-readable form of types that have two. It suits whatever
    /// `#[derive(Serialize, Deserialize)]` makes, with `skip_serializing_if`, `flatten`, `tag` and `untagged`; fields with a
    /// default may be added and removed without a new [`SCHEMA`](crate::Loader::SCHEMA). The first value that a cache
    /// stores is [checked](Codec::check).
    #[default]
    MessagePack,
    /// [postcard](https://docs.rs/postcard): no field names, so about two thirds of the bytes. Only for types that write all
    /// of their fields always: no `skip_serializing_if`, `flatten`, `tag` or `untagged`, at any depth. Whether it suits may
    /// depend on the value, so every value that a cache stores is [checked](Codec::check).
    Postcard,
}

/// Why a value is not stored in Redis, or an entry of Redis is not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The codec has no form for this value.
    #[error("the value cannot be encoded")]
    Encode(#[source] Box<dyn Error + Send + Sync>),
    /// The bytes are not those of such a value.
    #[error("the bytes cannot be decoded")]
    Decode(#[source] Box<dyn Error + Send + Sync>),
    /// The bytes begin with such a value and go on after it.
    #[error("{0} bytes follow the value")]
    TrailingBytes(usize),
    /// The value decodes, and is another one then.
    #[error("the value is another one after it was encoded and decoded")]
    Changed,
}

impl Codec {
    /// Encodes this value, decodes it, and fails if the outcome is another value. For a test of your own types; a cache does
    /// it too, when the documentation of each codec says.
    ///
    /// Two differences are not noticed: the order of the elements of a sequence or map (hash maps have none), and what the
    /// type itself hides from serde, such as fields with `skip`, or `Some(None)` as opposed to `None`.
    ///
    /// ```
    /// use redis_two_level_cache::Codec;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Serialize, Deserialize)]
    /// struct Shop {
    ///     #[serde(skip_serializing_if = "Option::is_none")]
    ///     area: Option<String>,
    ///     name: String,
    /// }
    ///
    /// let shop = Shop { area: None, name: "Tea house".to_owned() };
    /// assert!(Codec::MessagePack.check(&shop).is_ok());
    /// assert!(Codec::Postcard.check(&shop).is_err());
    /// ```
    pub fn check<V: Serialize + DeserializeOwned>(self, value: &V) -> Result<(), CodecError> {
        let mut bytes = Vec::new();
        self.encode(value, &mut bytes)?;
        self.check_encoded(value, &bytes)
    }

    /// Appends the value to `bytes`.
    pub(crate) fn encode<V: Serialize>(
        self,
        value: &V,
        bytes: &mut Vec<u8>,
    ) -> Result<(), CodecError> {
        match self {
            Self::MessagePack => describe(value, bytes),
            Self::Postcard => postcard::to_extend(value, Appended(bytes))
                .map(drop)
                .map_err(encode_error),
        }
    }

    /// Decodes a value that takes up all of `bytes`.
    pub(crate) fn decode<V: DeserializeOwned>(self, bytes: &[u8]) -> Result<V, CodecError> {
        let (value, rest) = match self {
            Self::MessagePack => read_description(bytes)?,
            Self::Postcard => postcard::take_from_bytes(bytes).map_err(decode_error)?,
        };
        match rest.len() {
            0 => Ok(value),
            trailing => Err(CodecError::TrailingBytes(trailing)),
        }
    }

    /// Like [`Codec::check`], for a value that was encoded already.
    pub(crate) fn check_encoded<V: Serialize + DeserializeOwned>(
        self,
        value: &V,
        bytes: &[u8],
    ) -> Result<(), CodecError> {
        let decoded: V = self.decode(bytes)?;
        let mut after = Vec::with_capacity(bytes.len());
        describe(&decoded, &mut after)?;
        match self {
            Self::MessagePack => compare(bytes, &after),
            Self::Postcard => {
                let mut before = Vec::with_capacity(after.len());
                describe(value, &mut before)?;
                compare(&before, &after)
            }
        }
    }

    /// Whether bytes name what they hold. Then a value that the codec does not suit fails to decode, and after the first
    /// value of a type that comes back the others need no check.
    pub(crate) fn is_self_describing(self) -> bool {
        match self {
            Self::MessagePack => true,
            Self::Postcard => false,
        }
    }
}

/// MessagePack with field names. Human-readable, because serde decodes what is flattened or tagged from a buffer that says
/// it is.
fn describe<V: Serialize>(value: &V, bytes: &mut Vec<u8>) -> Result<(), CodecError> {
    let mut serializer = rmp_serde::Serializer::new(bytes)
        .with_struct_map()
        .with_human_readable();
    value.serialize(&mut serializer).map_err(encode_error)
}

/// A value in MessagePack, and the bytes after it.
fn read_description<V: DeserializeOwned>(mut bytes: &[u8]) -> Result<(V, &[u8]), CodecError> {
    let mut deserializer = rmp_serde::Deserializer::new(&mut bytes).with_human_readable();
    let value = V::deserialize(&mut deserializer).map_err(decode_error)?;
    Ok((value, bytes))
}

/// Compares two values in MessagePack. Hash maps and sets iterate in another order after they were decoded, so bytes that
/// differ are compared once more without regard to order.
fn compare(before: &[u8], after: &[u8]) -> Result<(), CodecError> {
    if before == after {
        return Ok(());
    }
    let hasher = RandomState::new();
    let digest = |mut bytes| {
        let mut deserializer = rmp_serde::Deserializer::new(&mut bytes);
        Digest(&hasher).deserialize(&mut deserializer).ok()
    };
    match (digest(before), digest(after)) {
        (Some(before), Some(after)) if before == after => Ok(()),
        _ => Err(CodecError::Changed),
    }
}

fn encode_error(error: impl Error + Send + Sync + 'static) -> CodecError {
    CodecError::Encode(Box::new(error))
}

fn decode_error(error: impl Error + Send + Sync + 'static) -> CodecError {
    CodecError::Decode(Box::new(error))
}

/// postcard wants to own what it appends to.
struct Appended<'a>(&'a mut Vec<u8>);

impl Extend<u8> for Appended<'_> {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        self.0.extend(bytes);
    }
}

/// Hashes any value; the elements of sequences and maps in no order.
#[derive(Clone, Copy)]
struct Digest<'a>(&'a RandomState);

impl<'de> DeserializeSeed<'de> for Digest<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Digest<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<u64, E> {
        Ok(self.0.hash_one(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<u64, E> {
        Ok(self.0.hash_one(i128::from(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<u64, E> {
        Ok(self.0.hash_one(i128::from(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<u64, E> {
        Ok(self.0.hash_one(("float", value.to_bits())))
    }

    fn visit_str<E>(self, value: &str) -> Result<u64, E> {
        Ok(self.0.hash_one(value))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<u64, E> {
        Ok(self.0.hash_one(("bytes", value)))
    }

    fn visit_unit<E>(self) -> Result<u64, E> {
        Ok(self.0.hash_one(()))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<u64, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<u64, A::Error> {
        let mut sum = 0_u64;
        while let Some(element) = elements.next_element_seed(self)? {
            sum = sum.wrapping_add(self.0.hash_one(element));
        }
        Ok(self.0.hash_one(("sequence", sum)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<u64, A::Error> {
        let mut sum = 0_u64;
        while let Some(entry) = entries.next_entry_seed(self, self)? {
            sum = sum.wrapping_add(self.0.hash_one(entry));
        }
        Ok(self.0.hash_one(("map", sum)))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::{HashMap, HashSet},
        fmt::Debug,
        net::IpAddr,
    };

    use serde::Deserialize;

    use super::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Skipping {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        area: Option<u8>,
        stars: u8,
        name: String,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flattened {
        id: u64,
        #[serde(flatten)]
        place: Place,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Place {
        x: f64,
        server: IpAddr,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        Coupon { cents: u64, from: IpAddr },
        Flash { stock: u32 },
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        Number(u64),
        Text(String),
    }

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Everything {
        by_number: HashMap<u32, Vec<String>>,
        by_pair: HashMap<(u8, u8), Option<f32>>,
        set: HashSet<String>,
        bytes: Vec<u8>,
        unit: (),
        letter: char,
        large: u128,
        small: i128,
        negative: i64,
        nested: Option<Box<Everything>>,
    }

    fn skipping(area: Option<u8>) -> Skipping {
        Skipping {
            area,
            stars: 1,
            // As positional fields: a length that is a flag, then a number, then a text of two letters, and nothing else.
            name: "\0\u{2}xy".to_owned(),
        }
    }

    fn flattened() -> Flattened {
        Flattened {
            id: 7,
            place: Place {
                x: 120.149_993,
                server: IpAddr::from([127, 0, 0, 1]),
            },
        }
    }

    fn everything() -> Everything {
        let words = || (0..50).map(|number| format!("word {number}"));
        Everything {
            by_number: (0..50).map(|number| (number, words().collect())).collect(),
            by_pair: (0..50).map(|number| ((number, 1), Some(0.5))).collect(),
            set: words().collect(),
            bytes: vec![0, 255, 7],
            letter: '茶',
            large: u128::MAX,
            small: i128::MIN,
            negative: i64::MIN,
            nested: Some(Box::default()),
            ..Everything::default()
        }
    }

    #[track_caller]
    fn assert_survives<V: Serialize + DeserializeOwned + PartialEq + Debug>(
        codec: Codec,
        value: &V,
    ) {
        let mut bytes = Vec::new();
        codec.encode(value, &mut bytes).unwrap();
        assert_eq!(&codec.decode::<V>(&bytes).unwrap(), value);
        codec.check(value).unwrap();
    }

    #[test]
    fn messagepack_suits_whatever_serde_derives() {
        for area in [None, Some(3)] {
            assert_survives(Codec::MessagePack, &skipping(area));
        }
        assert_survives(Codec::MessagePack, &flattened());
        let from = IpAddr::from([10, 0, 0, 1]);
        assert_survives(Codec::MessagePack, &Tagged::Coupon { cents: 1, from });
        assert_survives(Codec::MessagePack, &Tagged::Flash { stock: 2 });
        assert_survives(Codec::MessagePack, &Untagged::Number(u64::MAX));
        assert_survives(Codec::MessagePack, &Untagged::Text(String::new()));
        assert_survives(Codec::MessagePack, &everything());
    }

    #[test]
    fn postcard_suits_what_writes_all_of_its_fields() {
        assert_survives(Codec::Postcard, &everything());
        assert_survives(Codec::Postcard, &skipping(Some(3)));
    }

    #[test]
    fn a_value_that_postcard_shifts_is_refused_even_if_its_bytes_fit() {
        let (value, mut bytes) = (skipping(None), Vec::new());
        Codec::Postcard.encode(&value, &mut bytes).unwrap();
        let shifted: Skipping = Codec::Postcard.decode(&bytes).unwrap();
        assert_ne!(shifted, value, "it comes back shifted, and no byte is left");
        let mut again = Vec::new();
        Codec::Postcard.encode(&shifted, &mut again).unwrap();
        assert_eq!(again, bytes, "its own bytes would not show it");

        let refused = Codec::Postcard.check(&value).unwrap_err();
        assert!(matches!(refused, CodecError::Changed), "{refused:?}");
    }

    #[test]
    fn what_postcard_cannot_hold_is_refused() {
        let refused = Codec::Postcard.check(&flattened()).unwrap_err();
        assert!(matches!(refused, CodecError::Encode(_)), "{refused:?}");
        let refused = Codec::Postcard.check(&Tagged::Flash { stock: 2 });
        let refused = refused.unwrap_err();
        assert!(matches!(refused, CodecError::Decode(_)), "{refused:?}");
    }

    #[test]
    fn bytes_after_the_value_are_refused() {
        for codec in [Codec::MessagePack, Codec::Postcard] {
            let mut bytes = Vec::new();
            codec.encode(&7_u8, &mut bytes).unwrap();
            assert_eq!(codec.decode::<u8>(&bytes).unwrap(), 7);
            bytes.push(0);
            let refused = codec.decode::<u8>(&bytes).unwrap_err();
            assert!(matches!(refused, CodecError::TrailingBytes(1)));
        }
    }

    /// Decodes to something else than it was.
    #[derive(Debug, Serialize, Deserialize)]
    struct Forgetful {
        #[serde(deserialize_with = "zero")]
        number: u64,
    }

    fn zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        u64::deserialize(deserializer).map(|_| 0)
    }

    #[test]
    fn a_type_that_reads_other_than_it_writes_is_refused() {
        for codec in [Codec::MessagePack, Codec::Postcard] {
            assert!(codec.check(&Forgetful { number: 0 }).is_ok());
            let refused = codec.check(&Forgetful { number: 7 }).unwrap_err();
            assert!(matches!(refused, CodecError::Changed), "{refused:?}");
        }
    }

    #[test]
    fn no_order_of_a_map_hides_a_changed_value() {
        let described = |pairs: &[(&str, u8)]| {
            let pairs: Vec<(String, u8)> = pairs
                .iter()
                .map(|(name, number)| ((*name).to_owned(), *number))
                .collect();
            let mut bytes = Vec::new();
            describe(&OrderedMap(pairs), &mut bytes).unwrap();
            bytes
        };
        let (one, other) = (
            described(&[("a", 1), ("b", 2)]),
            described(&[("b", 2), ("a", 1)]),
        );
        assert_ne!(one, other);
        assert!(compare(&one, &other).is_ok());
        let swapped = described(&[("b", 1), ("a", 2)]);
        assert!(compare(&one, &swapped).is_err());
    }

    struct OrderedMap(Vec<(String, u8)>);

    impl Serialize for OrderedMap {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(name, number)| (name, number)))
        }
    }
}
