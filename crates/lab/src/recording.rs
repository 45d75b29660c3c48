//! From what the attacker saw between steps to a schedule that a page can play: [`ScheduleEvent`].
//!
//! The invariant: a recording says what happened and nothing that differs from run to run for no reason. Random ids of orders
//! become `#1`, `#2` in the order in which they appear; owners of locks become `owner-1`, `owner-2`; fencing tokens become
//! `token-1`, `token-2` in their own order, which is all that matters about them. Only what an event changed is kept.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::sale_outcome::SaleOutcome;
use crate::snapshot::{Cells, Snapshot, letter};
use crate::version::Order;

/// Fewer digits are a count or a number of a sale, never a random id.
const MIN_ID_DIGITS: usize = 9;
/// The length of an owner of a lock, in hexadecimal digits; the `lock` crate ends it with a letter.
const OWNER_DIGITS: usize = 32;
const OWNER_END: char = 'x';
/// The length of a fencing token, which counts microseconds.
const TOKEN_DIGITS: usize = 16;

/// One event of a schedule, and what the stores hold after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleEvent {
    /// A buyer by letter, `worker`, `latecomer` or `attacker`.
    pub who: String,
    /// The process it happened in, from 1; 0 for what happens to all of them.
    pub process: usize,
    /// A step, a reply or an attack; `crates/lab/src/bilingual.rs` has all of them in both languages.
    pub what: String,
    /// Where the process stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<CodePlace>,
    /// What the process has read since its last event: a command or column, and its value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub saw: BTreeMap<String, String>,
    /// What the stores hold now and did not before.
    #[serde(default, skip_serializing_if = "Cells::is_empty")]
    pub changes: Cells,
    /// What they do not hold any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// The harm that is done by this event.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub harm: Vec<String>,
}

/// A line of a file of `crates/lab/src`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodePlace {
    pub file: String,
    pub line: u32,
}

/// An event as the attacker noted it.
#[derive(Clone, Debug)]
pub(crate) struct RawEvent {
    pub(crate) who: String,
    pub(crate) process: usize,
    pub(crate) what: String,
    pub(crate) at: Option<CodePlace>,
    pub(crate) saw: Vec<(String, String)>,
    /// Buyers who had been told of an order by then.
    pub(crate) replied: usize,
    pub(crate) after: Snapshot,
}

/// A schedule with its beginning, ready for the report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recording {
    pub(crate) begin: Cells,
    pub(crate) events: Vec<ScheduleEvent>,
}

/// The end of a sale, which decides what was lost.
pub(crate) struct Ending<'a> {
    pub(crate) sale: i64,
    pub(crate) verdict: SaleOutcome,
    /// Ids in replies to buyers.
    pub(crate) replied: &'a [i64],
}

impl Recording {
    /// `begin` is what the stores held before the first event. The last event is the end of the sale.
    pub(crate) fn of(begin: &Snapshot, events: &[RawEvent], ending: &Ending<'_>) -> Self {
        let mut names = Names::of(begin, events, ending);
        let harms = harms(events, ending);
        let shown_begin = names.show_cells(&begin.cells);
        let mut before = shown_begin.clone();
        let shown = events.iter().zip(harms).map(|(event, harm)| {
            let after = names.show_cells(&event.after.cells);
            let changes = new_cells(&before, &after);
            let gone = before.keys().filter(|cell| !after.contains_key(*cell));
            let gone = gone.cloned().collect();
            before = after;
            ScheduleEvent {
                who: event.who.clone(),
                process: event.process,
                what: event.what.clone(),
                at: event.at.clone(),
                saw: names.show_pairs(&event.saw),
                changes,
                gone,
                harm,
            }
        });
        let events = shown.collect();
        Self {
            begin: shown_begin,
            events,
        }
    }
}

fn new_cells(before: &Cells, after: &Cells) -> Cells {
    let new = after
        .iter()
        .filter(|(cell, value)| before.get(*cell) != Some(*value));
    new.map(|(cell, value)| (cell.clone(), value.clone()))
        .collect()
}

/// The harm that each event does. What SQL shows is harm at once; an order is lost when nothing holds it any more, and a
/// unit is stranded when the sale is over.
fn harms(events: &[RawEvent], ending: &Ending<'_>) -> Vec<Vec<String>> {
    let mut harms = vec![Vec::new(); events.len()];
    let verdict = &ending.verdict;
    let (mut oversold, mut duplicates) = (0, 0);
    for (harm, event) in harms.iter_mut().zip(events) {
        let now = SaleOutcome::of(verdict.stock, &event.after.orders, &[]);
        if now.oversold > oversold {
            harm.push("oversold".to_owned());
        }
        if now.duplicates > duplicates {
            harm.push("duplicates".to_owned());
        }
        (oversold, duplicates) = (now.oversold, now.duplicates);
    }
    let recorded: Vec<i64> = last_orders(events).iter().map(|(id, _)| *id).collect();
    let lost = ending.replied.iter().enumerate();
    let lost = lost.filter(|(_, id)| !recorded.contains(id));
    for (reply, id) in lost {
        let from = lost_at(events, *id, reply);
        if let Some(harm) = harms.get_mut(from) {
            harm.push("lost".to_owned());
        }
    }
    if let (Some(last), true) = (harms.last_mut(), verdict.stranded > 0) {
        last.push("stranded".to_owned());
    }
    for harm in &mut harms {
        harm.dedup();
    }
    harms
}

fn last_orders(events: &[RawEvent]) -> &[(i64, i64)] {
    events.last().map_or(&[], |event| &event.after.orders)
}

/// The first event after which neither a store, a broker nor the memory of a worker holds this order, whose buyer got the
/// reply of this number. The end of the sale, if that reply is no part of the schedule.
fn lost_at(events: &[RawEvent], id: i64, reply: usize) -> usize {
    let id = id.to_string();
    let mut in_memory: HashMap<(usize, &str), bool> = HashMap::new();
    let mut held_last = None;
    for (number, event) in events.iter().enumerate() {
        let saw = event.saw.iter().any(|(_, value)| value.contains(&id));
        match event.what.as_str() {
            "kill" => in_memory.retain(|(process, _), _| *process != event.process),
            _ => {
                in_memory.insert((event.process, &event.who), saw);
            }
        }
        let is_stored = event.after.cells.values().any(|value| value.contains(&id));
        let is_held = in_memory.values().any(|held| *held);
        if is_stored || is_held || event.after.waiting_messages > 0 {
            held_last = Some(number);
        }
    }
    let end = events.len().saturating_sub(1);
    let replied = events.iter().position(|event| event.replied > reply);
    let from = held_last.map_or(0, |number| number + 1);
    from.max(replied.unwrap_or(end)).min(end)
}

/// Short names for what is random.
struct Names {
    sale: String,
    orders: HashMap<String, usize>,
    owners: HashMap<String, usize>,
    tokens: BTreeSet<String>,
}

impl Names {
    fn of(begin: &Snapshot, events: &[RawEvent], ending: &Ending<'_>) -> Self {
        let mut names = Self {
            sale: ending.sale.to_string(),
            orders: HashMap::new(),
            owners: HashMap::new(),
            tokens: BTreeSet::new(),
        };
        let known: Vec<i64> = ending.replied.to_vec();
        let known = known.into_iter();
        let in_sql = events.iter().flat_map(|event| &event.after.orders);
        let mut known: Vec<String> = known
            .chain(in_sql.map(|(id, _)| *id))
            .map(|id| id.to_string())
            .collect();
        // An order that was lost before any reply is known by what carried it alone.
        let texts = || {
            let stored = |event: &'_ RawEvent| -> Vec<String> {
                let saw = event.saw.iter().map(|(_, value)| value.clone());
                saw.chain(event.after.cells.values().cloned()).collect()
            };
            events.iter().flat_map(stored)
        };
        known.extend(texts().flat_map(|text| orders_in(&text)));
        for text in begin.cells.values().cloned().chain(texts()) {
            names.number(&text, &known);
        }
        let cells = events.iter().flat_map(|event| event.after.cells.keys());
        for cell in cells {
            names.number(cell, &known);
        }
        names
    }

    /// Gives the next numbers to what appears in a text for the first time.
    fn number(&mut self, text: &str, known: &[String]) {
        for word in words(text) {
            if known.iter().any(|id| id == word) {
                let next = self.orders.len() + 1;
                self.orders.entry(word.to_owned()).or_insert(next);
            } else if is_owner(word) {
                let next = self.owners.len() + 1;
                self.owners.entry(word.to_owned()).or_insert(next);
            } else if is_token(word) {
                self.tokens.insert(word.to_owned());
            }
        }
    }

    fn show_cells(&mut self, cells: &Cells) -> Cells {
        let shown = cells.iter();
        shown
            .map(|(cell, value)| (self.show(cell), self.show(value)))
            .collect()
    }

    fn show_pairs(&self, pairs: &[(String, String)]) -> BTreeMap<String, String> {
        let shown = pairs.iter();
        shown
            .map(|(name, value)| (name.clone(), self.show(value)))
            .collect()
    }

    fn show(&self, text: &str) -> String {
        let mut shown = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let Some((order, length)) = order_at(&rest[open..]) else {
                shown.push_str(&self.show_words(&rest[..=open]));
                rest = &rest[open + 1..];
                continue;
            };
            shown.push_str(&self.show_words(&rest[..open]));
            let id = self.show_words(&order.id.to_string());
            shown.push_str(&format!("{id} ({})", letter(order.buyer)));
            rest = &rest[open + length..];
        }
        shown.push_str(&self.show_words(rest));
        shown
    }

    fn show_words(&self, text: &str) -> String {
        let mut shown = String::new();
        let mut rest = text;
        for word in words(text) {
            let Some(at) = rest.find(word) else { continue };
            shown.push_str(&rest[..at]);
            if let Some(number) = self.orders.get(word) {
                shown.push_str(&format!("#{number}"));
            } else if let Some(number) = self.owners.get(word) {
                shown.push_str(&format!("owner-{number}"));
            } else if self.tokens.contains(word) {
                let lower = self.tokens.range(..word.to_owned());
                shown.push_str(&format!("token-{}", lower.count() + 1));
            } else if word == self.sale && shown.ends_with(':') {
                shown.push_str("sale");
            } else {
                shown.push_str(word);
            }
            rest = &rest[at + word.len()..];
        }
        shown.push_str(rest);
        shown
    }
}

/// Runs of letters and digits.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty())
}

fn is_owner(word: &str) -> bool {
    let word = word.strip_suffix(OWNER_END).unwrap_or(word);
    word.len() == OWNER_DIGITS && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_token(word: &str) -> bool {
    word.len() == TOKEN_DIGITS && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// An order that is written as JSON at the beginning of a text, and how long that is.
fn order_at(text: &str) -> Option<(Order, usize)> {
    let length = text.find('}')? + 1;
    let order = serde_json::from_str(&text[..length]).ok()?;
    Some((order, length))
}

/// The ids of all orders that are written as JSON in a text.
fn orders_in(text: &str) -> Vec<String> {
    let opens = text.match_indices('{');
    let orders = opens.filter_map(|(at, _)| order_at(&text[at..]));
    let ids = orders.map(|(order, _)| order.id.to_string());
    ids.filter(|id| id.len() >= MIN_ID_DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: &str = r#"{"id":123456789012,"sale":7,"buyer":1}"#;

    fn event(who: &str, process: usize, what: &str, cells: &[(&str, &str)]) -> RawEvent {
        let cells = cells.iter();
        let cells = cells.map(|(cell, value)| ((*cell).to_owned(), (*value).to_owned()));
        let after = Snapshot {
            cells: cells.collect(),
            ..Snapshot::default()
        };
        RawEvent {
            who: who.to_owned(),
            process,
            what: what.to_owned(),
            at: None,
            saw: Vec::new(),
            replied: usize::from(what != "close"),
            after,
        }
    }

    fn record(events: &[RawEvent], stock: usize, replied: &[i64]) -> Recording {
        let orders = last_orders(events);
        let ending = Ending {
            sale: 7,
            verdict: SaleOutcome::of(stock, orders, replied),
            replied,
        };
        Recording::of(&Snapshot::default(), events, &ending)
    }

    #[test]
    fn random_ids_get_short_names_and_only_changes_are_kept() {
        let mut first = event(
            "A",
            1,
            "ordered",
            &[("redis orders", &format!("[{ORDER}]"))],
        );
        first.saw = vec![("LPOP".to_owned(), ORDER.to_owned())];
        let second = event(
            "worker",
            1,
            "order is recorded",
            &[
                ("redis orders", "[]"),
                ("sql order 123456789012", "A"),
                ("redis stock:7", "0"),
            ],
        );
        let recording = record(&[first, second.clone(), second], 1, &[123_456_789_012]);
        let [first, second, third] = recording.events.as_slice() else {
            panic!("{recording:?}");
        };
        assert_eq!(first.changes["redis orders"], "[#1 (A)]");
        assert_eq!(first.saw["LPOP"], "#1 (A)");
        assert_eq!(second.changes["sql order #1"], "A");
        assert_eq!(second.changes["redis stock:sale"], "0");
        assert!(third.changes.is_empty(), "{third:?}");
    }

    #[test]
    fn what_is_gone_is_named() {
        let held = event(
            "A",
            1,
            "stock is read",
            &[("redis lock:7", &"ab".repeat(16))],
        );
        let recording = record(&[held, event("attacker", 0, "failover", &[])], 0, &[]);
        let [held, gone] = recording.events.as_slice() else {
            panic!("{recording:?}");
        };
        assert_eq!(held.changes["redis lock:sale"], "owner-1");
        assert_eq!(gone.gone, ["redis lock:sale"]);
    }

    #[test]
    fn harm_is_marked_where_sql_shows_it_first() {
        let mut events = vec![
            event("A", 1, "ordered", &[]),
            event("B", 1, "ordered", &[]),
            event("latecomer", 0, "close", &[]),
        ];
        events[0].after.orders = vec![(11, 1)];
        events[1].after.orders = vec![(11, 1), (12, 2)];
        events[2].after.orders = vec![(11, 1), (12, 2)];
        let harms: Vec<_> = record(&events, 1, &[11, 12]).events;
        let harms: Vec<_> = harms.into_iter().map(|event| event.harm).collect();
        assert_eq!(harms, [vec![], vec!["oversold".to_owned()], vec![]]);
    }

    #[test]
    fn an_order_is_lost_where_the_last_that_held_it_dies() {
        let queued = format!("[{ORDER}]");
        let mut taken = event("worker", 1, "order is taken off the list", &[]);
        taken.saw = vec![("BRPOP".to_owned(), ORDER.to_owned())];
        let events = [
            event("A", 1, "ordered", &[("redis orders", &queued)]),
            taken,
            event("attacker", 1, "kill", &[]),
            event("attacker", 1, "restart", &[]),
            event("latecomer", 0, "close", &[]),
        ];
        let events = record(&events, 0, &[123_456_789_012]).events;
        let lost = events
            .iter()
            .position(|it| it.harm.contains(&"lost".to_owned()));
        assert_eq!(lost, Some(2), "{events:#?}");
    }

    #[test]
    fn fencing_tokens_are_named_by_their_order() {
        let (lower, higher) = ("1794839656665707", "1794839656921756");
        let events = [
            event(
                "B",
                2,
                "stock is read",
                &[("redis lock:{mutex:7} PX", higher)],
            ),
            event("A", 1, "busy", &[("sql fence", lower)]),
        ];
        let events = record(&events, 0, &[]).events;
        assert_eq!(events[0].changes["redis lock:{mutex:sale} PX"], "token-2");
        assert_eq!(events[1].changes["sql fence"], "token-1");
    }

    #[test]
    fn an_order_of_a_late_buyer_is_lost_at_the_end() {
        let mut events = [
            event("A", 1, "ordered", &[]),
            event("attacker", 1, "restart", &[]),
            event("latecomer", 0, "close", &[]),
        ];
        events[2].replied = 2;
        for event in &mut events {
            event.after.orders = vec![(11, 1)];
        }
        let events = record(&events, 1, &[11, 12]).events;
        let lost = events.iter().position(|it| !it.harm.is_empty());
        assert_eq!(lost, Some(2), "{events:#?}");
    }

    #[test]
    fn a_unit_that_nobody_can_buy_is_noticed_at_the_end() {
        let events = [
            event("A", 1, "granted, not sent", &[]),
            event("latecomer", 0, "close", &[]),
        ];
        let events = record(&events, 1, &[]).events;
        assert!(events[0].harm.is_empty());
        assert_eq!(events[1].harm, ["stranded"]);
    }
}
