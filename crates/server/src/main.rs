//! The `tandian` binary; everything is in the library, where tests reach it.

use std::process::ExitCode;

use clap::Parser as _;
use server::cli::Cli;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    Cli::parse().run()
}
