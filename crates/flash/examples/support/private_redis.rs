//! The Redis of an example: that of `REDIS_URL`, or a private one that ends with the example.

use testkit::Redis;

/// Where Redis is. Keep it for as long as it is used.
pub(crate) struct RedisServer {
    pub(crate) url: String,
    _private: Option<Redis>,
}

pub(crate) async fn redis() -> RedisServer {
    if let Ok(url) = std::env::var("REDIS_URL") {
        return RedisServer {
            url,
            _private: None,
        };
    }
    let redis = Redis::start().await;
    RedisServer {
        url: redis.url(),
        _private: Some(redis),
    }
}
