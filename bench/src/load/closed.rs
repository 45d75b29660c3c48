//! As fast as replies come: what a site can do.

use std::net::SocketAddr;
use std::time::Instant;

use anyhow::Result;
use mio::{Events, Poll};

use super::connection::Connection;
use super::{Answer, Requests, Tally};

/// Sends every request once, from this many connections. Connecting is not part of the time.
pub(crate) async fn ask_all(
    address: SocketAddr,
    connections: usize,
    requests: Requests,
) -> Result<Tally> {
    tokio::task::spawn_blocking(move || Crowd::open(address, connections)?.ask_all(&requests))
        .await?
}

struct Crowd {
    poll: Poll,
    connections: Vec<Connection>,
    /// Which request each connection has in flight.
    in_flight: Vec<usize>,
}

impl Crowd {
    fn open(address: SocketAddr, count: usize) -> Result<Self> {
        let poll = Poll::new()?;
        let connections: Result<_> = (0..count)
            .map(|number| Connection::open(address, &poll, number))
            .collect();
        Ok(Self {
            connections: connections?,
            in_flight: vec![0; count],
            poll,
        })
    }

    fn ask_all(mut self, requests: &Requests) -> Result<Tally> {
        let mut answers = vec![Answer::default(); requests.len()];
        let mut events = Events::with_capacity(self.connections.len());
        let since = Instant::now();
        let (mut sent, mut answered) = (0, 0);
        for number in 0..self.connections.len().min(requests.len()) {
            self.send(number, sent, requests)?;
            sent += 1;
        }
        while answered < requests.len() {
            self.poll.poll(&mut events, None)?;
            for event in &events {
                let number = event.token().0;
                let Some(answer) = self.connections[number].receive()? else {
                    continue;
                };
                answers[self.in_flight[number]] = answer;
                answered += 1;
                if sent < requests.len() {
                    self.send(number, sent, requests)?;
                    sent += 1;
                }
            }
        }
        Ok(Tally {
            took: since.elapsed(),
            answers,
        })
    }

    fn send(&mut self, number: usize, place: usize, requests: &Requests) -> Result<()> {
        self.in_flight[number] = place;
        self.connections[number].send(requests.get(place))
    }
}
