//! As fast as replies come: what a site can do.

use std::net::SocketAddr;
use std::time::Instant;

use anyhow::Result;

use super::crowd::Crowd;
use super::{Answer, Requests, Tally};

/// Sends every request once, from this many connections. Connecting is not part of the time.
pub(crate) async fn ask_all(
    address: SocketAddr,
    connections: usize,
    requests: Requests,
) -> Result<Tally> {
    let run = move || run(Crowd::open(address, connections)?, &requests);
    tokio::task::spawn_blocking(run).await?
}

fn run(mut crowd: Crowd, requests: &Requests) -> Result<Tally> {
    let mut answers = vec![Answer::default(); requests.len()];
    // Which request each connection has in flight.
    let mut in_flight = vec![0; crowd.len()];
    let mut answered = Vec::new();
    let since = Instant::now();
    let (mut sent, mut count) = (0, 0);
    for (number, place) in in_flight.iter_mut().enumerate().take(requests.len()) {
        *place = sent;
        crowd.send(number, requests.get(sent))?;
        sent += 1;
    }
    while count < requests.len() {
        crowd.wait(None, &mut answered)?;
        for (number, answer) in answered.drain(..) {
            answers[in_flight[number]] = answer;
            count += 1;
            if sent < requests.len() {
                in_flight[number] = sent;
                crowd.send(number, requests.get(sent))?;
                sent += 1;
            }
        }
    }
    Ok(Tally {
        took: since.elapsed(),
        answers,
    })
}
