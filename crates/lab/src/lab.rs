//! Runs experiments: [`Lab`].

use anyhow::Result;

use crate::attack::Attack;
use crate::attacks::{self, Finding};
use crate::catalogue::{ENTRIES, Entry};
use crate::ground::{Database, Ground};
use crate::scene::{Cast, LONG_MS, Scene};
use crate::verdict::Verdict;

/// The crowd that every version meets: so many people, each of whom clicks twice, want so many pieces.
pub(crate) const CROWD: i64 = 500;
pub(crate) const PIECES: usize = 50;

/// Windows of a version and of the last one, in turns; the median of their ratios is told.
const PAIRS: usize = 5;

const ONE_PROCESS: Cast = Cast::of(&[LONG_MS]);

/// Leads attacks on versions, on one ground.
#[derive(Debug)]
pub struct Lab {
    ground: Ground,
}

/// How a version did with the crowd.
#[derive(Clone, Copy, Debug)]
pub struct CrowdFigures {
    pub verdict: Verdict,
    /// Answers per second.
    pub per_sec: f64,
    /// The same, as a share of what the last version did beside it.
    pub relative: f64,
}

impl Lab {
    #[must_use]
    pub fn new(ground: Ground) -> Self {
        Self { ground }
    }

    #[must_use]
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Leads all attacks that make sense on a version; `progress` hears of each before it begins.
    pub async fn attack(
        &self,
        entry: &'static Entry,
        progress: impl Fn(Attack),
    ) -> Result<Vec<Finding>> {
        let database = self.ground.database().await?;
        let mut findings = Vec::new();
        for attack in Attack::ALL {
            if entry.is_open_to(attack) {
                progress(attack);
                findings.push(attacks::lead(&self.ground, entry, &database, attack).await?);
            }
        }
        Ok(findings)
    }

    /// Lets the crowd come, in turns with the last version.
    pub async fn measure(&self, entry: &'static Entry) -> Result<CrowdFigures> {
        let last = ENTRIES.last().unwrap_or(entry);
        let (database, last_database) =
            (self.ground.database().await?, self.ground.database().await?);
        let mut scene = self.stage(entry, &database).await?;
        let mut last_scene = self.stage(last, &last_database).await?;
        let (mut rates, mut ratios, mut worst) = (Vec::new(), Vec::new(), Verdict::default());
        for _ in 0..PAIRS {
            let (rate, verdict) = window(&mut scene).await?;
            let (last_rate, _) = window(&mut last_scene).await?;
            rates.push(rate);
            ratios.push(rate / last_rate);
            worst = if harm(&verdict) >= harm(&worst) {
                verdict
            } else {
                worst
            };
        }
        // The last one beside itself would only show how much the machine is shared.
        let is_last = entry.id == last.id;
        Ok(CrowdFigures {
            verdict: worst,
            per_sec: median(rates),
            relative: if is_last { 1.0 } else { median(ratios) },
        })
    }

    async fn stage<'a>(
        &'a self,
        entry: &'static Entry,
        database: &'a Database,
    ) -> Result<Scene<'a>> {
        Scene::open(&self.ground, entry, database, ONE_PROCESS).await
    }
}

async fn window(scene: &mut Scene<'_>) -> Result<(f64, Verdict)> {
    scene.publish(PIECES).await?;
    let rate = scene.serve_crowd(CROWD).await?;
    scene.settle().await?;
    Ok((rate, scene.verdict().await?))
}

fn harm(verdict: &Verdict) -> usize {
    verdict.oversold + verdict.duplicates + verdict.lost + verdict.stranded
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
