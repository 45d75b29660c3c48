//! At a rate of its own, whatever the replies do: what people do to a site that is too slow for them.
//!
//! Latency counts from the moment a request was due, so a generator or a server that falls behind is not forgiven.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Result;
use hdrhistogram::Histogram;

use super::crowd::Crowd;
use super::{Answer, Requests};

/// How long answers may take after the last request.
const LAST_ANSWERS: Duration = Duration::from_secs(20);
/// Two significant figures are more than a shared machine can repeat.
const FIGURES: u8 = 2;

/// What became of an offered load.
#[derive(Debug)]
pub(crate) struct Offered {
    /// From the first request to the end of the window.
    pub(crate) window: Duration,
    /// Requests that were due within the window.
    pub(crate) due: u64,
    /// Orders of those who succeeded, within the window and after it.
    pub(crate) orders: Vec<i64>,
    /// How many of them succeeded within the window.
    pub(crate) in_time: u64,
    /// Microseconds until a success, and until a refusal.
    pub(crate) granted_us: Histogram<u64>,
    pub(crate) refused_us: Histogram<u64>,
}

/// Sends so many requests a second for a window. A refused client retries after all others have sent theirs.
pub(crate) async fn offer(
    address: SocketAddr,
    connections: usize,
    requests: Requests,
    per_sec: f64,
    window: Duration,
) -> Result<Offered> {
    let run = move || {
        let crowd = Crowd::open(address, connections)?;
        Impatient::new(crowd, requests, per_sec, window)?.run()
    };
    tokio::task::spawn_blocking(run).await?
}

struct Impatient {
    crowd: Crowd,
    free: Vec<usize>,
    /// Per connection: the request in flight and when it was due.
    in_flight: Vec<(usize, Instant)>,
    requests: Requests,
    /// Who still wants something, in turn.
    wanting: VecDeque<usize>,
    per_sec: f64,
    window: Duration,
    offered: Offered,
}

impl Impatient {
    fn new(crowd: Crowd, requests: Requests, per_sec: f64, window: Duration) -> Result<Self> {
        let count = crowd.len();
        Ok(Self {
            crowd,
            free: (0..count).collect(),
            in_flight: vec![(0, Instant::now()); count],
            wanting: (0..requests.len()).collect(),
            requests,
            per_sec,
            window,
            offered: Offered {
                window,
                due: 0,
                orders: Vec::new(),
                in_time: 0,
                granted_us: Histogram::new(FIGURES)?,
                refused_us: Histogram::new(FIGURES)?,
            },
        })
    }

    fn run(mut self) -> Result<Offered> {
        let mut answered = Vec::new();
        let began = Instant::now();
        let all = (self.per_sec * self.window.as_secs_f64()) as u64;
        let limit = began + self.window + LAST_ANSWERS;
        while self.goes_on(all) && Instant::now() < limit {
            self.send_due(began, all)?;
            // The shortest wait there is: requests that are due meanwhile go out together.
            let tick = Duration::from_millis(1);
            self.crowd.wait(Some(tick), &mut answered)?;
            for (number, answer) in answered.drain(..) {
                self.take(number, answer, began)?;
            }
        }
        Ok(self.offered)
    }

    /// Whether a reply is outstanding, or there is a request left and a client to send it.
    fn goes_on(&self, all: u64) -> bool {
        let is_waiting = self.free.len() < self.crowd.len();
        is_waiting || (self.offered.due < all && !self.wanting.is_empty())
    }

    /// Sends due requests while there is a client and a free connection.
    fn send_due(&mut self, began: Instant, all: u64) -> Result<()> {
        while self.offered.due < all && !self.wanting.is_empty() {
            let due_at = began + Duration::from_secs_f64(self.offered.due as f64 / self.per_sec);
            if due_at > Instant::now() {
                break;
            }
            let Some(number) = self.free.pop() else {
                break;
            };
            let Some(place) = self.wanting.pop_front() else {
                break;
            };
            self.in_flight[number] = (place, due_at);
            self.crowd.send(number, self.requests.get(place))?;
            self.offered.due += 1;
        }
        Ok(())
    }

    fn take(&mut self, number: usize, answer: Answer, began: Instant) -> Result<()> {
        self.free.push(number);
        let (place, due_at) = self.in_flight[number];
        let now = Instant::now();
        let micros = u64::try_from((now - due_at).as_micros()).unwrap_or(u64::MAX);
        match answer.order.filter(|_| answer.is_success) {
            Some(order) => {
                self.offered.orders.push(order);
                self.offered.in_time += u64::from(now < began + self.window);
                self.offered.granted_us.record(micros)?;
            }
            None => {
                self.wanting.push_back(place);
                self.offered.refused_us.record(micros)?;
            }
        }
        Ok(())
    }
}
