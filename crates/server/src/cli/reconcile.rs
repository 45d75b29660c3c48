//! `tandian reconcile`: compares Redis and SQL for every flash sale, one line a sale.
//!
//! It works beside running servers and without any. The exit code is 1 if a difference is left that needs a person.

use std::process::ExitCode;

use app::flash_sales::{self, drift_name};
use app::{App, Error};
use domain::VoucherId;
use flash::{Drift, ReconcileReport, Repair};

use super::print::print;
use super::site::OpenSite;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct ReconcileArgs {
    /// Repair what can be repaired safely
    #[arg(long)]
    repair: bool,
    /// Also send orders to SQL that only Redis knows: each is recorded, or listed among the dead orders if it cannot be
    #[arg(long, requires = "repair")]
    with_orphans: bool,
    /// The voucher of one sale; all current sales if not given
    #[arg(value_name = "SALE")]
    sale: Option<i64>,
}

impl ReconcileArgs {
    fn how(&self) -> Repair {
        match (self.repair, self.with_orphans) {
            (true, true) => Repair::WithOrphans,
            (true, false) => Repair::Safe,
            (false, _) => Repair::No,
        }
    }
}

pub(super) async fn run(settings: Settings, args: ReconcileArgs) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let compared = compare_all(&site.app, &args).await;
    let lines = site.close(compared).await?;
    let is_left = lines.iter().any(|line| line.left.iter().any(is_wrong));
    print(&table(&lines))?;
    Ok(if is_left {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// The first claim creates the gate of a sale.
fn is_wrong(drift: &Drift) -> bool {
    *drift != Drift::NotLoaded
}

/// What came of one sale.
struct SaleReconciliation {
    sale: VoucherId,
    /// Nothing if there is no such sale.
    report: Option<ReconcileReport>,
    /// What is still different.
    left: Vec<Drift>,
}

async fn compare_all(app: &App, args: &ReconcileArgs) -> anyhow::Result<Vec<SaleReconciliation>> {
    let sales = match args.sale {
        Some(sale) => vec![VoucherId::new(sale)],
        None => flash_sales::list_current(app).await?,
    };
    let compared = flash_sales::while_draining(app, async {
        let mut lines = Vec::new();
        for sale in sales {
            lines.push(compare(app, sale, args.how()).await?);
        }
        Ok(lines)
    });
    Ok(compared.await?)
}

async fn compare(app: &App, sale: VoucherId, repair: Repair) -> Result<SaleReconciliation, Error> {
    if repair == Repair::No {
        let report = flash_sales::compare(app, sale, Repair::No).await?;
        let left = report.as_ref().map(|report| report.drifts.clone());
        return Ok(SaleReconciliation {
            sale,
            report,
            left: left.unwrap_or_default(),
        });
    }
    let report = flash_sales::compare(app, sale, repair).await?;
    let has_drifts = report
        .as_ref()
        .is_some_and(|report| !report.drifts.is_empty());
    // A report includes what was repaired, so a second comparison shows what is left.
    let left = match has_drifts {
        true => flash_sales::compare(app, sale, Repair::No).await?,
        false => None,
    };
    Ok(SaleReconciliation {
        sale,
        report,
        left: left.map(|left| left.drifts).unwrap_or_default(),
    })
}

fn table(lines: &[SaleReconciliation]) -> String {
    let mut text = format!(
        "{:>12}  {:>10}  {:>10}  {:>10}  {}\n",
        "SALE", "UNITS", "STOCK", "ORDERS", "FINDINGS"
    );
    for line in lines {
        let figures = line.report.as_ref().and_then(|report| report.equations);
        let cell = |value: Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
        text.push_str(&format!(
            "{:>12}  {:>10}  {:>10}  {:>10}  {}\n",
            line.sale,
            cell(figures.map(|it| it.ledger_initial)),
            cell(figures.map(|it| it.gate_stock)),
            cell(figures.map(|it| it.ledger_live)),
            findings(line)
        ));
    }
    text
}

fn findings(line: &SaleReconciliation) -> String {
    let Some(report) = &line.report else {
        return "there is no such sale".to_owned();
    };
    let repairs = report
        .repairs
        .iter()
        .map(|repaired| format!("repaired {} ({})", repaired.what, repaired.count));
    let left = line.left.iter().map(describe);
    let all: Vec<String> = repairs.chain(left).collect();
    match all.is_empty() {
        true => "in order".to_owned(),
        false => all.join(", "),
    }
}

fn describe(drift: &Drift) -> String {
    let name = drift_name(drift);
    match drift {
        Drift::NotLoaded | Drift::Terms => name.to_owned(),
        Drift::Ledger { difference } | Drift::Units { difference } => {
            format!("{name} {difference:+}")
        }
        Drift::Bucket { bucket, difference } => format!("{name} {bucket} {difference:+}"),
        Drift::Forgotten { orders } | Drift::Ended { orders } | Drift::Orphaned { orders } => {
            format!("{name} {} order(s)", orders.len())
        }
    }
}
