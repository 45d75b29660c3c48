//! Use cases: one module per feature, one function per thing a person can do.
