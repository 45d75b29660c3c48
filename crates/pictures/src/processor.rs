//! Re-encodes pictures on blocking threads, with a bound on memory.
//!
//! Two semaphores. *Slots* bound the uploads in flight, each of which may hold a whole file: without a free slot an
//! upload is refused before its body is read. *Memory* bounds all decoded pictures together: as much as the largest one
//! alone, or several small ones, but never more pictures than cores. The blocking thread releases both when it is done,
//! so a client that disconnects releases neither too early.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::header::{Header, MAX_DECODED_BYTES};
use crate::reencode::reencode_from;
use crate::{PictureRejection, ReencodedPicture};

/// Memory is counted in mebibytes: a semaphore counts to 2^32 at most.
const UNIT_BYTES: u64 = 1024 * 1024;

/// Longer than several large photos take; a caller that still waits should retry.
const MEMORY_WAIT: Duration = Duration::from_secs(8);

#[derive(Clone, Debug)]
pub struct PictureProcessor {
    slots: Arc<Semaphore>,
    memory: Arc<Semaphore>,
    /// The minimum that a picture is charged, which bounds the number of pictures.
    min_units: u32,
    memory_wait: Duration,
}

/// Permission to upload one picture.
#[derive(Debug)]
pub struct ProcessingSlot {
    _permit: OwnedSemaphorePermit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ProcessError {
    #[error(transparent)]
    Rejected(#[from] PictureRejection),
    /// No memory became free in time.
    #[error("too many pictures are being processed")]
    Busy,
}

impl PictureProcessor {
    /// Accepts up to `slots` uploads at once.
    pub fn new(slots: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let memory = units(MAX_DECODED_BYTES);
        Self {
            slots: Arc::new(Semaphore::new(slots)),
            memory: Arc::new(Semaphore::new(memory as usize)),
            min_units: memory / u32::try_from(cores).unwrap_or(u32::MAX).min(memory),
            memory_wait: MEMORY_WAIT,
        }
    }

    /// A slot for one upload, if one is free.
    pub fn try_reserve(&self) -> Option<ProcessingSlot> {
        let permit = self.slots.clone().try_acquire_owned().ok()?;
        Some(ProcessingSlot { _permit: permit })
    }

    /// Re-encodes a picture as soon as there is memory for it.
    pub async fn reencode(
        &self,
        slot: ProcessingSlot,
        file: Bytes,
    ) -> Result<ReencodedPicture, ProcessError> {
        let header = file.clone();
        let needed =
            run_blocking(move || Ok(units(Header::read(&header)?.decoded_bytes()))).await?;
        let memory = self.reserve_memory(needed).await?;
        let reencoded = run_blocking(move || {
            let reencoded = Header::read(&file).and_then(reencode_from);
            drop((memory, slot));
            reencoded
        });
        Ok(reencoded.await?)
    }

    async fn reserve_memory(&self, units: u32) -> Result<OwnedSemaphorePermit, ProcessError> {
        let units = units.max(self.min_units);
        let permit = self.memory.clone().acquire_many_owned(units);
        let permit = tokio::time::timeout(self.memory_wait, permit).await;
        let permit = permit.map_err(|_| ProcessError::Busy)?;
        Ok(permit.expect("the semaphore is never closed"))
    }
}

/// Runs on a blocking thread. A decoder that panics does so because of the file, which is then rejected.
async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PictureRejection> + Send + 'static,
) -> Result<T, PictureRejection> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "picture decoder panicked, upload refused");
            Err(PictureRejection::Unsupported)
        })
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).expect("a picture within bounds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_counted_and_released() {
        let processor = PictureProcessor::new(2);
        let first = processor.try_reserve().unwrap();
        let _second = processor.try_reserve().unwrap();
        assert!(processor.try_reserve().is_none());
        drop(first);
        assert!(processor.try_reserve().is_some());
    }

    #[tokio::test]
    async fn a_rejected_picture_releases_its_slot() {
        let processor = PictureProcessor::new(1);
        for file in ["", "GIF89a", "\u{89}PNG"] {
            let slot = processor.try_reserve().unwrap();
            let reencoded = processor.reencode(slot, Bytes::from(file)).await;
            assert_eq!(reencoded.unwrap_err(), PictureRejection::Unsupported.into());
        }
        assert!(processor.try_reserve().is_some());
    }

    #[tokio::test]
    async fn an_upload_that_waits_too_long_for_memory_is_refused_as_busy() {
        let processor = PictureProcessor {
            memory_wait: Duration::from_millis(10),
            ..PictureProcessor::new(1)
        };
        let all = processor.memory.available_permits();
        let _taken = processor
            .memory
            .acquire_many(u32::try_from(all).unwrap())
            .await;
        let slot = processor.try_reserve().unwrap();
        let picture = image::DynamicImage::new_rgb8(1, 1);
        let mut file = std::io::Cursor::new(Vec::new());
        picture
            .write_to(&mut file, image::ImageFormat::Png)
            .unwrap();
        let reencoded = processor.reencode(slot, file.into_inner().into()).await;
        assert_eq!(reencoded.unwrap_err(), ProcessError::Busy);
        assert!(processor.try_reserve().is_some());
    }
}
