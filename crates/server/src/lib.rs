//! Process, settings, HTTP, CLI; the only crate that names axum.

pub mod data_dir;
pub mod http;
pub mod metrics_page;
pub mod private_redis;
pub mod secret;
pub mod settings;
pub mod startup;
