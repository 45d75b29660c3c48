//! TCP ports that no other test process picks, for as long as they are held.
//!
//! "Bind port 0, note the number, close, pass it on" loses the port to the next caller: another test, or any outgoing
//! connection. Here a port lies below the range the kernel uses for outgoing connections, and is reserved by an
//! abstract unix socket of the same number: the kernel gives that name to one process at a time and frees it when
//! the process ends, however it ends. A service can therefore stop and come back on its port.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr as UnixAddr, UnixListener};

/// Above what Debian's own services use, below Linux's default `ip_local_port_range` (32768–60999).
const RANGE: std::ops::Range<u16> = 11_000..32_768;

/// Far more tries than a machine with free ports needs.
const TRIES: usize = 1_000;

/// A reserved port of 127.0.0.1. Nobody listens on it until its owner does.
#[derive(Debug)]
pub struct Port {
    number: u16,
    _reservation: UnixListener,
}

impl Port {
    /// Reserves a free port.
    #[must_use]
    pub fn reserve() -> Self {
        (0..TRIES)
            .find_map(|_| Self::try_reserve(rand::random_range(RANGE)))
            .expect("one port of thousands is free")
    }

    /// The port's number.
    #[must_use]
    pub fn number(&self) -> u16 {
        self.number
    }

    /// `127.0.0.1:<number>`.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.number).into()
    }

    fn try_reserve(number: u16) -> Option<Self> {
        let name = UnixAddr::from_abstract_name(format!("tandian-testkit-port-{number}")).ok()?;
        let reservation = UnixListener::bind_addr(&name).ok()?;
        // A program outside the test kit may listen there.
        TcpListener::bind((Ipv4Addr::LOCALHOST, number)).ok()?;
        Some(Self {
            number,
            _reservation: reservation,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserved_port_is_not_given_out_again_until_it_is_dropped() {
        let port = Port::reserve();
        let number = port.number();
        assert!(Port::try_reserve(number).is_none());
        drop(port);
        assert!(Port::try_reserve(number).is_some());
    }

    #[test]
    fn a_port_with_a_listener_is_not_given_out() {
        let port = Port::reserve();
        let number = port.number();
        let _listener = TcpListener::bind(port.addr()).unwrap();
        drop(port);
        assert!(Port::try_reserve(number).is_none());
    }
}
