//! Version 9. The lock stores its owner: a client deletes it only if the value is its own.
//!
//! Check and delete are two commands. A client that is paused between them (a garbage collection is enough) deletes the
//! lock of another client.

use anyhow::Result;
use link::Link;

use super::critical;
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct OwnerCheck {
    tables: SaleTables,
    link: Link,
    places: Endpoints,
}

impl Version for OwnerCheck {
    async fn open(places: &Endpoints) -> Result<Self> {
        Ok(Self {
            tables: SaleTables::open(&places.sql).await?,
            link: places.link().await?,
            places: places.clone(),
        })
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        let key = self.places.key(&format!("lock:{}", request.sale));
        let me = format!("{:032x}", rand::random::<u128>());
        let lease = self.places.lease();
        if !critical::set_nx(&self.link, &key, &me, lease, steps).await? {
            return Ok(PurchaseReply::Busy);
        }
        let answer = critical::sell(&self.tables, request, steps).await;
        steps.step("about to release").await;

        let owner: Option<String> = self.link.run(redis::cmd("GET").arg(&key)).await?;
        steps.saw("GET lock", owner.as_deref().unwrap_or("nil"));
        if owner.as_deref() == Some(&me) {
            steps.step("found to be the owner").await;
            let () = self.link.run(redis::cmd("DEL").arg(&key)).await?;
        }
        answer
    }
}
