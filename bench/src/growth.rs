//! What things cost on a site that has ten and a hundred times as many people, orders, vouchers and notes.
//!
//! Sites side by side, which have grown in everything at once, and then in one thing alone; each kind of request is sent to
//! each of them in turn.

mod apart;
mod grown;
mod size;

use anyhow::Result;

use crate::pairs::Summary;
use crate::progress;
use crate::report::{Axis, Figure, Findings, Goal, Plot, PlotLine, Point};
use crate::settings::{GROWTH, GROWTH_MARIADB};
use crate::sql::DatabaseKind;
use grown::{Grown, Operation};
use size::SiteSize;

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "Three sites side by side: 1,000 people with an order each, 10,000 orders, 100 vouchers and as many sales that are over, 1,000 \
     notes, an author with 100 fans, a buyer with 100 past orders; then ten and a hundred times as many of all of them at \
     once. The same requests go to each in turn; a claim counts until its order is in SQL. Then claims alone on sites that \
     have grown in one thing only: people, orders, vouchers or notes. Costs are relative to the smallest site. \
     BENCH_GROWTH=1000 is the longer form (ten million orders), BENCH_GROWTH_MARIADB=1 adds MariaDB.",
);
const NAME: &str = "growth";
const ROUNDS: usize = 9;

pub(crate) async fn run() -> Result<Findings> {
    let sizes = [1, 10, GROWTH.get() as usize];
    let mut findings = in_everything(&sizes).await?;
    findings.add(apart::compare(DatabaseKind::Sqlite, &sizes).await?);
    if GROWTH_MARIADB.get() == 1 {
        findings.add(apart::compare(DatabaseKind::MariaDb, &sizes).await?);
    }
    Ok(findings)
}

async fn in_everything(sizes: &[usize]) -> Result<Findings> {
    let mut sites = Vec::new();
    for times in sizes {
        progress::step(NAME, format!("a site of {times} times the size"));
        let size = SiteSize::in_everything(*times);
        sites.push(Grown::open(DatabaseKind::Sqlite, *times, size).await?);
    }
    for round in 0..=ROUNDS {
        progress::step(NAME, format!("round {round} of {ROUNDS}"));
        for operation in Operation::ALL {
            for site in &mut sites {
                let cost = site.secs(operation).await?;
                if round > 0 {
                    site.costs.entry(operation).or_default().push(cost);
                }
            }
        }
    }
    for site in &sites {
        site.market.check().await?;
    }
    Ok(findings(&sites, sizes))
}

fn findings(sites: &[Grown], sizes: &[usize]) -> Findings {
    let relative = |site: &Grown, operation| {
        Summary::of_ratios(&site.costs[&operation], &sites[0].costs[&operation])
    };
    let mut figures = Vec::new();
    let mut lines = Vec::new();
    for operation in Operation::ALL {
        for site in &sites[1..] {
            let metric = format!("{}, {}x of everything / 1x", operation.name(), site.times);
            let goal = operation.goal().map(Goal::AtMost);
            figures.push(Figure::new(NAME, metric, relative(site, operation), goal));
        }
        let points = sites.iter().map(|site| Point {
            x: site.times as f64,
            y: relative(site, operation),
        });
        lines.push(PlotLine {
            name: operation.name().to_owned(),
            points: points.collect(),
        });
    }
    let plot = Plot {
        title: "Cost by the size of the site".to_owned(),
        x: Axis::logarithmic("times the smallest site").marked(marks(sizes)),
        y: Axis::linear("cost, times that of the smallest"),
        lines,
    };
    Findings {
        figures,
        plots: vec![plot],
        ..Findings::default()
    }
}

fn marks(sizes: &[usize]) -> Vec<(f64, String)> {
    let marks = sizes
        .iter()
        .map(|times| (*times as f64, format!("{times}×")));
    marks.collect()
}
