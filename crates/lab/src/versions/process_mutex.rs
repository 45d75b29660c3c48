//! Version 7. A mutex of the process (Java's `synchronized`): one buyer at a time reads and writes.
//!
//! Right for one process. A second process has a mutex of its own, which does not exclude the first.

use anyhow::Result;
use tokio::sync::Mutex;

use super::critical;
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct ProcessMutex {
    tables: SaleTables,
    mutex: Mutex<()>,
}

impl Version for ProcessMutex {
    async fn open(places: &Endpoints) -> Result<Self> {
        Ok(Self {
            tables: SaleTables::open(&places.sql).await?,
            mutex: Mutex::new(()),
        })
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        let _held = match self.mutex.try_lock() {
            Ok(held) => held,
            Err(_) => {
                steps.waits();
                self.mutex.lock().await
            }
        };
        critical::sell(&self.tables, request, steps).await
    }
}
