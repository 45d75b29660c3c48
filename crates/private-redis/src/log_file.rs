//! What the server writes about itself: `redis.log` in its folder, bounded.
//!
//! Redis opens its log anew for every line, so renaming the file under it is a safe rotation.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Two files of this size hold months of ordinary life and cost nothing to keep.
const MAX_BYTES: u64 = 1024 * 1024;
/// Enough for the last start, banner included.
const TAIL_BYTES: u64 = 16 * 1024;

#[derive(Debug)]
pub(crate) struct LogFile {
    path: PathBuf,
}

impl LogFile {
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self {
            path: folder.join("redis.log"),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// For what a server prints before it has read its own settings.
    pub(crate) fn append(&self) -> io::Result<File> {
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path)
    }

    pub(crate) fn len(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |metadata| metadata.len())
    }

    pub(crate) fn rotate_if_large(&self) {
        if self.len() > MAX_BYTES
            && let Err(error) = fs::rename(&self.path, self.path.with_extension("log.1"))
        {
            tracing::warn!(%error, "log of the private Redis not rotated");
        }
    }

    /// The text written since the file had `from` bytes, its last part if that is long.
    pub(crate) fn since(&self, from: u64) -> String {
        let start = from.max(self.len().saturating_sub(TAIL_BYTES));
        let read = || -> io::Result<Vec<u8>> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(start))?;
            let mut text = Vec::new();
            file.take(TAIL_BYTES).read_to_end(&mut text)?;
            Ok(text)
        };
        String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
    }
}

/// A server that exits says why in its last line: `1234:M 15 Nov 2026 08:00:00.000 # Bad file format`. The front is left out.
pub(crate) fn last_log_line(text: &str) -> String {
    let lines = text.lines().rev().map(str::trim);
    let Some(line) = lines.into_iter().find(|line| !line.is_empty()) else {
        return "it said nothing".to_owned();
    };
    let message = line.split_once(" # ").map_or(line, |(_, message)| message);
    message.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_explains_an_exit() {
        let text = "1:M 15 Nov 2026 08:00:00.000 * Loading\n\
                    1:M 15 Nov 2026 08:00:00.000 # Bad file format.\n\n";
        assert_eq!(last_log_line(text), "Bad file format");
        assert_eq!(last_log_line("one\ntwo\n"), "two");
        assert_eq!(last_log_line(""), "it said nothing");
    }

    #[test]
    fn a_large_log_is_set_aside() {
        let home = tempfile::tempdir().unwrap();
        let log = LogFile::in_folder(home.path());
        fs::write(log.path(), vec![b'x'; 1024 * 1024 + 1]).unwrap();
        log.rotate_if_large();
        assert_eq!(log.len(), 0);
        assert!(home.path().join("redis.log.1").exists());
    }
}
