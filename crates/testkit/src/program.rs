//! Finds the programs of the services. A missing one is named together with the Debian package that holds it.

use std::path::PathBuf;

/// Where Debian keeps server programs; an ordinary user's `PATH` often lacks them.
const SYSTEM_FOLDERS: [&str; 2] = ["/usr/sbin", "/usr/bin"];

/// The path of `name`, or a panic that names the Debian package to install.
#[track_caller]
pub(crate) fn find(name: &str, package: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(SYSTEM_FOLDERS.iter().map(PathBuf::from))
        .map(|folder| folder.join(name))
        .find(|candidate| candidate.is_file())
        .unwrap_or_else(|| panic!("{name} is not installed: apt-get install {package}"))
}

/// Like [`find`], for a program whose namesake in `PATH` must not be used.
#[track_caller]
pub(crate) fn at(path: &str, package: &str) -> PathBuf {
    let file = PathBuf::from(path);
    assert!(
        file.is_file(),
        "{path} is not installed: apt-get install {package}"
    );
    file
}

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic(expected = "no-such-server is not installed: apt-get install the-package")]
    fn a_missing_program_is_named_with_its_package() {
        super::find("no-such-server", "the-package");
    }

    #[test]
    fn a_server_program_outside_the_path_is_found() {
        assert!(super::find("mariadbd", "mariadb-server").is_absolute());
    }
}
