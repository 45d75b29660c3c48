//! The table that ends a run in a terminal.

use super::{BenchReport, Breakdown, Figure, shown};

#[expect(clippy::print_stdout, reason = "the table is what the program is for")]
pub(crate) fn print(report: &BenchReport) {
    println!("\n{}", report.machine.line());
    let width = report
        .figures()
        .into_iter()
        .map(|figure| name(&figure).len());
    let width = width.max().unwrap_or_default();
    println!(
        "\n{:<width$} {:>10} {:>19}  goal",
        "metric", "median", "spread"
    );
    for outcome in &report.outcomes {
        match &outcome.findings {
            Ok(findings) => {
                for figure in &findings.figures {
                    println!("{}", row(figure, width));
                }
                for breakdown in &findings.breakdowns {
                    print!("{}", detail(outcome.scenario, breakdown));
                }
            }
            Err(why) => println!("{}: FAILED: {why}", outcome.scenario),
        }
    }
    let score = report.score();
    println!(
        "\n{} goals met, {} missed; {} of {} scenarios failed",
        score.met,
        score.missed,
        score.failed,
        report.outcomes.len()
    );
}

fn row(figure: &Figure, width: usize) -> String {
    let [lowest, highest] = figure.spread;
    let goal = match (figure.goal, figure.met) {
        (Some(goal), Some(true)) => format!("{goal} met"),
        (Some(goal), _) => format!("{goal} MISSED"),
        (None, _) => String::new(),
    };
    let (median, spread) = (
        figure.shown(),
        format!("{} – {}", shown(lowest), shown(highest)),
    );
    let row = format!("{:<width$} {median:>10} {spread:>19}  {goal}", name(figure));
    row.trim_end().to_owned()
}

/// One line per row, its cells side by side.
fn detail(scenario: &str, breakdown: &Breakdown) -> String {
    let line = |cells: &Vec<String>| format!("    {}\n", cells.join("  "));
    let rows: String = breakdown.rows.iter().map(line).collect();
    let head = breakdown.head.join(", ");
    format!("{scenario}: {} ({head})\n{rows}", breakdown.title)
}

fn name(figure: &Figure) -> String {
    format!("{}: {}", figure.scenario, figure.metric)
}
