//! Popular searches: what many people searched for and found in the last days.
//!
//! Nothing says who searched. A word counts if it led to results, and once a day per address, which only the memory of
//! this process knows. What could name a person is not counted: names of people, numbers, addresses.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::time::{Duration, Instant};

use domain::{AddressBlock, Needle};
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use moka::future::Cache;

use crate::local_limit::{LocalLimit, RetryAfter};
use crate::{App, Error};

/// Words on the list.
const HOT_WORDS: usize = 10;

/// A word is popular from so many searches on; those of the day before count half, and so on.
const HOT_FROM: f64 = 3.0;

/// Words of each day that are compared.
const WORDS_PER_DAY: usize = 100;

/// How long a customer's network that searched for a word does not count for it again.
const ONCE_PER: Duration = Duration::from_secs(24 * 3600);
/// Searches remembered for that: a few hundred kilobytes.
const SEARCHES_REMEMBERED: u64 = 20_000;

/// How long a process shows the same list.
const LIST_FRESH: Duration = Duration::from_secs(60);

/// Searches and suggestions of a customer's network, for whoever types all the time; a household or an office shares it.
const SEARCHES_PER_MINUTE: u32 = 600;
const MINUTE: Duration = Duration::from_secs(60);
const ADDRESSES_REMEMBERED: usize = 100_000;

/// How long a search waits for its count.
const COUNT_TIMEOUT: Duration = Duration::from_millis(100);

/// Per-process state of the search: its limit, and popular searches.
#[derive(Debug)]
pub struct SearchWords {
    /// Hashes of addresses with words.
    recent: Cache<u64, ()>,
    hasher: RandomState,
    list: Cache<(), Vec<String>>,
    limit: LocalLimit<AddressBlock>,
}

impl SearchWords {
    pub(crate) fn new() -> Self {
        Self {
            recent: Cache::builder()
                .max_capacity(SEARCHES_REMEMBERED)
                .time_to_live(ONCE_PER)
                .build(),
            hasher: RandomState::new(),
            list: Cache::builder().time_to_live(LIST_FRESH).build(),
            limit: LocalLimit::new(SEARCHES_PER_MINUTE, MINUTE, ADDRESSES_REMEMBERED),
        }
    }

    /// Whether the address has not searched for the word lately.
    async fn is_first(&self, address: IpAddr, word: &str) -> bool {
        let hash = self
            .hasher
            .hash_one((AddressBlock::of_customer(address), word));
        let entry = self.recent.entry(hash).or_insert(()).await;
        entry.is_fresh()
    }
}

/// Counts a search or suggestion of this address or refuses it: each may read hundreds of texts.
pub fn admit(app: &App, address: IpAddr) -> Result<(), Error> {
    let customer = AddressBlock::of_customer(address);
    let taken = app.search_words().limit.take(customer, Instant::now());
    taken.map_err(|RetryAfter(retry_after)| Error::TooMany { retry_after })
}

/// Counts a search that led to results. Never fails: it is not worth a search.
pub async fn count_search(app: &App, address: IpAddr, needle: &Needle) {
    let Some(word) = needle.countable() else {
        return;
    };
    if !app.search_words().is_first(address, word).await {
        return;
    }
    let count = app.kv().count_search(word, today(app));
    match tokio::time::timeout(COUNT_TIMEOUT, count).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "search not counted"),
        Err(_) => tracing::debug!("search not counted in time"),
    }
}

/// The most searched words, the most popular first; none while Redis is away.
pub async fn list_hot_words(app: &App) -> Vec<String> {
    let load = async {
        let today = today(app);
        let ago = |days: i64| today.saturating_sub(days.days());
        let days = [today, ago(1), ago(2)];
        match app.kv().list_searches(days, WORDS_PER_DAY).await {
            Ok(counts) => hot_of(counts),
            Err(error) => {
                tracing::debug!(%error, "popular searches not read");
                Vec::new()
            }
        }
    };
    app.search_words().list.get_with((), load).await
}

fn today(app: &App) -> Date {
    app.rules().zone.date(Timestamp::now())
}

/// Each day counts half as much as the one after it; the first is today.
fn hot_of(days: [Vec<(String, f64)>; 3]) -> Vec<String> {
    let mut weights: HashMap<String, f64> = HashMap::new();
    for (share, counts) in [1.0, 0.5, 0.25].into_iter().zip(days) {
        for (word, count) in counts {
            *weights.entry(word).or_default() += count * share;
        }
    }
    let mut hot: Vec<(String, f64)> = weights.into_iter().collect();
    hot.retain(|(_, weight)| *weight >= HOT_FROM);
    hot.sort_by(|(a, x), (b, y)| y.total_cmp(x).then_with(|| a.cmp(b)));
    hot.truncate(HOT_WORDS);
    hot.into_iter().map(|(word, _)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_searched_yesterday_counts_half() {
        let counts = |words: &[(&str, f64)]| {
            let counted = words
                .iter()
                .map(|(word, count)| ((*word).to_owned(), *count));
            counted.collect::<Vec<_>>()
        };
        let hot = hot_of([
            counts(&[("面", 3.0), ("咖啡", 2.9), ("火锅", 4.0)]),
            counts(&[("火锅", 2.0), ("烧烤", 8.0)]),
            counts(&[("烤鱼", 11.0), ("烧烤", 4.0)]),
        ]);
        // 5, 5, 3; less than three does not count.
        assert_eq!(hot, ["火锅", "烧烤", "面"][..].to_vec());
    }
}
