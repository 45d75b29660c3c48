//! What travels from the gate to the ledger, and how it is written: the one place that knows the form of an entry.
//!
//! | field | |
//! |---|---|
//! | `v` | version of the form, 1 |
//! | `s`, `t` | sale, and when it was decided in ms by the clock of Redis |
//! | `n`, `o` | how many orders, and the orders as `buyer:order:slot,…` |
//! | `k` | if any of their requests has a name: the names' hashes in the same order, empty for those without |
//! | `b` | instead of those four: the nonce of a barrier |
//!
//! Reading is strict. An entry that says anything else was not written by a gate of this version, and guessing what it
//! means would be worse than keeping it for a person. One of another version stays pending until a process of that
//! version drains it: in a rolling upgrade gates write what old drain loops do not know yet. Fields that are not listed
//! here are passed over, so that a later version may add some that this one can do without. Brokers carry the same fields
//! on one line, separated by spaces; a line has no room for more, so `k` travels in a header beside it, which a version that
//! does not know it passes over.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{BuyerId, KeyHash, Order, OrderId, SaleId};

const VERSION: &str = "1";

/// Where an entry stands in the stream of its partition. It keeps this name on whatever transport it travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct EntryId {
    ms: u64,
    sequence: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Orders of one sale that one call of the gate granted.
    Orders(Vec<Order>),
    /// Whoever waits on this nonce is told when everything before it is in the ledger.
    Barrier(String),
}

/// Why nobody can read an entry.
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

impl Entry {
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
            return read_barrier(nonce);
        }
        let field = |name| text(name).ok_or(Undecodable::Field(name));
        let orders = read_orders(field("s")?, field("t")?, field("n")?, field("o")?)?;
        match text("k") {
            Some(names) => with_names(orders, names),
            None => Ok(orders),
        }
    }

    /// The names of the requests, for the header beside a line; nothing if none has one.
    pub(crate) fn names(&self) -> Option<String> {
        let Self::Orders(orders) = self else {
            return None;
        };
        let name = |order: &Order| order.key.map(|key| key.to_string()).unwrap_or_default();
        let named = orders.iter().any(|order| order.key.is_some());
        named.then(|| orders.iter().map(name).collect::<Vec<_>>().join(","))
    }

    /// The form on one line.
    pub(crate) fn to_line(&self) -> String {
        match self {
            Self::Barrier(nonce) => format!("{VERSION} b {nonce}"),
            Self::Orders(orders) => {
                let first = orders.first();
                let (sale, ms) = first.map_or((0, 0), |order| (order.sale.0, order.granted_at_ms));
                let items: Vec<String> = orders.iter().map(write_item).collect();
                format!(
                    "{VERSION} o {sale} {ms} {} {}",
                    items.len(),
                    items.join(",")
                )
            }
        }
    }

    pub(crate) fn from_line(line: &[u8], names: Option<&[u8]>) -> Result<Self, Undecodable> {
        let entry = Self::from_bare_line(line)?;
        match names.map(std::str::from_utf8) {
            Some(Ok(names)) => with_names(entry, names),
            Some(Err(_)) => Err(Undecodable::Field("k")),
            None => Ok(entry),
        }
    }

    fn from_bare_line(line: &[u8]) -> Result<Self, Undecodable> {
        let line = std::str::from_utf8(line).map_err(|_| Undecodable::Version)?;
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [VERSION, "b", nonce] => read_barrier(nonce),
            [VERSION, "o", sale, ms, count, items] => read_orders(sale, ms, count, items),
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

/// The fields of a barrier, for whoever appends one to a stream.
pub(crate) fn barrier_fields(nonce: &str) -> [(&'static str, &str); 2] {
    [("v", VERSION), ("b", nonce)]
}

fn read_barrier(nonce: &str) -> Result<Entry, Undecodable> {
    match nonce.is_empty() {
        true => Err(Undecodable::Field("b")),
        false => Ok(Entry::Barrier(nonce.to_owned())),
    }
}

fn read_orders(sale: &str, ms: &str, count: &str, items: &str) -> Result<Entry, Undecodable> {
    let sale = SaleId(number(sale).ok_or(Undecodable::Field("s"))?);
    let granted_at_ms = number(ms).ok_or(Undecodable::Field("t"))?;
    let count: usize = number(count).ok_or(Undecodable::Field("n"))?;
    let orders: Option<Vec<Order>> = items
        .split(',')
        .map(|item| read_item(item, sale, granted_at_ms))
        .collect();
    let orders = orders.ok_or(Undecodable::Field("o"))?;
    match orders.len() == count {
        true => Ok(Entry::Orders(orders)),
        false => Err(Undecodable::Count),
    }
}

/// Gives orders the names of their requests: one each, or an empty place.
fn with_names(entry: Entry, names: &str) -> Result<Entry, Undecodable> {
    let Entry::Orders(mut orders) = entry else {
        return Ok(entry);
    };
    let names: Vec<&str> = names.split(',').collect();
    if names.len() != orders.len() {
        return Err(Undecodable::Field("k"));
    }
    for (order, name) in orders.iter_mut().zip(names) {
        order.key = match name {
            "" => None,
            name => Some(KeyHash::read(name).ok_or(Undecodable::Field("k"))?),
        };
    }
    Ok(Entry::Orders(orders))
}

fn read_item(item: &str, sale: SaleId, granted_at_ms: i64) -> Option<Order> {
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

fn write_item(order: &Order) -> String {
    format!("{}:{}:{}", order.buyer, order.id, order.slot)
}

/// A number as we write it: the parser of the standard library would also take a plus sign and leading zeros.
fn number<T: FromStr>(text: &str) -> Option<T> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits == "0" || digits.starts_with(|first: char| matches!(first, '1'..='9'));
    text.parse().ok().filter(|_| plain)
}

impl EntryId {
    /// The name of nothing: no entry is ever called 0-0.
    pub(crate) const NONE: Self = Self { ms: 0, sequence: 0 };
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ms, self.sequence)
    }
}

/// Not an id that Redis gives to an entry.
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
