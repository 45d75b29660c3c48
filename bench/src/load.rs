//! The load generator: many kept connections on one thread, each with one request in flight.
//!
//! It shares the machine with what it measures, so it costs as little as it can: request bytes are prepared before the
//! clock runs, a reply is one read, and of a reply only what a verdict needs is looked at.

mod answer;
mod closed;
mod connection;
mod crowd;
mod open;
mod timed;

pub(crate) use answer::Answer;
pub(crate) use closed::{ask_all, ask_all_of, ask_for};
pub(crate) use crowd::Crowd;
pub(crate) use open::{Offered, offer};
pub(crate) use timed::{TimedReply, play};

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::pairs::percentile;
use crate::process::CpuShares;

/// Requests, one after the other in one buffer.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// What a closed loop came to.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) took: Duration,
    /// What the cores did meanwhile, if that was watched.
    pub(crate) cpu: CpuShares,
    /// One per request, in the order of the requests.
    pub(crate) answers: Vec<Answer>,
    /// How long each of them took, in microseconds, in the same order.
    pub(crate) waits_us: Vec<u32>,
}

impl Requests {
    pub(crate) fn push(&mut self, method: &str, path: &str, token: Option<&str>) {
        self.push_with(method, path, token, "");
    }

    /// With a body of JSON, if it is not empty.
    pub(crate) fn push_with(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) {
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: bench\r\n");
        if let Some(token) = token {
            request += &format!("authorization: {token}\r\n");
        }
        if !body.is_empty() {
            request += "content-type: application/json\r\n";
        }
        if method != "GET" {
            request += &format!("content-length: {}\r\n", body.len());
        }
        request += "\r\n";
        request += body;
        self.bytes.extend_from_slice(request.as_bytes());
        self.ends.push(self.bytes.len());
    }

    /// As passed on by a proxy for somebody at this address.
    pub(crate) fn push_for(&mut self, method: &str, path: &str, address: &str) {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: bench\r\nx-forwarded-for: {address}\r\n\r\n"
        );
        self.bytes.extend_from_slice(request.as_bytes());
        self.ends.push(self.bytes.len());
    }

    /// The same request so many times.
    pub(crate) fn repeat(method: &str, path: &str, token: Option<&str>, count: usize) -> Self {
        let mut requests = Self::default();
        for _ in 0..count {
            requests.push(method, path, token);
        }
        requests
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, place: usize) -> &[u8] {
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[begin..self.ends[place]]
    }
}

impl Tally {
    /// Fails unless everybody was answered with a success.
    pub(crate) fn all_fine(self) -> Result<Self> {
        let refused = self.answers.iter().find(|answer| !answer.is_success);
        ensure!(refused.is_none(), "a request was refused: {refused:?}");
        Ok(self)
    }

    pub(crate) fn per_sec(&self) -> f64 {
        self.answers.len() as f64 / self.took.as_secs_f64()
    }

    /// How many milliseconds this part of the requests did not exceed.
    pub(crate) fn quantile_ms(&self, part: f64) -> f64 {
        let mut waits: Vec<f64> = self.waits_us.iter().map(|us| f64::from(*us)).collect();
        percentile(&mut waits, part) / 1_000.0
    }
}
