//! The test kit against the real programs: each service starts, answers, comes back with its data, and ends for sure.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers too"
)]

mod cluster;
mod ends;
mod kafka;
mod mariadb;
mod processes;
mod proxy;
mod rabbitmq;
mod redis;
mod sentinel;
