//! What every transport promises, driven through the whole engine: claims, stream, relay, broker, drainer, ledger.
//!
//! Each claim is one function in `claims/`, and each transport has a module that runs all of them. RabbitMQ is a real
//! broker, Kafka the mock cluster of its own client, and a real broker where one can be had.

mod claims;
mod kafka;
mod kafka_mock;
mod rabbitmq;
mod road;
mod stream;
