//! Typed ids. An id of one thing never passes for an id of another.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The id of a `T`. On the wire it is a plain number below 2^53.
pub struct Id<T> {
    value: i64,
    // `fn() -> T` keeps the id `Send + Sync + Copy` whatever `T` is.
    of: PhantomData<fn() -> T>,
}

/// Marks what an [`Id`] names; never constructed.
#[derive(Debug)]
pub enum User {}
#[derive(Debug)]
pub enum Shop {}
#[derive(Debug)]
pub enum ShopType {}
#[derive(Debug)]
pub enum Voucher {}
#[derive(Debug)]
pub enum Note {}
#[derive(Debug)]
pub enum Comment {}
#[derive(Debug)]
pub enum Order {}

pub type UserId = Id<User>;
pub type ShopId = Id<Shop>;
pub type ShopTypeId = Id<ShopType>;
pub type VoucherId = Id<Voucher>;
pub type NoteId = Id<Note>;
pub type CommentId = Id<Comment>;
/// Exceeds 2^53: views send it as a string.
pub type OrderId = Id<Order>;

impl<T> Id<T> {
    pub const fn new(value: i64) -> Self {
        Self {
            value,
            of: PhantomData,
        }
    }

    pub const fn get(self) -> i64 {
        self.value
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T> From<i64> for Id<T> {
    fn from(value: i64) -> Self {
        Self::new(value)
    }
}

impl<T> FromStr for Id<T> {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::new)
    }
}

impl<T> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.value)
    }
}

impl<'de, T> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_equal_and_ordered_as_their_numbers_are() {
        let (first, second) = (UserId::new(6), UserId::new(7));
        assert_eq!((first.get(), second.get()), (6, 7));
        assert_ne!(first, second);
        assert_eq!(first, UserId::from(6));
        assert!(first < second);
        assert!(second > first);
    }

    /// Equal hashes would make every map of ids a list.
    #[test]
    fn ids_spread_over_a_map() {
        use std::hash::{BuildHasher, RandomState};
        let state = RandomState::new();
        let hashes: HashSet<u64> = (0..100).map(|n| state.hash_one(UserId::new(n))).collect();
        assert!(hashes.len() > 90, "{}", hashes.len());
    }
}
