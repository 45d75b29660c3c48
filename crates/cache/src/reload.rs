//! Reads the keys again that memory had, when everything in it has become doubtful at once.
//!
//! After a flush every reader would miss at the same time, each with a load of its own. The entries in memory tell what
//! readers want, so these keys are read in batches, through the same loads that readers join. The work is bounded: so many
//! keys as the settings say, one batch at a time, and a second flush starts it anew. A cache without a loader reloads
//! nothing: a closure is there only while a caller is, so the next caller of each key brings one.
//!
//! A key keeps the tags that its readers named: without them an invalidation of such a tag would pass the new value by.

use std::{sync::Arc, time::Instant};

use tokio_util::task::AbortOnDropHandle;

use crate::{Loader, read_through, shared::CacheState};

/// Keys per batch: large enough to be efficient, small enough that the commands of others, which wait behind those of a batch,
/// wait for a few milliseconds.
pub(crate) const BATCH: usize = 50;

/// Starts to read the keys in memory again; ends when dropped.
pub(crate) fn start<L: Loader>(
    shared: &Arc<CacheState<L>>,
) -> Option<AbortOnDropHandle<Option<()>>> {
    if !L::LOADS {
        return None;
    }
    let limit = shared.settings.reloaded_keys;
    let keys = shared.memory.wanted_keys(limit, Instant::now());
    if keys.is_empty() {
        return None;
    }
    let task = supervise::spawn_once("cache reload", read(shared.clone(), keys));
    Some(AbortOnDropHandle::new(task))
}

async fn read<L: Loader>(shared: Arc<CacheState<L>>, keys: Vec<(L::Key, Vec<String>)>) {
    for batch in keys.chunks(BATCH) {
        let mut loads = Vec::new();
        let joined: Vec<_> = batch
            .iter()
            .map(|(key, tags)| shared.join_or_start(key, tags, &mut loads))
            .collect();
        read_through::spawn_loads(&shared, loads);
        for load in joined {
            // The next reader of a key that failed tries again.
            let _ = shared.wait(&load).await;
        }
    }
}
