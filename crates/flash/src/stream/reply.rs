//! Parses replies about streams as bytes: a field that is not UTF-8 must not make the entries around it unreadable.

use redis::{FromRedisValue, ParsingError, Value};

use super::entry::{EntryId, Fields};

/// An entry as it is in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawEntry {
    pub(crate) id: EntryId,
    pub(crate) fields: Fields,
}

/// The reply of `XREADGROUP` for one stream.
#[derive(Debug)]
pub(super) struct ReadGroupReply(pub(super) Vec<RawEntry>);

/// The reply of `XRANGE`.
#[derive(Debug)]
pub(super) struct RangeReply(pub(super) Vec<RawEntry>);

/// The reply of `XAUTOCLAIM`: a page of entries that this consumer claimed.
#[derive(Debug)]
pub(super) struct AutoClaimReply {
    /// Where to go on.
    pub(super) cursor: String,
    pub(super) entries: Vec<RawEntry>,
    /// Entries that were deleted before they were acknowledged.
    pub(super) deleted: usize,
    /// Whether such entries are still pending, as they are before Redis 7.
    pub(super) still_pending: bool,
}

impl FromRedisValue for ReadGroupReply {
    fn from_redis_value(answer: Value) -> Result<Self, ParsingError> {
        read_entries(answer).ok_or_else(|| "not the answer of XREADGROUP".into())
    }
}

impl FromRedisValue for RangeReply {
    fn from_redis_value(answer: Value) -> Result<Self, ParsingError> {
        let entries = entries_of(answer).ok_or("not the answer of XRANGE")?;
        Ok(Self(entries.0))
    }
}

impl FromRedisValue for AutoClaimReply {
    fn from_redis_value(answer: Value) -> Result<Self, ParsingError> {
        read_page(answer).ok_or_else(|| "not the answer of XAUTOCLAIM".into())
    }
}

fn read_entries(answer: Value) -> Option<ReadGroupReply> {
    let entries = match answer {
        Value::Nil => return Some(ReadGroupReply(Vec::new())),
        Value::Map(mut streams) => streams.pop()?.1,
        Value::Array(mut streams) => match streams.pop()? {
            Value::Array(mut stream) => stream.pop()?,
            _ => return None,
        },
        _ => return None,
    };
    Some(ReadGroupReply(entries_of(entries)?.0))
}

fn read_page(answer: Value) -> Option<AutoClaimReply> {
    let Value::Array(parts) = answer else {
        return None;
    };
    let mut parts = parts.into_iter();
    let cursor = String::from_utf8(bytes(parts.next()?)?).ok()?;
    let (entries, without_fields) = entries_of(parts.next()?)?;
    // Before Redis 7 there was no list of them: they were entries without fields.
    let deleted = match parts.next() {
        Some(Value::Array(ids)) => ids.len(),
        _ => 0,
    };
    Some(AutoClaimReply {
        cursor,
        entries,
        deleted: deleted + without_fields,
        still_pending: without_fields > 0,
    })
}

/// The entries of a list, and how many had no fields because they were deleted.
fn entries_of(list: Value) -> Option<(Vec<RawEntry>, usize)> {
    let Value::Array(list) = list else {
        return None;
    };
    let count = list.len();
    let entries: Vec<RawEntry> = list.into_iter().filter_map(entry_of).collect();
    let without_fields = count - entries.len();
    Some((entries, without_fields))
}

fn entry_of(entry: Value) -> Option<RawEntry> {
    let Value::Array(parts) = entry else {
        return None;
    };
    let [id, Value::Array(fields)] = <[Value; 2]>::try_from(parts).ok()? else {
        return None;
    };
    let id = String::from_utf8(bytes(id)?).ok()?;
    let mut flat = fields
        .into_iter()
        .map(|part| bytes(part).unwrap_or_default());
    let mut fields = Vec::new();
    while let (Some(name), Some(value)) = (flat.next(), flat.next()) {
        fields.push((name, value));
    }
    Some(RawEntry {
        id: id.parse().ok()?,
        fields,
    })
}

fn bytes(value: Value) -> Option<Vec<u8>> {
    match value {
        Value::BulkString(bytes) => Some(bytes),
        Value::SimpleString(text) => Some(text.into_bytes()),
        _ => None,
    }
}
