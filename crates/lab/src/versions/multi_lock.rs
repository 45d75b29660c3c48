//! Version 12. One lock on all of three independent masters (Redisson's `MultiLock`): held while every one of them is.
//!
//! A master that loses its data gives a second buyer one lock of three, which is not enough. But all three must answer: with
//! one of them down nobody can buy. And it does not stop a holder that was paused past its lease.

use anyhow::Result;
use lock::{Locks, MultiLock, Term};

use super::critical::{self, PATIENCE};
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct AllMasters {
    tables: SaleTables,
    masters: Vec<Locks>,
    term: Term,
}

impl Version for AllMasters {
    async fn open(places: &Endpoints) -> Result<Self> {
        Ok(Self {
            tables: SaleTables::open(&places.sql).await?,
            masters: critical::locks_of_all_nodes(places).await?,
            term: Term::Renewed(places.lease()),
        })
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        let name = request.sale.to_string();
        let members = self.masters.iter();
        let members = members.map(|locks| locks.mutex(&name).term(self.term));
        let lock = MultiLock::all(members)?;
        let guard = match lock.try_lock().await {
            Ok(Some(guard)) => guard,
            _ => {
                steps.waits();
                lock.lock_within(PATIENCE).await?
            }
        };
        let answer = critical::sell(&self.tables, request, steps).await;
        steps.step("about to release").await;

        let _lost = guard.release().await;
        answer
    }
}
