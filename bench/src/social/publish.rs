//! Publishing, by authors with few fans and with very many.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{NAME, ROUNDS};
use crate::http::call;
use crate::load::{Requests, ask_all};
use crate::market::Market;
use crate::pairs::Summary;
use crate::report::{Axis, Figure, Findings, Goal, Plot, PlotLine, Point};
use crate::settings::FANS;
use crate::{fill, progress};

/// Notes of one author in a window, one after the other.
const NOTES: usize = 5;
/// The most fans that are pushed to: the default of `feed.push_limit`.
const PUSHED: u64 = 10_000;
const FEW: u64 = 100;
/// Fans with an inbox in Redis, who read their feeds these days: places in the crowd, the first of them and how many at
/// most. The others have not come for a while, and a note costs them a look.
const FIRST_READER: usize = 100;
const READERS: u64 = 1_000;
const CONNECTIONS: usize = 32;
const FEED: &str = "/api/blog/of/follow";

struct Author<'a> {
    id: i64,
    token: &'a str,
    fans: u64,
    published: u64,
    /// Seconds a note, window by window: until it is published, and until every inbox has it.
    costs: Vec<f64>,
    pushes: Vec<f64>,
}

pub(super) async fn compare(market: &Market, ids: &[i64]) -> Result<Findings> {
    let mut authors = Vec::new();
    for (place, fans) in [FEW, PUSHED, FANS.get()].into_iter().enumerate() {
        progress::step(NAME, format!("an author with {fans} fans"));
        let author = ids[place];
        let readers = (FIRST_READER, fans.min(READERS) as usize);
        fill::add_fans_and_crowd(&market.sql, author, fans, readers).await?;
        let notes = (ROUNDS + 1) * NOTES;
        fill::add_pictures(&market.sql, author, notes as u64).await?;
        authors.push(Author {
            id: author,
            token: &market.tokens[place],
            fans,
            published: 0,
            costs: Vec::new(),
            pushes: Vec::new(),
        });
    }
    open_inboxes(market).await?;
    for round in 0..=ROUNDS {
        progress::step(NAME, format!("publishing, round {round} of {ROUNDS}"));
        for author in &mut authors {
            let since = Instant::now();
            let cost = author.publish(market).await?;
            market.wait_until_relayed().await?;
            let pushed = since.elapsed().as_secs_f64() / NOTES as f64;
            if round > 0 {
                author.costs.push(cost);
                author.pushes.push(pushed);
            }
        }
        check_arrival(market, &authors).await?;
    }
    Ok(findings(&authors))
}

/// Everybody looks at the feed, which is then kept.
async fn open_inboxes(market: &Market) -> Result<()> {
    progress::step(NAME, "opening inboxes");
    let mut requests = Requests::default();
    for token in &market.tokens[FIRST_READER..FIRST_READER + READERS as usize] {
        requests.push("GET", FEED, Some(token));
    }
    let tally = ask_all(market.address(), CONNECTIONS, requests).await?;
    tally.all_fine().map(drop)
}

/// A user who follows all of the authors finds the notes of the last one, who is not pushed, and of the one before on the
/// first page.
async fn check_arrival(market: &Market, authors: &[Author<'_>]) -> Result<()> {
    let token = &market.tokens[FIRST_READER];
    let page = call(market.address(), "GET", FEED, token, &Value::Null).await?;
    let notes = page["list"].as_array().context("a feed has a list")?;
    for author in &authors[1..] {
        let theirs = notes.iter().filter(|note| note["userId"] == author.id);
        ensure!(
            theirs.count() == NOTES,
            "the notes of an author with {} fans did not arrive",
            author.fans
        );
    }
    Ok(())
}

impl Author<'_> {
    /// Seconds a note.
    async fn publish(&mut self, market: &Market) -> Result<f64> {
        let mut requests = Requests::default();
        for _ in 0..NOTES {
            let note = json!({
                "shopId": 1, "title": "一碗面", "content": "笋片很嫩，雪菜不咸。", "score": 5,
                "images": fill::picture(self.id, self.published),
            });
            let body = note.to_string();
            requests.push_with("POST", "/api/blog", Some(self.token), &body);
            self.published += 1;
        }
        let tally = ask_all(market.address(), 1, requests).await?.all_fine()?;
        Ok(tally.took.as_secs_f64() / NOTES as f64)
    }
}

fn findings(authors: &[Author<'_>]) -> Findings {
    let few = &authors[0];
    let mut figures: Vec<Figure> = authors[1..]
        .iter()
        .map(|author| {
            Figure::new(
                NAME,
                format!("cost of publishing, {} fans / {FEW} fans", author.fans),
                Summary::of_ratios(&author.costs, &few.costs),
                Some(Goal::AtMost(1.5)),
            )
        })
        .collect();
    let metric = format!("publishing with {FEW} fans, ms");
    figures.push(Figure::new(NAME, metric, ms(&few.costs), None));
    figures.extend(authors.iter().map(|author| {
        let metric = format!("until every inbox has a note, {} fans, ms", author.fans);
        Figure::new(NAME, metric, ms(&author.pushes), None)
    }));
    Findings {
        figures,
        plots: vec![plot(authors)],
        ..Findings::default()
    }
}

fn plot(authors: &[Author<'_>]) -> Plot {
    let line = |name: &str, cost: fn(&Author<'_>) -> Summary| PlotLine {
        name: name.to_owned(),
        points: authors
            .iter()
            .map(|author| Point {
                x: author.fans as f64,
                y: cost(author),
            })
            .collect(),
    };
    Plot {
        title: "What a note costs".to_owned(),
        x: Axis::logarithmic("fans"),
        y: Axis::logarithmic("ms a note"),
        lines: vec![
            line("its author, until it is published", |it| ms(&it.costs)),
            line("the site, until every inbox has it", |it| ms(&it.pushes)),
        ],
    }
}

fn ms(costs: &[f64]) -> Summary {
    Summary::of(costs.iter().map(|secs| secs * 1_000.0))
}
