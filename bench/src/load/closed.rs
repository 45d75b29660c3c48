//! As fast as replies come: what a site can do.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::crowd::Crowd;
use super::{Answer, Requests, Tally};
use crate::process::{CpuShares, Watched};

/// Sends every request once, from this many connections. Connecting is not part of the time.
pub(crate) async fn ask_all(
    address: SocketAddr,
    connections: usize,
    requests: Requests,
) -> Result<Tally> {
    let run = move || run(Crowd::open(address, connections)?, &requests, None);
    tokio::task::spawn_blocking(run).await?
}

/// The same, and watches what the cores do meanwhile.
pub(crate) async fn ask_all_of(
    watched: Watched,
    address: SocketAddr,
    connections: usize,
    requests: Requests,
) -> Result<Tally> {
    let run = move || {
        let crowd = Crowd::open(address, connections)?;
        let before = CpuShares::of(watched)?;
        let tally = run(crowd, &requests, None)?;
        let cpu = CpuShares::of(watched)?.since(&before);
        Ok(Tally { cpu, ..tally })
    };
    tokio::task::spawn_blocking(run).await?
}

/// Sends requests for so long, each of them once at the most, and waits for the last replies. The answers are those of
/// the requests that were sent, which are the first ones.
pub(crate) async fn ask_for(
    address: SocketAddr,
    connections: usize,
    requests: Requests,
    window: Duration,
) -> Result<Tally> {
    let run = move || run(Crowd::open(address, connections)?, &requests, Some(window));
    tokio::task::spawn_blocking(run).await?
}

/// What a connection has in flight: the place of the request, and when it was sent.
type InFlight = (usize, Instant);

fn run(mut crowd: Crowd, requests: &Requests, window: Option<Duration>) -> Result<Tally> {
    let mut answers = vec![Answer::default(); requests.len()];
    let mut waits_us = vec![0; requests.len()];
    let mut answered = Vec::new();
    let since = Instant::now();
    let mut in_flight: Vec<InFlight> = vec![(0, since); crowd.len()];
    let (mut sent, mut count, mut most) = (0, 0, requests.len());
    for (number, flight) in in_flight.iter_mut().enumerate().take(most) {
        *flight = (sent, Instant::now());
        crowd.send(number, requests.get(sent))?;
        sent += 1;
    }
    while count < most {
        crowd.wait(None, &mut answered)?;
        let now = Instant::now();
        if window.is_some_and(|window| now - since >= window) {
            most = sent;
        }
        for (number, answer) in answered.drain(..) {
            let (place, sent_at) = in_flight[number];
            answers[place] = answer;
            waits_us[place] = u32::try_from((now - sent_at).as_micros()).unwrap_or(u32::MAX);
            count += 1;
            if sent < most {
                in_flight[number] = (sent, Instant::now());
                crowd.send(number, requests.get(sent))?;
                sent += 1;
            }
        }
    }
    answers.truncate(sent);
    waits_us.truncate(sent);
    Ok(Tally {
        took: since.elapsed(),
        cpu: CpuShares::default(),
        answers,
        waits_us,
    })
}
