//! Connections that stay open, and the one place that waits for them.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Result;
use mio::{Events, Poll};

use super::Answer;
use super::connection::{Connection, Received};

/// Events taken at once.
const EVENTS: usize = 1024;

/// So many connections to one site, each with at most one request in flight.
pub(crate) struct Crowd {
    address: SocketAddr,
    poll: Poll,
    events: Events,
    connections: Vec<Connection>,
}

impl Crowd {
    pub(crate) fn open(address: SocketAddr, count: usize) -> Result<Self> {
        let mut crowd = Self {
            address,
            poll: Poll::new()?,
            events: Events::with_capacity(EVENTS),
            connections: Vec::with_capacity(count),
        };
        crowd.grow(count)?;
        Ok(crowd)
    }

    /// Opens more, until there are so many.
    pub(crate) fn grow(&mut self, count: usize) -> Result<()> {
        for number in self.connections.len()..count {
            let connection = Connection::open(self.address, &self.poll, number)?;
            self.connections.push(connection);
        }
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.connections.len()
    }

    pub(super) fn send(&mut self, number: usize, request: &[u8]) -> Result<()> {
        self.connections[number].send(request)
    }

    /// Waits at most so long, and adds the answered connections to the list. A connection that the site closed because nobody
    /// used it is opened again; what was sent at that very moment is sent again, as browsers do.
    pub(super) fn wait(
        &mut self,
        limit: Option<Duration>,
        answered: &mut Vec<(usize, Answer)>,
    ) -> Result<()> {
        self.poll.poll(&mut self.events, limit)?;
        for event in &self.events {
            let number = event.token().0;
            match self.connections[number].receive()? {
                Received::Nothing => {}
                Received::Whole(answer) => answered.push((number, answer)),
                Received::Farewell => {
                    let request = self.connections[number].take_repeatable()?;
                    let mut again = Connection::open(self.address, &self.poll, number)?;
                    if !request.is_empty() {
                        again.send(&request)?;
                    }
                    self.connections[number] = again;
                }
            }
        }
        Ok(())
    }
}
