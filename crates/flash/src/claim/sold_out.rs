//! Sold-out flags: a sale that is over is answered from memory, without a call to Redis and without an await.
//!
//! # How it works
//! What the gate said (sold out, not started, ended) stands for at most a second, and falls when an epoch rises: the
//! scripts that give a piece back or change the terms publish that. Every bucket's highest epoch is kept, and a *news*
//! counter rises with each of them. A flag holds for one value of the counter, which the asker took down **before** it
//! asked, so a message that arrives between the gate's answer and the raising of the flag is not lost. A process that
//! changes a gate itself does not wait for its own message: its counter rises before the change is reported as done.
//!
//! When the second is over one claimant is let through to ask again, and the others go on as before. A flag that says
//! "not started" falls for everybody at the moment the sale begins.
//!
//! Whoever bought is told so whatever has happened since, so before a flag is raised the buyers are fetched into a
//! [filter]: a claimant who may be one of them goes to the gate. While a sale is sold out at one value of the counter
//! nobody can become a buyer, so the filter is complete.
//!
//! # How it fails
//! A lost message costs a returned piece a second on the shelf. A filter mistakes one claimant in ten thousand for a
//! buyer, who then asks the gate like before.

mod filter;
mod flag;
mod listen;

pub(crate) use filter::Filter;
pub(crate) use flag::{Finding, Flag, Over};
