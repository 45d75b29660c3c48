//! What a grouped notice remembers of the events that it stands for.
//!
//! An event has a number: who gave the like, or which comment it was. An event that its reader was told of is no news when
//! it comes again, and one that was taken back unread was none. Only the last few are remembered.

use serde::{Deserialize, Serialize};

/// As many as may be taken back and given again without a second notice. A row stays below a kilobyte.
const REMEMBERED: usize = 50;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Remembered {
    /// Their reader has seen the notice since.
    #[serde(default)]
    told: Vec<i64>,
    /// Their reader has not.
    #[serde(default)]
    fresh: Vec<i64>,
}

impl Remembered {
    pub(super) fn of(event: i64) -> Self {
        Self {
            told: Vec::new(),
            fresh: vec![event],
        }
    }

    /// A payload of another shape remembers nothing.
    pub(super) fn parse(payload: &str) -> Self {
        serde_json::from_str(payload).unwrap_or_default()
    }

    pub(super) fn to_payload(&self) -> String {
        serde_json::to_string(self).expect("numbers are JSON")
    }

    pub(super) fn mark_told(&mut self) {
        self.told.append(&mut self.fresh);
        drop_oldest(&mut self.told);
    }

    /// Whether the event is news.
    pub(super) fn add(&mut self, event: i64) -> bool {
        if self.told.contains(&event) || self.fresh.contains(&event) {
            return false;
        }
        self.fresh.push(event);
        drop_oldest(&mut self.fresh);
        true
    }

    /// Whether the event was there, untold.
    pub(super) fn take_back(&mut self, event: i64) -> bool {
        let before = self.fresh.len();
        self.fresh.retain(|it| *it != event);
        self.fresh.len() < before
    }

    pub(super) fn has_news(&self) -> bool {
        !self.fresh.is_empty()
    }

    pub(super) fn was_told(&self) -> bool {
        !self.told.is_empty()
    }
}

fn drop_oldest(events: &mut Vec<i64>) {
    let surplus = events.len().saturating_sub(REMEMBERED);
    events.drain(..surplus);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_news_once() {
        let mut it = Remembered::of(1);
        assert!(!it.add(1));
        assert!(it.add(2));
        it.mark_told();
        assert!(!it.has_news());
        assert!(!it.add(2), "it was told");
        assert!(!it.take_back(2), "what was told stays told");
        assert!(it.add(3) && it.take_back(3) && it.add(3));
        assert_eq!(Remembered::parse(&it.to_payload()), it);
        assert_eq!(
            Remembered::parse("{\"orderId\":\"7\"}"),
            Remembered::default()
        );
    }

    #[test]
    fn only_the_last_few_are_remembered() {
        let mut it = Remembered::of(0);
        for event in 1..10_000 {
            it.add(event);
        }
        it.mark_told();
        assert!(it.to_payload().len() < 1_000);
        assert!(!it.add(9_999) && it.add(0));
    }
}
