//! `bench [--scenario NAME]`
fn main() {}
