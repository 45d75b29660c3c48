//! The search over shops, notes and people on a site that has very many: what a page costs, and what the index takes.
//!
//! The texts are the demo data's and so are their grams, which the product made; copies of both under other ids make the
//! site large. Each kind of request is measured on a tenth of it first, because what a query reads is to be bounded: ten
//! times the rows must not be ten times the cost.

mod copies;

use std::net::Ipv4Addr;

use anyhow::{Context, Result};

use crate::load::{Requests, ask_all};
use crate::pairs::Summary;
use crate::program::{Program, ServerProcess};
use crate::progress;
use crate::report::{Breakdown, Figure, Findings, Goal};
use crate::settings::{SEARCH_MARIADB, SEARCH_NOTES, SEARCH_SHOPS};
use crate::sql::{DatabaseKind, Sql};
use copies::Copies;

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "One reader searches a site with 30,000 shops and 300,000 notes, one request after the other: words that are common and \
     rare, two words, what is typed of a name, each filter, notes and people. The texts and their grams are the demo data's, \
     copied. Ratios are to the same requests on a tenth of the rows; rows read are MariaDB's count. \
     BENCH_SEARCH_SHOPS=300000 BENCH_SEARCH_NOTES=3000000 is the longer form, BENCH_SEARCH_MARIADB=1 adds MariaDB.",
);
const NAME: &str = "search";

/// Requests of a kind: enough for a p99 of the whole.
const REQUESTS: usize = 300;
/// Before those that count.
const WARM_UP: usize = 20;

/// Weighing, four windows and their look-ups and rows for each of three stages: what `storage::search` allows, with room
/// for what other tasks of the site read meanwhile.
const ROWS_READ_AT_MOST: f64 = 30_000.0;

/// Where the demo data's first shops are.
const HERE: &str = "x=120.149993&y=30.334229";

/// A word that is in one note only, in its title.
const RARE: &str = "寻隐者不遇";

/// A kind of request by its name and its path.
type Query = (&'static str, String);

fn queries() -> Vec<Query> {
    let shops = |rest: &str| format!("/api/search/shops?{rest}");
    let (common, rare) = (encoded("面馆"), encoded("拱墅万达 指尖"));
    let two = encoded("大关 火锅");
    vec![
        ("shops, common word", shops(&format!("q={common}"))),
        ("shops, rare words", shops(&format!("q={rare}"))),
        ("shops, two words", shops(&format!("q={two}"))),
        (
            "shops, common word nearby",
            shops(&format!("q={common}&{HERE}&radius=2000")),
        ),
        (
            "shops, open now",
            shops(&format!("q={common}&openNow=true")),
        ),
        (
            "shops, price",
            shops(&format!("q={common}&minPrice=20&maxPrice=30")),
        ),
        ("shops, stars", shops(&format!("q={common}&minScore=50"))),
        (
            "shops, with deals",
            shops(&format!("q={common}&deals=true")),
        ),
        (
            "shops, every filter",
            shops(&format!(
                "q={common}&{HERE}&openNow=true&deals=true&minScore=40&maxPrice=60"
            )),
        ),
        (
            "suggestions, two characters",
            format!("/api/search/suggestions?q={}&{HERE}", encoded("巷口")),
        ),
        (
            "notes, common word",
            format!("/api/search/notes?q={}", encoded("味道")),
        ),
        (
            "notes, rare word",
            format!("/api/search/notes?q={}", encoded(RARE)),
        ),
        (
            "notes, two words",
            format!("/api/search/notes?q={}", encoded("大关 值得")),
        ),
        (
            "notes, nothing",
            format!("/api/search/notes?q={}", encoded("量子纠缠")),
        ),
        (
            "people",
            format!("/api/search/people?q={}", encoded("小满")),
        ),
    ]
}

/// What a kind of request cost on a site of some size.
#[derive(Clone, Copy, Debug)]
struct Cost {
    p50_ms: f64,
    p99_ms: f64,
    /// Counted by MariaDB alone.
    rows_read: Option<f64>,
}

pub(crate) async fn run() -> Result<Findings> {
    let mut findings = measure(DatabaseKind::Sqlite).await?;
    if SEARCH_MARIADB.get() == 1 {
        findings.add(measure(DatabaseKind::MariaDb).await?);
    }
    Ok(findings)
}

async fn measure(kind: DatabaseKind) -> Result<Findings> {
    let name = kind.name();
    progress::step(NAME, format!("demo data on {name}"));
    let sql = Sql::start(kind).await?;
    let settings = [
        ("database.url", sql.url()),
        // Everybody has a limit, and all requests come from here: each says that it was passed on for somebody else.
        ("http.trusted_proxies", "127.0.0.1".to_owned()),
    ];
    let program = Program::new(&settings)?;
    program.run(&["migrate"]).await?;
    program.run(&["seed", "--scale", copies::SCALE]).await?;
    let mut copies = Copies::prepare(&sql).await?;
    copies::add_rare_note(&sql, RARE).await?;

    let (shops, notes) = (SEARCH_SHOPS.get(), SEARCH_NOTES.get());
    let mut costs: Vec<Vec<Cost>> = Vec::new();
    for (shops, notes) in [(shops / 10, notes / 10), (shops, notes)] {
        progress::step(NAME, format!("{shops} shops and {notes} notes on {name}"));
        copies.grow_to(shops, notes).await?;
        let server = program.serve(&["serve"]).await?;
        costs.push(all_costs(&sql, &server).await?);
        server.end().await?;
    }
    let mut figures = figures(name, &costs[0], &costs[1]);
    for (what, bytes) in copies.index_bytes() {
        let metric = format!("{name}, bytes of the index per {what}");
        figures.push(Figure::new(NAME, metric, Summary::of([bytes]), None));
    }
    Ok(Findings {
        figures,
        breakdowns: vec![table(kind, &costs[1])],
        ..Findings::default()
    })
}

async fn all_costs(sql: &Sql, server: &ServerProcess) -> Result<Vec<Cost>> {
    let mut costs = Vec::new();
    for (number, (name, path)) in queries().iter().enumerate() {
        let cost = cost(sql, server, path, number).await;
        costs.push(cost.with_context(|| name.to_string())?);
    }
    Ok(costs)
}

async fn cost(sql: &Sql, server: &ServerProcess, path: &str, number: usize) -> Result<Cost> {
    let requests = |count, first| {
        let mut requests = Requests::default();
        for reader in first..first + count {
            requests.push_for("GET", path, &reader_address(number, reader));
        }
        requests
    };
    ask_all(server.address, 1, requests(WARM_UP, 0))
        .await?
        .all_fine()?;
    let before = rows_read(sql).await?;
    let tally = ask_all(server.address, 1, requests(REQUESTS, WARM_UP)).await?;
    let tally = tally.all_fine()?;
    let after = rows_read(sql).await?;
    let rows = before.zip(after).map(|(before, after)| after - before);
    Ok(Cost {
        p50_ms: tally.quantile_ms(0.5),
        p99_ms: tally.quantile_ms(0.99),
        rows_read: rows.map(|rows| rows / REQUESTS as f64),
    })
}

/// Somebody else for every request.
fn reader_address(kind: usize, reader: usize) -> String {
    let number = (kind * (WARM_UP + REQUESTS) + reader) as u32;
    Ipv4Addr::from_bits(Ipv4Addr::new(10, 0, 0, 1).to_bits() + number).to_string()
}

/// Rows that MariaDB has handed to its statements so far, of tables and indexes alike.
async fn rows_read(sql: &Sql) -> Result<Option<f64>> {
    if sql.kind() == DatabaseKind::Sqlite {
        return Ok(None);
    }
    let count = "SELECT CAST(SUM(variable_value) AS SIGNED) FROM information_schema.global_status \
        WHERE variable_name IN ('HANDLER_READ_KEY', 'HANDLER_READ_NEXT', 'HANDLER_READ_PREV', \
        'HANDLER_READ_FIRST', 'HANDLER_READ_LAST', 'HANDLER_READ_RND', 'HANDLER_READ_RND_NEXT')";
    let counted = sql.numbers(count.to_owned()).await?;
    let rows = counted
        .first()
        .context("MariaDB counts the rows it reads")?;
    Ok(Some(*rows as f64))
}

fn figures(database: &str, small: &[Cost], large: &[Cost]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for ((name, _), (small, large)) in queries().iter().zip(small.iter().zip(large)) {
        let mut add = |what: &str, value: f64, goal| {
            let metric = format!("{database}, {name}, {what}");
            figures.push(Figure::new(NAME, metric, Summary::of([value]), goal));
        };
        add("p50 ms", large.p50_ms, None);
        add("p99 ms", large.p99_ms, None);
        add(
            "p50, ten times the rows / a tenth",
            large.p50_ms / small.p50_ms,
            None,
        );
        if let Some(rows) = large.rows_read {
            add("rows read", rows, Some(Goal::AtMost(ROWS_READ_AT_MOST)));
        }
    }
    figures
}

fn table(kind: DatabaseKind, costs: &[Cost]) -> Breakdown {
    let rows = queries().into_iter().zip(costs).map(|((name, _), cost)| {
        let rows = cost
            .rows_read
            .map_or("–".to_owned(), |rows| format!("{rows:.0}"));
        let (p50, p99) = (cost.p50_ms, cost.p99_ms);
        vec![
            name.to_owned(),
            format!("{p50:.1}"),
            format!("{p99:.1}"),
            rows,
        ]
    });
    Breakdown {
        title: match kind {
            DatabaseKind::Sqlite => "Searches on SQLite",
            DatabaseKind::MariaDb => "Searches on MariaDB",
        },
        head: vec!["search", "p50 ms", "p99 ms", "rows read"],
        rows: rows.collect(),
    }
}

/// As a browser writes it into an address.
fn encoded(word: &str) -> String {
    word.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_search_comes_from_an_address_of_its_own() {
        let last_of_first = reader_address(0, WARM_UP + REQUESTS - 1);
        assert_eq!(reader_address(0, 0), "10.0.0.1");
        assert_ne!(last_of_first, reader_address(1, 0));
    }

    #[test]
    fn words_are_written_as_addresses_have_them() {
        assert_eq!(encoded("面 a"), "%E9%9D%A2%20%61");
    }
}
