//! The providers as their users meet them: Alipay against a counterpart that checks every signature, the sandbox as a
//! whole. One binary, a module per subject.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do its helpers, which the lint takes for ordinary code"
)]

mod callbacks;
mod calls;
mod certificates;
mod counterpart;
mod faults;
mod fixture;
mod http;
mod links;
mod privacy;
mod refunds;
mod sandbox;
mod setup;
mod wire;
