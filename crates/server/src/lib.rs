//! Process, settings, HTTP, CLI; the only crate that names axum.

pub mod cli;
pub mod data_dir;
pub mod data_directory_access;
pub mod doctor;
pub mod http;
pub mod metrics_page;
pub mod secret;
pub mod settings;
pub mod startup;
pub mod telemetry;
pub mod tiles_file;
pub mod workers;
