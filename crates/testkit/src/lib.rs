//! Real services for tests: each one private, on ports nobody else has, in a folder of its own, and ended for sure.
//!
//! Nothing here imitates a server but [`LocalS3`], which says what it proves. A test starts the Debian program it
//! needs, waits until it answers, and may then kill it, freeze it, bring it back with its data, or put a
//! [`FaultProxy`] in front of it.
//!
//! The invariant of the crate: whatever way the test process ends (return, panic, `process::exit`, `kill -9`),
//! no process and no folder stays behind. `home.rs` explains how.
//!
//! Functions here panic instead of returning errors: a test that cannot have its service has nothing to assert,
//! and the panic names what was missing.
//!
//! ```no_run
//! # async fn example() {
//! let redis = testkit::Redis::start().await;
//! let proxy = testkit::FaultProxy::start(redis.addr()).await;
//! proxy.drop_replies().await;
//! # }
//! ```

#[cfg(feature = "app")]
mod app;
mod callgrind;
mod cargo;
mod certificates;
mod home;
mod kafka;
mod local_s3;
mod mariadb;
mod nginx;
mod port;
mod program;
mod proxy;
mod rabbitmq;
mod redis;
mod service;
mod small_disk;
mod wait;

#[cfg(feature = "app")]
pub use crate::app::{Client, HttpReply, PATIENT_SETTINGS, Tandian, TestApp, TestAppBuilder};
pub use crate::callgrind::Callgrind;
pub use crate::cargo::cargo;
pub use crate::kafka::Kafka;
pub use crate::local_s3::LocalS3;
pub use crate::mariadb::{Database, MariaDb};
pub use crate::nginx::{Nginx, NginxSetup};
pub use crate::port::Port;
pub use crate::proxy::{FaultProxy, Upstream};
pub use crate::rabbitmq::RabbitMq;
pub use crate::redis::{
    CommandCounts, Redis, RedisBuilder, RedisCluster, RedisSentinel, unique_prefix,
};
pub use crate::small_disk::SmallDisk;
pub use crate::wait::{wait_for, wait_until};
