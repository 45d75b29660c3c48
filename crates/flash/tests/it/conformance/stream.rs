//! The stream itself.

use super::test_transport::{Broker, TestTransport};
use testkit::Redis;

every_claim!(holds);

async fn transport() -> TestTransport {
    TestTransport::of(Broker::Stream(None)).await
}

async fn closable_transport() -> TestTransport {
    transport().await
}

/// With a Redis that may be killed.
async fn own_transport() -> TestTransport {
    let redis = Redis::start().await;
    TestTransport::of(Broker::Stream(Some(redis))).await
}
