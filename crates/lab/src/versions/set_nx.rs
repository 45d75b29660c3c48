//! Version 8. A lock in Redis: `SET lock 1 NX PX 10000` to acquire it, `DEL lock` to release it.
//!
//! All processes share it, and the lease releases it if its holder dies. But a holder that is paused for longer than the
//! lease deletes a lock that another client holds by then: a third client acquires it together with the second.

use anyhow::Result;
use link::Link;

use super::critical;
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct SetNx {
    tables: SaleTables,
    link: Link,
    places: Endpoints,
}

impl Version for SetNx {
    async fn open(places: &Endpoints) -> Result<Self> {
        Ok(Self {
            tables: SaleTables::open(&places.sql).await?,
            link: places.link().await?,
            places: places.clone(),
        })
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        let key = self.places.key(&format!("lock:{}", request.sale));
        let lease = self.places.lease();
        if !critical::set_nx(&self.link, &key, "1", lease, steps).await? {
            return Ok(PurchaseReply::Busy);
        }
        let answer = critical::sell(&self.tables, request, steps).await;
        steps.step("about to release").await;

        let () = self.link.run(redis::cmd("DEL").arg(&key)).await?;
        answer
    }
}
