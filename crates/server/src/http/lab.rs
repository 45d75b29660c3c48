//! `/api/lab`: what the lab found, for the page that tells the road of the flash sale.
//!
//! The report that came with the release is part of the binary. Whoever runs the lab beside the site (`make lab`) has a
//! newer one in the data folder, which is shown instead; one that cannot be read is as good as none.

use std::path::Path;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::api::Api;
use super::envelope::{Envelope, Reply};
use super::state::HttpState;

/// The report of the release.
const RELEASED: &str = include_str!("../../../lab/report.json");

/// Where the lab writes its own, in the data folder.
const OWN: &str = "lab/report.json";

pub(super) fn routes() -> Api {
    Api::new().routes(routes!(get_lab))
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Lab)]
struct LabView {
    /// When it was made, in ISO 8601 with zone.
    made_at: String,
    /// People of the crowd, each of whom clicks twice.
    crowd: u32,
    /// Pieces they want.
    pieces: u32,
    attacks: Vec<AttackView>,
    /// What the moments of schedules are called.
    moments: Vec<LabelView>,
    /// In the order of the road.
    versions: Vec<VersionView>,
    cache_trials: Vec<LabelView>,
    caches: Vec<CacheView>,
}

/// The same in both languages.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabWords)]
struct WordsView {
    en: String,
    #[serde(rename = "zh-CN")]
    zh: String,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabAttack)]
struct AttackView {
    id: String,
    title: WordsView,
    what: WordsView,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabLabel)]
struct LabelView {
    id: String,
    title: WordsView,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LabVersion)]
struct VersionView {
    id: String,
    title: WordsView,
    why: WordsView,
    file: String,
    code: String,
    findings: Vec<FindingView>,
    /// How it did with the crowd.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    crowd: Option<VerdictView>,
    /// Answers per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    per_sec: Option<f64>,
    /// Answers per second as a share of the last version's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    relative: Option<f64>,
}

/// What an attack brought to light.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabFinding)]
struct FindingView {
    attack: String,
    verdict: VerdictView,
    /// Schedules that were tried.
    schedules: u32,
    /// What happened, if it did harm.
    moments: Vec<MomentView>,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabVerdict)]
struct VerdictView {
    stock: u32,
    sold: u32,
    oversold: u32,
    duplicates: u32,
    lost: u32,
    stranded: u32,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabMoment)]
struct MomentView {
    /// A buyer by letter, `worker`, `latecomer` or `attacker`.
    who: String,
    /// From 1; 0 for what happens to all of them.
    process: u32,
    /// An id among the `moments` of the report.
    what: String,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabCache)]
struct CacheView {
    id: String,
    title: WordsView,
    why: WordsView,
    file: String,
    code: String,
    findings: Vec<CacheFindingView>,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabCacheFinding)]
struct CacheFindingView {
    trial: String,
    reads: u32,
    /// How often the database was asked.
    loads: u32,
}

/// The road of the flash sale: every version, what attacks found, and its code.
#[utoipa::path(
    get, path = "/lab", tag = "site",
    responses((status = 200, body = Envelope<LabView>)),
)]
async fn get_lab(State(state): State<HttpState>) -> Reply<LabView> {
    let own = read_own(&state.settings().data_dir).await;
    Reply::new(own.unwrap_or_else(released))
}

async fn read_own(data_dir: &Path) -> Option<LabView> {
    let text = tokio::fs::read(data_dir.join(OWN)).await.ok()?;
    let read = serde_json::from_slice(&text);
    read.inspect_err(|error| tracing::warn!(%error, "the lab's report cannot be read"))
        .ok()
}

fn released() -> LabView {
    serde_json::from_str(RELEASED).expect("the report of the release is read by a test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_of_the_release_can_be_read() {
        let report = released();
        assert!(!report.versions.is_empty());
        assert!(
            report
                .versions
                .iter()
                .all(|version| !version.code.is_empty())
        );
    }

    #[tokio::test]
    async fn a_report_that_cannot_be_read_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read_own(folder.path()).await.is_none());
        std::fs::create_dir(folder.path().join("lab")).unwrap();
        let own = folder.path().join(OWN);
        std::fs::write(&own, "{").unwrap();
        assert!(read_own(folder.path()).await.is_none());
        std::fs::write(&own, RELEASED).unwrap();
        assert!(read_own(folder.path()).await.is_some());
    }
}
