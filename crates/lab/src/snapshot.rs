//! What Redis, SQL and the broker hold between two steps of a schedule: [`Snapshot`].
//!
//! The attacker reads it over connections of its own, past the proxies, so that reading neither uses up a reply that the
//! attack is to lose nor waits for a process that is paused. The invariant: everything is bounded, because a report that a
//! page shows is made of it.

use std::collections::{BTreeMap, HashSet};

use anyhow::Result;
use redis::aio::MultiplexedConnection;
use redis::streams::{StreamPendingCountReply, StreamRangeReply};
use redis::{FromRedisValue, RedisResult};

use crate::sale_tables::SaleTables;

/// More cells than a schedule of three buyers fills.
const MAX_CELLS: usize = 48;
/// More elements than a schedule of three buyers puts into one key.
const MAX_ELEMENTS: usize = 16;
/// Longer than any value that a reader compares by eye.
const MAX_VALUE_CHARS: usize = 240;

/// How many keys Redis looks at per call of `SCAN`.
const SCAN_COUNT: usize = 10_000;

/// Counters of ids, and what the `lock` crate keeps beside a lock: the last token, who is done, who still waits.
const BOOKKEEPING: [&str; 5] = [":ids:", ":fence", ":done:", ":alive", ":queue"];

/// Fields of the gate's hash that no schedule changes.
const SETTINGS_OF_A_SALE: [&str; 10] = [
    "begin", "end", "epoch", "initial", "limit", "load", "master", "shelf", "spread", "terms",
];

/// Every place that holds something, and what it holds: `sql stock` is `1`, `redis buyers:7` is `{1}`.
pub(crate) type Cells = BTreeMap<String, String>;

/// All stores at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub(crate) cells: Cells,
    /// Ids and buyers of the orders in SQL, in the order of insertion as far as ids tell it.
    pub(crate) orders: Vec<(i64, i64)>,
    /// Messages that wait in a broker.
    pub(crate) waiting_messages: u64,
}

/// Which keys belong to the sale that is being attacked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyFilter<'a> {
    /// What all keys of the run begin with.
    pub(crate) prefix: &'a str,
    /// Sales of the same run that are over.
    pub(crate) past_sales: &'a HashSet<i64>,
}

impl Snapshot {
    pub(crate) fn add(&mut self, store: &str, name: &str, value: &str) {
        if self.cells.len() < MAX_CELLS {
            let value = value.chars().take(MAX_VALUE_CHARS).collect();
            self.cells.insert(format!("{store} {name}"), value);
        }
    }

    /// Adds the row of the sale and its orders.
    pub(crate) async fn read_sql(&mut self, tables: &SaleTables, sale: i64) -> Result<()> {
        let row = "SELECT stock, version, fence FROM sale WHERE id = ?";
        let row = sqlx::query_as(row).bind(sale).fetch_one(&tables.pool);
        let (stock, version, fence): (i64, i64, i64) = row.await?;
        self.add("sql", "stock", &stock.to_string());
        // Few versions use these columns; a zero would be noise to the reader of all others.
        for (name, value) in [("version", version), ("fence", fence)] {
            if value != 0 {
                self.add("sql", name, &value.to_string());
            }
        }
        self.orders = tables.orders(sale).await?;
        for (id, buyer) in self.orders.clone() {
            self.add("sql", &format!("order {id}"), &letter(buyer));
        }
        Ok(())
    }

    /// Adds the keys of a Redis. What cannot be read, because the server is gone, is not held.
    pub(crate) async fn read_redis(
        &mut self,
        store: &str,
        connection: &mut MultiplexedConnection,
        filter: KeyFilter<'_>,
    ) {
        let Ok(keys) = list_keys(connection, filter.prefix).await else {
            return;
        };
        for key in keys {
            let name = key.strip_prefix(filter.prefix).unwrap_or(&key);
            if filter.hides(name) {
                continue;
            }
            for (suffix, value) in read_key(connection, &key).await.unwrap_or_default() {
                self.add(store, &format!("{name}{suffix}"), &value);
            }
        }
    }
}

impl KeyFilter<'_> {
    /// Keys of earlier sales, and bookkeeping that says nothing about a schedule.
    fn hides(self, name: &str) -> bool {
        let parts = name.split(|character: char| !character.is_ascii_alphanumeric());
        let mut numbers = parts.filter_map(|part| part.parse().ok());
        BOOKKEEPING.iter().any(|part| name.contains(part))
            || numbers.any(|number: i64| self.past_sales.contains(&number))
    }
}

/// A buyer as the schedule calls them.
pub(crate) fn letter(buyer: i64) -> String {
    match u8::try_from(buyer) {
        Ok(number @ 1..=26) => char::from(number - 1 + b'A').to_string(),
        _ => format!("+{}", buyer - FIRST_LATECOMER + 1),
    }
}

/// Ids of buyers who buy after the attack.
pub(crate) const FIRST_LATECOMER: i64 = 100;

async fn list_keys(
    connection: &mut MultiplexedConnection,
    prefix: &str,
) -> RedisResult<Vec<String>> {
    let (mut cursor, mut keys) = (0_u64, Vec::new());
    loop {
        let mut scan = redis::cmd("SCAN");
        scan.arg(cursor).arg("MATCH").arg(format!("{prefix}*"));
        scan.arg("COUNT").arg(SCAN_COUNT);
        let (next, found): (u64, Vec<String>) = scan.query_async(connection).await?;
        keys.extend(found);
        cursor = next;
        if cursor == 0 {
            keys.sort();
            keys.dedup();
            return Ok(keys);
        }
    }
}

/// The content of a key as text, and beside it what a stream has delivered and not yet acknowledged.
async fn read_key(
    connection: &mut MultiplexedConnection,
    key: &str,
) -> RedisResult<Vec<(&'static str, String)>> {
    let mut asked = redis::pipe();
    asked.cmd("TYPE").arg(key).cmd("PTTL").arg(key);
    let (kind, ttl_ms): (String, i64) = asked.query_async(connection).await?;
    // A key with a lease ends by itself, which is what half of the schedules are about.
    let lease = if ttl_ms > 0 { " PX" } else { "" };
    let value = match kind.as_str() {
        "string" => ask::<Option<Vec<u8>>>(connection, &["GET", key])
            .await?
            .map(|text| readable(&text)),
        "set" => {
            let members: Vec<String> = ask(connection, &["SMEMBERS", key]).await?;
            Some(braced(members.iter().map(|member| shown_member(member))))
        }
        "list" => {
            let last = (MAX_ELEMENTS - 1).to_string();
            let elements: Vec<Vec<u8>> = ask(connection, &["LRANGE", key, "0", &last]).await?;
            Some(joined(elements.iter().map(|element| readable(element))))
        }
        "hash" => Some(fields(key, ask(connection, &["HGETALL", key]).await?)),
        "zset" => {
            let range = ["ZRANGE", key, "0", "-1", "WITHSCORES"];
            Some(fields(key, ask(connection, &range).await?))
        }
        "stream" => return read_stream(connection, key).await,
        _ => None,
    };
    Ok(value.map(|value| (lease, value)).into_iter().collect())
}

async fn read_stream(
    connection: &mut MultiplexedConnection,
    key: &str,
) -> RedisResult<Vec<(&'static str, String)>> {
    let count = MAX_ELEMENTS.to_string();
    let range: StreamRangeReply =
        ask(connection, &["XRANGE", key, "-", "+", "COUNT", &count]).await?;
    let text_of = |id: &str| {
        let entry = range.ids.iter().find(|entry| entry.id == id)?;
        let order: Option<String> = entry.get("order");
        let batch: Option<String> = entry.get("o");
        order.or_else(|| batch.map(|batch| batch_text(&batch)))
    };
    let entries = joined(range.ids.iter().filter_map(|entry| text_of(&entry.id)));
    let groups: Vec<redis::Value> = ask(connection, &["XINFO", "GROUPS", key]).await?;
    let mut cells = vec![("", entries)];
    for group in groups {
        let Some(name) = group_name(group) else {
            continue;
        };
        let pending = ["XPENDING", key, &name, "-", "+", &count];
        let pending: StreamPendingCountReply = ask(connection, &pending).await?;
        let pending: Vec<_> = pending
            .ids
            .iter()
            .filter_map(|it| text_of(&it.id))
            .collect();
        if !pending.is_empty() {
            // Redis calls these the pending entries list.
            cells.push((" PEL", joined(pending.into_iter())));
        }
    }
    Ok(cells)
}

/// The orders of an entry of the flash engine, which are written as `buyer:order:slot`.
fn batch_text(batch: &str) -> String {
    let orders = batch.split(',').map(|order| {
        let mut parts = order.split(':');
        let buyer = parts.next().unwrap_or_default();
        let id = parts.next().unwrap_or_default();
        format!("{id} ({})", shown_member(buyer))
    });
    orders.collect::<Vec<_>>().join(", ")
}

fn group_name(group: redis::Value) -> Option<String> {
    let fields: std::collections::HashMap<String, redis::Value> =
        FromRedisValue::from_redis_value(group).ok()?;
    let name = fields.get("name")?.clone();
    FromRedisValue::from_redis_value(name).ok()
}

async fn ask<T: FromRedisValue>(
    connection: &mut MultiplexedConnection,
    command: &[&str],
) -> RedisResult<T> {
    let (name, arguments) = command.split_first().unwrap_or((&"PING", &[]));
    let mut command = redis::cmd(name);
    command.arg(arguments);
    command.query_async(connection).await
}

/// Text as it is; bytes that are no text as a count.
fn readable(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(char::is_control) => text.to_owned(),
        _ => format!("<{} bytes>", bytes.len()),
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    format!("[{}]", parts.collect::<Vec<_>>().join(", "))
}

/// Members of a set of buyers are shown by letter, as the schedule calls them.
fn shown_member(member: &str) -> String {
    member.parse().map_or_else(|_| member.to_owned(), letter)
}

fn braced(members: impl Iterator<Item = String>) -> String {
    let mut members: Vec<_> = members.collect();
    members.sort();
    members.truncate(MAX_ELEMENTS);
    format!("{{{}}}", members.join(", "))
}

/// Fields with their values, or members with their scores.
fn fields(key: &str, replied: Vec<Vec<u8>>) -> String {
    let pairs = replied.chunks_exact(2);
    let pairs = pairs.map(|pair| (readable(&pair[0]), readable(&pair[1])));
    let pairs = pairs.filter(|(field, _)| !SETTINGS_OF_A_SALE.contains(&field.as_str()));
    braced(pairs.map(|(field, value)| match key.contains("buyers:") {
        true => format!("{}={value}", shown_member(&field)),
        false => format!("{field}={value}"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_sales_that_are_over_are_hidden() {
        let past_sales = HashSet::from([6]);
        let filter = KeyFilter {
            prefix: "lab.",
            past_sales: &past_sales,
        };
        assert!(filter.hides("stock:6"));
        assert!(filter.hides("seckill:{0}:sale:6"));
        assert!(filter.hides("lock:{mutex:6}"));
        assert!(filter.hides("lock:{mutex:7}:fence"));
        assert!(!filter.hides("stock:7"));
        assert!(!filter.hides("seckill:{0}:backlog"));
    }

    #[test]
    fn a_snapshot_is_bounded() {
        let mut snapshot = Snapshot::default();
        for number in 0..1000 {
            snapshot.add("redis", &format!("key{number}"), &"x".repeat(100_000));
        }
        let chars: usize = snapshot.cells.values().map(String::len).sum();
        assert_eq!(snapshot.cells.len(), MAX_CELLS);
        assert_eq!(chars, MAX_CELLS * MAX_VALUE_CHARS);
    }

    #[test]
    fn buyers_have_letters_and_latecomers_numbers() {
        assert_eq!((letter(1), letter(3)), ("A".to_owned(), "C".to_owned()));
        assert_eq!(letter(FIRST_LATECOMER), "+1");
    }
}
