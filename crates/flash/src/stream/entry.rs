//! Entries of the order stream: the only place that knows their format.
//!
//! | field | |
//! |---|---|
//! | `v` | version of the format, 1 |
//! | `s`, `t` | sale, and when the gate decided, in ms by the clock of Redis |
//! | `n`, `o` | how many orders, and the orders as `buyer:order:slot,…` |
//! | `k` | if any of their requests has an idempotency key: the hashes in the same order, empty for those without |
//! | `b` | instead of those: the nonce of a barrier |
//!
//! Decoding is strict: any other entry was not written by a gate of this version, and is kept for a person rather than
//! guessed at. An entry of another version stays pending until a process of that version drains it: during a rolling
//! upgrade gates write what old drain loops do not know yet. Unknown fields are ignored, so a later version may add
//! optional ones. Brokers carry the same fields on one line, separated by spaces; `k` is a message header, which a version
//! that does not know it ignores.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{BuyerId, KeyHash, Order, OrderId, SaleId};

const VERSION: &str = "1";

/// The id of an entry in the stream of its partition. A broker message carries the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct EntryId {
    ms: u64,
    sequence: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StreamEntry {
    /// Orders of one sale that one call of the gate granted.
    Orders(Vec<Order>),
    /// The caller that waits for this nonce is notified when everything before it is in the ledger.
    Barrier(String),
}

/// Why an entry cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum Undecodable {
    #[error("it is of an unknown version")]
    Version,
    #[error("field {0} is missing or not what it should be")]
    Field(&'static str),
    #[error("it holds another number of orders than it says")]
    Count,
}

/// The fields of an entry by name, as they were found.
pub(crate) type Fields = Vec<(Vec<u8>, Vec<u8>)>;

impl StreamEntry {
    pub(crate) fn decode(fields: &Fields) -> Result<Self, Undecodable> {
        let text = |name: &'static str| {
            let found = fields.iter().find(|(found, _)| found == name.as_bytes());
            found.and_then(|(_, value)| std::str::from_utf8(value).ok())
        };
        match text("v") {
            Some(VERSION) => {}
            Some(other) if number::<u32>(other).is_some() => return Err(Undecodable::Version),
            _ => return Err(Undecodable::Field("v")),
        }
        if let Some(nonce) = text("b") {
            return parse_barrier(nonce);
        }
        let field = |name| text(name).ok_or(Undecodable::Field(name));
        let orders = parse_orders(field("s")?, field("t")?, field("n")?, field("o")?)?;
        match text("k") {
            Some(keys) => with_request_keys(orders, keys),
            None => Ok(orders),
        }
    }

    /// The request keys, for the header of a broker message; `None` if no order has one.
    pub(crate) fn request_keys(&self) -> Option<String> {
        let Self::Orders(orders) = self else {
            return None;
        };
        let key = |order: &Order| order.key.map(|key| key.to_string()).unwrap_or_default();
        let has_keys = orders.iter().any(|order| order.key.is_some());
        has_keys.then(|| orders.iter().map(key).collect::<Vec<_>>().join(","))
    }

    /// The format of broker messages.
    pub(crate) fn to_line(&self) -> String {
        match self {
            Self::Barrier(nonce) => format!("{VERSION} b {nonce}"),
            Self::Orders(orders) => {
                let first = orders.first();
                let (sale, ms) = first.map_or((0, 0), |order| (order.sale.0, order.granted_at_ms));
                let items: Vec<String> = orders.iter().map(format_order).collect();
                format!(
                    "{VERSION} o {sale} {ms} {} {}",
                    items.len(),
                    items.join(",")
                )
            }
        }
    }

    pub(crate) fn from_line(line: &[u8], request_keys: Option<&[u8]>) -> Result<Self, Undecodable> {
        let entry = Self::from_bare_line(line)?;
        match request_keys.map(std::str::from_utf8) {
            Some(Ok(keys)) => with_request_keys(entry, keys),
            Some(Err(_)) => Err(Undecodable::Field("k")),
            None => Ok(entry),
        }
    }

    fn from_bare_line(line: &[u8]) -> Result<Self, Undecodable> {
        let line = std::str::from_utf8(line).map_err(|_| Undecodable::Version)?;
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [VERSION, "b", nonce] => parse_barrier(nonce),
            [VERSION, "o", sale, ms, count, items] => parse_orders(sale, ms, count, items),
            [VERSION, ..] => Err(Undecodable::Field("o")),
            _ => Err(Undecodable::Version),
        }
    }

    pub(crate) fn order_count(&self) -> usize {
        match self {
            Self::Orders(orders) => orders.len(),
            Self::Barrier(_) => 0,
        }
    }
}

/// The fields of a barrier entry.
pub(crate) fn barrier_fields(nonce: &str) -> [(&'static str, &str); 2] {
    [("v", VERSION), ("b", nonce)]
}

fn parse_barrier(nonce: &str) -> Result<StreamEntry, Undecodable> {
    match nonce.is_empty() {
        true => Err(Undecodable::Field("b")),
        false => Ok(StreamEntry::Barrier(nonce.to_owned())),
    }
}

fn parse_orders(
    sale: &str,
    ms: &str,
    count: &str,
    items: &str,
) -> Result<StreamEntry, Undecodable> {
    let sale = SaleId(number(sale).ok_or(Undecodable::Field("s"))?);
    let granted_at_ms = number(ms).ok_or(Undecodable::Field("t"))?;
    let count: usize = number(count).ok_or(Undecodable::Field("n"))?;
    let orders: Option<Vec<Order>> = items
        .split(',')
        .map(|item| parse_order(item, sale, granted_at_ms))
        .collect();
    let orders = orders.ok_or(Undecodable::Field("o"))?;
    match orders.len() == count {
        true => Ok(StreamEntry::Orders(orders)),
        false => Err(Undecodable::Count),
    }
}

/// Adds the request keys to the orders: one per order, empty for an order without.
fn with_request_keys(entry: StreamEntry, keys: &str) -> Result<StreamEntry, Undecodable> {
    let StreamEntry::Orders(mut orders) = entry else {
        return Ok(entry);
    };
    let keys: Vec<&str> = keys.split(',').collect();
    if keys.len() != orders.len() {
        return Err(Undecodable::Field("k"));
    }
    for (order, key) in orders.iter_mut().zip(keys) {
        order.key = match key {
            "" => None,
            key => Some(KeyHash::parse(key).ok_or(Undecodable::Field("k"))?),
        };
    }
    Ok(StreamEntry::Orders(orders))
}

fn parse_order(item: &str, sale: SaleId, granted_at_ms: i64) -> Option<Order> {
    let mut parts = item.split(':');
    let order = Order {
        buyer: BuyerId(number(parts.next()?)?),
        id: OrderId(number(parts.next()?)?),
        slot: number(parts.next()?).filter(|slot| *slot > 0)?,
        sale,
        granted_at_ms,
        key: None,
    };
    parts.next().is_none().then_some(order)
}

fn format_order(order: &Order) -> String {
    format!("{}:{}:{}", order.buyer, order.id, order.slot)
}

/// A number in canonical form: the parser of the standard library also accepts a plus sign and leading zeros.
fn number<T: FromStr>(text: &str) -> Option<T> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits == "0" || digits.starts_with(|first: char| matches!(first, '1'..='9'));
    text.parse().ok().filter(|_| plain)
}

impl EntryId {
    /// No entry has the id 0-0.
    pub(crate) const NONE: Self = Self { ms: 0, sequence: 0 };
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ms, self.sequence)
    }
}

/// The text is not an id of the form `ms-sequence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not the id of an entry")]
pub(crate) struct BadEntryId;

impl FromStr for EntryId {
    type Err = BadEntryId;

    fn from_str(text: &str) -> Result<Self, BadEntryId> {
        let (ms, sequence) = text.split_once('-').ok_or(BadEntryId)?;
        let ms = number(ms).ok_or(BadEntryId)?;
        let sequence = number(sequence).ok_or(BadEntryId)?;
        Ok(Self { ms, sequence })
    }
}

#[cfg(test)]
mod tests;
