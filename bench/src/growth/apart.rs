//! A claim until it is in SQL, on sites that have grown in one thing alone: what makes it dearer shows by itself.

use anyhow::Result;

use super::grown::{Grown, Operation};
use super::size::{Collected, SMALLEST, SiteSize};
use super::{NAME, ROUNDS, marks};
use crate::pairs::Summary;
use crate::progress;
use crate::report::{Axis, Figure, Findings, Goal, Plot, PlotLine, Point};
use crate::sql::DatabaseKind;

/// How many times the smallest site's cost is allowed.
const MOST: f64 = 1.1;

pub(super) async fn compare(sql: DatabaseKind, sizes: &[usize]) -> Result<Findings> {
    let database = sql.name();
    let mut smallest = Grown::open(sql, 1, SMALLEST).await?;
    let mut findings = Findings::default();
    let mut lines = Vec::new();
    for what in Collected::ALL {
        let mut sites = Vec::new();
        for times in &sizes[1..] {
            progress::step(
                NAME,
                format!("{times} times the {} on {database}", what.name()),
            );
            let size = SiteSize::in_one_thing(what, *times);
            sites.push(Grown::open(sql, *times, size).await?);
        }
        measure(&mut smallest, &mut sites).await?;
        let base = std::mem::take(&mut smallest.costs);
        let relative = |site: &Grown| {
            let claim = Operation::Claim;
            Summary::of_ratios(&site.costs[&claim], &base[&claim])
        };
        findings.figures.extend(sites.iter().map(|site| {
            let metric = format!(
                "claim, {}x the {} / 1x, {database}",
                site.times,
                what.name()
            );
            Figure::new(NAME, metric, relative(site), Some(Goal::AtMost(MOST)))
        }));
        let first = Point {
            x: 1.0,
            y: Summary::of([1.0]),
        };
        let others = sites.iter().map(|site| Point {
            x: site.times as f64,
            y: relative(site),
        });
        lines.push(PlotLine {
            name: what.name().to_owned(),
            points: std::iter::once(first).chain(others).collect(),
        });
    }
    findings.plots.push(Plot {
        title: format!("Cost of a claim until it is in {database}, by what has grown"),
        x: Axis::logarithmic("times the smallest site").marked(marks(sizes)),
        y: Axis::linear("cost, times that of the smallest"),
        lines,
    });
    Ok(findings)
}

/// Windows of all sites in turn.
async fn measure(smallest: &mut Grown, sites: &mut [Grown]) -> Result<()> {
    for round in 0..=ROUNDS {
        let all = std::iter::once(&mut *smallest).chain(sites.iter_mut());
        for site in all {
            let cost = site.secs(Operation::Claim).await?;
            if round > 0 {
                site.costs.entry(Operation::Claim).or_default().push(cost);
            }
            site.market.settle().await?;
        }
    }
    Ok(())
}
