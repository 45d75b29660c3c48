//! Builds the filter from the store: at the start, when announcements were missed, when it is full, and once in a while.
//!
//! The place in the log is taken before the first id is read, and what was announced of late goes in as well, so no id
//! falls between the two.

use std::{convert::Infallible, hash::RandomState, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use fastbloom::AtomicBloomFilter;
use supervise::Supervisor;
use tokio::time::{sleep, timeout};

use super::{Filter, Ids, Shared};

/// Ids asked for at a time.
const PAGE: usize = 10_000;

/// A filter has room for twice the ids it begins with, and for this many in any case.
const LEAST_ROOM: usize = 10_000;

/// Between two attempts, also those that succeed: whatever the reason, the store is not read all the time.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) async fn run<S: Ids>(shared: Arc<Shared<S::Id>>, ids: S) {
    let mut supervisor = Supervisor::new("bloom filter");
    while supervisor.run(keep_building(&shared, &ids)).await.is_none() {}
}

async fn keep_building<S: Ids>(shared: &Shared<S::Id>, ids: &S) -> Infallible {
    loop {
        match build(shared, ids).await {
            Ok(filter) => {
                shared.filter.store(Some(Arc::new(filter)));
                sleep(PAUSE).await;
                // Either way it is time.
                let _ = timeout(shared.options.rebuild_every, shared.outdated.notified()).await;
            }
            Err(error) => {
                tracing::warn!(
                    error,
                    "the Bloom filter could not be built, so every id passes"
                );
                sleep(PAUSE).await;
            }
        }
    }
}

async fn build<S: Ids>(
    shared: &Shared<S::Id>,
    ids: &S,
) -> Result<Filter, Box<dyn std::error::Error + Send + Sync>> {
    let (recent, mark) = shared.log.begin::<S::Id>().await?;
    let hasher = RandomState::new();
    let hash_of = |id: &S::Id| std::hash::BuildHasher::hash_one(&hasher, id);
    let mut hashes: Vec<u64> = recent.iter().map(hash_of).collect();
    let mut last = None;
    loop {
        let page = ids.ids_after(last.as_ref(), PAGE).await?;
        hashes.extend(page.iter().map(hash_of));
        match page.into_iter().last() {
            Some(id) => last = Some(id),
            None => break,
        }
    }
    let capacity = (hashes.len() * 2).max(LEAST_ROOM);
    let bits = AtomicBloomFilter::with_false_pos(shared.options.false_positive_rate)
        .hasher(hasher)
        .expected_items(capacity);
    for hash in &hashes {
        bits.insert_hash(*hash);
    }
    Ok(Filter {
        bits,
        mark: ArcSwap::from_pointee(mark),
        items: hashes.len().into(),
        capacity,
    })
}
