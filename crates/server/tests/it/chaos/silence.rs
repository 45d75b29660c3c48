//! Answers that never come, scripts that are forgotten, drainers that sleep through their lease.

use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use tokio::time::sleep;

use super::check::assert_processing_came_true;
use super::services::{Shape, Store};
use super::site::{Plan, Site};
use super::{each_round, play, record, scale};

/// Longer than the lease of a drainer, which is five seconds.
const PAST_THE_LEASE: Duration = Duration::from_millis(6_500);

#[track_caller]
fn proxy(site: &Site) -> &testkit::FaultProxy {
    match &site.store {
        Store::Proxied(_, proxy) => proxy,
        _ => panic!("this site has no proxy"),
    }
}

async fn a_moment(random: &mut StdRng) {
    sleep(Duration::from_millis(random.random_range(50..700))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replies_of_redis_that_are_lost_lose_nothing_and_an_id_in_doubt_comes_true() {
    // One process, so that whoever asks again asks the one that promised the id.
    let plan = Plan {
        redis: Shape::Proxied,
        roles: &["all"],
        ..Plan::default()
    };
    each_round(async |random| {
        let witness = play(plan, random, async |site, random| {
            for _ in 0..4 * scale() {
                a_moment(random).await;
                match random.random_range(0..3) {
                    0 => {
                        record::fault("connections to Redis cut");
                        proxy(site).cut().await;
                    }
                    1 => {
                        record::fault("a reply of Redis lost, then its connection");
                        proxy(site).drop_replies_then_cut(1).await;
                    }
                    _ => {
                        record::fault("replies of Redis lost");
                        proxy(site).drop_replies().await;
                    }
                }
                a_moment(random).await;
                proxy(site).pass().await;
            }
        })
        .await;
        assert_processing_came_true(&witness);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_silent_for_longer_than_anybody_waits_loses_nothing() {
    let plan = Plan {
        redis: Shape::Proxied,
        roles: &["all"],
        ..Plan::default()
    };
    each_round(async |random| {
        let witness = play(plan, random, async |site, random| {
            a_moment(random).await;
            record::fault("replies of Redis lost");
            proxy(site).drop_replies().await;
            // Longer than a claim is repeated for.
            sleep(Duration::from_millis(3_500)).await;
        })
        .await;
        assert_processing_came_true(&witness);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scripts_that_are_forgotten_all_the_time_change_nothing() {
    each_round(async |random| {
        play(Plan::default(), random, async |site, _| {
            for _ in 0..40 * scale() {
                let () = site.ask(&[b"SCRIPT", b"FLUSH"]).await;
                record::fault("scripts of Redis flushed");
                sleep(Duration::from_millis(80)).await;
            }
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drainer_that_wakes_up_after_its_lease_records_nothing_twice() {
    let plan = Plan {
        roles: &["web", "worker", "worker"],
        ..Plan::default()
    };
    each_round(async |random| {
        play(plan, random, async |site, random| {
            a_moment(random).await;
            // Whichever of the two has the sale, it is asleep for a while.
            for sleeper in [1, 2] {
                site.servers[sleeper].freeze();
                record::fault("server stopped for longer than its lease");
                sleep(PAST_THE_LEASE).await;
                site.servers[sleeper].thaw();
                a_moment(random).await;
            }
        })
        .await;
    })
    .await;
}
