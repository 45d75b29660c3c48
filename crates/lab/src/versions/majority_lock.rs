//! Version 13. A lock on a majority of three independent nodes (Redlock).
//!
//! It survives the loss of one node and of the grants in its memory. It does not stop a holder that was paused, and it has
//! no fencing token that would: three nodes do not agree on one sequence.

use anyhow::Result;
use lock::{Locks, MultiLock, Term};

use super::critical::{self, PATIENCE};
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct MajorityLock {
    tables: SaleTables,
    nodes: Vec<Locks>,
    term: Term,
}

impl Version for MajorityLock {
    async fn open(places: &Endpoints) -> Result<Self> {
        Ok(Self {
            tables: SaleTables::open(&places.sql).await?,
            nodes: critical::locks_of_all_nodes(places).await?,
            term: Term::Renewed(places.lease()),
        })
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        let name = request.sale.to_string();
        let members = self.nodes.iter();
        let members = members.map(|locks| locks.mutex(&name).term(self.term));
        let lock = MultiLock::majority(members)?;
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
