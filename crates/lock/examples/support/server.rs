//! The Redis of an example: that of `REDIS_URL`, or a private one that ends with the example.

use redis_locks::link::{Link, Options, Target};

/// Keeps the private server alive.
pub(crate) struct Server {
    url: String,
    _private: Option<testkit::Redis>,
}

impl Server {
    pub(crate) async fn find_or_start() -> Self {
        match std::env::var("REDIS_URL") {
            Ok(url) => Self {
                url,
                _private: None,
            },
            Err(_) => {
                let private = testkit::Redis::start().await;
                Self {
                    url: private.url(),
                    _private: Some(private),
                }
            }
        }
    }

    /// A link of its own, as each machine of a fleet has one.
    pub(crate) async fn link(&self) -> anyhow::Result<Link> {
        let target = Target::parse(&self.url)?;
        Ok(Link::connect(&target, Options::default()).await?)
    }
}
