//! Adds units to a bucket, or takes unsold ones out, outside of claims, returns and transfers.
//!
//! The caller has read a snapshot before, and the script compares it: if the bucket has a new epoch since, nothing is done.
//! So of two callers that saw the same difference only one repairs it.

use link::{LinkError, Script};

use crate::gate::bucket::Bucket;
use crate::gate::spread::GateSnapshot;
use crate::{Flash, Ledger};

static ADJUST: Script = Script::new(include_str!("../lua/adjust.lua"));

/// What to add to a bucket; negative: to take out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adjustment {
    /// Unsold units, in `stock` and `initial`.
    Units(i64),
    /// `initial` alone. The stock must still be that of the snapshot.
    Initial(i64),
}

impl<L: Ledger> Flash<L> {
    /// Returns what was added (negative: taken out).
    pub(crate) async fn adjust(
        &self,
        bucket: &Bucket,
        snapshot: &GateSnapshot,
        adjustment: Adjustment,
    ) -> Result<i64, LinkError> {
        let Some(before) = snapshot.buckets.get(usize::from(bucket.number)) else {
            return Ok(0);
        };
        let (kind, units) = match adjustment {
            Adjustment::Units(units) => ("pieces", units),
            Adjustment::Initial(units) => ("initial", units),
        };
        let args = (
            (snapshot.load, before.epoch, before.stock),
            (kind, units, bucket.sale.0, bucket.publish),
        );
        let keys = [&bucket.sale_key, &bucket.epochs_channel];
        let adjusted = self.inner.link.eval(&ADJUST, &keys, args).await;
        self.invalidate_flag(bucket.sale);
        adjusted
    }

    /// Takes at most `units` unsold units out of bucket 0.
    pub(crate) async fn take_surplus(
        &self,
        buckets: &[Bucket],
        units: u32,
    ) -> Result<u32, LinkError> {
        let Some(snapshot) = GateSnapshot::read(&self.inner.link, buckets).await? else {
            return Ok(0);
        };
        let out = Adjustment::Units(-i64::from(units));
        let taken = self.adjust(&buckets[0], &snapshot, out).await?;
        Ok(u32::try_from(-taken).unwrap_or(0))
    }
}
