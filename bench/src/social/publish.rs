//! Publishing, by authors with few fans and with very many.

use anyhow::Result;
use serde_json::json;

use super::{NAME, ROUNDS};
use crate::load::{Requests, ask_all};
use crate::market::Market;
use crate::pairs::Summary;
use crate::report::{Axis, Figure, Findings, Goal, Line, Plot, Point};
use crate::settings::FANS;
use crate::{fill, progress};

/// Notes of one author in a window, one after the other.
const NOTES: usize = 5;
/// The most fans that are pushed to: the default of `feed.push_limit`.
const PUSHED: u64 = 10_000;
const FEW: u64 = 100;

struct Author<'a> {
    id: i64,
    token: &'a str,
    fans: u64,
    published: u64,
    /// Seconds a note, window by window.
    costs: Vec<f64>,
}

pub(super) async fn compare(market: &Market, ids: &[i64]) -> Result<Findings> {
    let mut authors = Vec::new();
    for (place, fans) in [FEW, PUSHED, FANS.get()].into_iter().enumerate() {
        progress::step(NAME, format!("an author with {fans} fans"));
        let author = ids[place];
        fill::add_fans(&market.sql, author, fans).await?;
        let notes = (ROUNDS + 1) * NOTES;
        fill::add_pictures(&market.sql, author, notes as u64).await?;
        authors.push(Author {
            id: author,
            token: &market.tokens[place],
            fans,
            published: 0,
            costs: Vec::new(),
        });
    }
    for round in 0..=ROUNDS {
        progress::step(NAME, format!("publishing, round {round} of {ROUNDS}"));
        for author in &mut authors {
            let cost = author.publish(market).await?;
            market.wait_until_relayed().await?;
            if round > 0 {
                author.costs.push(cost);
            }
        }
    }
    Ok(findings(&authors))
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
    let few = &authors[0].costs;
    let ms = |author: &Author<'_>| Summary::of(author.costs.iter().map(|secs| secs * 1_000.0));
    let mut figures: Vec<Figure> = authors[1..]
        .iter()
        .map(|author| {
            Figure::new(
                NAME,
                format!("cost of publishing, {} fans / {FEW} fans", author.fans),
                Summary::of_ratios(&author.costs, few),
                Some(Goal::AtMost(1.5)),
            )
        })
        .collect();
    let metric = format!("publishing with {FEW} fans, ms");
    figures.push(Figure::new(NAME, metric, ms(&authors[0]), None));
    let points = authors.iter().map(|author| Point {
        x: author.fans as f64,
        y: ms(author),
    });
    let plot = Plot {
        title: "What a note costs its author".to_owned(),
        x: Axis::logarithmic("fans"),
        y: Axis::linear("ms until it is published"),
        lines: vec![Line {
            name: "publish".to_owned(),
            points: points.collect(),
        }],
    };
    Findings {
        figures,
        plots: vec![plot],
    }
}
