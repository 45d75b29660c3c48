//! The data directory: the files that Tandian keeps, and the lock that names the process using it.
//!
//! Only its owner may read it, and one process at a time holds the lock: two servers would start two Redis on one append-only
//! file.
//! The kernel drops the lock with the process, however that ends, so a lock is never stale.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use thiserror::Error;

const OWNER_ONLY_DIR: u32 = 0o700;
const OWNER_ONLY_FILE: u32 = 0o600;
const OTHERS_BITS: u32 = 0o077;

#[derive(Debug, Error)]
pub enum DataDirError {
    #[error("cannot use the data folder {}: check who owns it, or set TANDIAN_DATA_DIR", path.display())]
    Unusable { path: PathBuf, source: io::Error },
    #[error(
        "the data folder {} is in use by process {holder}: stop that one, or set TANDIAN_DATA_DIR to another folder",
        path.display()
    )]
    Held { path: PathBuf, holder: String },
}

/// An existing folder, by its absolute path.
#[derive(Clone, Debug)]
pub struct DataDir {
    root: PathBuf,
}

/// Holds the folder for this process until dropped.
#[derive(Debug)]
pub struct DataLock {
    _file: File,
}

impl DataDir {
    /// Creates the folder where it is missing.
    pub fn open(path: &Path) -> Result<Self, DataDirError> {
        let root = create_private(path).and_then(|()| fs::canonicalize(path));
        let root = root.map_err(unusable(path))?;
        let dir = Self { root };
        if dir.is_visible_to_others() {
            tracing::warn!(
                path = %dir.root.display(),
                "data directory readable by other users: chmod 700 it"
            );
        }
        Ok(dir)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn sqlite_file(&self) -> PathBuf {
        self.root.join("tandian.db")
    }

    pub fn imgs(&self) -> PathBuf {
        self.root.join("imgs")
    }

    pub fn is_visible_to_others(&self) -> bool {
        let others = |metadata: Metadata| metadata.permissions().mode() & OTHERS_BITS != 0;
        fs::metadata(&self.root).is_ok_and(others)
    }

    /// Locks the directory for this process, or names the process that holds the lock.
    pub fn lock(&self) -> Result<DataLock, DataDirError> {
        let path = self.lock_file();
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(OWNER_ONLY_FILE)
            .open(&path)
            .map_err(unusable(&self.root))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(self.held()),
            Err(TryLockError::Error(source)) => return Err(unusable(&self.root)(source)),
        }
        write_holder(&mut file).map_err(unusable(&self.root))?;
        Ok(DataLock { _file: file })
    }

    fn lock_file(&self) -> PathBuf {
        self.root.join("tandian.lock")
    }

    /// The holder writes its number just after locking, so in between the file may still be empty.
    fn held(&self) -> DataDirError {
        let holder = fs::read_to_string(self.lock_file()).unwrap_or_default();
        let holder = match holder.trim() {
            "" => "(unknown)".to_owned(),
            pid => pid.to_owned(),
        };
        DataDirError::Held {
            path: self.root.clone(),
            holder,
        }
    }
}

/// Creates a folder that only its owner may enter, with its parents; an existing one is left as it is.
fn create_private(path: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(OWNER_ONLY_DIR)
        .create(path)
}

fn write_holder(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    writeln!(file, "{}", std::process::id())
}

fn unusable(path: &Path) -> impl Fn(io::Error) -> DataDirError {
    move |source| DataDirError::Unusable {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_folder_is_private_to_its_owner() {
        let home = tempfile::tempdir().unwrap();
        let data = DataDir::open(&home.path().join("a/b")).unwrap();
        assert_eq!(mode(data.root()), 0o700);
        assert!(!data.is_visible_to_others());
    }

    #[test]
    fn an_existing_open_folder_is_noticed_and_left_alone() {
        let home = tempfile::tempdir().unwrap();
        fs::set_permissions(home.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let data = DataDir::open(home.path()).unwrap();
        assert!(data.is_visible_to_others());
        assert_eq!(mode(data.root()), 0o755);
    }

    #[test]
    fn a_second_lock_is_refused_and_names_the_holder() {
        let home = tempfile::tempdir().unwrap();
        let data = DataDir::open(home.path()).unwrap();
        let _held = data.lock().unwrap();
        let refusal = data.lock().unwrap_err().to_string();
        let holder = format!("in use by process {}:", std::process::id());
        assert!(refusal.contains(&holder), "{refusal}");
    }

    #[test]
    fn a_dropped_lock_can_be_taken_again() {
        let home = tempfile::tempdir().unwrap();
        let data = DataDir::open(home.path()).unwrap();
        drop(data.lock().unwrap());
        data.lock().unwrap();
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("data");
        fs::write(&path, "").unwrap();
        assert!(matches!(
            DataDir::open(&path),
            Err(DataDirError::Unusable { .. })
        ));
    }
}
