//! What a run was made on and with: without it, nobody can repeat a figure.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::available_parallelism;

use jiff::Timestamp;

use crate::{program, settings};

/// What cannot be read is reported as unknown.
const UNKNOWN: &str = "unknown";

#[derive(Debug, Default)]
pub(crate) struct Machine {
    pub(crate) facts: Vec<(String, String)>,
}

impl Machine {
    /// Looks round.
    pub(crate) fn here() -> Self {
        let facts = [
            ("when", Timestamp::now().strftime("%F %T UTC").to_string()),
            ("processor", processor()),
            ("memory", memory()),
            ("system", system()),
            ("load before the run", load()),
            ("Tandian", product()),
            ("compiler", first_line("rustc", &["--version"])),
            ("Redis", first_line("redis-server", &["--version"])),
            ("MariaDB", first_line("mariadbd", &["--version"])),
            ("settings of this run", settings::in_force()),
        ];
        let facts = facts.map(|(name, value)| (name.to_owned(), value));
        Self {
            facts: facts.into(),
        }
    }

    /// All of it in a few lines for a terminal.
    pub(crate) fn line(&self) -> String {
        let facts = self.facts.iter();
        let lines: Vec<String> = facts
            .map(|(name, value)| format!("{name:<20} {value}"))
            .collect();
        lines.join("\n")
    }
}

fn processor() -> String {
    let cores = available_parallelism().map_or(0, usize::from);
    let model = field("/proc/cpuinfo", "model name", ':');
    format!("{cores} × {model}")
}

fn memory() -> String {
    let kib: Option<u64> = field("/proc/meminfo", "MemTotal", ':')
        .split(' ')
        .next()
        .and_then(|kib| kib.parse().ok());
    kib.map_or(UNKNOWN.to_owned(), |kib| format!("{} MiB", kib / 1024))
}

fn system() -> String {
    let name = field("/etc/os-release", "PRETTY_NAME", '=');
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{}, Linux {}", name.trim_matches('"'), kernel.trim())
}

fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let minutes: Vec<&str> = load.split(' ').take(3).collect();
    minutes.join(", ")
}

/// Which code it is, and how it was built.
fn product() -> String {
    let profile = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    let version = match program::binary() {
        Ok(binary) => first_line(&binary.display().to_string(), &["--version"]),
        Err(_) => UNKNOWN.to_owned(),
    };
    let folder = env!("CARGO_MANIFEST_DIR");
    let commit = first_line("git", &["-C", folder, "rev-parse", "--short", "HEAD"]);
    format!("{version}, commit {commit}, {profile} build")
}

/// The value after the first line that begins with this name.
fn field(file: impl AsRef<Path>, name: &str, separator: char) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name));
    let value = line.and_then(|line| line.split_once(separator));
    value.map_or(UNKNOWN.to_owned(), |(_, value)| value.trim().to_owned())
}

fn first_line(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let line = text
        .ok()
        .and_then(|text| text.lines().next().map(str::to_owned));
    line.filter(|line| !line.is_empty())
        .unwrap_or_else(|| UNKNOWN.to_owned())
}
