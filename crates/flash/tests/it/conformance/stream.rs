//! The stream itself.

use super::road::{Broker, Road};
use testkit::Redis;

every_claim!(holds);

async fn road() -> Road {
    Road::of(Broker::Stream(None)).await
}

async fn closable_road() -> Road {
    road().await
}

/// With a Redis that may be killed.
async fn own_road() -> Road {
    let redis = Redis::start().await;
    Road::of(Broker::Stream(Some(redis))).await
}
