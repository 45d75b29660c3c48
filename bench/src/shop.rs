//! The shop scenario: a shop's page from memory against a reply that is always the same, and a page of nearby shops
//! against the bare commands behind it.

use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::future::try_join_all;
use link::Link;
use tokio::time::Instant;

use crate::http::{get_once, replies_per_sec};
use crate::pairs::Summary;
use crate::progress;
use crate::report::{Figure, Findings, Goal};
use crate::site::BenchSite;

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "A cached shop against /healthz, and a page of nearby shops against the bare GEOSEARCH and MGET behind it, from 32 \
     connections on a site with demo data, SQLite and a private Redis.",
);
const NAME: &str = "shop";
/// Pairs per figure.
const ROUNDS: usize = 11;
const WINDOW: Duration = Duration::from_millis(700);
const CONNECTIONS: usize = 32;

const DETAIL: &str = "/api/shop/1";
/// As static as a reply of the same binary gets, through the same middleware.
const STATIC: &str = "/healthz";
/// Where the pages of the original stand.
const NEARBY: &str = "/api/shop/of/type?typeId=1&x=120.149993&y=30.334229";

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "starting a site with demo data");
    let site = BenchSite::start().await?;
    let shown = get_once(site.address, DETAIL).await?;
    anyhow::ensure!(
        shown.contains("\"success\":true"),
        "no shop to measure: {shown}"
    );
    let redis = site.redis().await?;
    let mut figures = compare_detail(&site).await?;
    figures.push(count_commands(&site, &redis).await?);
    figures.push(compare_nearby(&site, &redis).await?);
    Ok(figures.into())
}

async fn compare_detail(site: &BenchSite) -> Result<Vec<Figure>> {
    progress::step(NAME, "a cached shop against a static reply");
    let (mut detail, mut fixed) = (Vec::new(), Vec::new());
    // The first round warms up.
    for round in 0..=ROUNDS {
        let shop = replies_per_sec(site.address, DETAIL, CONNECTIONS, WINDOW).await?;
        let same = replies_per_sec(site.address, STATIC, CONNECTIONS, WINDOW).await?;
        if round > 0 {
            detail.push(shop);
            fixed.push(same);
        }
    }
    let ratio = Summary::of_ratios(&detail, &fixed);
    Ok(vec![
        Figure::new(
            NAME,
            "cached detail / static JSON, replies",
            ratio,
            Some(Goal::AtLeast(0.9)),
        ),
        Figure::new(
            NAME,
            "cached detail, replies per second",
            Summary::of(detail),
            None,
        ),
    ])
}

/// Commands that Redis ran more than in an idle window of the same length, per reply.
async fn count_commands(site: &BenchSite, redis: &Link) -> Result<Figure> {
    progress::step(NAME, "Redis commands of a cached shop");
    let mut per_reply = Vec::new();
    for _ in 0..ROUNDS {
        let before = commands(redis).await?;
        tokio::time::sleep(WINDOW).await;
        let idle = commands(redis).await? - before;
        let before = commands(redis).await?;
        let rate = replies_per_sec(site.address, DETAIL, CONNECTIONS, WINDOW).await?;
        let busy = commands(redis).await? - before;
        per_reply.push((busy - idle).max(0.0) / (rate * WINDOW.as_secs_f64()));
    }
    let metric = "cached detail, Redis commands per reply";
    Ok(Figure::new(
        NAME,
        metric,
        Summary::of(per_reply),
        Some(Goal::AtMost(0.01)),
    ))
}

async fn commands(redis: &Link) -> Result<f64> {
    let mut info = redis::cmd("INFO");
    info.arg("stats");
    let text: String = redis.run(&info).await?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("total_commands_processed:"));
    Ok(line.context("Redis counts its commands")?.trim().parse()?)
}

async fn compare_nearby(site: &BenchSite, redis: &Link) -> Result<Figure> {
    progress::step(NAME, "nearby shops against bare commands");
    let key = geo_key(redis).await?;
    let (mut page, mut bare) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let served = replies_per_sec(site.address, NEARBY, CONNECTIONS, WINDOW).await?;
        let bare_rate = bare_pages_per_sec(redis, &key).await?;
        if round > 0 {
            page.push(served);
            bare.push(bare_rate);
        }
    }
    let ratio = Summary::of_ratios(&page, &bare);
    Ok(Figure::new(
        NAME,
        "nearby page / bare GEOSEARCH + MGET, per second",
        ratio,
        Some(Goal::AtLeast(0.7)),
    ))
}

/// The index of type 1, wherever the product keeps it.
async fn geo_key(redis: &Link) -> Result<String> {
    let mut keys = redis::cmd("KEYS");
    keys.arg("*shop:geo:{1}");
    let found: Vec<String> = redis.run(&keys).await?;
    found
        .into_iter()
        .next()
        .context("the index of places is loaded")
}

async fn bare_pages_per_sec(redis: &Link, key: &str) -> Result<f64> {
    let since = Instant::now();
    let until = since + WINDOW;
    let tasks = (0..CONNECTIONS).map(|_| async {
        let mut count = 0;
        while Instant::now() < until {
            bare_page(redis, key).await?;
            count += 1;
        }
        anyhow::Ok(count)
    });
    let total: usize = try_join_all(tasks).await?.into_iter().sum();
    Ok(total as f64 / since.elapsed().as_secs_f64())
}

/// What a page needs of Redis when nothing is in the process's own memory: the five nearest, then their rows.
async fn bare_page(redis: &Link, key: &str) -> Result<()> {
    let mut search = redis::cmd("GEOSEARCH");
    search
        .arg(key)
        .arg("FROMLONLAT")
        .arg(120.149_993)
        .arg(30.334_229);
    search
        .arg("BYRADIUS")
        .arg(5000)
        .arg("m")
        .arg("ASC")
        .arg("COUNT")
        .arg(5)
        .arg("WITHDIST");
    let nearest: Vec<(String, f64)> = redis.run(&search).await?;
    let mut rows = redis::cmd("MGET");
    for (shop, _) in &nearest {
        rows.arg(format!("cache:shop:{shop}"));
    }
    let _: redis::Value = redis.run(&rows).await?;
    Ok(())
}
