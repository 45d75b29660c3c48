//! Developing pictures beside the requests, with a bound on memory.
//!
//! Two things are counted. *Places* are uploads in hand, each of which may hold a whole file: whoever finds none is told
//! at once, before a byte of the file is read. *Room* is what decoded pictures may take together: as much as the largest
//! one alone, or several small ones side by side, but never more of them than there are cores. Both are given back by
//! the thread that used them, so that a client who hangs up frees nothing too early.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::header::{Header, MAX_DECODED_BYTES};
use crate::print::develop_from;
use crate::{Prints, Unfit};

/// Room is counted in mebibytes: a semaphore counts to 2^32 at most.
const UNIT_BYTES: u64 = 1024 * 1024;

/// Longer than a handful of large photos take; a caller that still waits then should retry.
const ROOM_WAIT: Duration = Duration::from_secs(8);

#[derive(Clone, Debug)]
pub struct Studio {
    places: Arc<Semaphore>,
    room: Arc<Semaphore>,
    /// What a picture takes of the room at least.
    least_units: u32,
    room_wait: Duration,
}

/// The right to send one picture.
#[derive(Debug)]
pub struct Place {
    _permit: OwnedSemaphorePermit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DevelopError {
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// Others' pictures take all the time there is.
    #[error("too many pictures are being developed")]
    Busy,
}

impl Studio {
    /// Takes up to `places` uploads at once.
    pub fn new(places: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let room = units(MAX_DECODED_BYTES);
        Self {
            places: Arc::new(Semaphore::new(places)),
            room: Arc::new(Semaphore::new(room as usize)),
            least_units: room / u32::try_from(cores).unwrap_or(u32::MAX).min(room),
            room_wait: ROOM_WAIT,
        }
    }

    /// A place for one upload, if one is free.
    pub fn enter(&self) -> Option<Place> {
        let permit = self.places.clone().try_acquire_owned().ok()?;
        Some(Place { _permit: permit })
    }

    /// Makes the prints of a picture, as soon as there is room for it.
    pub async fn develop(&self, place: Place, file: Bytes) -> Result<Prints, DevelopError> {
        let header = file.clone();
        let needed = apart(move || Ok(units(Header::read(&header)?.decoded_bytes()))).await?;
        let room = self.take_room(needed).await?;
        let prints = apart(move || {
            let prints = Header::read(&file).and_then(develop_from);
            drop((room, place));
            prints
        });
        Ok(prints.await?)
    }

    async fn take_room(&self, units: u32) -> Result<OwnedSemaphorePermit, DevelopError> {
        let units = units.max(self.least_units);
        let room = self.room.clone().acquire_many_owned(units);
        let room = tokio::time::timeout(self.room_wait, room).await;
        let room = room.map_err(|_| DevelopError::Busy)?;
        Ok(room.expect("the room is never closed"))
    }
}

/// On a thread where it may take its time. A decoder that panics does so because of the file, which is then unfit.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Unfit> + Send + 'static,
) -> Result<T, Unfit> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "a picture could not be developed");
            Err(Unfit::Unsupported)
        })
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).expect("a picture within bounds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_and_given_back() {
        let studio = Studio::new(2);
        let first = studio.enter().unwrap();
        let _second = studio.enter().unwrap();
        assert!(studio.enter().is_none());
        drop(first);
        assert!(studio.enter().is_some());
    }

    #[tokio::test]
    async fn a_place_is_free_again_whatever_became_of_its_picture() {
        let studio = Studio::new(1);
        for file in ["", "GIF89a", "\u{89}PNG"] {
            let place = studio.enter().unwrap();
            let developed = studio.develop(place, Bytes::from(file)).await;
            assert_eq!(developed.unwrap_err(), Unfit::Unsupported.into());
        }
        assert!(studio.enter().is_some());
    }

    #[tokio::test]
    async fn whoever_waits_too_long_for_room_is_told_that_others_are_first() {
        let studio = Studio {
            room_wait: Duration::from_millis(10),
            ..Studio::new(1)
        };
        let all = studio.room.available_permits();
        let _taken = studio.room.acquire_many(u32::try_from(all).unwrap()).await;
        let place = studio.enter().unwrap();
        let picture = image::DynamicImage::new_rgb8(1, 1);
        let mut file = std::io::Cursor::new(Vec::new());
        picture
            .write_to(&mut file, image::ImageFormat::Png)
            .unwrap();
        let developed = studio.develop(place, file.into_inner().into()).await;
        assert_eq!(developed.unwrap_err(), DevelopError::Busy);
        assert!(studio.enter().is_some());
    }
}
