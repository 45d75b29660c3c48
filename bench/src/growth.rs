//! What things cost on a site that has ten and a hundred times as many people, fans, past orders and vouchers.
//!
//! Three sites side by side, which have grown in everything at once; each kind of request is sent to each of them in turn.

mod grown;

use anyhow::Result;

use crate::pairs::Summary;
use crate::progress;
use crate::report::{Axis, Figure, Findings, Goal, Plot, PlotLine, Point};
use crate::settings::GROWTH;
use grown::{Grown, Operation};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "Three sites side by side: 1,000 people with an order each, an author with 100 fans, a buyer with 100 past orders of 100 \
     vouchers; then ten and a hundred times as many of all of them at once. The same requests go to each in turn; a claim \
     counts until its order is in SQL. Costs are relative to the smallest site.",
);
const NAME: &str = "growth";
const ROUNDS: usize = 9;

pub(crate) async fn run() -> Result<Findings> {
    let sizes = [1, 10, GROWTH.get() as usize];
    let mut sites = Vec::new();
    for size in sizes {
        progress::step(NAME, format!("a site of size {size}"));
        sites.push(Grown::open(size).await?);
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
    Ok(findings(&sites))
}

fn findings(sites: &[Grown]) -> Findings {
    let relative = |site: &Grown, operation| {
        Summary::of_ratios(&site.costs[&operation], &sites[0].costs[&operation])
    };
    let mut figures = Vec::new();
    let mut lines = Vec::new();
    for operation in Operation::ALL {
        for site in &sites[1..] {
            let metric = format!("{}, {}x / 1x", operation.name(), site.size);
            let goal = operation.goal().map(Goal::AtMost);
            figures.push(Figure::new(NAME, metric, relative(site, operation), goal));
        }
        let points = sites.iter().map(|site| Point {
            x: site.size as f64,
            y: relative(site, operation),
        });
        lines.push(PlotLine {
            name: operation.name().to_owned(),
            points: points.collect(),
        });
    }
    let marks = sites
        .iter()
        .map(|site| (site.size as f64, format!("{}×", site.size)));
    let plot = Plot {
        title: "Cost by the size of the site".to_owned(),
        x: Axis::logarithmic("people, fans, past orders and vouchers").marked(marks),
        y: Axis::linear("cost, times that of the smallest"),
        lines,
    };
    Findings {
        figures,
        plots: vec![plot],
        ..Findings::default()
    }
}
