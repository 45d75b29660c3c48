//! Resolves names to public addresses only.
//!
//! The name of an outside host may lead to a service inside the operator's network, by mistake or by intent. The check is
//! in the resolver, so the address that is checked is the one that is connected to. An address that the operator wrote
//! into the settings as such is not resolved and not checked.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

#[derive(Debug)]
pub(super) struct PublicAddresses;

impl Resolve for PublicAddresses {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|it| is_public(it.ip())).collect();
            if public.is_empty() {
                let words = "the name leads to a private address: name the address itself in \
                    pictures.outside_hosts if that is meant";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, words).into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

/// Whether the address is on the internet, as far as IANA's registries of special addresses say.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_shared = a == 100 && (64..128).contains(&b);
    let is_protocol = a == 192 && b == 0 && c == 0;
    let is_benchmark = a == 198 && (18..20).contains(&b);
    !(a == 0
        || a >= 224
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || is_shared
        || is_protocol
        || is_benchmark)
}

/// Only global unicast (2000::/3), without documentation and without the ranges that carry an IPv4 address.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_teredo_or_special = first == 0x2001 && second < 0x0200;
    let is_documentation = (first == 0x2001 && second == 0x0db8) || first == 0x3fff;
    let is_6to4 = first == 0x2002;
    (0x2000..0x4000).contains(&first) && !is_teredo_or_special && !is_documentation && !is_6to4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_internet_are_public_and_no_others() {
        for public in [
            "1.1.1.1",
            "8.8.8.8",
            "172.32.0.1",
            "2606:4700::1111",
            "::ffff:8.8.8.8",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for private in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.0.9",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.8",
            "192.168.1.1",
            "198.18.0.1",
            "203.0.113.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "ff02::1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
            "100::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
    }
}
