//! Version 10. A lock on a majority of three independent nodes (Redlock).
//!
//! It outlives the loss of one node, which forgets what it granted. It does not stop a holder that was held up, and
//! it has no fence that would: three clocks do not make one order.

use anyhow::Result;
use lock::{Locks, MultiLock, Options, Term};

use super::critical::{self, PATIENCE};
use crate::pace::Pace;
use crate::shelf::Shelf;
use crate::version::{self, Answer, Places, Version, Wish};

pub(crate) struct MajorityLock {
    shelf: Shelf,
    nodes: Vec<Locks>,
    term: Term,
}

impl Version for MajorityLock {
    async fn open(places: &Places) -> Result<Self> {
        let mut nodes = Vec::new();
        for url in [&places.redis].into_iter().chain(&places.other_nodes) {
            let options = Options {
                prefix: places.key("lock:"),
                ..Options::default()
            };
            let link = version::connect(url).await?;
            nodes.push(Locks::with_options(link, options));
        }
        Ok(Self {
            shelf: Shelf::open(&places.sql).await?,
            nodes,
            term: Term::Renewed(places.lease()),
        })
    }

    async fn buy(&self, wish: Wish, pace: &Pace) -> Result<Answer> {
        let name = wish.sale.to_string();
        let members = self.nodes.iter();
        let members = members.map(|locks| locks.mutex(&name).term(self.term));
        let lock = MultiLock::majority(members);
        let guard = match lock.try_lock().await {
            Ok(Some(guard)) => guard,
            _ => {
                pace.waits();
                lock.lock_within(PATIENCE).await?
            }
        };
        let answer = critical::sell(&self.shelf, wish, pace).await;
        pace.step("about to release").await;

        let _lost = guard.release().await;
        answer
    }
}
