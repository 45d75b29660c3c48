//! The report as a table on the terminal.

use std::fmt::{self, Write as _};

use super::{CacheRow, Report, Row};
use crate::attack::Attack;

/// What a column shows, by the three that there are: harm, none, not tried.
const MARKS: [&str; 3] = ["✗", "✓", "·"];

/// Room for the longest title.
const TITLE_WIDTH: usize = 36;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tried: Vec<&Row> = self
            .versions
            .iter()
            .filter(|row| !row.findings.is_empty())
            .collect();
        if !tried.is_empty() {
            write_head(f)?;
            tried.iter().try_for_each(|row| write_row(f, row))?;
            writeln!(f, "\n  ✗ did harm   ✓ did none   · does not apply")?;
            writeln!(
                f,
                "  sold: of the crowd's pieces; speed: of the last version's"
            )?;
            writeln!(
                f,
                "  over, dup, lost, idle: the worst of all attacks: pieces oversold, second orders of a person,"
            )?;
            writeln!(
                f,
                "  orders a buyer was told of that SQL lacks, pieces nobody can have any more\n"
            )?;
        }
        let tried = self.caches.iter().filter(|row| !row.findings.is_empty());
        let tried: Vec<&CacheRow> = tried.collect();
        if !tried.is_empty() {
            writeln!(
                f,
                "  {:TITLE_WIDTH$} loads of the database per reads",
                "Reading"
            )?;
            tried.iter().try_for_each(|row| write_cache(f, row))?;
        }
        Ok(())
    }
}

fn write_head(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (number, attack) in Attack::ALL.into_iter().enumerate() {
        writeln!(
            f,
            "  {} {}: {}",
            number + 1,
            attack.title().en,
            attack.what().en
        )?;
    }
    let numbers: String = (1..=Attack::ALL.len()).fold(String::new(), |mut line, number| {
        let _ = write!(line, "{number} ");
        line
    });
    writeln!(
        f,
        "\n  {:TITLE_WIDTH$} {numbers}   sold  over  dup lost idle   speed",
        "Version"
    )
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
    let marks: String = Attack::ALL
        .into_iter()
        .fold(String::new(), |mut line, attack| {
            let _ = write!(line, "{} ", mark(row, attack));
            line
        });
    let worst = |count: fn(&crate::Verdict) -> usize| {
        let verdicts = row.findings.iter().map(|finding| &finding.verdict);
        verdicts.map(count).max().unwrap_or_default()
    };
    let sold = row
        .crowd
        .map(|crowd| format!("{}/{}", crowd.sold, crowd.stock));
    let speed = row.relative.map(|share| format!("{:.0} %", share * 100.0));
    writeln!(
        f,
        "  {:TITLE_WIDTH$} {marks} {:>6}  {:4} {:4} {:4} {:4} {:>7}",
        row.title.en,
        sold.unwrap_or_default(),
        worst(|verdict| verdict.oversold),
        worst(|verdict| verdict.duplicates),
        worst(|verdict| verdict.lost),
        worst(|verdict| verdict.stranded),
        speed.unwrap_or_default(),
    )?;
    writeln!(f, "    {}", row.why.en)
}

fn mark(row: &Row, attack: Attack) -> &'static str {
    let found = row.findings.iter().find(|finding| finding.attack == attack);
    match found {
        Some(finding) if finding.verdict.is_right() => MARKS[1],
        Some(_) => MARKS[0],
        None => MARKS[2],
    }
}

fn write_cache(f: &mut fmt::Formatter<'_>, row: &CacheRow) -> fmt::Result {
    write!(f, "  {:TITLE_WIDTH$}", row.title.en)?;
    for finding in &row.findings {
        let title = finding.trial.title().en;
        write!(f, "  {title} {} / {}", finding.loads, finding.reads)?;
    }
    writeln!(f, "\n    {}", row.why.en)
}
