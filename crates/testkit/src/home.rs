//! The folder of a private service and the process group it runs in.
//!
//! The invariant: when the owner is gone, so are the group and the folder. Destructors alone cannot promise that: they do not run for
//! statics, after `process::exit`, or under `kill -9`. So each home has a *reaper*: a shell whose standard input is a
//! pipe that only this process holds. The kernel closes the pipe however we end, and the reaper then kills the
//! whole group and removes the folder.
//!
//! The reaper leads the group and services join it, so the group is known before the first service starts and
//! its number cannot be reused while a member lives. The last act runs in a session of its own (`setsid`),
//! because killing the group kills the reaper too.
//!
//! Every pipe made by std is close-on-exec: no service can hold the pipe open by inheritance.

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Waits for the end of its input, then passes the group (`$$`) and the folder (`$1`) to a process outside the group.
/// A service killed a moment ago may still be leaving its folder, so removal is tried for up to five seconds.
const REAPER: &str = r#"
trap '' HUP INT QUIT TERM
while read -r _; do :; done
setsid sh -c '
    tries=0
    until kill -s KILL -- "-$1" 2>/dev/null; rm -rf -- "$2" 2>/dev/null || [ "$tries" -ge 50 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
' last-act "$$" "$1" &
wait
"#;

/// A folder and a process group that end together with this value, or with this process.
#[derive(Debug)]
pub(crate) struct Home {
    folder: PathBuf,
    reaper: Child,
}

impl Home {
    /// Makes a folder `tandian-<name>-<random>` in the system's temporary folder, with its reaper.
    pub(crate) fn new(name: &str) -> Self {
        let folder = tempfile::Builder::new()
            .prefix(&format!("tandian-{name}-"))
            .tempdir()
            .expect("the temporary folder is writable");
        let reaper = Command::new("sh")
            .args(["-c", REAPER, "reaper"])
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .expect("sh can be started");
        Self {
            folder: folder.keep(),
            reaper,
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A command that runs in this home: in its folder, in its group, silent except for its log.
    ///
    /// Temporary files are kept here as well: two MariaDBs that share `/tmp` delete each other's tables at start.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let log = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log())
            .expect("the folder of a service is writable");
        let errors = log.try_clone().expect("a file handle can be duplicated");
        let mut command = Command::new(program);
        command
            .current_dir(&self.folder)
            .env("TMPDIR", &self.folder)
            .process_group(self.group())
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors);
        command
    }

    /// The end of what the service printed, for the message of a panic.
    pub(crate) fn log_tail(&self) -> String {
        const TAIL_LINES: usize = 20;
        let text = std::fs::read(self.log()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("service.log")
    }

    fn group(&self) -> i32 {
        i32::try_from(self.reaper.id()).expect("process ids fit pid_t")
    }
}

impl Drop for Home {
    /// Returns when group and folder are gone: the last act holds the reaper's output until it is done.
    fn drop(&mut self) {
        drop(self.reaper.stdin.take());
        if let Some(mut output) = self.reaper.stdout.take() {
            let _ = output.read_to_end(&mut Vec::new());
        }
        let _ = self.reaper.wait();
    }
}
