//! A network of IP addresses, written as one address or in CIDR form.
//!
//! An IPv4 address that arrives mapped into IPv6 (`::ffff:10.0.0.1`) is the same address: a dual-stack listener reports it so.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use serde::Deserialize;
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Network(IpNet);

#[derive(Debug, Error, PartialEq, Eq)]
#[error("expected an address or a network such as 10.0.0.0/8")]
pub struct NotANetwork;

/// The widest private networks: `10.0.0.0/8`, and `fc00::/7`.
const WIDEST_V4_BITS: u8 = 8;
const WIDEST_V6_BITS: u8 = 7;

impl Network {
    /// Whether it holds more addresses than one owner can have.
    pub fn is_too_wide(&self) -> bool {
        let widest = match self.0 {
            IpNet::V4(_) => WIDEST_V4_BITS,
            IpNet::V6(_) => WIDEST_V6_BITS,
        };
        self.0.prefix_len() < widest
    }

    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (base, prefix) = match text.split_once('/') {
            Some((base, prefix)) => (base, Some(prefix)),
            None => (text, None),
        };
        let base: IpAddr = base.trim().parse().map_err(|_| NotANetwork)?;
        let network = match prefix {
            Some(bits) => {
                let bits = bits.trim().parse().map_err(|_| NotANetwork)?;
                IpNet::new(base, bits).map_err(|_| NotANetwork)?
            }
            None => base.into(),
        };
        Ok(Self(network))
    }
}

impl TryFrom<String> for Network {
    type Error = NotANetwork;

    fn try_from(text: String) -> Result<Self, NotANetwork> {
        text.parse()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(network: &str, address: &str) -> bool {
        let network: Network = network.parse().unwrap();
        network.contains(address.parse().unwrap())
    }

    #[test]
    fn a_network_holds_its_addresses_and_no_others() {
        assert!(holds("10.0.0.0/8", "10.255.0.1"));
        assert!(!holds("10.0.0.0/8", "11.0.0.1"));
        assert!(holds("127.0.0.1", "127.0.0.1"));
        assert!(!holds("127.0.0.1", "127.0.0.2"));
        assert!(holds("0.0.0.0/0", "203.0.113.9"));
        assert!(holds("fd00::/8", "fd12::1"));
        assert!(!holds("fd00::/8", "fe80::1"));
        assert!(holds("::/0", "fe80::1"));
        assert!(!holds("::/0", "10.0.0.1"));
    }

    #[test]
    fn a_mapped_address_is_the_address_it_maps() {
        assert!(holds("10.0.0.0/8", "::ffff:10.0.0.1"));
    }

    #[test]
    fn what_is_not_a_network_is_refused() {
        for text in [
            "",
            "10.0.0.0/33",
            "::/129",
            "ten/8",
            "10.0.0.0/",
            "10.0.0/8",
            "10.0.0.0/-1",
        ] {
            assert_eq!(text.parse::<Network>(), Err(NotANetwork), "{text}");
        }
    }
}
