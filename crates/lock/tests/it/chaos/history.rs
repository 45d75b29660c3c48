//! What clients did, and whether a lock can have allowed it.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard},
    time::Instant,
};

/// One thing that a client did. The fence says by which grant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) at: Instant,
    pub(super) client: usize,
    pub(super) fence: i64,
    pub(super) kind: EventKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventKind {
    /// The lock was granted before this moment.
    Entered,
    /// At this moment, and for a while after it, the guard said that the lock is held.
    Acted,
    /// A write without a look at the guard; the resource checks the fence.
    Wrote { accepted: bool },
}

/// The events of all clients, and the resource that they write to.
#[derive(Debug, Default)]
pub(super) struct History {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    events: Vec<Event>,
    last_fence: i64,
}

impl History {
    pub(super) fn note(&self, at: Instant, client: usize, fence: i64, kind: EventKind) {
        self.inner().events.push(Event {
            at,
            client,
            fence,
            kind,
        });
    }

    /// Writes to the resource, which refuses who is older than the last who wrote.
    pub(super) fn write(&self, client: usize, fence: i64) {
        let mut inner = self.inner();
        let accepted = fence >= inner.last_fence;
        if accepted {
            inner.last_fence = fence;
        }
        inner.events.push(Event {
            at: Instant::now(),
            client,
            fence,
            kind: EventKind::Wrote { accepted },
        });
    }

    pub(super) fn events(&self) -> Vec<Event> {
        self.inner().events.clone()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap()
    }
}

/// What a grant was used for.
#[derive(Debug)]
struct Grant {
    client: usize,
    entered: Instant,
    last_act: Option<Instant>,
}

/// What no lock can have allowed: two grants with one fence, an act under an older grant after a newer one was entered, a write
/// that was accepted after one with a higher fence.
pub(super) fn violations(events: &[Event]) -> Vec<String> {
    let mut found = Vec::new();
    let mut grants: BTreeMap<i64, Grant> = BTreeMap::new();
    let mut last_written = 0;
    for event in events {
        match event.kind {
            EventKind::Entered => {
                let grant = Grant {
                    client: event.client,
                    entered: event.at,
                    last_act: None,
                };
                if let Some(other) = grants.insert(event.fence, grant) {
                    found.push(format!("fence {} twice: {other:?}, {event:?}", event.fence));
                }
            }
            EventKind::Acted => match grants.get_mut(&event.fence) {
                Some(grant) => grant.last_act = grant.last_act.max(Some(event.at)),
                None => found.push(format!("an act without a grant: {event:?}")),
            },
            EventKind::Wrote { accepted: false } => {}
            EventKind::Wrote { accepted: true } if event.fence < last_written => {
                found.push(format!("accepted after fence {last_written}: {event:?}"));
            }
            EventKind::Wrote { accepted: true } => last_written = event.fence,
        }
    }
    found.extend(overlaps(&grants));
    found
}

/// Grants in the order of their fences, of which an earlier one was used after a later one was entered.
fn overlaps(grants: &BTreeMap<i64, Grant>) -> Vec<String> {
    let mut found = Vec::new();
    let mut latest: Option<(Instant, usize, i64)> = None;
    for (fence, grant) in grants {
        if let Some((act, client, older)) = latest
            && act > grant.entered
        {
            found.push(format!(
                "client {client} acted with fence {older} {:?} after client {} entered with fence {fence}",
                act - grant.entered,
                grant.client
            ));
        }
        let act = grant.last_act.map(|act| (act, grant.client, *fence));
        latest = latest.max(act);
    }
    found
}

mod tests {
    use std::time::Duration;

    use super::{EventKind::*, *};

    /// A history of (client, fence, milliseconds, what).
    fn history(events: &[(usize, i64, u64, EventKind)]) -> Vec<Event> {
        let start = Instant::now();
        let events = events.iter().map(|&(client, fence, ms, kind)| Event {
            at: start + Duration::from_millis(ms),
            client,
            fence,
            kind,
        });
        events.collect()
    }

    #[test]
    fn grants_one_after_the_other_are_in_order() {
        let events = history(&[
            (0, 10, 0, Entered),
            (0, 10, 5, Acted),
            (1, 20, 6, Entered),
            (1, 20, 9, Acted),
            (0, 30, 9, Entered),
        ]);
        assert_eq!(violations(&events), Vec::<String>::new());
    }

    #[test]
    fn an_act_after_another_client_has_entered_is_caught() {
        let events = history(&[
            (0, 10, 0, Entered),
            (1, 20, 6, Entered),
            (0, 10, 7, Acted),
            (1, 20, 8, Acted),
        ]);
        let found = violations(&events);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("client 0 acted with fence 10 1ms after client 1"));
    }

    #[test]
    fn an_act_that_outlasts_a_grant_without_acts_is_caught() {
        let events = history(&[
            (0, 10, 0, Entered),
            (1, 20, 1, Entered),
            (2, 30, 2, Entered),
            (0, 10, 3, Acted),
        ]);
        assert_eq!(violations(&events).len(), 2);
    }

    #[test]
    fn a_fence_that_is_granted_twice_is_caught() {
        let events = history(&[(0, 10, 0, Entered), (1, 10, 6, Entered)]);
        assert_eq!(violations(&events).len(), 1);
    }

    #[test]
    fn a_stale_write_is_caught_unless_the_resource_refused_it() {
        let write = |accepted| Wrote { accepted };
        let refused = [(1, 20, 0, write(true)), (0, 10, 1, write(false))];
        assert_eq!(violations(&history(&refused)).len(), 0);
        let accepted = [(1, 20, 0, write(true)), (0, 10, 1, write(true))];
        assert_eq!(violations(&history(&accepted)).len(), 1);
    }
}
