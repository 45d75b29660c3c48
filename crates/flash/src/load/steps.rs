//! The steps of a load in Redis. Each is idempotent, and returns whether the gate still belongs to the load.

use std::time::Duration;

use link::{Link, LinkError, Script};

use crate::gate::bucket::{Bucket, as_ms, eval_with_retry};
use crate::gate::read_fields;
use crate::{Holding, Terms};

static BEGIN: Script = Script::new(include_str!("../lua/begin_load.lua"));
static WRITE: Script = Script::new(include_str!("../lua/load_holders.lua"));
static OPEN: Script = Script::new(include_str!("../lua/open_gate.lua"));

/// An abandoned load expires after this long.
pub(crate) const ABANDONED: Duration = Duration::from_secs(3_600);

/// Holders written by one script: it blocks Redis for a few milliseconds.
const CHUNK: usize = 500;

/// Gate epochs per load: more than the returns of a sale between two loads.
const EPOCHS_PER_LOAD: i64 = 1 << 20;

/// What a bucket is opened with.
#[derive(Debug)]
pub(super) struct Opening<'a> {
    pub(super) load: i64,
    pub(super) terms: &'a Terms,
    /// Unsold units of this bucket.
    pub(super) units: u32,
    pub(super) expire_at_ms: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    Open,
    Overtaken,
    /// The gate has later terms than these.
    OlderTerms,
}

/// Closes a bucket for a load.
pub(super) async fn begin(
    link: &Link,
    bucket: &Bucket,
    load: i64,
    spread: u16,
) -> Result<bool, LinkError> {
    let args = (load, spread, as_ms(ABANDONED));
    eval_with_retry(link, &BEGIN, &bucket.hashes(), args).await
}

/// Writes holders into a closed bucket.
pub(super) async fn write(
    link: &Link,
    bucket: &Bucket,
    load: i64,
    holders: &[Holding],
) -> Result<bool, LinkError> {
    let keys = [bucket.sale_key.as_str(), &bucket.buyers_key];
    for chunk in holders.chunks(CHUNK) {
        let entries: Vec<(i64, String)> = chunk.iter().map(|it| it.to_item()).collect();
        let args = (load, as_ms(ABANDONED), &entries);
        if !eval_with_retry(link, &WRITE, &keys, args).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How many holders are written in all buckets; `None` if one of them belongs to another load or master.
pub(super) async fn holders(
    link: &Link,
    buckets: &[Bucket],
    load: i64,
) -> Result<Option<u64>, LinkError> {
    let mut pipe = redis::pipe();
    for bucket in buckets {
        read_fields(&mut pipe, &bucket.sale_key, &["state", "load", "initial"]);
    }
    type Closed = (Option<String>, Option<i64>, Option<u64>);
    let gates: Vec<Option<Closed>> = link.pipe(&pipe).await?;
    let counts = gates.into_iter().map(|gate| {
        let (state, by, holders) = gate?;
        let ours = state.as_deref() == Some("loading") && by == Some(load);
        holders.filter(|_| ours)
    });
    Ok(counts.sum())
}

/// Opens a closed bucket.
pub(super) async fn open(
    link: &Link,
    bucket: &Bucket,
    opening: &Opening<'_>,
) -> Result<Opened, LinkError> {
    let terms = opening.terms;
    let total = match bucket.number {
        0 => terms.initial.to_string(),
        _ => String::new(),
    };
    let epoch = opening.load * EPOCHS_PER_LOAD;
    let args = (
        (opening.load, bucket.sale.0, opening.units, total, epoch),
        (terms.epoch, terms.begin_ms, terms.end_ms),
        (terms.limit_per_buyer, u8::from(terms.on_shelf)),
        (opening.expire_at_ms, bucket.publish),
    );
    let reply: String = eval_with_retry(link, &OPEN, &bucket.all_keys(), args).await?;
    Ok(match reply.as_str() {
        "open" => Opened::Open,
        "older" => Opened::OlderTerms,
        _ => Opened::Overtaken,
    })
}

/// The load that opened each bucket; `None` for those that are not open, or were loaded on another master.
pub(super) async fn open_loads(
    link: &Link,
    buckets: &[Bucket],
) -> Result<Vec<Option<i64>>, LinkError> {
    if buckets.is_empty() {
        return Ok(Vec::new());
    }
    let mut pipe = redis::pipe();
    for bucket in buckets {
        read_fields(&mut pipe, &bucket.sale_key, &["state", "load"]);
    }
    let gates: Vec<Option<(Option<String>, Option<i64>)>> = link.pipe(&pipe).await?;
    let open = |gate: Option<(Option<String>, Option<i64>)>| {
        let (state, load) = gate?;
        load.filter(|_| state.as_deref() == Some("open"))
    };
    Ok(gates.into_iter().map(open).collect())
}
