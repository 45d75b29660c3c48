//! An attack on a site of its own: generated requests, hostile pictures and guessed codes, one after the other, against one
//! `tandian` process. It must answer all of it without a panic and without a server error, let nobody in, and be no
//! larger afterwards than its bounds allow.
//!
//! `make test` runs a short form. `make attack` runs the whole: `ATTACK_REQUESTS`, `ATTACK_PICTURES` and
//! `ATTACK_GUESSES` say how much of each, `ATTACK_SEED` repeats what was drawn, and `ATTACK_REPORT` names the file for the
//! report. What is drawn follows from the seed; how it interleaves does not.

mod guesses;
mod pictures;
mod report;
mod site;

use report::{Part, Report};
use site::Site;

const DEFAULT_SEED: u64 = 20_261_116;

/// How much of each in `make test`.
const SHORT_REQUESTS: usize = 1_000;
const SHORT_PICTURES: usize = 150;
const SHORT_GUESSES: usize = 5_000;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().expect("a number"))
}

fn amount(variable: &str, short: usize) -> usize {
    number(variable).map_or(short, |number| usize::try_from(number).expect("a number"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attacked_site_answers_everything_lets_nobody_in_and_does_not_grow() {
    let seed = number("ATTACK_SEED").unwrap_or(DEFAULT_SEED);
    let mut report = Report::new(seed);
    let site = Site::open().await;
    site.warm_up(seed).await;
    report.begin(site.size().await);

    let requests = amount("ATTACK_REQUESTS", SHORT_REQUESTS);
    let part = Part::begin("requests", requests, &site).await;
    let problems = site.storm.send(seed, requests).await;
    report.add(part.end(&site, problems, String::new()).await);

    let count = amount("ATTACK_PICTURES", SHORT_PICTURES);
    let part = Part::begin("pictures", count, &site).await;
    let (problems, words) = pictures::send_all(&site, seed, count).await;
    report.add(part.end(&site, problems, words).await);

    let count = amount("ATTACK_GUESSES", SHORT_GUESSES);
    let part = Part::begin("guesses", count, &site).await;
    let (problems, words) = guesses::guess_all(&site, seed, count).await;
    report.add(part.end(&site, problems, words).await);

    report.finish(&site).await;
}
