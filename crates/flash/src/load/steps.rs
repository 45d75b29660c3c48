//! The steps of a load in Redis. Each may be repeated, and each says whether the gate is still this load's.

use std::time::Duration;

use link::{Link, LinkError, Script};

use crate::gate::ask_fields;
use crate::gate::bucket::{Place, as_ms, insist};
use crate::{Holding, Terms};

static BEGIN: Script = Script::new(include_str!("../lua/begin_load.lua"));
static WRITE: Script = Script::new(include_str!("../lua/load_chunk.lua"));
static OPEN: Script = Script::new(include_str!("../lua/open_gate.lua"));

/// A load that nobody goes on with is forgotten after this long.
pub(crate) const ABANDONED: Duration = Duration::from_secs(3_600);

/// Holders written by one script: a few milliseconds, for which everybody else waits.
const CHUNK: usize = 500;

/// Gate epochs that a load has to itself: more returns than a sale can see between two loads.
const EPOCHS_PER_LOAD: i64 = 1 << 20;

/// What a bucket is opened with.
#[derive(Debug)]
pub(super) struct Opening<'a> {
    pub(super) load: i64,
    pub(super) terms: &'a Terms,
    /// Unsold pieces of this bucket.
    pub(super) pieces: u32,
    pub(super) forget_at_ms: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    Open,
    Overtaken,
    /// The gate has heard of later terms than these.
    OlderTerms,
}

/// Closes a bucket for a load.
pub(super) async fn begin(
    link: &Link,
    place: &Place,
    load: i64,
    spread: u16,
) -> Result<bool, LinkError> {
    let args = (load, spread, as_ms(ABANDONED));
    insist(link, &BEGIN, &place.hashes(), args).await
}

/// Writes holders into a closed bucket.
pub(super) async fn write(
    link: &Link,
    place: &Place,
    load: i64,
    holders: &[Holding],
) -> Result<bool, LinkError> {
    let keys = [place.sale.as_str(), &place.buyers];
    for chunk in holders.chunks(CHUNK) {
        let entries: Vec<(i64, String)> = chunk.iter().map(|it| it.to_item()).collect();
        let args = (load, as_ms(ABANDONED), &entries);
        if !insist(link, &WRITE, &keys, args).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How many holders all buckets together have got; nothing if one of them is not this load's, or another master's.
pub(super) async fn holders(
    link: &Link,
    places: &[Place],
    load: i64,
) -> Result<Option<u64>, LinkError> {
    let mut pipe = redis::pipe();
    for place in places {
        ask_fields(&mut pipe, &place.sale, &["state", "load", "initial"]);
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
    place: &Place,
    opening: &Opening<'_>,
) -> Result<Opened, LinkError> {
    let terms = opening.terms;
    let total = match place.bucket {
        0 => terms.initial.to_string(),
        _ => String::new(),
    };
    let epoch = opening.load * EPOCHS_PER_LOAD;
    let args = (
        (opening.load, place.id.0, opening.pieces, total, epoch),
        (terms.epoch, terms.begin_ms, terms.end_ms),
        (terms.limit_per_buyer, u8::from(terms.on_shelf)),
        (opening.forget_at_ms, place.publish),
    );
    let answer: String = insist(link, &OPEN, &place.all_keys(), args).await?;
    Ok(match answer.as_str() {
        "open" => Opened::Open,
        "older" => Opened::OlderTerms,
        _ => Opened::Overtaken,
    })
}

/// By which load each bucket was opened; nothing for those that are not open, or were loaded on another master.
pub(super) async fn open_loads(
    link: &Link,
    places: &[Place],
) -> Result<Vec<Option<i64>>, LinkError> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let mut pipe = redis::pipe();
    for place in places {
        ask_fields(&mut pipe, &place.sale, &["state", "load"]);
    }
    let gates: Vec<Option<(Option<String>, Option<i64>)>> = link.pipe(&pipe).await?;
    let open = |gate: Option<(Option<String>, Option<i64>)>| {
        let (state, load) = gate?;
        load.filter(|_| state.as_deref() == Some("open"))
    };
    Ok(gates.into_iter().map(open).collect())
}
