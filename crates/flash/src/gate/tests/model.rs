//! A model of what the gate should do.

use std::collections::BTreeMap;

use super::super::GateClaim;
use crate::{ClaimOutcome, OrderId};

#[derive(Clone, Copy, Debug)]
pub(super) enum Window {
    Waiting,
    Open,
    Ended,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) window: Window,
    pub(super) limit: u8,
    pub(super) on_shelf: bool,
}

#[derive(Clone, Debug)]
struct Held {
    slot: u8,
    claim: GateClaim,
}

#[derive(Debug)]
pub(super) struct Model {
    pub(super) stock: u32,
    pub(super) terms: Terms,
    buyers: BTreeMap<i64, Vec<Held>>,
    /// As the stream tells them.
    pub(super) granted: Vec<String>,
}

impl Window {
    /// So far from now that no test runs into its edge.
    pub(super) fn bounds_ms(self) -> (i64, i64) {
        const FAR: i64 = 9_000_000_000_000;
        match self {
            Self::Waiting => (FAR, FAR + 1),
            Self::Open => (0, FAR),
            Self::Ended => (0, 1),
        }
    }
}

impl Model {
    pub(super) fn new(stock: u32) -> Self {
        Self {
            stock,
            terms: Terms {
                window: Window::Open,
                limit: 1,
                on_shelf: true,
            },
            buyers: BTreeMap::new(),
            granted: Vec::new(),
        }
    }

    pub(super) fn initial(&self) -> u32 {
        let live = self.buyers.values().flatten().filter(|held| held.slot > 0);
        self.stock + u32::try_from(live.count()).unwrap()
    }

    pub(super) fn decide(&mut self, claims: &[GateClaim]) -> Vec<ClaimOutcome> {
        claims.iter().map(|one| self.decide_one(*one)).collect()
    }

    fn decide_one(&mut self, claim: GateClaim) -> ClaimOutcome {
        let held = self.buyers.entry(claim.buyer.0).or_default();
        if let Some(same) = held.iter().find(|held| held.claim.order == claim.order) {
            return ClaimOutcome::Granted(same.claim.order);
        }
        let namesake = |held: &&Held| claim.key.is_some() && held.claim.key == claim.key;
        if let Some(same) = held.iter().rfind(namesake) {
            return ClaimOutcome::Granted(same.claim.order);
        }
        let live: Vec<&Held> = held.iter().filter(|held| held.slot > 0).collect();
        if live.len() >= usize::from(self.terms.limit) {
            return ClaimOutcome::AlreadyBought(live[live.len() - 1].claim.order);
        }
        match self.terms.window {
            Window::Ended => return ClaimOutcome::Ended,
            _ if !self.terms.on_shelf => return ClaimOutcome::Ended,
            Window::Waiting => return ClaimOutcome::NotStarted,
            Window::Open if self.stock == 0 => return ClaimOutcome::SoldOut,
            Window::Open => {}
        }
        let is_free = |slot: &u8| live.iter().all(|held| held.slot != *slot);
        let slot = (1..=u8::MAX).find(is_free).unwrap();
        self.stock -= 1;
        let OrderId(order) = claim.order;
        self.granted.push(format!("{}:{order}:{slot}", claim.buyer));
        held.push(Held { slot, claim });
        ClaimOutcome::Granted(claim.order)
    }

    /// The buyer's items after one of the live ones is given back.
    pub(super) fn return_unit(&mut self, buyer: i64, which: usize) -> Option<String> {
        let held = self.buyers.get_mut(&buyer)?;
        let mut live: Vec<&mut Held> = held.iter_mut().filter(|held| held.slot > 0).collect();
        let count = live.len();
        live.get_mut(which % count.max(1))?.slot = 0;
        self.stock += 1;
        Some(text(&self.buyers[&buyer]))
    }

    /// What every buyer holds, as the gate writes it.
    pub(super) fn held(&self) -> impl Iterator<Item = (i64, String)> {
        let holding = self.buyers.iter().filter(|(_, held)| !held.is_empty());
        holding.map(|(buyer, held)| (*buyer, text(held)))
    }
}

fn text(held: &[Held]) -> String {
    let items = held.iter().map(|held| {
        let GateClaim { order, key, .. } = held.claim;
        let key = key.map(|key| key.to_string()).unwrap_or_default();
        format!("{}:{order}:{key}", held.slot)
    });
    items.collect::<Vec<_>>().join(",")
}
