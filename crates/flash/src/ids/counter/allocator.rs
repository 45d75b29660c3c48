//! Allocates blocks of counts from Redis, checked against the ledger before they are used.

use std::sync::Arc;
use std::time::Duration;

use link::{Link, Script};

use super::super::high_water::{Cover, HighWater};
use super::super::layout::{Day, MAX_COUNT};
use super::super::{IdError, NAME};
use super::blocks::IdBlock;
use crate::{Keys, Ledger};

static ID_BLOCK: Script = Script::new(include_str!("../../lua/id_block.lua"));

/// Counts taken at once. At 100,000 claims a second that is a call every 160 ms; of a day's 2³² a process that is
/// restarted loses four millionths.
pub(super) const BLOCK: i64 = 1 << 14;

/// How far the mark is raised beyond what is needed: a write per so many ids, and so many skipped when Redis loses the
/// counter.
const MARK_STEP: i64 = 1 << 20;

/// A counter is kept for its day, for late clocks, and for inspection on the day after.
const COUNTER_TTL_SECS: u32 = 2 * 86_400;

/// Generations rise by a random step up to this, so that two begun at once differ. Four million of them a day stay below
/// 2⁵³, where Lua counts exactly.
const MAX_GENERATION_STEP: i64 = 1 << 32;

/// How often a block may turn out to be invalid before the caller gets an error. Processes that start a day together need two
/// or three attempts; the rest is for failovers.
const ATTEMPTS: u32 = 8;

/// Pause before another attempt in a generation that ended, within which its successor usually appears.
const SETTLE: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(super) struct BlockAllocator<L> {
    link: Link,
    keys: Keys,
    high_water: HighWater<L>,
    covered: Option<Covered>,
}

/// The high-water mark that this process knows.
#[derive(Clone, Copy, Debug)]
struct Covered {
    day: Day,
    generation: i64,
    up_to: i64,
}

/// A generation to start.
#[derive(Clone, Copy, Debug)]
struct NewGeneration {
    generation: i64,
    floor: i64,
}

/// The reply of the script.
#[derive(Debug)]
enum BlockReply {
    Taken { block: IdBlock, generation: i64 },
    Lost,
    Full,
}

impl<L: Ledger> BlockAllocator<L> {
    pub(super) fn new(link: Link, keys: Keys, ledger: Arc<L>) -> Self {
        Self {
            link,
            keys,
            high_water: HighWater::new(ledger),
            covered: None,
        }
    }

    /// A block of counts of this day that no other process has or will have.
    pub(super) async fn block(&mut self, day: Day) -> Result<IdBlock, IdError> {
        let mut new_generation = None;
        let mut ended = None;
        for _ in 0..ATTEMPTS {
            match self.ask(day, new_generation.take()).await? {
                BlockReply::Full => return Err(IdError::DayIsFull),
                BlockReply::Lost => new_generation = Some(self.begin(day).await?),
                BlockReply::Taken { block, generation } => {
                    if self.is_covered(block, generation).await? {
                        return Ok(block);
                    }
                    // The process that ended this generation is about to start its own, unless it died.
                    if ended.replace(generation) == Some(generation) {
                        new_generation = Some(self.begin(day).await?);
                    } else {
                        tokio::time::sleep(SETTLE).await;
                    }
                }
            }
        }
        Err(IdError::Unsettled)
    }

    async fn begin(&self, day: Day) -> Result<NewGeneration, IdError> {
        let name = mark_of(day);
        let latest = self.high_water.generation(&name).await?;
        let generation = latest + rand::random_range(1..=MAX_GENERATION_STEP);
        let floor = self.high_water.begin(&name, generation).await?;
        tracing::info!(day = day.name(), floor, "generation of order ids started");
        Ok(NewGeneration { generation, floor })
    }

    async fn is_covered(&mut self, block: IdBlock, generation: i64) -> Result<bool, IdError> {
        let known = self.covered.is_some_and(|covered| {
            covered.day == block.day
                && covered.generation == generation
                && covered.up_to >= block.last
        });
        if known {
            return Ok(true);
        }
        let name = mark_of(block.day);
        let ahead = MARK_STEP.min(MAX_COUNT - block.last);
        let cover = self
            .high_water
            .cover(&name, generation, block.last, ahead)
            .await?;
        let Cover::UpTo(up_to) = cover else {
            return Ok(false);
        };
        self.covered = Some(Covered {
            day: block.day,
            generation,
            up_to,
        });
        Ok(true)
    }

    async fn ask(
        &self,
        day: Day,
        new_generation: Option<NewGeneration>,
    ) -> Result<BlockReply, IdError> {
        let mut args = vec![BLOCK, i64::from(COUNTER_TTL_SECS), MAX_COUNT];
        if let Some(NewGeneration { generation, floor }) = new_generation {
            args.extend([generation, floor]);
        }
        let key = self.keys.counter(NAME, &day.name());
        let reply = self.link.eval(&ID_BLOCK, &[key], args).await;
        let reply: Vec<i64> = reply.map_err(IdError::Redis)?;
        Ok(match reply[..] {
            [1, next, last, generation] => BlockReply::Taken {
                block: IdBlock { day, next, last },
                generation,
            },
            [-1] => BlockReply::Full,
            _ => BlockReply::Lost,
        })
    }
}

/// The name of a day's high-water mark in the ledger.
fn mark_of(day: Day) -> String {
    format!("{NAME}:{}", day.name())
}
