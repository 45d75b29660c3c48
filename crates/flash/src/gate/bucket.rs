//! A bucket: one part of a sale's units, in one partition, with the keys of its gate.

use std::time::Duration;

use jiff::Timestamp;
use link::{Link, LinkError, Script};
use redis::{FromRedisValue, ToRedisArgs};

use crate::keys::Keys;
use crate::{Flash, Ledger, Partition, Partitions, SaleId, Terms};

/// A gate is kept for at least this long after a load or an amendment, so that claims of a sale that ended long ago do not
/// cost a load each.
const MIN_KEEP: Duration = Duration::from_secs(600);

/// Attempts of an idempotent call before its failure is returned.
const ATTEMPTS: u32 = 3;

/// Between two of these.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// A bucket with all its keys.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    pub(crate) sale: SaleId,
    /// From 0 to the sale's spread.
    pub(crate) number: u16,
    pub(crate) partition: Partition,
    pub(crate) sale_key: String,
    pub(crate) buyers_key: String,
    pub(crate) moved_key: String,
    pub(crate) received_key: String,
    pub(crate) epochs_channel: String,
    /// The command that publishes a new epoch: in a Cluster, channels are sharded.
    pub(crate) publish: &'static str,
}

impl Bucket {
    pub(crate) fn new(
        sale: SaleId,
        number: u16,
        keys: &Keys,
        partitions: Partitions,
        is_cluster: bool,
    ) -> Self {
        let partition = partitions.of(sale, number);
        Self {
            sale,
            number,
            partition,
            sale_key: keys.sale(partition, sale),
            buyers_key: keys.buyers(partition, sale),
            moved_key: keys.moved(partition, sale),
            received_key: keys.received(partition, sale),
            epochs_channel: keys.epochs(partition),
            publish: match is_cluster {
                true => "SPUBLISH",
                false => "PUBLISH",
            },
        }
    }

    /// The four keys that a load writes from scratch.
    pub(crate) fn hashes(&self) -> [&str; 4] {
        [
            &self.sale_key,
            &self.buyers_key,
            &self.moved_key,
            &self.received_key,
        ]
    }

    /// Those, and the channel.
    pub(crate) fn all_keys(&self) -> [&str; 5] {
        let [sale, buyers, moved, received] = self.hashes();
        [sale, buyers, moved, received, &self.epochs_channel]
    }
}

impl<L: Ledger> Flash<L> {
    /// All buckets of a sale, bucket 0 first.
    pub(crate) fn buckets(&self, sale: SaleId, spread: u16) -> Vec<Bucket> {
        let spread = self.inner.partitions.spread(spread);
        (0..spread)
            .map(|number| self.bucket(sale, number))
            .collect()
    }

    pub(crate) fn bucket(&self, sale: SaleId, number: u16) -> Bucket {
        let inner = &self.inner;
        let is_cluster = inner.link.is_cluster();
        Bucket::new(sale, number, &inner.keys, inner.partitions, is_cluster)
    }

    /// When the keys of a sale expire.
    pub(crate) fn expire_at_ms(&self, terms: &Terms) -> i64 {
        let after_end = terms.end_ms.saturating_add(as_ms(self.inner.options.grace));
        after_end.max(now_ms() + as_ms(MIN_KEEP))
    }
}

/// Runs an idempotent script, and retries it through a short outage of Redis.
pub(crate) async fn eval_with_retry<T: FromRedisValue>(
    link: &Link,
    script: &Script,
    keys: &[&str],
    args: impl ToRedisArgs + Sync,
) -> Result<T, LinkError> {
    for _ in 1..ATTEMPTS {
        match link.eval(script, keys, &args).await {
            Err(error) if error.is_outage() => tokio::time::sleep(RETRY_PAUSE).await,
            reply => return reply,
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
