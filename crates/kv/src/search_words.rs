//! What is searched for, counted by day: words and numbers, and nobody who searched.
//!
//! A day's counts are a sorted set that is trimmed when it is written, so it stays small whatever people type. After a flush
//! of Redis counting begins anew.

use jiff::civil::Date;

use crate::{Error, Kv};

/// Words of one day. The rarest go first.
const WORDS_KEPT: isize = 2_000;

/// A day counts for three days; one more for clocks that differ.
const KEPT_SECS: u64 = 4 * 24 * 3600;

impl Kv {
    /// Counts one search for the word.
    pub async fn count_search(&self, word: &str, day: Date) -> Result<(), Error> {
        let key = self.keys.searched_words(day);
        let mut pipe = redis::pipe();
        pipe.cmd("ZINCRBY").arg(&key).arg(1).arg(word).ignore();
        pipe.cmd("ZREMRANGEBYRANK")
            .arg(&key)
            .arg(0)
            .arg(-1 - WORDS_KEPT)
            .ignore();
        pipe.cmd("EXPIRE").arg(&key).arg(KEPT_SECS).ignore();
        let counted = self.link.pipe::<()>(&pipe).await;
        counted.map_err(Error::during("count a search"))
    }

    /// For each day its most searched words with their counts, the most searched first. One round trip.
    pub async fn list_searches(
        &self,
        days: [Date; 3],
        words: usize,
    ) -> Result<[Vec<(String, f64)>; 3], Error> {
        let mut pipe = redis::pipe();
        for day in days {
            pipe.cmd("ZREVRANGE")
                .arg(self.keys.searched_words(day))
                .arg(0)
                .arg(words.saturating_sub(1))
                .arg("WITHSCORES");
        }
        let listed = self.link.pipe(&pipe).await;
        let (first, second, third) = listed.map_err(Error::during("list searches"))?;
        Ok([first, second, third])
    }
}
