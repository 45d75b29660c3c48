//! A disk of a few megabytes, to be filled up: a file system in memory, mounted for one test.
//!
//! Mounting needs root. Where it is not allowed there is no small disk; the test prints that and ends.
//!
//! Like every service here it is gone with its owner, however that ends: a shell waits for the end of a pipe and unmounts.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const REAPER: &str = r#"
trap '' HUP INT QUIT TERM
while read -r _; do :; done
umount -l -- "$1" 2>/dev/null
rmdir -- "$1" 2>/dev/null
"#;

/// Written at a time while a disk is filled.
const CHUNK: [u8; 4096] = [b'x'; 4096];

#[derive(Debug)]
pub struct SmallDisk {
    folder: PathBuf,
    reaper: Child,
}

impl SmallDisk {
    /// `None`, with a line that gives the reason, where mounting is not allowed.
    pub fn mount(size_kib: u32) -> Option<Self> {
        let folder = tempfile::Builder::new()
            .prefix("tandian-disk-")
            .tempdir()
            .expect("the temporary folder is writable")
            .keep();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size_kib}k"), "tmpfs"])
            .arg(&folder)
            .stderr(Stdio::null())
            .status();
        if !mounted.is_ok_and(|status| status.success()) {
            let _ = fs::remove_dir(&folder);
            eprintln!("skipped: a small disk cannot be mounted here (it needs root)");
            return None;
        }
        let reaper = Command::new("setsid")
            .args(["sh", "-c", REAPER, "reaper"])
            .arg(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh can be started");
        Some(Self { folder, reaper })
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Takes all the room that is left.
    pub fn fill(&self) {
        let mut file = File::create(self.ballast()).expect("a file of no size has room");
        while file.write_all(&CHUNK).is_ok() {}
        while file.write_all(b"x").is_ok() {}
    }

    /// Gives the room back that [`SmallDisk::fill`] took.
    pub fn free(&self) {
        let _ = fs::remove_file(self.ballast());
    }

    fn ballast(&self) -> PathBuf {
        self.folder.join("ballast")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.reaper.stdin.take());
        let _ = self.reaper.wait();
    }
}
