//! The report of a run: [`LabReport`]. The page `/lab` of the site shows it.

mod code_places;
mod table;

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::attack::Attack;
use crate::attacks::AttackFinding;
use crate::bilingual::{Bilingual, MOMENTS};
use crate::catalogue::{CatalogueEntry, ENTRIES, texts};
use crate::experiment::{EXPERIMENTS, Experiment, TextPair, Trial, TrialOutcome, Variant};
use crate::lab::{CROWD, CrowdFigures, STOCK};
use crate::sale_outcome::SaleOutcome;

/// All findings, with the code of the versions and all texts. `lab retell` refreshes code and texts without running
/// anything: figures and `made_at` are those of the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LabReport {
    /// When it was made, in ISO 8601.
    pub made_at: String,
    /// People of the crowd, each of whom clicks twice.
    pub crowd: i64,
    /// The stock of the sale.
    pub pieces: usize,
    pub attacks: Vec<GlossaryEntry>,
    /// The texts of the events of schedules.
    pub moments: Vec<Label>,
    /// Files that several versions share and in which their processes stand.
    #[serde(default)]
    pub shared: Vec<SourceFile>,
    pub versions: Vec<VersionResult>,
    pub experiments: Vec<ExperimentResult>,
}

/// A file below `crates/lab/src`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    pub file: String,
    pub code: String,
}

/// What versions with a lock, with a gate and the last one have in files of their own.
const SHARED: [(&str, &str); 2] = [
    ("versions/critical.rs", include_str!("versions/critical.rs")),
    ("ledger.rs", include_str!("ledger.rs")),
];

/// A name with an explanation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GlossaryEntry {
    pub id: String,
    pub title: Bilingual,
    pub what: Bilingual,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Label {
    pub id: String,
    pub title: Bilingual,
}

/// A version and its results.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionResult {
    pub id: String,
    pub title: Bilingual,
    pub why: Bilingual,
    pub file: String,
    pub code: String,
    /// Empty if what it needs is not here.
    pub findings: Vec<AttackFinding>,
    /// The outcome with the crowd.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crowd: Option<SaleOutcome>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_sec: Option<f64>,
    /// Replies per second as a share of the last version's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
}

/// An experiment, and the results of each variant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExperimentResult {
    pub id: String,
    pub title: Bilingual,
    pub what: Bilingual,
    pub trials: Vec<GlossaryEntry>,
    pub ways: Vec<VariantResult>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VariantResult {
    pub id: String,
    pub title: Bilingual,
    pub why: Bilingual,
    pub file: String,
    pub code: String,
    /// Empty if it was not tried.
    pub outcomes: Vec<TrialOutcome>,
}

impl LabReport {
    /// A report in which nothing was tried yet.
    #[must_use]
    pub fn begin() -> Self {
        Self {
            made_at: jiff::Timestamp::now().to_string(),
            crowd: CROWD,
            pieces: STOCK,
            attacks: Attack::ALL.into_iter().map(term).collect(),
            moments: MOMENTS.iter().map(label).collect(),
            shared: SHARED.iter().map(source_file).collect(),
            versions: ENTRIES.iter().map(VersionResult::untried).collect(),
            experiments: EXPERIMENTS
                .iter()
                .map(|it| ExperimentResult::untried(it))
                .collect(),
        }
    }

    /// Adds the results of a version.
    pub fn note(&mut self, id: &str, findings: Vec<AttackFinding>, figures: Option<CrowdFigures>) {
        let row = self.versions.iter_mut().find(|row| row.id == id);
        if let Some(row) = row {
            row.findings = findings;
            row.crowd = figures.map(|figures| figures.verdict);
            row.per_sec = figures.map(|figures| figures.per_sec.round());
            row.relative = figures.map(|figures| (figures.relative * 1000.0).round() / 1000.0);
        }
    }

    /// Adds the results of a variant of an experiment.
    pub fn note_way(&mut self, experiment: &str, way: &str, outcomes: Vec<TrialOutcome>) {
        let row = self.experiments.iter_mut().find(|row| row.id == experiment);
        let row = row.and_then(|row| row.ways.iter_mut().find(|row| row.id == way));
        if let Some(row) = row {
            row.outcomes = outcomes;
        }
    }

    /// Replaces code and texts by the current ones, and keeps the findings.
    #[must_use]
    pub fn retold(self) -> Self {
        let mut report = Self {
            made_at: self.made_at,
            ..Self::begin()
        };
        for row in self.versions {
            let fresh = report.versions.iter_mut().find(|fresh| fresh.id == row.id);
            if let Some(fresh) = fresh {
                let (title, why) = (fresh.title.clone(), fresh.why.clone());
                let (file, code) = (fresh.file.clone(), fresh.code.clone());
                let findings = code_places::refresh(row.findings, &file, &code, &SHARED);
                *fresh = VersionResult {
                    findings,
                    title,
                    why,
                    file,
                    code,
                    ..row
                };
            }
        }
        for experiment in self.experiments {
            for way in experiment.ways {
                report.note_way(&experiment.id, &way.id, way.outcomes);
            }
        }
        report
    }

    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("reading {}", path.display()))?;
        Ok(serde_json::from_str(&text)?)
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
    }
}

impl VersionResult {
    fn untried(entry: &CatalogueEntry) -> Self {
        let texts = texts(entry.id);
        Self {
            id: entry.id.to_owned(),
            title: texts.title,
            why: texts.why,
            file: entry.file.to_owned(),
            code: entry.code.to_owned(),
            findings: Vec::new(),
            crowd: None,
            per_sec: None,
            relative: None,
        }
    }
}

impl ExperimentResult {
    fn untried(experiment: &Experiment) -> Self {
        let trial = |trial: &Trial| GlossaryEntry {
            id: trial.id.to_owned(),
            title: words(trial.title),
            what: words(trial.what),
        };
        Self {
            id: experiment.id.to_owned(),
            title: words(experiment.title),
            what: words(experiment.what),
            trials: experiment.trials.iter().map(trial).collect(),
            ways: experiment.ways.iter().map(VariantResult::untried).collect(),
        }
    }
}

impl VariantResult {
    fn untried(way: &Variant) -> Self {
        Self {
            id: way.id.to_owned(),
            title: words(way.title),
            why: words(way.why),
            file: way.file.to_owned(),
            code: way.code.to_owned(),
            outcomes: Vec::new(),
        }
    }
}

fn words((en, zh): TextPair) -> Bilingual {
    Bilingual::new(en, zh)
}

fn term(attack: Attack) -> GlossaryEntry {
    GlossaryEntry {
        id: id_of(&attack),
        title: attack.title(),
        what: attack.what(),
    }
}

fn source_file((file, code): &(&str, &str)) -> SourceFile {
    SourceFile {
        file: (*file).to_owned(),
        code: (*code).to_owned(),
    }
}

fn label((id, en, zh): &(&str, &str, &str)) -> Label {
    Label {
        id: (*id).to_owned(),
        title: Bilingual::new(en, zh),
    }
}

/// The name of a variant, as it is written in the report.
fn id_of(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value);
    let text = value
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned));
    text.unwrap_or_default()
}
