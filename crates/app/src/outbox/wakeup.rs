//! How the relay learns of rows without looking for them all the time.
//!
//! A commit wakes the relay of its own process directly. If another process relays, a task publishes a signal through Redis:
//! after the commit, so that no request waits for it, and one for all commits of a moment. A signal is never lost in silence:
//! while one cannot be published it is tried again, and while this process may miss signals the relay looks as often as if
//! there were none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::App;

/// Between two signals: what is committed meanwhile shares the next one.
const SIGNAL_PAUSE: Duration = Duration::from_millis(50);

/// Between two attempts to publish a signal while Redis is unavailable.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// Wakes the relay, whichever process it is in. Clones are one.
#[derive(Clone, Debug, Default)]
pub struct OutboxWakeup {
    state: Arc<WakeupState>,
}

#[derive(Debug, Default)]
struct WakeupState {
    /// Rows for the relay of this process.
    here: Notify,
    /// Rows for the relay of another process.
    elsewhere: Notify,
    is_relaying: AtomicBool,
    /// Whether every signal of another process reaches this one.
    is_subscribed: AtomicBool,
}

impl OutboxWakeup {
    /// Call it after a commit with an outbox row, so that the relay does not wait for its next look.
    pub fn wake(&self) {
        match self.state.is_relaying.load(Ordering::Acquire) {
            true => self.state.here.notify_one(),
            false => self.state.elsewhere.notify_one(),
        }
    }

    /// A signal of another process has arrived.
    pub(crate) fn receive(&self) {
        self.state.here.notify_one();
    }

    /// From now on signals arrive, or may be missing. Either way the relay looks at once.
    pub(crate) fn set_subscribed(&self, is_subscribed: bool) {
        self.state
            .is_subscribed
            .store(is_subscribed, Ordering::Release);
        self.state.here.notify_one();
    }

    pub(super) fn is_subscribed(&self) -> bool {
        self.state.is_subscribed.load(Ordering::Acquire)
    }

    /// This process relays until the value is dropped.
    pub(super) fn begin_relaying(&self) -> Relaying<'_> {
        self.state.is_relaying.store(true, Ordering::Release);
        Relaying(self)
    }

    pub(super) async fn woken(&self) {
        self.state.here.notified().await;
    }
}

pub(super) struct Relaying<'a>(&'a OutboxWakeup);

impl Drop for Relaying<'_> {
    fn drop(&mut self) {
        self.0.state.is_relaying.store(false, Ordering::Release);
        // Another process may relay already, and has not heard of what was committed here until now.
        self.0.state.elsewhere.notify_one();
    }
}

/// Publishes signals until shutdown. Every process that commits runs it.
pub async fn run_signals(app: App, stop: CancellationToken) {
    let publish = async {
        loop {
            app.outbox().state.elsewhere.notified().await;
            let pause = match app.kv().publish_outbox_signal().await {
                Ok(()) => SIGNAL_PAUSE,
                // Without the permission to publish the rows wait for the relay's next look.
                Err(error) if !error.is_outage() => {
                    tracing::debug!(%error, "outbox signal not published");
                    RETRY_PAUSE
                }
                Err(error) => {
                    tracing::debug!(%error, "outbox signal not published, retrying");
                    app.outbox().state.elsewhere.notify_one();
                    RETRY_PAUSE
                }
            };
            tokio::time::sleep(pause).await;
        }
    };
    stop.run_until_cancelled(publish).await;
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn a_commit_wakes_the_relay_of_its_own_process_and_signals_to_another() {
        let wakeup = OutboxWakeup::default();
        let is_woken = || wakeup.woken().now_or_never().is_some();
        let is_signalled = || wakeup.state.elsewhere.notified().now_or_never().is_some();
        wakeup.wake();
        assert!(is_signalled() && !is_woken());
        let relaying = wakeup.begin_relaying();
        wakeup.wake();
        assert!(is_woken() && !is_signalled());
        drop(relaying);
        assert!(is_signalled(), "whoever relays now looks");
    }
}
