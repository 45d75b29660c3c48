//! Taking over from the original: what its SQL database does not have.

pub mod redis;
