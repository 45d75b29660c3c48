//! Builds the filter from the store: at the start, when announcements are missing, when it is full, and periodically.
//!
//! The build takes its log position before it reads the first id and inserts the recent announcements too, so it misses
//! no id.

use std::{convert::Infallible, hash::RandomState, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use fastbloom::AtomicBloomFilter;
use supervise::Supervisor;
use tokio::time::{sleep, timeout};

use super::{BloomState, Filter, IdSource};

/// Ids per query.
const PAGE: usize = 10_000;

/// The smallest capacity of a filter; otherwise it is twice the number of ids.
const MIN_CAPACITY: usize = 10_000;

/// The pause after every build, also a successful one, so that builds do not load the store permanently.
const BUILD_PAUSE: Duration = Duration::from_secs(1);

pub(super) async fn run<S: IdSource>(shared: Arc<BloomState<S::Id>>, ids: S) {
    let mut supervisor = Supervisor::new("bloom filter");
    while supervisor.run(keep_building(&shared, &ids)).await.is_none() {}
}

async fn keep_building<S: IdSource>(shared: &BloomState<S::Id>, ids: &S) -> Infallible {
    loop {
        match build(shared, ids).await {
            Ok(filter) => {
                shared.filter.store(Some(Arc::new(filter)));
                sleep(BUILD_PAUSE).await;
                // Rebuilds at the timeout and when notified.
                let _ = timeout(shared.options.rebuild_every, shared.outdated.notified()).await;
            }
            Err(error) => {
                tracing::warn!(
                    error,
                    "Bloom filter build failed; every id passes until a retry succeeds"
                );
                sleep(BUILD_PAUSE).await;
            }
        }
    }
}

async fn build<S: IdSource>(
    shared: &BloomState<S::Id>,
    ids: &S,
) -> Result<Filter, Box<dyn std::error::Error + Send + Sync>> {
    let (recent, mark) = shared.log.read_all::<S::Id>().await?;
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
    let capacity = (hashes.len() * 2).max(MIN_CAPACITY);
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
