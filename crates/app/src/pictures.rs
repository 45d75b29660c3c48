//! Uploaded pictures: stored, served, deleted, and cleaned up when unused.
//!
//! SQL records each picture's uploader and use; the store has its files. The row is written before the files and
//! deleted after them, so no file is ever without a row.

mod clean;
mod import;
mod in_flight;
mod upload;

pub use clean::{clean, run_cleaning};
pub use import::{
    ImportError, ImportFailure, ImportReport, OutsideHosts, import_outside, list_outside_hosts,
};
pub use pictures::{
    FileStoreError, MAX_BYTES, MAX_PIXELS, PictureFileStore, S3Bucket, Size, StoredFile,
};
pub use storage::uploads::PictureAccess;
pub use upload::{Upload, access, begin_upload, delete, find, path_of, upload};

use domain::PictureHost;
use in_flight::UploadsInFlight;
use pictures::PictureProcessor;

/// Per-process state of pictures, and the site's rules.
#[derive(Debug)]
pub struct Pictures {
    processor: PictureProcessor,
    in_flight: UploadsInFlight,
    file_store: PictureFileStore,
    rules: PictureRules,
}

#[derive(Clone, Debug)]
pub struct PictureRules {
    /// The most pictures per user.
    pub max_per_user: u64,
    pub uploads_per_user_per_hour: u32,
    /// Concurrent uploads in this process; each may hold a whole file.
    pub max_in_flight: usize,
    /// Concurrent uploads per user.
    pub max_in_flight_per_user: usize,
    /// Other hosts whose pictures the site shows.
    pub outside_hosts: Vec<PictureHost>,
}

impl Pictures {
    pub fn new(file_store: PictureFileStore, rules: PictureRules) -> Self {
        Self {
            processor: PictureProcessor::new(rules.max_in_flight),
            in_flight: UploadsInFlight::default(),
            file_store,
            rules,
        }
    }

    /// Other hosts whose pictures the site shows.
    pub fn outside_hosts(&self) -> &[PictureHost] {
        &self.rules.outside_hosts
    }

    pub fn file_store(&self) -> &PictureFileStore {
        &self.file_store
    }
}
