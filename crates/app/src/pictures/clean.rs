//! Deletes unused pictures: uploaded and never referenced, or deleted while the store was unreachable.

use std::convert::Infallible;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use pictures::PictureName;
use storage::uploads;
use tokio_util::sync::CancellationToken;

use crate::lease::WorkLease;
use crate::{App, Error};

const LEASE: WorkLease = WorkLease::named("pictures:clean");

/// How long an unused picture is kept: a note is written within a day of its pictures, or never.
const KEPT_UNUSED: SignedDuration = SignedDuration::from_hours(24);

/// The interval; unused pictures do no harm meanwhile.
const PAUSE: Duration = Duration::from_secs(600);

/// Pictures per batch: a few seconds of work, even in a bucket.
const BATCH: u64 = 100;

/// Cleans up until shutdown while this process holds the lease.
pub async fn run_cleaning(app: App, stop: CancellationToken) {
    LEASE
        .run(&app, &stop, || Box::pin(clean_forever(&app)))
        .await;
}

async fn clean_forever(app: &App) -> Infallible {
    loop {
        if let Err(error) = clean(app, Timestamp::now() - KEPT_UNUSED).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "picture cleanup failed, retrying");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Deletes everything unused since before `older_than` and returns the number of pictures.
pub async fn clean(app: &App, older_than: Timestamp) -> Result<u64, Error> {
    let mut cleared = 0;
    loop {
        let names = uploads::list_orphans(app.db(), older_than, BATCH).await?;
        let before = cleared;
        for name in &names {
            cleared += u64::from(delete_orphan(app, name).await?);
        }
        // A picture that could not be deleted would be listed again.
        if cleared == before {
            return Ok(cleared);
        }
    }
}

/// It may have been used since it was listed; then it stays.
async fn delete_orphan(app: &App, name: &str) -> Result<bool, Error> {
    if !uploads::remove_orphan(app.db(), name).await? {
        return Ok(false);
    }
    match PictureName::parse(name) {
        Some(name) => discard(app, &name).await?,
        None => uploads::delete_row(app.db(), name).await?,
    }
    Ok(true)
}

/// Deletes the files of a picture marked gone, then its row.
pub(super) async fn discard(app: &App, name: &PictureName) -> Result<(), Error> {
    app.pictures().file_store.delete(name).await?;
    Ok(uploads::delete_row(app.db(), &name.to_string()).await?)
}
