//! Builds the picture store and the upload limits from the settings.

use std::fs;

use anyhow::Context as _;
use app::pictures::{PictureFileStore, PictureRules, Pictures, S3Bucket};

use crate::settings::{self, PictureStore, Settings};

pub(super) fn pictures(settings: &Settings) -> anyhow::Result<Pictures> {
    let pictures = &settings.pictures;
    let file_store = match pictures.store {
        PictureStore::Folder => folder(settings)?,
        PictureStore::S3 => {
            PictureFileStore::in_bucket(&bucket(&pictures.s3)?).context("pictures.s3")?
        }
    };
    let rules = PictureRules {
        max_per_user: pictures.max_per_user,
        uploads_per_user_per_hour: pictures.uploads_per_user_per_hour,
        max_in_flight: pictures.max_in_hand,
        max_in_flight_per_user: pictures.max_in_hand_per_user,
        outside_hosts: pictures.outside_hosts.clone(),
    };
    Ok(Pictures::new(file_store, rules))
}

/// The folder that `/imgs` serves.
fn folder(settings: &Settings) -> anyhow::Result<PictureFileStore> {
    let folder = settings.picture_folder();
    fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    Ok(PictureFileStore::in_folder(&folder)?)
}

fn bucket(s3: &settings::S3) -> anyhow::Result<S3Bucket> {
    let missing = |key: &str| format!("pictures.s3.{key} is not set");
    let text = |value: &Option<String>, key| value.clone().with_context(|| missing(key));
    let secret_key = s3.secret_key.clone();
    Ok(S3Bucket {
        endpoint: text(&s3.endpoint, "endpoint")?,
        region: s3.region.clone(),
        name: text(&s3.bucket, "bucket")?,
        access_key: text(&s3.access_key, "access_key")?,
        secret_key: secret_key.with_context(|| missing("secret_key"))?,
    })
}
