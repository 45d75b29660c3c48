//! Signals reach the subscribers of every process.

use domain::UserId;
use kv::SiteSignal;

use super::both;

#[tokio::test]
async fn a_signal_reaches_every_process_on_one_subscription() {
    for kv in both().await {
        let mut processes = [kv.subscribe_to_signals(), kv.subscribe_to_signals()];
        for process in &mut processes {
            assert_eq!(process.next().await, SiteSignal::Subscribed);
        }
        let users = vec![UserId::new(7), UserId::new(8)];
        kv.publish_outbox_signal().await.unwrap();
        kv.publish_notice_signal(&users).await.unwrap();
        for process in &mut processes {
            let mut received = [process.next().await, process.next().await];
            // In a Cluster they come on the connections of two masters.
            received.sort_by_key(|signal| *signal != SiteSignal::Outbox);
            let expected = [SiteSignal::Outbox, SiteSignal::Notices(users.clone())];
            assert_eq!(received, expected);
        }
    }
}
