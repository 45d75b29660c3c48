//! How many connections or open streams an address may have at once.
//!
//! Counts are of this process. An address that has none takes no memory, so the table is bounded by what is counted.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{AddressBlock, network_tiers};

/// Cheap to clone; clones count together.
#[derive(Clone, Debug)]
pub(super) struct PerAddressLimit {
    /// For an IPv4 address or an IPv6 /64; wider networks have their share more.
    most: usize,
    counts: Arc<Mutex<HashMap<AddressBlock, usize>>>,
}

/// Counts for its address until it is dropped.
#[derive(Debug)]
pub(super) struct AddressPermit {
    of: PerAddressLimit,
    address: IpAddr,
}

impl PerAddressLimit {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            counts: Arc::default(),
        }
    }

    /// `None` if the address, or a network around it, has as many as it may.
    pub(super) fn acquire(&self, address: IpAddr) -> Option<AddressPermit> {
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
        Some(AddressPermit {
            of: self.clone(),
            address,
        })
    }

    fn release(&self, address: IpAddr) {
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
        // No code under the lock can panic between two counts.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for AddressPermit {
    fn drop(&mut self) {
        self.of.release(self.address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_gets_its_permits_back() {
        let limit = PerAddressLimit::new(2);
        let one = limit.acquire(address("192.0.2.1")).unwrap();
        let _two = limit.acquire(address("::ffff:192.0.2.1")).unwrap();
        assert!(limit.acquire(address("192.0.2.1")).is_none());
        assert!(limit.acquire(address("192.0.2.2")).is_some());
        drop(one);
        assert!(limit.acquire(address("192.0.2.1")).is_some());
    }

    #[test]
    fn a_wide_ipv6_network_has_more_than_one_customer_and_not_without_end() {
        let limit = PerAddressLimit::new(1);
        let mut kept = Vec::new();
        for customer in 0..256u32 {
            kept.extend(limit.acquire(address(&format!("2001:db8:1:{customer:x}::1"))));
        }
        assert_eq!(kept.len(), 4, "of one /56");
        for network in 1..256u32 {
            kept.extend(limit.acquire(address(&format!("2001:db8:1:{network:x}00::1"))));
        }
        assert_eq!(kept.len(), 16, "of one /48");
        assert!(limit.acquire(address("2001:db8:2::1")).is_some());
        drop(kept);
        assert!(limit.counts().is_empty());
    }
}
