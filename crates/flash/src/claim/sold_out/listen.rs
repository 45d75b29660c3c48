//! Subscribes to epochs: units that returned to stock and terms that changed lower the sold-out flags.

use link::{Event, Interest};
use tokio_util::sync::CancellationToken;

use crate::{Flash, Ledger, Partition, SaleId};

impl<L: Ledger> Flash<L> {
    /// Lowers sold-out flags as soon as a unit returns to stock, until `stop`. Every process that takes claims should run
    /// it; without it a flag falls after its ceiling.
    pub async fn listen(&self, stop: CancellationToken) {
        let keys = &self.inner.keys;
        let partitions = self.inner.partitions;
        let channels: Vec<String> = partitions.all().map(|it| keys.epochs(it)).collect();
        let mut events = self
            .inner
            .link
            .subscribe(Interest::channels(channels.clone()));
        while let Some(event) = stop.run_until_cancelled(events.next()).await {
            match event {
                Event::Connected | Event::Disconnected => self.reset_flags(),
                Event::Message { channel, payload } => {
                    let index = channels.iter().position(|name| *name == channel);
                    let partition = index.and_then(|index| u16::try_from(index).ok());
                    if let (Some(partition), Some((sale, epoch))) =
                        (partition, parse_epoch(&payload))
                    {
                        self.note_epoch(Partition(partition), sale, epoch);
                    }
                }
                _ => {}
            }
        }
    }

    /// To be called after every script that publishes an epoch, whether it succeeded or not: the message arrives later, and
    /// the next claim in this process must not get an outcome from before the change.
    pub(crate) fn invalidate_flag(&self, sale: SaleId) {
        self.inner
            .known_sales
            .with(sale, |sale| sale.flag.invalidate());
    }

    fn reset_flags(&self) {
        self.inner.known_sales.for_each(|sale| sale.flag.reset());
    }

    fn note_epoch(&self, partition: Partition, sale: SaleId, epoch: i64) {
        let Some(sale) = self.inner.known_sales.get(sale) else {
            return;
        };
        let buckets = sale.buckets.iter();
        for bucket in buckets.filter(|bucket| bucket.partition == partition) {
            sale.flag.note_published_epoch(bucket.number, epoch);
        }
    }
}

/// `<sale>:<epoch>`
fn parse_epoch(payload: &[u8]) -> Option<(SaleId, i64)> {
    let (sale, epoch) = str::from_utf8(payload).ok()?.split_once(':')?;
    Some((SaleId(sale.parse().ok()?), epoch.parse().ok()?))
}
