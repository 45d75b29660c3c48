//! Sold-out flags: claims of a sale that nobody can buy are decided in memory, without a call to Redis, without an await.
//!
//! # How it works
//! A reply of the gate that refuses everybody (sold out, not started, ended) raises the flag of its sale for at most a
//! second. The flag falls when an epoch of the gate rises: the scripts that return a unit or change the terms publish the
//! new epoch. Each flag keeps the highest epoch of every bucket, and a *version* that rises with each of them. A raised flag
//! is valid for one version, which is read **before** the gate is called, so a message between the reply and the raising of
//! the flag is not lost. A process that changes a gate itself does not wait for its own message: it raises the version
//! before it reports the change as done.
//!
//! When the second is over one claim goes to the gate, and the others are decided by the flag meanwhile. A flag that says
//! "not started" falls for every claim at the moment the sale begins.
//!
//! A buyer gets their order back whatever happened since. So before a flag is raised the buyers are fetched into a Bloom
//! [filter]: a claim of a buyer in the filter goes to the gate. While a sale is sold out at one version nobody can become a
//! buyer, so the filter is complete.
//!
//! # How it fails
//! After a lost message a returned unit is for sale a second later. The filter sends one claim in ten thousand to the gate
//! for nothing.

mod filter;
mod flag;
mod listen;

pub(crate) use filter::BuyerFilter;
pub(crate) use flag::{Observation, SoldOutFlag};
