//! Instructions of a process, counted by callgrind: the one cost that does not depend on the machine's mood.
//!
//! A program that is counted runs at a fiftieth of its speed, so counting is off while it starts and is switched on from
//! outside. It can be confined to one function and whatever that calls: then neither the runtime nor the work that a
//! process does by itself is counted, and the same request costs the same on any day.

use std::path::{Path, PathBuf};

use tokio::process::Command;

use crate::program;

/// What the files begin with that callgrind writes into the folder of the process.
const COUNTS: &str = "counts";
/// The Debian package of all of it.
const PACKAGE: &str = "valgrind";

/// A process that runs under callgrind and counts.
#[derive(Debug)]
pub struct Callgrind {
    pid: u32,
    folder: PathBuf,
}

impl Callgrind {
    /// What the process needs in its environment: with one worker nothing is done twice or in another order.
    pub const ONE_WORKER: (&'static str, &'static str) = ("TOKIO_WORKER_THREADS", "1");

    /// What runs programs so that they can be counted.
    #[must_use]
    pub fn program() -> PathBuf {
        program::find("valgrind", PACKAGE)
    }

    /// What comes before the program on its command line. `within` is the name of a function as a debugger shows it.
    #[must_use]
    pub fn arguments(within: Option<&str>) -> Vec<String> {
        let mut arguments = vec![
            "--tool=callgrind".to_owned(),
            "--instr-atstart=no".to_owned(),
            format!("--callgrind-out-file={COUNTS}"),
        ];
        arguments.extend(within.map(|name| format!("--toggle-collect={name}")));
        arguments
    }

    /// Begins to count in a process that works in `folder` and has its temporary files there, by which it is found.
    pub async fn attach(pid: u32, folder: &Path) -> Self {
        let this = Self {
            pid,
            folder: folder.to_owned(),
        };
        this.control(&["--instr=on"]).await;
        this
    }

    /// What some work cost the process, and what it came to.
    pub async fn count<T>(&self, work: impl Future<Output = T>) -> (u64, T) {
        self.control(&["--zero"]).await;
        let done = work.await;
        self.control(&["--dump"]).await;
        (self.take_counts(), done)
    }

    async fn control(&self, order: &[&str]) {
        let mut command = Command::new(program::find("callgrind_control", PACKAGE));
        command
            .args(order)
            .arg(self.pid.to_string())
            .env("TMPDIR", &self.folder);
        let output = command.output().await;
        let output = output.expect("callgrind_control can be started");
        let text = String::from_utf8_lossy(&output.stdout);
        let is_done = output.status.success() && text.contains("OK");
        assert!(is_done, "callgrind_control {order:?}: {text}");
    }

    /// The totals of whatever was written since the last look.
    #[track_caller]
    fn take_counts(&self) -> u64 {
        let mut total = 0;
        for file in self.count_files() {
            let text = std::fs::read_to_string(&file).expect("counts can be read");
            let line = text.lines().find_map(|line| line.strip_prefix("totals: "));
            let count = line.and_then(|line| line.trim().parse::<u64>().ok());
            total += count.expect("callgrind ends its file with totals");
            std::fs::remove_file(file).expect("counts are ours");
        }
        assert!(total > 0, "callgrind counted nothing");
        total
    }

    /// Their names begin alike and end in a number; the one without a number is filled when the process ends.
    fn count_files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.folder).expect("the process has its folder");
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let numbered = format!("{COUNTS}.");
        paths
            .filter(|path| {
                let name = path.file_name().unwrap_or_default();
                name.to_string_lossy().starts_with(&numbered)
            })
            .collect()
    }
}
