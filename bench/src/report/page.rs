//! `report.html`: one file without anything from elsewhere, light or dark as its reader has it.

use std::fmt::Write as _;

use super::plot::{bar, draw};
use super::{BenchReport, Breakdown, Figure, ScenarioOutcome, shown};

const STYLE: &str = include_str!("page.css");

pub(super) fn render(report: &BenchReport) -> String {
    let mut page =
        String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    page +=
        &format!("<title>Tandian: figures</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n");
    page += &head(report);
    for outcome in &report.outcomes {
        page += &section(outcome);
    }
    page + "</body>\n</html>\n"
}

fn head(report: &BenchReport) -> String {
    let score = report.score();
    let mut text = String::from("<h1>Tandian: figures</h1>\n");
    text += &format!(
        "<p><span class=\"met\">{} goals met</span>, <span class=\"{}\">{} missed</span>, \
         <span class=\"{}\">{} of {} scenarios failed</span>.</p>\n",
        score.met,
        class_of("missed", score.missed),
        score.missed,
        class_of("missed", score.failed),
        score.failed,
        report.outcomes.len(),
    );
    text += "<p class=\"faint\">Each figure is the median of interleaved pairs of one run; the range is the lowest and the \
             highest pair. Trust ratios of things measured side by side before levels, which drift with the machine.</p>\n<nav>";
    for outcome in &report.outcomes {
        let name = outcome.scenario;
        let _ = write!(text, "<a href=\"#{name}\">{name}</a>");
    }
    text += "</nav>\n";
    text += &missed(report);
    text += "<h2>Machine, versions, settings</h2>\n<div class=\"wide\"><table class=\"machine\">\n";
    for (name, value) in &report.machine.facts {
        let (name, value) = (escaped(name), escaped(value));
        let _ = writeln!(text, "<tr><th>{name}</th><td>{value}</td></tr>");
    }
    text + "</table></div>\n"
}

/// What a reader looks for first.
fn missed(report: &BenchReport) -> String {
    let figures: Vec<Figure> = report.figures();
    let missed: Vec<&Figure> = figures.iter().filter(|it| it.met == Some(false)).collect();
    if missed.is_empty() {
        return String::new();
    }
    let mut text = String::from("<h2>Missed</h2>\n<ul>\n");
    for figure in missed {
        let (name, metric) = (figure.scenario, escaped(&figure.metric));
        let (value, goal) = (figure.shown(), goal(figure));
        let _ = writeln!(
            text,
            "<li><a href=\"#{name}\">{name}</a>: {metric}: {value}, {goal}</li>"
        );
    }
    text + "</ul>\n"
}

fn class_of(word: &'static str, count: usize) -> &'static str {
    if count == 0 { "faint" } else { word }
}

fn section(outcome: &ScenarioOutcome) -> String {
    let name = outcome.scenario;
    let mut text = format!("<h2 id=\"{name}\">{name}</h2>\n");
    let seconds = outcome.took.as_secs();
    let about = escaped(outcome.about);
    let _ = writeln!(
        text,
        "<p>{about} <span class=\"faint\">Took {seconds} s.</span></p>"
    );
    match &outcome.findings {
        Ok(findings) => {
            text += &table(&findings.figures);
            for breakdown in &findings.breakdowns {
                text += &detail(breakdown);
            }
            text += "<div class=\"plots\">\n";
            for plot in &findings.plots {
                text += &draw(plot);
            }
            text + "</div>\n"
        }
        Err(why) => text + &format!("<p class=\"failed\">Failed: {}</p>\n", escaped(why)),
    }
}

fn table(figures: &[Figure]) -> String {
    let mut text = String::from(
        "<div class=\"wide\"><table class=\"figures\">\n<tr><th>metric</th><th class=\"number\">median</th>\
         <th class=\"number\">range</th><th class=\"bars\"></th><th>goal</th></tr>\n",
    );
    for figure in figures {
        let (metric, goal) = (escaped(&figure.metric), goal(figure));
        let [lowest, highest] = figure.spread;
        let (median, lowest, highest) = (figure.shown(), shown(lowest), shown(highest));
        let bar = bar(
            figure.value,
            figure.spread,
            figure.goal.map(|goal| goal.bound_near(figure.value)),
        );
        let _ = writeln!(
            text,
            "<tr><td>{metric}</td><td class=\"number\">{median}</td>\
             <td class=\"number\">{lowest} – {highest}</td><td class=\"bars\">{bar}</td><td>{goal}</td></tr>"
        );
    }
    text + "</table></div>\n"
}

/// A table that opens on demand: it shows where a figure comes from.
fn detail(breakdown: &Breakdown) -> String {
    let row = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
        let cells = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let title = escaped(breakdown.title);
    let mut text = format!("<details>\n<summary>{title}</summary>\n<div class=\"wide\"><table>\n");
    text += &row("th", &mut breakdown.head.iter().copied());
    for cells in &breakdown.rows {
        text += &row("td", &mut cells.iter().map(String::as_str));
    }
    text + "</table></div>\n</details>\n"
}

fn goal(figure: &Figure) -> String {
    match (figure.goal, figure.met) {
        (Some(goal), Some(true)) => format!("{goal} <span class=\"met\">met</span>"),
        (Some(goal), _) => format!("{goal} <span class=\"missed\">missed</span>"),
        (None, _) => String::new(),
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
