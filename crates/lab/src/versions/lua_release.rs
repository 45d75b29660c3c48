//! Version 10. Check and delete in one step: a Lua script, which Redis runs atomically.
//!
//! No client deletes the lock of another any more. But a holder that is paused before its write for longer than the lease
//! still writes, together with the next holder: a lock in Redis cannot stop a write that is already decided.

use anyhow::Result;
use link::{Link, Script};

use super::critical;
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, PurchaseReply, PurchaseRequest, Version};

static RELEASE: Script = Script::new(
    "if redis.call('GET', KEYS[1]) == ARGV[1] then
         return redis.call('DEL', KEYS[1])
     end
     return 0",
);

pub(crate) struct LuaRelease {
    tables: SaleTables,
    link: Link,
    places: Endpoints,
}

impl Version for LuaRelease {
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

        let _deleted: i64 = self.link.eval(&RELEASE, &[&key], &me).await?;
        answer
    }
}
