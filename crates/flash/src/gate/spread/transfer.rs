//! Transfers between buckets: begun by a debit, finished from the journal.

use link::{LinkError, Script};

use super::GateSnapshot;
use super::snapshot::StockTransfer;
use crate::gate::bucket::{Bucket, eval_with_retry};
use crate::{Flash, Ledger, replicas};

static DEBIT: Script = Script::new(include_str!("../../lua/debit.lua"));
static CREDIT: Script = Script::new(include_str!("../../lua/credit.lua"));
static CLEAR_TRANSFER: Script = Script::new(include_str!("../../lua/clear_transfer.lua"));

impl<L: Ledger> Flash<L> {
    /// Moves at most `units` from one bucket to another and returns how many left the first.
    pub(crate) async fn transfer(
        &self,
        buckets: &[Bucket],
        load: i64,
        from: u16,
        to: u16,
        units: u32,
    ) -> Result<u32, LinkError> {
        let source = &buckets[usize::from(from)];
        let keys = [&source.sale_key, &source.moved_key];
        // Sent once: if the reply is lost, the journal shows the transfer to the next reader.
        let left: u32 = self
            .inner
            .link
            .eval(&DEBIT, &keys, (load, to, units))
            .await?;
        supervise::fail_point::pass("in_the_middle_of_a_transfer");
        if left > 0
            && let Some(snapshot) = GateSnapshot::read(&self.inner.link, buckets).await?
        {
            self.finish_transfers(buckets, &snapshot).await?;
        }
        Ok(left)
    }

    /// Finishes every transfer in the journals of the snapshot; `false` if there was none to finish.
    ///
    /// In the order of their numbers: a later one that arrives first would make the earlier one look received.
    pub(crate) async fn finish_transfers(
        &self,
        buckets: &[Bucket],
        snapshot: &GateSnapshot,
    ) -> Result<bool, LinkError> {
        let mut finished = false;
        for transfer in snapshot.transfers() {
            if !self.finish(buckets, snapshot.load, &transfer).await? {
                break;
            }
            finished = true;
        }
        Ok(finished)
    }

    /// `false` if the transfer cannot be finished at present, or is obsolete.
    async fn finish(
        &self,
        buckets: &[Bucket],
        load: i64,
        transfer: &StockTransfer,
    ) -> Result<bool, LinkError> {
        let (Some(from), Some(to)) = (
            buckets.get(usize::from(transfer.from)),
            buckets.get(usize::from(transfer.to)),
        ) else {
            return Ok(false);
        };
        if !self.replicas_confirm(from).await? {
            return Ok(false);
        }
        let link = &self.inner.link;
        let keys = [to.sale_key.as_str(), &to.received_key, &to.epochs_channel];
        let args = (
            load,
            to.sale.0,
            transfer.from,
            transfer.number,
            transfer.units,
            to.publish,
        );
        let credited = eval_with_retry(link, &CREDIT, &keys, args).await;
        self.invalidate_flag(to.sale);
        if !credited? {
            return Ok(false);
        }
        let keys = [from.sale_key.as_str(), &from.moved_key];
        let field = format!("{}:{}", transfer.to, transfer.number);
        eval_with_retry::<()>(link, &CLEAR_TRANSFER, &keys, (load, field)).await?;
        Ok(true)
    }

    /// Whether a failover cannot undo a debit, which would leave the units in both buckets.
    async fn replicas_confirm(&self, from: &Bucket) -> Result<bool, LinkError> {
        match self.inner.options.replicas {
            0 => Ok(true),
            replicas => {
                let key = self.inner.keys.mark(from.partition);
                replicas::confirm(&self.inner.link, &key, replicas).await
            }
        }
    }
}
