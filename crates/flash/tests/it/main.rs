//! The engine against real servers, with an honest ledger in memory.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails it like the test itself"
)]
#![expect(
    clippy::duplicate_mod,
    reason = "each example has the parts it needs, and several are modules here"
)]

// Everybody in the workspace calls it so.
extern crate redis_flash_sale as flash;

mod amend;
mod batcher;
mod claim_token;
mod claims;
mod conformance;
mod drain;
mod examples;
mod failover;
mod gate_keys;
mod ids;
mod ledger_contract;
mod load;
mod memory_ledger;
mod model;
mod outsider;
mod reconcile;
mod returns;
mod secured;
mod site;
mod sold_out;
mod spread;
