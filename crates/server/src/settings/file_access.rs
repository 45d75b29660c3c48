//! Who besides its owner can read a file, or look into a folder.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

const GROUP_BITS: u32 = 0o070;
const EVERYBODY_BITS: u32 = 0o007;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audience {
    Owner,
    Group,
    Everybody,
}

/// `None` for a missing or inaccessible file: opening it reports the reason.
pub(super) fn audience(path: &Path) -> Option<Audience> {
    let mode = fs::metadata(path).ok()?.permissions().mode();
    Some(if mode & EVERYBODY_BITS != 0 {
        Audience::Everybody
    } else if mode & GROUP_BITS != 0 {
        Audience::Group
    } else {
        Audience::Owner
    })
}
