//! Checks the data folder: owner, permissions, free space.

use std::fs::{self, File};
use std::path::Path;

use app::disk;

use super::Finding;
use crate::data_dir::DataDir;
use crate::settings::{Disk, Settings};

const MIB: u64 = 1024 * 1024;

pub(super) fn folder(settings: &Settings) -> Vec<Finding> {
    let data = match DataDir::open(&settings.data_dir) {
        Ok(data) => data,
        Err(error) => return vec![Finding::problem(error.to_string(), cause(&error))],
    };
    vec![access(&data), space(data.root(), &settings.disk)]
}

fn cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(String::new, ToString::to_string)
}

fn access(data: &DataDir) -> Finding {
    let name = data.root().display();
    if let Err(error) = try_writing(data.root()) {
        let text = format!("cannot write to the data folder {name}: {error}");
        return Finding::problem(text, "give it to the user that runs tandian");
    }
    if data.is_visible_to_others() {
        let text = format!("other users can read the data folder {name}");
        return Finding::warning(text, format!("chmod 700 {name}"));
    }
    Finding::ok(format!("data folder {name}"))
}

fn try_writing(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!(".doctor-{}", std::process::id()));
    File::create(&probe)?;
    fs::remove_file(&probe)
}

fn space(folder: &Path, limits: &Disk) -> Finding {
    let Some(free_bytes) = disk::free_bytes(folder) else {
        return Finding::warning("free space is unknown", "look at the data folder's disk");
    };
    let free_mib = free_bytes / MIB;
    let text = format!("{free_mib} MiB free for data");
    let advice = "free disk space, or move the folder (TANDIAN_DATA_DIR)";
    if free_mib < limits.refuse_free_mib {
        Finding::problem(text, advice)
    } else if free_mib < limits.warn_free_mib {
        Finding::warning(text, advice)
    } else {
        Finding::ok(text)
    }
}
