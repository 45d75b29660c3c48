//! Where a bucket of a sale is: its keys, and what upkeep reads and writes there.

use std::time::Duration;

use jiff::Timestamp;
use link::{Link, LinkError, Script};
use redis::{FromRedisValue, ToRedisArgs};

use crate::{Flash, Ledger, Partition, SaleId, Terms};

/// A gate is kept for at least this long after a load or an amendment, so that asking for a sale that ended long ago
/// does not cost a load each time.
const MIN_KEEP: Duration = Duration::from_secs(600);

/// How often a call that may be repeated is made before its failure is passed on.
const TRIES: u32 = 3;

/// Between two of these.
const TRY_PAUSE: Duration = Duration::from_millis(50);

/// A bucket with all its keys.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) id: SaleId,
    pub(crate) bucket: u16,
    pub(crate) partition: Partition,
    pub(crate) sale: String,
    pub(crate) buyers: String,
    pub(crate) moved: String,
    pub(crate) received: String,
    pub(crate) epochs: String,
    /// The command that tells of a new epoch: in a Cluster, channels are sharded.
    pub(crate) publish: &'static str,
}

impl<L: Ledger> Flash<L> {
    /// All buckets of a sale, bucket 0 first.
    pub(crate) fn places(&self, sale: SaleId, spread: u16) -> Vec<Place> {
        let spread = self.inner.partitions.spread(spread);
        (0..spread).map(|bucket| self.place(sale, bucket)).collect()
    }

    pub(crate) fn place(&self, sale: SaleId, bucket: u16) -> Place {
        let (keys, partition) = (&self.inner.keys, self.inner.partitions.of(sale, bucket));
        Place {
            id: sale,
            bucket,
            partition,
            sale: keys.sale(partition, sale),
            buyers: keys.buyers(partition, sale),
            moved: keys.moved(partition, sale),
            received: keys.received(partition, sale),
            epochs: keys.epochs(partition),
            publish: match self.inner.link.is_cluster() {
                true => "SPUBLISH",
                false => "PUBLISH",
            },
        }
    }

    /// When the keys of a sale may go.
    pub(crate) fn forget_at_ms(&self, terms: &Terms) -> i64 {
        let after_end = terms.end_ms.saturating_add(as_ms(self.inner.options.grace));
        after_end.max(now_ms() + as_ms(MIN_KEEP))
    }
}

impl Place {
    /// The four keys that a load begins anew.
    pub(crate) fn hashes(&self) -> [&str; 4] {
        [&self.sale, &self.buyers, &self.moved, &self.received]
    }

    /// Those, and the channel.
    pub(crate) fn all_keys(&self) -> [&str; 5] {
        let [sale, buyers, moved, received] = self.hashes();
        [sale, buyers, moved, received, &self.epochs]
    }
}

/// Runs a script that changes nothing when repeated, until Redis answers or has not for a while.
pub(crate) async fn insist<T: FromRedisValue>(
    link: &Link,
    script: &Script,
    keys: &[&str],
    args: impl ToRedisArgs + Sync,
) -> Result<T, LinkError> {
    for _ in 1..TRIES {
        match link.eval(script, keys, &args).await {
            Err(error) if error.is_outage() => tokio::time::sleep(TRY_PAUSE).await,
            answer => return answer,
        }
    }
    link.eval(script, keys, &args).await
}

pub(crate) fn now_ms() -> i64 {
    Timestamp::now().as_millisecond()
}

pub(crate) fn as_ms(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
