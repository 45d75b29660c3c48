//! Receives the signals of all processes and hands them on.

use kv::SiteSignal;
use tokio_util::sync::CancellationToken;

use crate::App;

/// Receives signals from Redis until shutdown. Every process runs it.
pub async fn run_subscriber(app: App, stop: CancellationToken) {
    let _unsubscribed = UnsubscribedOnDrop(&app);
    let mut signals = app.kv().subscribe_to_signals();
    while let Some(signal) = stop.run_until_cancelled(signals.next()).await {
        match signal {
            SiteSignal::Notices(users) => app.notices().wake(&users),
            SiteSignal::Outbox => app.outbox().receive(),
            SiteSignal::Subscribed => {
                app.notices().wake_all();
                app.outbox().set_subscribed(true);
            }
            SiteSignal::Unsubscribed => app.outbox().set_subscribed(false),
        }
    }
}

/// Also after a panic: nothing arrives until the task runs again.
struct UnsubscribedOnDrop<'a>(&'a App);

impl Drop for UnsubscribedOnDrop<'_> {
    fn drop(&mut self) {
        self.0.outbox().set_subscribed(false);
    }
}
