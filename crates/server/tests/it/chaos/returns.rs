//! Pieces that come back while everything dies: each is sold once more, and not twice.

use std::os::unix::process::ExitStatusExt as _;
use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use storage::{Db, DbOptions};
use testkit::wait_until;
use tokio::time::sleep;

use super::check::{self, Books, is_sold, wait_until_sold};
use super::site::{Plan, Site};
use super::{Crowd, DEATH_LIMIT, ROUND, Witness, each_round, record};

/// How many orders are cancelled at a time.
const RETURNS: usize = 10;

/// Within this pieces that came back are found and bought.
const SOLD_AGAIN: Duration = Duration::from_secs(180);

async fn cancel_some(site: &Site, random: &mut StdRng) {
    let db = Db::connect(&DbOptions::new(site.sql_url())).await.unwrap();
    let books = Books::read(site).await;
    for holding in books.holdings.sample(random, RETURNS) {
        site.take_back(&db, holding).await;
    }
    db.close().await.unwrap();
}

async fn buy_what_came_back(site: &Site, crowd: &Crowd<'_>) {
    wait_until("everything to be sold again", SOLD_AGAIN, async || {
        crowd.ask_again().await;
        is_sold(site).await
    })
    .await;
}

/// Everything is sold, some of it comes back while `mischief` is done, and is sold again.
async fn play(plan: Plan, mut random: StdRng, mischief: impl AsyncFnOnce(&Site, &mut StdRng)) {
    let site = Site::open(plan).await;
    let witness = Witness::new();
    let crowd = Crowd::new(&site, &witness, &mut random);
    let story = async {
        crowd.rush(ROUND / 4).await;
        wait_until_sold(&site).await;
        mischief(&site, &mut random).await;
        buy_what_came_back(&site, &crowd).await;
    };
    site.look_after(story).await;
    site.look_after(crowd.ask_again()).await;
    check::verify(&site, &witness, plan.promise).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_while_it_returns_a_unit_sells_it_once_more() {
    // One process: whoever takes the unit back is the one that dies.
    let plan = Plan {
        roles: &["all"],
        fail_point: Some("in_the_middle_of_a_return"),
        ..Plan::default()
    };
    each_round(async |random| {
        play(plan, random, async |site, random| {
            cancel_some(site, random).await;
            wait_until("the process to die there", DEATH_LIMIT, async || {
                site.ends().iter().any(|end| end.signal().is_some())
            })
            .await;
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pieces_that_come_back_while_servers_and_redis_are_killed_are_sold_once_more() {
    each_round(async |random| {
        play(Plan::default(), random, async |site, random| {
            for _ in 0..2 {
                cancel_some(site, random).await;
                sleep(Duration::from_millis(random.random_range(0..400))).await;
                site.servers[random.random_range(0..2)].kill();
                site.redis().stop_hard();
                record::fault("server and Redis killed at once");
                site.redis().start_again().await;
            }
        })
        .await;
    })
    .await;
}
