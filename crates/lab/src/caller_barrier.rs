//! Holds callers that have read until all of them have: [`CallerBarrier`].
//!
//! It is the worst interleaving for a caller that reads first and writes later, without chance.

use tokio::sync::watch;

/// Opens when everybody who is expected has looked, or is done.
#[derive(Debug)]
pub(crate) struct CallerBarrier {
    /// How many may still come.
    missing: watch::Sender<usize>,
}

impl CallerBarrier {
    pub(crate) fn of(people: usize) -> Self {
        Self {
            missing: watch::Sender::new(people),
        }
    }

    /// Waits until all callers have read. Each caller calls it once.
    pub(crate) async fn wait_for_all(&self) {
        self.leave();
        self.missing_are(0).await;
    }

    /// A caller is done, whether or not it waited at the barrier.
    pub(crate) fn leave(&self) {
        self.missing
            .send_modify(|missing| *missing = missing.saturating_sub(1));
    }

    /// Returns when only so many are still expected.
    pub(crate) async fn missing_are(&self, count: usize) {
        let mut missing = self.missing.subscribe();
        // The sender lives as long as the barrier.
        let _ = missing.wait_for(|missing| *missing == count).await;
    }
}
