//! Hears of pieces that came back and of terms that changed.

use link::{Event, Interest};
use tokio_util::sync::CancellationToken;

use crate::{Flash, Ledger, Partition, SaleId};

impl<L: Ledger> Flash<L> {
    /// Lets sold-out flags fall as soon as a piece comes back, until told to stop. Every process that takes claims
    /// should run it; without it a flag falls after its ceiling.
    pub async fn listen(&self, stop: CancellationToken) {
        let keys = &self.inner.keys;
        let partitions = self.inner.partitions;
        let channels: Vec<String> = partitions.all().map(|place| keys.epochs(place)).collect();
        let mut pushes = self
            .inner
            .link
            .subscribe(Interest::channels(channels.clone()));
        while let Some(event) = stop.run_until_cancelled(pushes.next()).await {
            match event {
                Event::Connected | Event::Disconnected => self.forget_flags(),
                Event::Message { channel, payload } => {
                    let place = channels.iter().position(|name| *name == channel);
                    let partition = place.and_then(|place| u16::try_from(place).ok());
                    if let (Some(partition), Some((sale, epoch))) = (partition, read(&payload)) {
                        self.note_epoch(Partition(partition), sale, epoch);
                    }
                }
                Event::Invalidated(_) | Event::AllInvalidated => {}
            }
        }
    }

    /// To be called after every script that publishes an epoch, whatever became of it: the message takes its own way, and
    /// whoever made the change and asks next is not to get an answer from before it.
    pub(crate) fn forget_answers(&self, sale: SaleId) {
        self.inner.sales.look(sale, |sale| sale.flag.changed());
    }

    fn forget_flags(&self) {
        self.inner.sales.for_each(|sale| sale.flag.forget());
    }

    fn note_epoch(&self, partition: Partition, sale: SaleId, epoch: i64) {
        let Some(sale) = self.inner.sales.get(sale) else {
            return;
        };
        let buckets = sale.buckets.iter().zip(0..);
        for (_, number) in buckets.filter(|(bucket, _)| bucket.partition == partition) {
            sale.flag.heard(number, epoch);
        }
    }
}

/// `<sale>:<epoch>`
fn read(payload: &[u8]) -> Option<(SaleId, i64)> {
    let (sale, epoch) = str::from_utf8(payload).ok()?.split_once(':')?;
    Some((SaleId(sale.parse().ok()?), epoch.parse().ok()?))
}
