//! Feed pages of people who follow few and many, and the hot list, against a static reply.

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

/// Places in the crowd: who reads, and who is read.
const READER_OF_FEW: usize = 10;
const READER_OF_MANY: usize = 11;
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
}

pub(super) async fn compare(market: &Market, ids: &[i64]) -> Result<Vec<Figure>> {
    progress::step(NAME, "filling feeds");
    fill::add_notes(&market.sql, FIRST_AUTHOR, MANY).await?;
    for (reader, count) in [(READER_OF_FEW, FEW), (READER_OF_MANY, MANY)] {
        fill::add_followees(&market.sql, ids[reader], FIRST_AUTHOR, count).await?;
    }
    let mut windows = Windows::default();
    for round in 0..=ROUNDS {
        progress::step(NAME, format!("reading, round {round} of {ROUNDS}"));
        windows.measure(market).await?;
    }
    Ok(windows.figures())
}

impl Windows {
    async fn measure(&mut self, market: &Market) -> Result<()> {
        self.hello
            .push(market.hello(CONNECTIONS, PAGES * 4).await?.per_sec());
        self.hot.push(pages_per_sec(market, HOT, None).await?);
        let few = Some(READER_OF_FEW);
        self.of_few.push(pages_per_sec(market, FEED, few).await?);
        let many = Some(READER_OF_MANY);
        self.of_many.push(pages_per_sec(market, FEED, many).await?);
        Ok(())
    }

    /// Without the first round, which warms up.
    fn figures(&self) -> Vec<Figure> {
        let ratio = |metric: &str, a: &[f64], b: &[f64], goal| {
            Figure::new(NAME, metric, Summary::of_ratios(&a[1..], &b[1..]), goal)
        };
        let of_few = Summary::of(self.of_few[1..].iter().copied());
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
            Figure::new(NAME, "feed pages per second", of_few, None),
        ]
    }
}

async fn pages_per_sec(market: &Market, path: &str, reader: Option<usize>) -> Result<f64> {
    let token = reader.map(|reader| market.tokens[reader].as_str());
    let requests = Requests::repeat("GET", path, token, PAGES);
    let tally = ask_all(market.address(), CONNECTIONS, requests).await?;
    Ok(tally.all_fine()?.per_sec())
}
