//! Where readers wait until everybody has looked: [`Meeting`].

use tokio::sync::watch;

/// Opens when every reader of a wave has looked and found nothing, or is done.
#[derive(Debug)]
pub(super) struct Meeting {
    /// Readers who may still come.
    missing: watch::Sender<usize>,
}

impl Meeting {
    pub(super) fn of(readers: usize) -> Self {
        Self {
            missing: watch::Sender::new(readers),
        }
    }

    /// A reader has found nothing, and goes on when everybody has looked. To be called once by each.
    pub(super) async fn found_nothing(&self) {
        self.leave();
        // The sender lives as long as the meeting.
        let _ = self
            .missing
            .subscribe()
            .wait_for(|missing| *missing == 0)
            .await;
    }

    /// A reader is done. Whoever was at the meeting has left before, which makes no difference any more.
    pub(super) fn leave(&self) {
        self.missing
            .send_modify(|missing| *missing = missing.saturating_sub(1));
    }
}
