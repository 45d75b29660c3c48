//! Without a build script Cargo leaves the build dependencies out.

fn main() {}
