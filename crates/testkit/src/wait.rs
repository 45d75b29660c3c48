//! Waiting for a state instead of sleeping: bounded, and named when it fails.

use std::panic::Location;
use std::time::Duration;

/// Short enough not to be felt, long enough to leave the processor to what is awaited.
const POLL: Duration = Duration::from_millis(10);

/// Waits until `condition` holds; panics, naming `what`, after `limit`.
///
/// A condition that hangs is bounded as well.
#[track_caller]
pub fn wait_until(
    what: &str,
    limit: Duration,
    mut condition: impl AsyncFnMut() -> bool,
) -> impl Future<Output = ()> {
    wait_for(what, limit, async move || condition().await.then_some(()))
}

/// Waits until `probe` yields a value and returns it; panics, naming `what`, after `limit`.
#[track_caller]
pub fn wait_for<T>(
    what: &str,
    limit: Duration,
    mut probe: impl AsyncFnMut() -> Option<T>,
) -> impl Future<Output = T> {
    let caller = Location::caller();
    async move {
        let polled = async {
            loop {
                if let Some(value) = probe().await {
                    return value;
                }
                tokio::time::sleep(POLL).await;
            }
        };
        match tokio::time::timeout(limit, polled).await {
            Ok(value) => value,
            Err(_) => panic!("waited {limit:?} in vain for {what} (at {caller})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn waiting_ends_when_the_condition_holds() {
        let mut polls = 0;
        wait_until("three polls", Duration::from_secs(5), async || {
            polls += 1;
            polls == 3
        })
        .await;
        assert_eq!(polls, 3);
    }

    #[tokio::test]
    #[should_panic(expected = "in vain for the impossible (at crates/testkit/src/wait.rs")]
    async fn waiting_in_vain_names_what_was_awaited_and_where() {
        wait_until("the impossible", Duration::from_millis(30), async || false).await;
    }

    #[tokio::test]
    #[should_panic(expected = "in vain for an answer")]
    async fn a_condition_that_hangs_is_bounded() {
        let hang = async || std::future::pending::<bool>().await;
        wait_until("an answer", Duration::from_millis(30), hang).await;
    }
}
