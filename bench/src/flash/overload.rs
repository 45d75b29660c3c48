//! More users than a site can serve: how many are served, and how soon the others are refused.
//!
//! The generator shares the machine with the site, so the bottleneck is put where it can be controlled: every reply of
//! Redis is held back, and the gate decides for 256 claims a call. What is left of the machine serves the refusals.

use std::time::Duration;

use anyhow::{Context, Result};

use crate::load::{Offered, offer};
use crate::market::{Market, MarketPlan};
use crate::pairs::Summary;
use crate::progress;
use crate::report::{Axis, Figure, Findings, Goal, Plot, PlotLine, Point};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "An open loop at 1, 2, 5 and 10 times the capacity of a gate whose Redis answers after 100 ms: what still gets through, \
     and how soon the others are refused. One early buyer has made the sale known to the process. Latency counts from the moment \
     a request was due.",
);
const NAME: &str = "overload";
const ROUNDS: usize = 9;
/// Twice as many as get a unit in a window, and one who claims before them.
const PEOPLE: usize = 5_000;
const EARLY: usize = 1;
/// Ends between two answers of the gate, so that a late one is not the difference between windows.
const WINDOW: Duration = Duration::from_millis(1_050);
/// How long Redis takes to answer: 256 claims a tenth of a second.
const DELAY: Duration = Duration::from_millis(100);
const CAPACITY_PER_SEC: f64 = 2_560.0;
/// Two calls' worth: who comes when so many wait is refused.
const QUEUE: usize = 512;
/// Enough for all who wait, and for the refusals in flight.
const CONNECTIONS: usize = 1_200;
const OVERLOADS: [f64; 3] = [2.0, 5.0, 10.0];

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a market with a slow Redis");
    let mut market = Market::open(MarketPlan {
        people: PEOPLE + EARLY,
        proxied: true,
        settings: vec![("flash.queue", QUEUE.to_string())],
        ..MarketPlan::default()
    })
    .await?;
    let people = market.tokens.len();
    let windows = (ROUNDS + 1) * (1 + OVERLOADS.len());
    let mut vouchers = market.publish_many(windows, people).await?.into_iter();
    market.send_worker_away().await?;
    let mut peaks = Vec::new();
    let mut loaded: [Vec<Window>; 3] = Default::default();
    for round in 0..=ROUNDS {
        progress::step(NAME, format!("round {round} of {ROUNDS}"));
        let peak = Window::open(&mut market, vouchers.next(), 1.0).await?;
        if round > 0 {
            peaks.push(peak.goodput);
        }
        for (factor, windows) in OVERLOADS.iter().zip(&mut loaded) {
            let window = Window::open(&mut market, vouchers.next(), *factor).await?;
            if round > 0 {
                windows.push(window);
            }
        }
    }
    market.drain_and_check().await?;
    let mut figures = vec![Figure::new(
        NAME,
        "goodput at capacity, claims per second",
        Summary::of(peaks.iter().copied()),
        None,
    )];
    let each = OVERLOADS.iter().zip(&loaded);
    figures.extend(each.flat_map(|(factor, windows)| figures_of(*factor, windows, &peaks)));
    Ok(Findings {
        figures,
        plots: vec![plot(&peaks, &loaded)],
        ..Findings::default()
    })
}

fn plot(peaks: &[f64], loaded: &[Vec<Window>; 3]) -> Plot {
    let peak = Point {
        x: 1.0,
        y: Summary::of(peaks.iter().copied()),
    };
    let others = OVERLOADS.iter().zip(loaded).map(|(factor, windows)| Point {
        x: *factor,
        y: Summary::of(windows.iter().map(|window| window.goodput)),
    });
    Plot {
        title: "Served requests, by request".to_owned(),
        x: Axis::linear("offered load, times the capacity"),
        y: Axis::linear("claims granted per second"),
        lines: vec![PlotLine {
            name: "goodput".to_owned(),
            points: std::iter::once(peak).chain(others).collect(),
        }],
    }
}

/// What a window showed.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// Grants a second.
    goodput: f64,
    refused_p99_ms: f64,
    granted_p99_ms: f64,
}

impl Window {
    async fn open(market: &mut Market, voucher: Option<i64>, factor: f64) -> Result<Self> {
        let voucher = voucher.context("there is a sale per window")?;
        market.arrive(CONNECTIONS).await?;
        market.open_with(voucher, PEOPLE..PEOPLE + EARLY).await?;
        let proxy = market.proxy.as_ref();
        let proxy = proxy.context("the market is proxied")?;
        proxy.delay(DELAY).await;
        let claims = market.claims(voucher, 0..PEOPLE);
        let rate = CAPACITY_PER_SEC * factor;
        let offered = offer(market.address(), CONNECTIONS, claims, rate, WINDOW).await?;
        proxy.pass().await;
        market.note(voucher, offered.orders.iter().copied());
        Ok(Self::of(&offered))
    }

    fn of(offered: &Offered) -> Self {
        let ms = |us: u64| us as f64 / 1_000.0;
        Self {
            goodput: offered.in_time as f64 / offered.window.as_secs_f64(),
            refused_p99_ms: ms(offered.refused_us.value_at_quantile(0.99)),
            granted_p99_ms: ms(offered.granted_us.value_at_quantile(0.99)),
        }
    }
}

fn figures_of(factor: f64, windows: &[Window], peaks: &[f64]) -> Vec<Figure> {
    let goodputs: Vec<f64> = windows.iter().map(|window| window.goodput).collect();
    let each = |what: fn(&Window) -> f64| Summary::of(windows.iter().map(what));
    vec![
        Figure::new(
            NAME,
            format!("goodput at {factor}x / at capacity"),
            Summary::of_ratios(&goodputs, peaks),
            Some(Goal::AtLeast(0.9)),
        ),
        Figure::new(
            NAME,
            format!("refusals at {factor}x, p99 in ms"),
            each(|window| window.refused_p99_ms),
            Some(Goal::AtMost(5.0)),
        ),
        Figure::new(
            NAME,
            format!("grants at {factor}x, p99 in ms"),
            each(|window| window.granted_p99_ms),
            None,
        ),
    ]
}
