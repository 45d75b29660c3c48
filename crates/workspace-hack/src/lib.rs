//! Nothing but a list of dependencies and their features: see `Cargo.toml`.
