//! Where the private server listens.
//!
//! The socket is `redis.sock` in the data folder. The kernel allows only short paths for sockets; under a deep folder the socket goes
//! into a private folder of the runtime directory, and `redis.sock` is a link to it, so that both people and commands find it.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, symlink};
use std::path::{Path, PathBuf};

use crate::PrivateRedisError;

/// `sockaddr_un` holds 108 bytes, one of them the end mark.
const SOCKET_PATH_MAX_BYTES: usize = 107;
const SOCKET_NAME: &str = "redis.sock";

/// The URL of the server that runs on this directory, if one does.
pub fn running_url(data_dir: &Path) -> String {
    url(&listed(data_dir))
}

pub(crate) fn url(socket: &Path) -> String {
    format!("unix://{}", percent_encode(socket.as_os_str()))
}

/// Chooses the path for a new server, with its folder in place.
pub(crate) fn place(data_dir: &Path) -> Result<PathBuf, PrivateRedisError> {
    let near = data_dir.join(SOCKET_NAME);
    if near.as_os_str().len() <= SOCKET_PATH_MAX_BYTES {
        return Ok(near);
    }
    let folder = far_folder(data_dir)?;
    let far = folder.join(SOCKET_NAME);
    point_to(&near, &far).map_err(|source| PrivateRedisError::Folder { path: near, source })?;
    Ok(far)
}

/// Where the last server was placed, by the link it left; its environment may have named another runtime directory than ours.
pub(crate) fn listed(data_dir: &Path) -> PathBuf {
    let near = data_dir.join(SOCKET_NAME);
    fs::read_link(&near).unwrap_or(near)
}

/// Named by device and inode of the data folder, which no other folder of this machine shares.
fn far_folder(data_dir: &Path) -> Result<PathBuf, PrivateRedisError> {
    let failed = |path: &Path, source| PrivateRedisError::Folder {
        path: path.to_owned(),
        source,
    };
    let identity = fs::metadata(data_dir).map_err(|source| failed(data_dir, source))?;
    let name = format!("tandian-{:x}-{:x}", identity.dev(), identity.ino());
    let folder = runtime_dir().join(name);
    create_private(&folder).map_err(|source| failed(&folder, source))?;
    if !is_ours_alone(&folder, identity.uid()) {
        return Err(PrivateRedisError::ForeignFolder { path: folder });
    }
    Ok(folder)
}

/// Creates a folder that only its owner may enter, with its parents; an existing one is left as it is.
pub(crate) fn create_private(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn runtime_dir() -> PathBuf {
    std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|dir| dir.is_dir())
        .unwrap_or_else(std::env::temp_dir)
}

/// Anybody may create folders in a temporary directory: one that was put there to catch us must not be used.
fn is_ours_alone(folder: &Path, owner: u32) -> bool {
    fs::symlink_metadata(folder).is_ok_and(|metadata| {
        metadata.is_dir() && metadata.uid() == owner && metadata.mode() & 0o077 == 0
    })
}

fn point_to(link: &Path, target: &Path) -> io::Result<()> {
    match fs::remove_file(link) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    symlink(target, link)
}

fn percent_encode(path: &OsStr) -> String {
    let mut encoded = String::new();
    for &byte in path.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte));
            }
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shallow_folder_holds_its_socket() {
        let home = tempfile::tempdir().unwrap();
        let data_dir = home.path();
        assert_eq!(place(data_dir).unwrap(), data_dir.join("redis.sock"));
        assert_eq!(listed(data_dir), data_dir.join("redis.sock"));
    }

    #[test]
    fn a_deep_folder_links_to_a_short_path() {
        let home = tempfile::tempdir().unwrap();
        let data_dir = home.path().join("d".repeat(120));
        fs::create_dir(&data_dir).unwrap();
        let socket = place(&data_dir).unwrap();
        assert!(socket.as_os_str().len() <= SOCKET_PATH_MAX_BYTES);
        assert_eq!(listed(&data_dir), socket);
        assert_eq!(place(&data_dir).unwrap(), socket);
        fs::remove_dir(socket.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_url_survives_strange_paths() {
        assert_eq!(url(Path::new("/a b/c?d")), "unix:///a%20b/c%3Fd");
    }
}
