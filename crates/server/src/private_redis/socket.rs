//! Where the private server listens.
//!
//! The socket is `redis.sock` in the data folder. The kernel allows only short paths for sockets; under a deep folder the socket goes
//! into a private folder of the runtime directory, and `redis.sock` is a link to it, so that both people and commands find it.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

use super::PrivateRedisError;
use crate::data_dir::{DataDir, create_private};
use crate::secret::SecretUrl;

/// `sockaddr_un` holds 108 bytes, one of them the end mark.
const SOCKET_PATH_MAX_BYTES: usize = 107;
const SOCKET_NAME: &str = "redis.sock";

/// The socket of the server that runs on this folder, if one does.
pub fn running_url(data: &DataDir) -> SecretUrl {
    url(&listed(data))
}

pub(super) fn url(socket: &Path) -> SecretUrl {
    SecretUrl::new(format!("unix://{}", percent_encode(socket.as_os_str())))
}

/// Chooses the path for a new server, with its folder in place.
pub(super) fn place(data: &DataDir) -> Result<PathBuf, PrivateRedisError> {
    let near = data.root().join(SOCKET_NAME);
    if near.as_os_str().len() <= SOCKET_PATH_MAX_BYTES {
        return Ok(near);
    }
    let folder = far_folder(data)?;
    let far = folder.join(SOCKET_NAME);
    point_to(&near, &far).map_err(|source| PrivateRedisError::Folder { path: near, source })?;
    Ok(far)
}

/// Where the last server was placed, by the link it left; its environment may have named another runtime directory than ours.
pub(super) fn listed(data: &DataDir) -> PathBuf {
    let near = data.root().join(SOCKET_NAME);
    fs::read_link(&near).unwrap_or(near)
}

/// Named by device and inode of the data folder, which no other folder of this machine shares.
fn far_folder(data: &DataDir) -> Result<PathBuf, PrivateRedisError> {
    let failed = |path: &Path, source| PrivateRedisError::Folder {
        path: path.to_owned(),
        source,
    };
    let identity = fs::metadata(data.root()).map_err(|source| failed(data.root(), source))?;
    let name = format!("tandian-{:x}-{:x}", identity.dev(), identity.ino());
    let folder = runtime_dir().join(name);
    create_private(&folder).map_err(|source| failed(&folder, source))?;
    if !is_ours_alone(&folder, identity.uid()) {
        return Err(PrivateRedisError::ForeignFolder { path: folder });
    }
    Ok(folder)
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
        let data = DataDir::open(home.path()).unwrap();
        assert_eq!(place(&data).unwrap(), data.root().join("redis.sock"));
        assert_eq!(listed(&data), data.root().join("redis.sock"));
    }

    #[test]
    fn a_deep_folder_links_to_a_short_path() {
        let home = tempfile::tempdir().unwrap();
        let data = DataDir::open(&home.path().join("d".repeat(120))).unwrap();
        let socket = place(&data).unwrap();
        assert!(socket.as_os_str().len() <= SOCKET_PATH_MAX_BYTES);
        assert_eq!(listed(&data), socket);
        assert_eq!(place(&data).unwrap(), socket);
        fs::remove_dir(socket.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_url_survives_strange_paths() {
        assert_eq!(url(Path::new("/a b/c?d")).expose(), "unix:///a%20b/c%3Fd");
    }
}
