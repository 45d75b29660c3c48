//! What people do most, against a static reply: feed pages of people who follow few and many, the hot list, a note, shops
//! nearby, a like.

use std::ops::Range;

use anyhow::Result;

use super::{NAME, ROUNDS};
use crate::load::{Requests, ask_all};
use crate::market::Market;
use crate::pairs::Summary;
use crate::report::{Figure, Goal};
use crate::{fill, progress};

const CONNECTIONS: usize = 32;
/// Requests of a window.
const PAGES: usize = 2_000;
const FEED: &str = "/api/blog/of/follow";
const HOT: &str = "/api/blog/hot";
const NEARBY: &str = "/api/shop/of/type?typeId=1&x=120.149993&y=30.334229";
/// Likes of a window: one of each author.
const LIKES: usize = 1_000;

/// Places in the crowd: who reads, as many as there are connections, and who is read.
const READERS_OF_FEW: Range<usize> = 20..20 + CONNECTIONS;
const READERS_OF_MANY: Range<usize> = 60..60 + CONNECTIONS;
const FIRST_AUTHOR: usize = 100;
const FEW: usize = 10;
const MANY: usize = 1_000;

/// Replies per second, window by window.
#[derive(Default)]
struct Windows {
    hello: Vec<f64>,
    hot: Vec<f64>,
    of_few: Vec<f64>,
    of_many: Vec<f64>,
    note: Vec<f64>,
    nearby: Vec<f64>,
    like: Vec<f64>,
}

pub(super) async fn compare(market: &Market, ids: &[i64]) -> Result<Vec<Figure>> {
    progress::step(NAME, "filling feeds");
    fill::add_notes(&market.sql, FIRST_AUTHOR, MANY).await?;
    for (readers, count) in [(READERS_OF_FEW, FEW), (READERS_OF_MANY, MANY)] {
        for reader in readers {
            fill::add_followees(&market.sql, ids[reader], FIRST_AUTHOR, count).await?;
        }
    }
    let notes = "SELECT id FROM tb_blog ORDER BY id DESC LIMIT 1000";
    let notes = market.sql.numbers(notes.to_owned()).await?;
    let mut windows = Windows::default();
    for round in 0..=ROUNDS {
        progress::step(NAME, format!("reading, round {round} of {ROUNDS}"));
        windows.measure(market, &notes).await?;
    }
    Ok(windows.figures())
}

impl Windows {
    async fn measure(&mut self, market: &Market, notes: &[i64]) -> Result<()> {
        self.hello
            .push(market.hello(CONNECTIONS, PAGES * 4).await?.per_sec());
        self.hot.push(pages_per_sec(market, HOT, &[]).await?);
        let few = &market.tokens[READERS_OF_FEW];
        self.of_few.push(pages_per_sec(market, FEED, few).await?);
        let many = &market.tokens[READERS_OF_MANY];
        self.of_many.push(pages_per_sec(market, FEED, many).await?);
        let note = format!("/api/blog/{}", notes[0]);
        self.note.push(pages_per_sec(market, &note, few).await?);
        self.nearby.push(pages_per_sec(market, NEARBY, &[]).await?);
        self.like.push(likes_per_sec(market, notes).await?);
        // What follows from likes must not weigh on the next window.
        market.wait_until_relayed().await
    }

    /// Without the first round, which warms up.
    fn figures(&self) -> Vec<Figure> {
        let ratio = |metric: &str, a: &[f64], b: &[f64], goal| {
            Figure::new(NAME, metric, Summary::of_ratios(&a[1..], &b[1..]), goal)
        };
        let rate = |metric: &str, values: &[f64]| {
            let rate = Summary::of(values[1..].iter().copied());
            Figure::new(NAME, format!("{metric} per second"), rate, None)
        };
        vec![
            // Cost is time, and time the inverse of a rate.
            ratio(
                "cost of a feed page, 1000 followees / 10 followees",
                &self.of_few,
                &self.of_many,
                Some(Goal::AtMost(2.0)),
            ),
            ratio("feed page / static reply", &self.of_few, &self.hello, None),
            ratio("hot list / static reply", &self.hot, &self.hello, None),
            ratio("note / static reply", &self.note, &self.hello, None),
            ratio(
                "shops nearby / static reply",
                &self.nearby,
                &self.hello,
                None,
            ),
            ratio("like / static reply", &self.like, &self.hello, None),
            rate("feed pages", &self.of_few),
            rate("hot lists", &self.hot),
            rate("notes", &self.note),
            rate("pages of shops nearby", &self.nearby),
            rate("likes", &self.like),
        ]
    }
}

/// The readers take turns; without any, visitors read.
async fn pages_per_sec(market: &Market, path: &str, readers: &[String]) -> Result<f64> {
    let mut requests = Requests::default();
    for page in 0..PAGES {
        let reader = readers.get(page % readers.len().max(1));
        requests.push("GET", path, reader.map(String::as_str));
    }
    let tally = ask_all(market.address(), CONNECTIONS, requests).await?;
    Ok(tally.all_fine()?.per_sec())
}

/// Everybody toggles the like of a note of their own.
async fn likes_per_sec(market: &Market, notes: &[i64]) -> Result<f64> {
    let people = &market.tokens[FIRST_AUTHOR..FIRST_AUTHOR + LIKES];
    let mut requests = Requests::default();
    for (token, note) in people.iter().zip(notes) {
        requests.push("PUT", &format!("/api/blog/like/{note}"), Some(token));
    }
    let tally = ask_all(market.address(), CONNECTIONS, requests).await?;
    Ok(tally.all_fine()?.per_sec())
}
