//! HTTP: the only place that names axum.
//!
//! A handler has four steps: extract, call one use case, map, return. What every request shares (ids, limits, logs,
//! headers, the wording of failures) is in `request_middleware.rs`; every
//! path is a line of `routes.rs`; which error means which status and code is in `failure.rs`.

mod account;
mod admission;
mod block;
mod body;
mod byte_range;
mod check_in;
mod comment;
mod contacts;
mod cookie;
mod dialect;
mod docs;
mod encoding;
mod envelope;
mod extract;
mod failure;
mod favourite;
mod feed;
mod follow;
mod health;
mod lab;
mod language;
mod legal;
mod map_tiles;
mod note;
mod notice;
pub mod openapi;
mod order;
mod origin;
mod paging;
mod password;
mod payment;
mod per_address;
mod personal_data;
mod pictures;
mod rendered;
mod rendered_notes;
mod request_metrics;
mod request_middleware;
mod revalidation;
mod routes;
mod search;
mod serve;
mod shop;
mod site;
mod state;
mod streams;
mod topic;
mod upload;
mod visits;
mod voucher;
mod web;

pub use body::MinimumPace;
pub use dialect::Dialect;
pub use failure::Code;
pub use routes::{original_router, router};
pub use serve::{ConnectionLimits, ServeLimits, listen, serve};
pub use state::HttpState;
