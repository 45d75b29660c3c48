//! A report of the lab as the page sees it. The lab writes this very shape (`crates/lab/src/report.rs`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Lab)]
pub(super) struct LabView {
    /// When it was made, in ISO 8601 with zone.
    pub(super) made_at: String,
    /// People of the crowd, each of whom clicks twice.
    pub(super) crowd: u32,
    /// Pieces they want.
    pub(super) pieces: u32,
    pub(super) attacks: Vec<TermView>,
    /// What the moments of schedules are called.
    pub(super) moments: Vec<LabelView>,
    /// In the order of the road.
    pub(super) versions: Vec<VersionView>,
    /// Beside the road: several ways of doing one thing each.
    pub(super) experiments: Vec<ExperimentView>,
}

/// The same in both languages.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabWords)]
pub(super) struct WordsView {
    pub(super) en: String,
    #[serde(rename = "zh-CN")]
    pub(super) zh: String,
}

/// A name with an explanation.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabTerm)]
pub(super) struct TermView {
    pub(super) id: String,
    pub(super) title: WordsView,
    pub(super) what: WordsView,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabLabel)]
pub(super) struct LabelView {
    pub(super) id: String,
    pub(super) title: WordsView,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LabVersion)]
pub(super) struct VersionView {
    pub(super) id: String,
    pub(super) title: WordsView,
    pub(super) why: WordsView,
    pub(super) file: String,
    pub(super) code: String,
    pub(super) findings: Vec<FindingView>,
    /// How it did with the crowd.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) crowd: Option<VerdictView>,
    /// Answers per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) per_sec: Option<f64>,
    /// Answers per second as a share of the last version's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) relative: Option<f64>,
}

/// What an attack brought to light.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabFinding)]
pub(super) struct FindingView {
    pub(super) attack: String,
    pub(super) verdict: VerdictView,
    /// Schedules that were tried.
    pub(super) schedules: u32,
    /// What happened, if it did harm; `/api/lab/versions/{id}` has every step with what it changed.
    pub(super) moments: Vec<MomentView>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabVerdict)]
pub(in crate::http) struct VerdictView {
    pub(super) stock: u32,
    pub(super) sold: u32,
    pub(super) oversold: u32,
    pub(super) duplicates: u32,
    pub(super) lost: u32,
    pub(super) stranded: u32,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabMoment)]
pub(super) struct MomentView {
    /// A buyer by letter, `worker`, `latecomer` or `attacker`.
    pub(super) who: String,
    /// From 1; 0 for what happens to all of them.
    pub(super) process: u32,
    /// An id among the `moments` of the report.
    pub(super) what: String,
}

/// The schedules of all versions, which the page loads for one version at a time.
#[derive(Debug, Deserialize)]
pub(super) struct RecordedReport {
    #[serde(default)]
    pub(super) shared: Vec<SourceView>,
    pub(super) versions: Vec<RecordedVersion>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RecordedVersion {
    pub(super) id: String,
    pub(super) file: String,
    pub(super) code: String,
    pub(super) findings: Vec<ScheduleView>,
}

/// The recorded schedules of a version, with the files in which its processes stand.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabRecordings)]
pub(super) struct RecordingsView {
    pub(super) id: String,
    /// The version's own file first.
    pub(super) sources: Vec<SourceView>,
    pub(super) schedules: Vec<ScheduleView>,
}

#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabSource)]
pub(super) struct SourceView {
    /// Below `crates/lab/src`.
    pub(super) file: String,
    pub(super) code: String,
}

/// The schedule that did harm, or the last one that did none.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabSchedule)]
pub(super) struct ScheduleView {
    pub(super) attack: String,
    pub(super) verdict: VerdictView,
    /// What the stores held before the first step: `sql stock` is `1`.
    #[serde(default)]
    #[schema(required = true)]
    pub(super) begin: BTreeMap<String, String>,
    #[serde(rename(deserialize = "moments"))]
    pub(super) steps: Vec<StepView>,
}

/// One step of a schedule and what it changed.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabStep)]
pub(super) struct StepView {
    /// A buyer by letter, `worker`, `latecomer` or `attacker`.
    pub(super) who: String,
    /// From 1; 0 for what happens to all of them.
    pub(super) process: u32,
    /// An id among the `moments` of the report.
    pub(super) what: String,
    /// Where the process stands in the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) at: Option<PlaceView>,
    /// What the process has read since its last step: a command or column, and its value.
    #[serde(default)]
    #[schema(required = true)]
    pub(super) saw: BTreeMap<String, String>,
    /// What the stores hold now and did not before.
    #[serde(default)]
    #[schema(required = true)]
    pub(super) changes: BTreeMap<String, String>,
    /// What they do not hold any more.
    #[serde(default)]
    #[schema(required = true)]
    pub(super) gone: Vec<String>,
    /// The harm that this step does: `oversold`, `duplicates`, `lost` or `stranded`.
    #[serde(default)]
    #[schema(required = true)]
    pub(super) harm: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabPlace)]
pub(super) struct PlaceView {
    /// Among the `sources`.
    pub(super) file: String,
    /// From 1.
    pub(super) line: u32,
}

impl VerdictView {
    pub(super) fn is_right(&self) -> bool {
        self.oversold + self.duplicates + self.lost + self.stranded == 0
    }
}

impl RecordedReport {
    /// What the page loads for each version.
    pub(super) fn into_recordings(self) -> Vec<RecordingsView> {
        let shared = self.shared;
        let versions = self.versions.into_iter();
        versions
            .map(|version| version.into_recordings(&shared))
            .collect()
    }
}

impl RecordedVersion {
    fn into_recordings(self, shared: &[SourceView]) -> RecordingsView {
        let own = SourceView {
            file: format!("versions/{}", self.file),
            code: self.code,
        };
        let places = || {
            let steps = self.findings.iter().flat_map(|it| &it.steps);
            steps.filter_map(|step| step.at.as_ref())
        };
        let used = shared
            .iter()
            .filter(|source| places().any(|place| place.file == source.file));
        let sources = [own].into_iter().chain(used.cloned()).collect();
        RecordingsView {
            id: self.id,
            sources,
            schedules: self.findings,
        }
    }
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabExperiment)]
pub(super) struct ExperimentView {
    pub(super) id: String,
    pub(super) title: WordsView,
    pub(super) what: WordsView,
    pub(super) trials: Vec<TermView>,
    pub(super) ways: Vec<WayView>,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabWay)]
pub(super) struct WayView {
    pub(super) id: String,
    pub(super) title: WordsView,
    pub(super) why: WordsView,
    pub(super) file: String,
    pub(super) code: String,
    pub(super) outcomes: Vec<OutcomeView>,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LabOutcome)]
pub(super) struct OutcomeView {
    /// An id among the `trials` of the experiment.
    pub(super) trial: String,
    pub(super) count: u32,
    pub(super) of: u32,
    /// Absent where the count is a price rather than a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) is_right: Option<bool>,
    /// The first schedule that went wrong, where the trial tries several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub(super) moments: Vec<TrialEventView>,
}

/// What happened in a schedule of a trial.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabTrialEvent)]
pub(super) struct TrialEventView {
    /// `reader` or `writer`.
    pub(super) who: String,
    /// An id among the `moments` of the report.
    pub(super) what: String,
}
