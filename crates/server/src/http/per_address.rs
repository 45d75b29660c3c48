//! How many of something an address has at the same time: connections, open streams.
//!
//! Counts are of this process. An address that has none takes no memory, so the table is bounded by what is counted.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{AddressBlock, network_tiers};

/// Cheap to clone; clones count together.
#[derive(Clone, Debug)]
pub(super) struct PerAddress {
    /// For an IPv4 address or an IPv6 /64; wider networks have their share more.
    most: usize,
    counts: Arc<Mutex<HashMap<AddressBlock, usize>>>,
}

/// One of what the address has. It is given back when dropped.
#[derive(Debug)]
pub(super) struct AddressPlace {
    of: PerAddress,
    address: IpAddr,
}

impl PerAddress {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            counts: Arc::default(),
        }
    }

    /// `None` if the address, or a network around it, has as many as it may.
    pub(super) fn take(&self, address: IpAddr) -> Option<AddressPlace> {
        let mut counts = self.counts();
        let is_full = network_tiers(address).any(|tier| {
            let taken = counts.get(&tier.network).copied().unwrap_or(0);
            taken >= self.most.saturating_mul(tier.share as usize)
        });
        if is_full {
            return None;
        }
        for tier in network_tiers(address) {
            *counts.entry(tier.network).or_default() += 1;
        }
        Some(AddressPlace {
            of: self.clone(),
            address,
        })
    }

    fn give_back(&self, address: IpAddr) {
        let mut counts = self.counts();
        for tier in network_tiers(address) {
            if let Some(taken) = counts.get_mut(&tier.network) {
                *taken -= 1;
                if *taken == 0 {
                    counts.remove(&tier.network);
                }
            }
        }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<AddressBlock, usize>> {
        // Nothing in between two counts can panic.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for AddressPlace {
    fn drop(&mut self) {
        self.of.give_back(self.address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_has_its_places_and_gets_them_back() {
        let places = PerAddress::new(2);
        let one = places.take(address("192.0.2.1")).unwrap();
        let _two = places.take(address("::ffff:192.0.2.1")).unwrap();
        assert!(places.take(address("192.0.2.1")).is_none());
        assert!(places.take(address("192.0.2.2")).is_some());
        drop(one);
        assert!(places.take(address("192.0.2.1")).is_some());
    }

    #[test]
    fn a_wide_ipv6_network_has_more_than_one_customer_and_not_without_end() {
        let places = PerAddress::new(1);
        let mut kept = Vec::new();
        for customer in 0..256u32 {
            kept.extend(places.take(address(&format!("2001:db8:1:{customer:x}::1"))));
        }
        assert_eq!(kept.len(), 4, "of one /56");
        for network in 1..256u32 {
            kept.extend(places.take(address(&format!("2001:db8:1:{network:x}00::1"))));
        }
        assert_eq!(kept.len(), 16, "of one /48");
        assert!(places.take(address("2001:db8:2::1")).is_some());
        drop(kept);
        assert!(places.counts().is_empty());
    }
}
