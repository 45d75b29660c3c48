//! Reads the Redis of the original, for an adoption. Only commands that change nothing, and none that is slow on a big
//! server: keys, members and entries come some at a time.

mod key;

use std::collections::HashMap;

use domain::DaysOfMonth;
use link::{Link, LinkError};

pub use key::{LeftBehind, OriginalKey};

use crate::Error;

/// Keys per round trip.
const KEYS_PER_SCAN: usize = 500;
/// Members of a set per round trip.
const MEMBERS_PER_SCAN: usize = 1_000;
/// Entries of a stream per round trip.
const ENTRIES_PER_READ: usize = 500;

/// The Redis of the original. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OriginalRedis {
    link: Link,
}

/// A key and the type of its value, as `TYPE` names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundKey {
    pub name: Vec<u8>,
    pub kind: String,
}

/// Some of a collection, and where the rest begins: `None` after the last ones.
#[derive(Clone, Debug)]
pub struct Part<T> {
    pub items: Vec<T>,
    pub next: Option<u64>,
}

/// A member of a set. A plain set has no moments.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// `None` if it is not a number.
    pub id: Option<i64>,
    pub at_ms: Option<f64>,
}

/// An entry of the order stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamEntry {
    /// Such as `1646101234567-0`.
    pub id: String,
    /// `None` if a field is missing or not a number.
    pub order: Option<StreamOrder>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamOrder {
    pub order: i64,
    pub user: i64,
    pub voucher: i64,
}

/// How far consumers have come with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// No consumer has read it, or one has and did not finish.
    Open,
    Acknowledged,
}

/// The fields of a stream entry.
type Fields = Vec<(String, Vec<u8>)>;

/// The consumer groups of a stream.
#[derive(Clone, Debug, Default)]
pub struct StreamGroups {
    /// Names, and the last entry that was delivered.
    groups: Vec<(String, String)>,
}

impl OriginalRedis {
    /// `None` for a Cluster: a scan would see one of its masters only.
    pub fn new(link: Link) -> Option<Self> {
        (!link.is_cluster()).then_some(Self { link })
    }

    /// The number of keys.
    pub async fn count_keys(&self) -> Result<u64, Error> {
        let count = self.link.run(&redis::cmd("DBSIZE")).await;
        count.map_err(Error::during("count the original's keys"))
    }

    /// Some keys with their types: begin at 0. A key may come twice, and one that is deleted meanwhile has type `none`.
    pub async fn scan(&self, cursor: u64) -> Result<Part<FoundKey>, Error> {
        let failed = Error::during("scan the original's keys");
        let mut command = redis::cmd("SCAN");
        command.arg(cursor).arg("COUNT").arg(KEYS_PER_SCAN);
        let (next, names): (u64, Vec<Vec<u8>>) = self.link.run(&command).await.map_err(&failed)?;
        let mut kinds: Vec<String> = Vec::new();
        if !names.is_empty() {
            let mut pipe = redis::pipe();
            for name in &names {
                pipe.cmd("TYPE").arg(name);
            }
            kinds = self.link.pipe(&pipe).await.map_err(&failed)?;
        }
        let found = names.into_iter().zip(kinds);
        let items = found.map(|(name, kind)| FoundKey { name, kind }).collect();
        Ok(Part {
            items,
            next: (next != 0).then_some(next),
        })
    }

    /// Some members of a sorted set or a set: begin at 0. A member may come twice.
    pub async fn scan_members(&self, key: &FoundKey, cursor: u64) -> Result<Part<Member>, Error> {
        let failed = Error::during("scan a set of the original's");
        let is_sorted = key.kind == "zset";
        let mut command = redis::cmd(if is_sorted { "ZSCAN" } else { "SSCAN" });
        command.arg(&key.name).arg(cursor);
        command.arg("COUNT").arg(MEMBERS_PER_SCAN);
        let (next, items) = if is_sorted {
            let (next, scored): (u64, Vec<(Vec<u8>, f64)>) =
                self.link.run(&command).await.map_err(&failed)?;
            let member = |(name, at): (Vec<u8>, f64)| Member {
                id: number(&name),
                at_ms: Some(at),
            };
            (next, scored.into_iter().map(member).collect())
        } else {
            let (next, names): (u64, Vec<Vec<u8>>) =
                self.link.run(&command).await.map_err(&failed)?;
            let member = |name: Vec<u8>| Member {
                id: number(&name),
                at_ms: None,
            };
            (next, names.into_iter().map(member).collect())
        };
        Ok(Part {
            items,
            next: (next != 0).then_some(next),
        })
    }

    /// The days of a bitmap of check-ins.
    pub async fn check_ins(&self, key: &FoundKey) -> Result<DaysOfMonth, Error> {
        let mut command = redis::cmd("GETRANGE");
        command.arg(&key.name).arg(0).arg(3);
        let bytes: Vec<u8> = self
            .link
            .run(&command)
            .await
            .map_err(Error::during("read check-ins of the original's"))?;
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(&bytes);
        // Redis counts bits from the left, we from the right. A month has 31 at most.
        let bits = u32::from_be_bytes(word).reverse_bits() & !(1 << 31);
        Ok(DaysOfMonth::from_bits(bits))
    }

    /// The visitors of a HyperLogLog; `None` if it is none. Twice the same key, because for a single one Redis stores the
    /// result in it.
    pub async fn count_visitors(&self, key: &FoundKey) -> Result<Option<u64>, Error> {
        let mut command = redis::cmd("PFCOUNT");
        command.arg(&key.name).arg(&key.name);
        read_if_of_type(self.link.run(&command).await)
            .map_err(Error::during("count visitors of the original's"))
    }

    /// A counter; `None` if it is no number.
    pub async fn count_views(&self, key: &FoundKey) -> Result<Option<u64>, Error> {
        let mut command = redis::cmd("GET");
        command.arg(&key.name);
        let text: Option<Vec<u8>> = self
            .link
            .run(&command)
            .await
            .map_err(Error::during("read a counter of the original's"))?;
        Ok(text.and_then(|text| number(&text)?.try_into().ok()))
    }

    /// The next entries of a stream after this one; begin with an empty id.
    pub async fn read_stream(
        &self,
        key: &FoundKey,
        after: &str,
    ) -> Result<Vec<StreamEntry>, Error> {
        let start = match after {
            "" => "-".to_owned(),
            after => place_after(after),
        };
        let mut command = redis::cmd("XRANGE");
        command.arg(&key.name).arg(start).arg("+");
        command.arg("COUNT").arg(ENTRIES_PER_READ);
        let entries: Vec<(String, Fields)> = self
            .link
            .run(&command)
            .await
            .map_err(Error::during("read the original's order stream"))?;
        let entry = |(id, fields): (String, Fields)| StreamEntry {
            order: StreamOrder::of(&fields),
            id,
        };
        Ok(entries.into_iter().map(entry).collect())
    }

    pub async fn stream_groups(&self, key: &FoundKey) -> Result<StreamGroups, Error> {
        let mut command = redis::cmd("XINFO");
        command.arg("GROUPS").arg(&key.name);
        let groups: Vec<HashMap<String, redis::Value>> = self
            .link
            .run(&command)
            .await
            .map_err(Error::during("read the original's consumer groups"))?;
        let text = |value: Option<&redis::Value>| {
            let value = value.cloned()?;
            redis::from_redis_value::<String>(value).ok()
        };
        let group = |fields: HashMap<String, redis::Value>| {
            Some((
                text(fields.get("name"))?,
                text(fields.get("last-delivered-id"))?,
            ))
        };
        let groups = groups.into_iter().filter_map(group).collect();
        Ok(StreamGroups { groups })
    }

    /// How far consumers have come with this entry. Without a group nobody reads the stream.
    pub async fn delivery(
        &self,
        key: &FoundKey,
        groups: &StreamGroups,
        entry: &str,
    ) -> Result<Delivery, Error> {
        for (group, last_delivered) in &groups.groups {
            if place_of(entry) > place_of(last_delivered) {
                continue;
            }
            let mut command = redis::cmd("XPENDING");
            command.arg(&key.name).arg(group);
            command.arg(entry).arg(entry).arg(1);
            let pending: Vec<redis::Value> = self
                .link
                .run(&command)
                .await
                .map_err(Error::during("read pending entries of the original's"))?;
            if pending.is_empty() {
                return Ok(Delivery::Acknowledged);
            }
        }
        Ok(Delivery::Open)
    }
}

/// An id of a stream entry, to be compared.
fn place_of(id: &str) -> (u64, u64) {
    let (ms, sequence) = id.split_once('-').unwrap_or((id, "0"));
    (ms.parse().unwrap_or(0), sequence.parse().unwrap_or(0))
}

/// The smallest id above this one. `(id`, which says the same, is understood by Redis 6.2 and newer only.
fn place_after(id: &str) -> String {
    let (ms, sequence) = place_of(id);
    match sequence.checked_add(1) {
        Some(sequence) => format!("{ms}-{sequence}"),
        None => format!("{}-0", ms.saturating_add(1)),
    }
}

fn read_if_of_type<T>(reply: Result<T, LinkError>) -> Result<Option<T>, LinkError> {
    match reply {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.code(), Some("WRONGTYPE" | "INVALIDOBJ")) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Some copies store JSON, in which a text has quotes.
fn number(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    text.trim_matches('"').parse().ok()
}

impl StreamOrder {
    fn of(fields: &[(String, Vec<u8>)]) -> Option<Self> {
        let find = |name: &str| {
            let (_, value) = fields.iter().find(|(field, _)| field == name)?;
            number(value)
        };
        Some(Self {
            order: find("id").or_else(|| find("orderId"))?,
            user: find("userId")?,
            voucher: find("voucherId")?,
        })
    }
}

impl StreamEntry {
    /// When it was added, in milliseconds since 1970.
    pub fn added_at_ms(&self) -> i64 {
        i64::try_from(place_of(&self.id).0).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_place_of_a_stream_is_the_next_number() {
        for (id, next) in [
            ("1646101234567-0", "1646101234567-1"),
            ("7-18446744073709551615", "8-0"),
        ] {
            assert_eq!(place_after(id), next);
        }
    }
}
