//! Uploads, serves and deletes pictures.

use std::time::Duration;

use kv::{Limit, OverLimit, Session};
use pictures::{PictureName, PictureRejection, ProcessError, ProcessingSlot, Size, StoredFile};
use storage::uploads::{self, PictureAccess, RemoveRefusal};

use super::clean;
use super::in_flight::UploadSlot;
use crate::{App, Error, Refusal};

/// Processing takes about a second: a slot is free by then.
const BUSY_RETRY_AFTER: Duration = Duration::from_secs(2);

const HOUR: Duration = Duration::from_secs(3_600);

/// Permission to upload one picture, taken before the body is read.
#[derive(Debug)]
pub struct Upload {
    processing_slot: ProcessingSlot,
    user_slot: UploadSlot,
}

/// Checks whether the caller may upload. Counting and recording are separate steps, so concurrent uploads may exceed
/// the limit by a few.
pub async fn begin_upload(app: &App, session: &Session) -> Result<Upload, Error> {
    let (user, rules) = (session.profile.user_id, &app.pictures().rules);
    let user_slot = app
        .pictures()
        .in_flight
        .begin(user, rules.max_in_flight_per_user);
    let user_slot = user_slot.ok_or(Refusal::TooManyUploads)?;
    let processing_slot = app.pictures().processor.try_reserve();
    let processing_slot = processing_slot.ok_or(Error::Busy {
        retry_after: BUSY_RETRY_AFTER,
    })?;
    let limit = Limit {
        what: "upload",
        burst: rules.uploads_per_user_per_hour,
        period: HOUR,
    };
    if let Err(OverLimit { retry_after }) = app.kv().take_for_user(&limit, user).await? {
        return Err(Error::TooMany { retry_after });
    }
    if uploads::count_of(app.db(), user).await? >= rules.max_per_user {
        return Err(Refusal::TooManyPictures.into());
    }
    Ok(Upload {
        processing_slot,
        user_slot,
    })
}

/// Re-encodes the file in all sizes, stores it and returns its name, such as `/blogs/3/9/<uuid>.jpg`.
pub async fn upload(
    app: &App,
    session: &Session,
    upload: Upload,
    file: Vec<u8>,
) -> Result<String, Error> {
    let pictures = app.pictures();
    let Upload {
        processing_slot,
        user_slot: _user_slot,
    } = upload;
    let picture = pictures
        .processor
        .reencode(processing_slot, file.into())
        .await;
    let picture = picture.map_err(refusal)?;
    let name = PictureName::generate();
    let address = name.to_string();
    uploads::record(app.db(), session.profile.user_id, &address).await?;
    pictures.file_store.put(&name, picture).await?;
    Ok(address)
}

/// Deletes an unused picture of the caller. An invalid `name` counts as missing.
pub async fn delete(app: &App, session: &Session, name: &str) -> Result<(), Error> {
    let name = PictureName::parse(name).ok_or(Refusal::NoSuchPicture)?;
    let user = session.profile.user_id;
    let removed = uploads::remove(app.db(), user, &name.to_string()).await?;
    removed.map_err(|refusal| match refusal {
        RemoveRefusal::NoSuchPicture => Refusal::NoSuchPicture,
        RemoveRefusal::OfAnother => Refusal::PictureNotYours,
        RemoveRefusal::InUse => Refusal::PictureInUse,
    })?;
    if let Err(error) = clean::discard(app, &name).await {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(error, "picture files not deleted, cleanup retries");
    }
    Ok(())
}

/// Who may view the picture at an address; anything that is not an upload is public.
pub async fn access(app: &App, address: &str) -> Result<PictureAccess, Error> {
    match PictureName::parse(address) {
        Some(name) => Ok(uploads::access(app.db(), &name.to_string()).await?),
        None => Ok(PictureAccess::Anybody),
    }
}

/// A file in the bucket; files in a folder are served from there.
pub async fn find(app: &App, address: &str, size: Size) -> Result<Option<StoredFile>, Error> {
    match PictureName::parse(address) {
        Some(name) => Ok(app.pictures().file_store.find(&name, size).await?),
        None => Ok(None),
    }
}

/// The path of a picture's file of this size in the folder, if the address names an upload.
pub fn path_of(address: &str, size: Size) -> Option<String> {
    let name = PictureName::parse(address)?;
    Some(format!("/{}", name.path_of(size)))
}

fn refusal(error: ProcessError) -> Error {
    match error {
        ProcessError::Rejected(PictureRejection::Unsupported) => Refusal::ImageUnsupported.into(),
        ProcessError::Rejected(PictureRejection::TooLarge) => Refusal::ImageTooLarge.into(),
        ProcessError::Busy => Error::Busy {
            retry_after: BUSY_RETRY_AFTER,
        },
    }
}
