//! Runs experiments: [`Lab`].

use anyhow::Result;

use crate::attack::Attack;
use crate::attack_run::{AttackRun, LONG_MS, RunSetup};
use crate::attacks::{self, AttackFinding};
use crate::catalogue::{CatalogueEntry, ENTRIES};
use crate::crowd::Crowd;
use crate::sale_outcome::SaleOutcome;
use crate::services::{Services, VersionDatabase};

/// The crowd of every version: so many buyers, each of whom clicks twice, and so many units.
pub(crate) const CROWD: i64 = 500;
pub(crate) const STOCK: usize = 50;

/// Windows of a version and of the last one, in turns; the median of their ratios is reported.
const PAIRS: usize = 5;

const ONE_PROCESS: RunSetup = RunSetup::of(&[LONG_MS]);

/// Runs attacks on versions, on one set of services.
#[derive(Debug)]
pub struct Lab {
    services: Services,
}

/// The result of a version with the crowd.
#[derive(Clone, Copy, Debug)]
pub struct CrowdFigures {
    pub verdict: SaleOutcome,
    /// Replies per second.
    pub per_sec: f64,
    /// The same, as a share of the last version's in the same run.
    pub relative: f64,
}

impl Lab {
    #[must_use]
    pub fn new(services: Services) -> Self {
        Self { services }
    }

    #[must_use]
    pub fn services(&self) -> &Services {
        &self.services
    }

    /// Runs all attacks that apply to a version; calls `progress` before each.
    pub async fn attack(
        &self,
        entry: &'static CatalogueEntry,
        progress: impl Fn(Attack),
    ) -> Result<Vec<AttackFinding>> {
        let database = self.services.database().await?;
        let mut findings = Vec::new();
        for attack in Attack::ALL {
            if entry.is_open_to(attack) {
                progress(attack);
                findings.push(attacks::lead(&self.services, entry, &database, attack).await?);
            }
        }
        Ok(findings)
    }

    /// Runs the crowd, in turns with the last version.
    pub async fn measure(&self, entry: &'static CatalogueEntry) -> Result<CrowdFigures> {
        let last = ENTRIES.last().unwrap_or(entry);
        let (database, last_database) = (
            self.services.database().await?,
            self.services.database().await?,
        );
        let mut run = self.stage(entry, &database).await?;
        let mut last_scene = self.stage(last, &last_database).await?;
        let (mut rates, mut ratios, mut worst) = (Vec::new(), Vec::new(), SaleOutcome::default());
        for _ in 0..PAIRS {
            let (rate, verdict) = window(&mut run).await?;
            let (last_rate, _) = window(&mut last_scene).await?;
            rates.push(rate);
            ratios.push(rate / last_rate);
            worst = if harm(&verdict) >= harm(&worst) {
                verdict
            } else {
                worst
            };
        }
        // Comparing the last version with itself would only measure the noise of the machine.
        let is_last = entry.id == last.id;
        Ok(CrowdFigures {
            verdict: worst,
            per_sec: median(rates),
            relative: if is_last { 1.0 } else { median(ratios) },
        })
    }

    /// Serves one crowd, and returns what became of the sale and the replies per second.
    pub(crate) async fn serve_crowd(
        &self,
        entry: &'static CatalogueEntry,
        crowd: Crowd,
        progress: impl Fn(u64),
    ) -> Result<(SaleOutcome, f64)> {
        let database = self.services.database().await?;
        let mut run = self.stage(entry, &database).await?;
        run.publish(usize::try_from(crowd.stock)?).await?;
        let per_sec = run.serve_crowd(i64::from(crowd.buyers), progress).await?;
        run.settle().await?;
        Ok((run.verdict().await?, per_sec))
    }

    async fn stage<'a>(
        &'a self,
        entry: &'static CatalogueEntry,
        database: &'a VersionDatabase,
    ) -> Result<AttackRun<'a>> {
        AttackRun::open(&self.services, entry, database, ONE_PROCESS).await
    }
}

async fn window(run: &mut AttackRun<'_>) -> Result<(f64, SaleOutcome)> {
    run.publish(STOCK).await?;
    let rate = run.serve_crowd(CROWD, |_| ()).await?;
    run.settle().await?;
    Ok((rate, run.verdict().await?))
}

fn harm(verdict: &SaleOutcome) -> usize {
    verdict.oversold + verdict.duplicates + verdict.lost + verdict.stranded
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
