//! Adding pieces to a bucket, or taking unsold ones out, outside of buying, returning and moving.
//!
//! Whoever adjusts has looked before, and names what was seen: if pieces came to the bucket since, nothing is done. So
//! of two who saw the same difference only one mends it.

use link::{LinkError, Script};

use crate::gate::bucket::Place;
use crate::gate::spread::Look;
use crate::{Flash, Ledger};

static ADJUST: Script = Script::new(include_str!("../lua/adjust.lua"));

/// What to add to a bucket; negative: to take out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adjustment {
    /// Unsold pieces, which the bucket then stands for.
    Pieces(i64),
    /// What the bucket says it stands for, and no piece. The stock must still be what was seen.
    Initial(i64),
}

impl<L: Ledger> Flash<L> {
    /// Returns what was added (negative: taken out).
    pub(crate) async fn adjust(
        &self,
        place: &Place,
        look: &Look,
        adjustment: Adjustment,
    ) -> Result<i64, LinkError> {
        let Some(seen) = look.buckets.get(usize::from(place.bucket)) else {
            return Ok(0);
        };
        let (kind, pieces) = match adjustment {
            Adjustment::Pieces(pieces) => ("pieces", pieces),
            Adjustment::Initial(pieces) => ("initial", pieces),
        };
        let args = (
            (look.load, seen.epoch, seen.stock),
            (kind, pieces, place.id.0, place.publish),
        );
        let keys = [&place.sale, &place.epochs];
        let adjusted = self.inner.link.eval(&ADJUST, &keys, args).await;
        self.forget_answers(place.id);
        adjusted
    }

    /// Takes at most `pieces` unsold pieces out of bucket 0.
    pub(crate) async fn take_surplus(
        &self,
        places: &[Place],
        pieces: u32,
    ) -> Result<u32, LinkError> {
        let Some(look) = Look::at(&self.inner.link, places).await? else {
            return Ok(0);
        };
        let out = Adjustment::Pieces(-i64::from(pieces));
        let taken = self.adjust(&places[0], &look, out).await?;
        Ok(u32::try_from(-taken).unwrap_or(0))
    }
}
