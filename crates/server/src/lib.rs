//! Process, settings, HTTP, CLI; the only crate that names axum.
