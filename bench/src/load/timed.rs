//! Each request at its own moment, whatever became of those before it: what people do who do not know of each other.
//!
//! Latency counts from the moment a request was due, so a generator or a site that falls behind is not forgiven.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::crowd::Crowd;
use super::{Answer, Requests};

/// How long answers may take after the last request.
const LAST_ANSWERS: Duration = Duration::from_secs(30);
/// The shortest wait there is: requests that are due meanwhile go out together.
const TICK: Duration = Duration::from_millis(1);

/// What became of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedReply {
    pub(crate) answer: Answer,
    /// From the moment it was due.
    pub(crate) took: Duration,
}

/// Sends the requests when they are due, which is in their order, and returns the reply to each. Connections take turns,
/// so that all of them are used.
pub(crate) fn play(
    crowd: &mut Crowd,
    requests: &Requests,
    due: &[Duration],
) -> Result<Vec<TimedReply>> {
    assert_eq!(requests.len(), due.len(), "every request has its moment");
    let nothing = TimedReply {
        answer: Answer::default(),
        took: Duration::ZERO,
    };
    let mut replies = vec![nothing; requests.len()];
    let mut free: VecDeque<usize> = (0..crowd.len()).collect();
    let mut in_flight = vec![0; crowd.len()];
    let mut answered = Vec::new();
    let (mut sent, mut count) = (0, 0);
    let began = Instant::now();
    let limit = began + due.last().copied().unwrap_or_default() + LAST_ANSWERS;
    while count < requests.len() {
        ensure!(Instant::now() < limit, "requests stay without an answer");
        while sent < requests.len() && began.elapsed() >= due[sent] {
            let Some(number) = free.pop_front() else {
                break;
            };
            in_flight[number] = sent;
            crowd.send(number, requests.get(sent))?;
            sent += 1;
        }
        crowd.wait(Some(TICK), &mut answered)?;
        for (number, answer) in answered.drain(..) {
            let place = in_flight[number];
            let took = began.elapsed().saturating_sub(due[place]);
            replies[place] = TimedReply { answer, took };
            free.push_back(number);
            count += 1;
        }
    }
    Ok(replies)
}
