//! Claims that are granted.
//!
//! The headline is the crowd that really comes: one process that does everything, by default settings, and people who
//! opened the page ten minutes ago and click once. It is compared with a textbook server, by our own client and by `wrk`.
//! The form of earlier reports, a process that only answers people whose sessions it has just read, stays beside it.

pub(crate) mod cold;
pub(crate) mod only_answering;
pub(crate) mod outside;
mod series;
