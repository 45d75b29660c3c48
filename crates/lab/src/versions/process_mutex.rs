//! Version 5. A mutex of the process (Java's `synchronized`): one buyer at a time looks and takes.
//!
//! Right, as long as there is one process. The second one has a mutex of its own, and the two know nothing of each other.

use anyhow::Result;
use tokio::sync::Mutex;

use super::critical;
use crate::pace::Pace;
use crate::shelf::Shelf;
use crate::version::{Answer, Places, Version, Wish};

pub(crate) struct ProcessMutex {
    shelf: Shelf,
    mutex: Mutex<()>,
}

impl Version for ProcessMutex {
    async fn open(places: &Places) -> Result<Self> {
        Ok(Self {
            shelf: Shelf::open(&places.sql).await?,
            mutex: Mutex::new(()),
        })
    }

    async fn buy(&self, wish: Wish, pace: &Pace) -> Result<Answer> {
        let _held = match self.mutex.try_lock() {
            Ok(held) => held,
            Err(_) => {
                pace.waits();
                self.mutex.lock().await
            }
        };
        critical::sell(&self.shelf, wish, pace).await
    }
}
