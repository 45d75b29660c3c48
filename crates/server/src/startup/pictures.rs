//! Where pictures are kept, and how many are taken in.

use std::fs;

use anyhow::Context as _;
use app::pictures::{Bucket, PictureRules, Pictures, Shelf};

use crate::settings::{self, PictureStore, Settings};

pub(super) fn pictures(settings: &Settings) -> anyhow::Result<Pictures> {
    let pictures = &settings.pictures;
    let shelf = match pictures.store {
        PictureStore::Folder => folder(settings)?,
        PictureStore::S3 => Shelf::in_bucket(&bucket(&pictures.s3)?).context("pictures.s3")?,
    };
    let rules = PictureRules {
        max_per_user: pictures.max_per_user,
        uploads_per_user_per_hour: pictures.uploads_per_user_per_hour,
        max_in_flight: pictures.max_in_hand,
        max_in_flight_per_user: pictures.max_in_hand_per_user,
    };
    Ok(Pictures::new(shelf, rules))
}

/// The folder that `/imgs` shows.
fn folder(settings: &Settings) -> anyhow::Result<Shelf> {
    let folder = settings.picture_folder();
    fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    Ok(Shelf::in_folder(&folder)?)
}

fn bucket(s3: &settings::S3) -> anyhow::Result<Bucket> {
    let missing = |key: &str| format!("pictures.s3.{key} is not set");
    let text = |value: &Option<String>, key| value.clone().with_context(|| missing(key));
    let secret_key = s3.secret_key.as_ref();
    Ok(Bucket {
        endpoint: text(&s3.endpoint, "endpoint")?,
        region: s3.region.clone(),
        name: text(&s3.bucket, "bucket")?,
        access_key: text(&s3.access_key, "access_key")?,
        secret_key: secret_key
            .with_context(|| missing("secret_key"))?
            .expose()
            .to_owned(),
    })
}
