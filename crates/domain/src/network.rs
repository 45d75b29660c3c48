//! The networks of an address, for rate limits by address.
//!
//! An IPv4 address is one customer. An IPv6 customer has at least a /64 and can use any address in it; many get a
//! /56, and a /48 on request. A limit on the /64 alone could be evaded 65,536 times from one /48; a limit on the /48
//! alone would make unrelated users share. So every width counts, each with a larger share than the one within it.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// One of the networks of an address, with how many times the usual limit it may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NetworkTier {
    pub network: AddressBlock,
    pub share: u32,
}

/// A network of the width that counts. Two spellings of an address are the same block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddressBlock {
    base: IpAddr,
    bits: u8,
}

const V4: &[(u8, u32)] = &[(32, 1)];
/// A /56 holds 256 customers of a /64 each: four times the limit is generous to a household and of little use to an
/// attacker.
const V6: &[(u8, u32)] = &[(64, 1), (56, 4), (48, 16)];

/// The shares of the networks of an IPv6 address, the narrowest first; an IPv4 address has the first alone.
pub const IPV6_SHARES: [u32; 3] = [V6[0].1, V6[1].1, V6[2].1];

/// The networks of an address, the narrowest first.
pub fn network_tiers(address: IpAddr) -> impl Iterator<Item = NetworkTier> {
    let address = address.to_canonical();
    let tiers = match address {
        IpAddr::V4(_) => V4,
        IpAddr::V6(_) => V6,
    };
    tiers.iter().map(move |(bits, share)| NetworkTier {
        network: AddressBlock::of(address, *bits),
        share: *share,
    })
}

impl AddressBlock {
    /// What one customer has at least: the narrowest network of an address.
    pub fn of_customer(address: IpAddr) -> Self {
        let address = address.to_canonical();
        let bits = if address.is_ipv4() { 32 } else { 64 };
        Self::of(address, bits)
    }

    /// The widest network that counts for an address.
    pub fn widest(address: IpAddr) -> Self {
        let address = address.to_canonical();
        let bits = if address.is_ipv4() { 32 } else { 48 };
        Self::of(address, bits)
    }

    fn of(address: IpAddr, bits: u8) -> Self {
        let base = match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(v6) => {
                let kept = u128::MAX << (128 - u32::from(bits));
                IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & kept))
            }
        };
        Self { base, bits }
    }
}

impl fmt::Display for AddressBlock {
    /// `192.0.2.7`, `2001:db8:1:2::/64`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            IpAddr::V4(v4) => v4.fmt(f),
            IpAddr::V6(v6) => write!(f, "{v6}/{}", self.bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiers(address: &str) -> Vec<(String, u32)> {
        let address = address.parse().unwrap();
        network_tiers(address)
            .map(|tier| (tier.network.to_string(), tier.share))
            .collect()
    }

    #[test]
    fn an_ipv4_address_counts_alone_and_in_both_spellings() {
        let alone = vec![("192.0.2.7".to_owned(), 1)];
        assert_eq!(tiers("192.0.2.7"), alone);
        assert_eq!(tiers("::ffff:192.0.2.7"), alone);
    }

    #[test]
    fn an_ipv6_address_counts_in_three_widths() {
        let expected = [
            ("2001:db8:1:234::/64", 1),
            ("2001:db8:1:200::/56", 4),
            ("2001:db8:1::/48", 16),
        ];
        let expected = expected.map(|(text, share)| (text.to_owned(), share));
        assert_eq!(tiers("2001:db8:1:234:5:6:7:8"), expected);
    }

    #[test]
    fn addresses_of_one_customer_share_the_narrowest_network() {
        let block = |text: &str| AddressBlock::of_customer(text.parse().unwrap());
        assert_eq!(block("2001:db8:1:2::1"), block("2001:db8:1:2:ffff::9"));
        assert_ne!(block("2001:db8:1:2::1"), block("2001:db8:1:3::1"));
        assert_ne!(block("192.0.2.7"), block("192.0.2.8"));
    }
}
