//! Transfers between buckets: begun by a debit, finished from the journal.

use link::{LinkError, Script};

use super::Look;
use super::snapshot::Transfer;
use crate::gate::bucket::{Place, insist};
use crate::{Flash, Ledger, fail_point, replicas};

static DEBIT: Script = Script::new(include_str!("../../lua/debit.lua"));
static CREDIT: Script = Script::new(include_str!("../../lua/credit.lua"));
static STRIKE: Script = Script::new(include_str!("../../lua/strike.lua"));

impl<L: Ledger> Flash<L> {
    /// Moves at most `pieces` from one bucket to another and returns how many left the first.
    pub(crate) async fn transfer(
        &self,
        places: &[Place],
        load: i64,
        from: u16,
        to: u16,
        pieces: u32,
    ) -> Result<u32, LinkError> {
        let source = &places[usize::from(from)];
        let keys = [&source.sale, &source.moved];
        // Sent once: if the answer is lost, the journal tells whoever looks next.
        let left: u32 = self
            .inner
            .link
            .eval(&DEBIT, &keys, (load, to, pieces))
            .await?;
        fail_point::pass("in_the_middle_of_a_transfer");
        if left > 0
            && let Some(look) = Look::at(&self.inner.link, places).await?
        {
            self.finish_transfers(places, &look).await?;
        }
        Ok(left)
    }

    /// Finishes every transfer that the look has seen in a journal; `false` if there was none to finish.
    ///
    /// In the order of their numbers: a later one that arrives first would make the earlier one look as if it had.
    pub(crate) async fn finish_transfers(
        &self,
        places: &[Place],
        look: &Look,
    ) -> Result<bool, LinkError> {
        let mut finished = false;
        for transfer in look.transfers() {
            if !self.finish(places, look.load, &transfer).await? {
                break;
            }
            finished = true;
        }
        Ok(finished)
    }

    /// `false` if the transfer cannot be finished at the moment, or is none any more.
    async fn finish(
        &self,
        places: &[Place],
        load: i64,
        transfer: &Transfer,
    ) -> Result<bool, LinkError> {
        let (Some(from), Some(to)) = (
            places.get(usize::from(transfer.from)),
            places.get(usize::from(transfer.to)),
        ) else {
            return Ok(false);
        };
        if !self.is_safe(from).await? {
            return Ok(false);
        }
        let link = &self.inner.link;
        let keys = [to.sale.as_str(), &to.received, &to.epochs];
        let args = (
            load,
            to.id.0,
            transfer.from,
            transfer.number,
            transfer.pieces,
            to.publish,
        );
        let credited = insist(link, &CREDIT, &keys, args).await;
        self.forget_answers(to.id);
        if !credited? {
            return Ok(false);
        }
        let keys = [from.sale.as_str(), &from.moved];
        let field = format!("{}:{}", transfer.to, transfer.number);
        insist::<()>(link, &STRIKE, &keys, (load, field)).await?;
        Ok(true)
    }

    /// Whether a failover could not undo a departure, which would leave the pieces in both buckets.
    async fn is_safe(&self, from: &Place) -> Result<bool, LinkError> {
        match self.inner.options.replicas {
            0 => Ok(true),
            replicas => {
                let key = self.inner.keys.mark(from.partition);
                replicas::confirm(&self.inner.link, &key, replicas).await
            }
        }
    }
}
