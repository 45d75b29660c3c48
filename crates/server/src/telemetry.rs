//! Logs: lines for people in a terminal, one JSON object a line for machines; always to stderr, so that stdout stays a command's answer.
//!
//! A log that cannot be written never ends or blocks the process (`log_writer.rs`).
//!
//! Nothing here masks personal data: the types that hold it cannot print it.

mod log_writer;
mod request_id;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal};
use std::panic;
use std::sync::OnceLock;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::SubscriberBuilder;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

use crate::settings::{Log, LogFormat};

use log_writer::LogWriter;
pub(crate) use request_id::RequestId;
use request_id::{TimeAndRequest, WithRequestField};

/// The log of this process, for [`flush`].
static LOG: OnceLock<LogWriter> = OnceLock::new();

/// Waits a moment for the last lines to be written. For the end of the process.
pub fn flush() {
    if let Some(log) = LOG.get() {
        log.flush();
    }
}

/// Installs the log of this process, and writes panics to it as well. Once per process; a second call is an error.
pub fn init(log: &Log) -> Result<(), TryInitError> {
    let is_terminal = io::stderr().is_terminal();
    // The settings have checked the filter; a broken one would mean a bug there, and a site without logs is worse than one too many.
    let filter = EnvFilter::try_new(&log.filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let for_machines = match log.format {
        LogFormat::Auto => !is_terminal,
        LogFormat::Json => true,
        LogFormat::Human => false,
    };
    let writer = LogWriter::start(
        io::stderr(),
        if for_machines { lost_object } else { lost_line },
    );
    let writer = writer.expect("a thread can be started");
    let writer = LOG.get_or_init(|| writer).clone();
    // The subscriber reports its own errors by `eprintln!`, which panics when stderr cannot be written.
    let lines = SubscriberBuilder::default()
        .with_env_filter(filter)
        .log_internal_errors(false)
        .with_writer(writer);
    if for_machines {
        let objects = lines.json().flatten_event(true);
        objects
            .map_event_format(WithRequestField)
            .finish()
            .try_init()?;
    } else {
        lines
            .with_timer(TimeAndRequest)
            .with_ansi(is_terminal && std::env::var_os("NO_COLOR").is_none())
            .finish()
            .try_init()?;
    }
    log_panics();
    Ok(())
}

fn lost_line(lost: u64) -> String {
    format!("  WARN {lost} log lines could not be written\n")
}

fn lost_object(lost: u64) -> String {
    format!(
        "{{\"level\":\"WARN\",\"message\":\"log lines could not be written\",\"lost\":{lost}}}\n"
    )
}

fn log_panics() {
    panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("no message");
        let place = panic.location().map(ToString::to_string);
        let trace = Backtrace::capture();
        let trace = (trace.status() == BacktraceStatus::Captured).then(|| trace.to_string());
        tracing::error!(place, trace, "panic: {message}");
    }));
}
