//! The server as its users meet it: real processes, real Redis, real SQL. One binary, a module per subject.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do its helpers, which the lint takes for ordinary code"
)]
#![expect(
    clippy::large_futures,
    reason = "a test may hold whole sites in its future; the lint is about requests"
)]

mod account;
mod admin;
mod adopted;
mod adoption;
mod architecture;
mod attack;
mod blocks;
mod chaos;
mod check_ins;
mod comments;
mod contract;
mod counts;
mod demo_purge;
mod dev_sessions;
mod docs;
mod documents;
mod favourite_notes;
mod favourites;
mod feed;
mod flash;
mod follows;
mod full_disk;
mod lab;
mod legal;
mod log;
mod log_events;
mod map_tiles;
mod mentions;
mod notes;
mod notices;
mod order_life;
mod orders;
mod original;
mod outage;
mod outbox;
mod payments;
mod pictures;
mod private_redis;
mod process;
mod rebuild;
mod request_middleware;
mod retention;
mod search;
mod seed;
mod share_cards;
mod shops;
mod slow_clients;
mod sms_gateways;
mod social_notices;
mod topics;
mod visits;
mod vouchers;
mod warm_up;
mod write_limits;
