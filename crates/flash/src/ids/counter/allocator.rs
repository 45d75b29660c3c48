//! Blocks of counts from Redis, checked against the ledger before anybody sees them.

use std::sync::Arc;
use std::time::Duration;

use link::{Link, Script};

use super::super::high_water::{Cover, HighWater};
use super::super::layout::{Day, MAX_COUNT};
use super::super::{IdError, WHAT};
use super::blocks::Block;
use crate::{Keys, Ledger};

static ID_BLOCK: Script = Script::new(include_str!("../../lua/id_block.lua"));

/// Counts taken at once. At 100,000 claims a second that is a call every 160 ms; of a day's 2³² a process that is
/// restarted loses four millionths.
pub(super) const BLOCK: i64 = 1 << 14;

/// How far the mark is raised beyond what is needed: a write per so many ids, and so many lost when Redis forgets.
const MARK_STEP: i64 = 1 << 20;

/// A counter is kept for the day it counts, the clocks that are late, and those who look at it the day after.
const COUNTER_TTL_SECS: u32 = 2 * 86_400;

/// Generations rise by a random step up to this, so that two begun at once differ. Four million of them a day stay below
/// 2⁵³, where Lua counts exactly.
const MAX_GENERATION_STEP: i64 = 1 << 32;

/// How often a block may turn out to be invalid before the caller is told. Processes that begin a day together need two
/// or three; the rest is for servers that take each other's place.
const ATTEMPTS: u32 = 8;

/// Pause before asking again in a generation that ended, within which its successor usually shows.
const SETTLE: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(super) struct Supply<L> {
    link: Link,
    keys: Keys,
    high_water: HighWater<L>,
    covered: Option<Covered>,
}

/// What the ledger covers, as far as this process knows.
#[derive(Clone, Copy, Debug)]
struct Covered {
    day: Day,
    generation: i64,
    up_to: i64,
}

/// A generation to be begun.
#[derive(Clone, Copy, Debug)]
struct Beginning {
    generation: i64,
    floor: i64,
}

/// What the script answers.
#[derive(Debug)]
enum Reply {
    Taken { block: Block, generation: i64 },
    Lost,
    Full,
}

impl<L: Ledger> Supply<L> {
    pub(super) fn new(link: Link, keys: Keys, ledger: Arc<L>) -> Self {
        Self {
            link,
            keys,
            high_water: HighWater::new(ledger),
            covered: None,
        }
    }

    /// Counts of this day that nobody else has or will have.
    pub(super) async fn block(&mut self, day: Day) -> Result<Block, IdError> {
        let mut beginning = None;
        let mut ended = None;
        for _ in 0..ATTEMPTS {
            match self.ask(day, beginning.take()).await? {
                Reply::Full => return Err(IdError::DayIsFull),
                Reply::Lost => beginning = Some(self.begin(day).await?),
                Reply::Taken { block, generation } => {
                    if self.is_covered(block, generation).await? {
                        return Ok(block);
                    }
                    // Whoever ended this generation is about to begin its own, unless it died over it.
                    if ended.replace(generation) == Some(generation) {
                        beginning = Some(self.begin(day).await?);
                    } else {
                        tokio::time::sleep(SETTLE).await;
                    }
                }
            }
        }
        Err(IdError::Unsettled)
    }

    async fn begin(&self, day: Day) -> Result<Beginning, IdError> {
        let name = mark_of(day);
        let latest = self.high_water.generation(&name).await?;
        let generation = latest + rand::random_range(1..=MAX_GENERATION_STEP);
        let floor = self.high_water.begin(&name, generation).await?;
        tracing::info!(day = day.name(), floor, "a generation of order ids begins");
        Ok(Beginning { generation, floor })
    }

    async fn is_covered(&mut self, block: Block, generation: i64) -> Result<bool, IdError> {
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

    async fn ask(&self, day: Day, beginning: Option<Beginning>) -> Result<Reply, IdError> {
        let mut args = vec![BLOCK, i64::from(COUNTER_TTL_SECS), MAX_COUNT];
        if let Some(Beginning { generation, floor }) = beginning {
            args.extend([generation, floor]);
        }
        let key = self.keys.counter(WHAT, &day.name());
        let answer = self.link.eval(&ID_BLOCK, &[key], args).await;
        let answer: Vec<i64> = answer.map_err(IdError::Redis)?;
        Ok(match answer[..] {
            [1, next, last, generation] => Reply::Taken {
                block: Block { day, next, last },
                generation,
            },
            [-1] => Reply::Full,
            _ => Reply::Lost,
        })
    }
}

/// The name of a day's mark in the ledger.
fn mark_of(day: Day) -> String {
    format!("{WHAT}:{}", day.name())
}
