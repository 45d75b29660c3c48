//! Version 22. The `flash` crate: one script decides all waiting claims and appends the granted orders in the same step.
//!
//! The order's id is chosen before the gate is called, so a call whose reply was lost can be repeated. Decision and
//! order are one write, so a crash cannot separate them. One drain worker at a time, by lease and fencing token, writes
//! orders to SQL, where a unique key decides last. No buyer gets an order before the replicas have it, if there are any.

use std::num::NonZeroU16;
use std::time::Duration;

use anyhow::{Result, bail};
use flash::{BuyerId, Claim, ClaimError, ClaimOutcome, Flash, FlashOptions, SaleId};
use link::Link;
use lock::{Locks, Options};
use tokio_util::sync::CancellationToken;

use crate::ledger::SqlLedger;
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, PurchaseReply, PurchaseRequest, Version};

const ONE: NonZeroU16 = NonZeroU16::new(1).expect("one is not zero");

pub(crate) struct FlashGate {
    flash: Flash<SqlLedger>,
    link: Link,
    backlog: String,
}

impl Version for FlashGate {
    async fn open(places: &Endpoints) -> Result<Self> {
        let tables = SaleTables::open(&places.sql).await?;
        let link = places.link().await?;
        let locks = Options {
            prefix: places.key("lock:"),
            ..Options::default()
        };
        let options = FlashOptions {
            prefix: places.key("seckill:"),
            partitions: ONE,
            replicas: places.replicas,
            claim_deadline: Duration::from_secs(1),
            ..FlashOptions::default()
        };
        let locks = Locks::with_options(link.clone(), locks);
        let flash = Flash::new(link.clone(), locks, SqlLedger::new(tables), options);
        flash.check_partitions().await?;
        let backlog = places.key("seckill:{0}:backlog");
        Ok(Self {
            flash,
            link,
            backlog,
        })
    }

    async fn publish(&self, sale: i64, _stock: i64) -> Result<()> {
        // Loads the gate from SQL; without this, the first claim would.
        self.flash.preload(SaleId(sale)).await?;
        Ok(())
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        steps.step("about to call the gate").await;
        let claim = Claim {
            sale: SaleId(request.sale),
            buyer: BuyerId(request.buyer),
            key: None,
        };
        Ok(match self.flash.claim(claim).await {
            Ok(ClaimOutcome::Granted(order)) => PurchaseReply::Ordered(order.0),
            Ok(ClaimOutcome::AlreadyBought(_)) => PurchaseReply::AlreadyBought,
            Ok(ClaimOutcome::SoldOut) => PurchaseReply::SoldOut,
            Ok(ClaimOutcome::NotStarted | ClaimOutcome::Ended) => bail!("the sale is always open"),
            Err(ClaimError::Busy { .. }) => PurchaseReply::Busy,
            Err(unknown) => return Err(unknown.into()),
        })
    }

    async fn work(&self, steps: &StepControl) -> Result<()> {
        self.flash.ledger().follow(steps);
        let stop = CancellationToken::new();
        tokio::join!(self.flash.run_drain(stop.clone()), self.flash.listen(stop));
        Ok(())
    }

    async fn pending(&self) -> Result<u64> {
        let backlog = redis::cmd("GET").arg(&self.backlog).to_owned();
        let backlog: Option<u64> = self.link.run(&backlog).await?;
        Ok(backlog.unwrap_or_default())
    }
}
