//! What the caller decides about the private Redis.

use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Options {
    /// `redis-server`, by its name or its path.
    pub program: String,
    /// An existing directory, by its absolute path. The socket is in it, the files of the server are in `redis` below it.
    pub data_dir: PathBuf,
    pub appendfsync: AppendFsync,
    /// 0 is half of what the machine, or the container, has.
    pub max_memory_mib: u64,
}

/// When Redis syncs its append-only file to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppendFsync {
    /// Before it acknowledges a write.
    Always,
    /// Every second, so a power loss may cost the last one.
    Everysec,
}

impl AppendFsync {
    /// The value of `appendfsync`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Everysec => "everysec",
        }
    }
}
