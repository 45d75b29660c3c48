//! `/api/console/sales…`: a flash sale seen from behind the counter.

use app::flash_sales::{self, SaleFigures};
use axum::extract::State;
use domain::VoucherId;
use flash::{Drift, ReconcileReport, Repair};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::sale::PhaseView;
use crate::http::envelope::{Envelope, Reply};
use crate::http::extract::{JsonBody, PathParam, Signed};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct LookView {
    state: PhaseView,
    /// Pieces that may still be claimed, by the gate.
    stock: u32,
    /// Pieces in all.
    initial: u32,
    /// Orders in SQL that hold a unit.
    orders: u64,
    /// Orders of all sales that are on their way to SQL.
    backlog: u64,
    /// Pieces that SQL cannot account for; anything but 0 is wrong.
    drift: i64,
    begin_at_ms: i64,
    end_at_ms: i64,
    now_ms: i64,
}

impl From<SaleFigures> for LookView {
    fn from(look: SaleFigures) -> Self {
        Self {
            state: look.sale.phase.into(),
            stock: look.sale.stock,
            initial: look.initial,
            orders: look.orders,
            backlog: look.backlog,
            drift: look.drift,
            begin_at_ms: look.sale.begin_ms,
            end_at_ms: look.sale.end_ms,
            now_ms: look.sale.now_ms,
        }
    }
}

/// The figures of a flash sale of mine.
#[utoipa::path(
    get, path = IN_TABLE, tag = "console", params(("voucherId" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<LookView>)),
)]
pub(in crate::http) async fn look_at_sale(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<VoucherId>,
) -> Result<Reply<LookView>, Failure> {
    let look = flash_sales::get_figures(state.app(), &signed.session, id).await?;
    Ok(Reply::new(look.into()))
}

#[derive(Debug, Deserialize, ToSchema)]
pub(in crate::http) struct ReconcileInput {
    /// Whether to repair what can be repaired without a person.
    repair: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(in crate::http) struct ReportView {
    /// All that was found, also what was repaired since.
    drifts: Vec<DriftView>,
    repairs: Vec<RepairView>,
}

#[derive(Debug, Serialize, ToSchema)]
struct DriftView {
    /// `not_loaded`, `terms`, `ledger`, `pieces`, `bucket`, `forgotten`, `buried` or `orphaned`.
    kind: &'static str,
    /// Pieces too many; negative: too few.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    difference: Option<i64>,
    /// The orders that it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    orders: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct RepairView {
    what: &'static str,
    /// Orders or units; negative where units were taken out.
    count: i64,
}

impl From<&Drift> for DriftView {
    fn from(drift: &Drift) -> Self {
        let (difference, orders) = match drift {
            Drift::NotLoaded | Drift::Terms => (None, [].as_slice()),
            Drift::Ledger { difference }
            | Drift::Units { difference }
            | Drift::Bucket { difference, .. } => (Some(*difference), [].as_slice()),
            Drift::Forgotten { orders } | Drift::Ended { orders } | Drift::Orphaned { orders } => {
                (None, orders.as_slice())
            }
        };
        Self {
            kind: flash_sales::drift_name(drift),
            difference,
            orders: orders.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<ReconcileReport> for ReportView {
    fn from(report: ReconcileReport) -> Self {
        let repair = |repaired: &flash::Repaired| RepairView {
            what: repaired.what,
            count: repaired.count,
        };
        Self {
            drifts: report.drifts.iter().map(DriftView::from).collect(),
            repairs: report.repairs.iter().map(repair).collect(),
        }
    }
}

/// Compare a flash sale's gate with SQL, and repair what is safe to repair; for admins. It may take some seconds.
#[utoipa::path(
    post, path = IN_TABLE, tag = "console", params(("voucherId" = i64, Path)),
    request_body = ReconcileInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<ReportView>)),
)]
pub(in crate::http) async fn reconcile_sale(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<VoucherId>,
    JsonBody(input): JsonBody<ReconcileInput>,
) -> Result<Reply<ReportView>, Failure> {
    let repair = if input.repair {
        Repair::Safe
    } else {
        Repair::No
    };
    let report = flash_sales::reconcile(state.app(), &signed.session, id, repair).await?;
    Ok(Reply::new(report.into()))
}
