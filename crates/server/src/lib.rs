//! Process, settings, HTTP, CLI; the only crate that names axum.

pub mod secret;
pub mod settings;
