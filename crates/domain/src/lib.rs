//! Rules and value types: no I/O, no async, no clock.
