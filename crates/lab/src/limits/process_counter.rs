//! Variant 0. A counter in the process, for each window of ten minutes by the clock.
//!
//! Two processes have two counters. And windows are independent: the last second of one and the first of the next may
//! both be full.

use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use link::Link;

use super::{LIMIT, Limiter, PERIOD_MS};
use crate::caller_barrier::CallerBarrier;

pub(super) struct ProcessCounter {
    count: Mutex<Count>,
}

#[derive(Default)]
struct Count {
    window: u64,
    passed: u32,
}

impl Limiter for ProcessCounter {
    async fn start(_link: Link) -> Result<Self> {
        let count = Mutex::default();
        Ok(Self { count })
    }

    async fn take(&self, now_ms: u64, _meeting: &CallerBarrier) -> Result<bool> {
        let window = now_ms / PERIOD_MS;
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        if count.window != window {
            *count = Count { window, passed: 0 };
        }
        let may_pass = count.passed < LIMIT;
        count.passed += u32::from(may_pass);
        Ok(may_pass)
    }
}
