//! kill -9 of everything there is, at the worst places and at any moment.

use std::os::unix::process::ExitStatusExt as _;
use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use tokio::time::sleep;

use super::site::{Plan, Site};
use super::{DEATH_LIMIT, each_round, play, record, scale};

const SIGABRT: i32 = 6;

/// Plays with a first process that dies at this place, and sees to it that it did. It alone drains, or another might come
/// to the place instead.
async fn die_at(point: &'static str, plan: Plan, random: StdRng) {
    let plan = Plan {
        fail_point: Some(point),
        roles: &["all", "web"],
        ..plan
    };
    play(plan, random, async |site, _| {
        testkit::wait_until("the process to die there", DEATH_LIMIT, async || {
            let mut ends = site.ends().into_iter();
            ends.any(|end| end.signal() == Some(SIGABRT))
        })
        .await;
    })
    .await;
}

/// A moment within a round.
async fn a_moment(random: &mut StdRng) {
    sleep(Duration::from_millis(random.random_range(100..900))).await;
}

/// How often something is killed in a round.
fn times() -> u32 {
    3 * scale()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_between_the_grant_and_the_answer_loses_no_order() {
    each_round(async |random| {
        die_at("after_script_before_reply:5", Plan::default(), random).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_between_the_commit_and_the_acknowledgement_records_no_order_twice() {
    each_round(async |random| {
        die_at("after_commit_before_ack:2", Plan::default(), random).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_between_the_broker_and_the_stream_sends_no_order_twice_to_sql() {
    each_round(async |random| {
        let plan = Plan {
            by_rabbitmq: true,
            ..Plan::default()
        };
        die_at("between_relay_and_ack:2", plan, random).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_killed_at_any_moment_lose_nothing() {
    each_round(async |random| {
        play(Plan::default(), random, async |site, random| {
            for _ in 0..2 * times() {
                a_moment(random).await;
                let victim = random.random_range(0..site.servers.len());
                site.servers[victim].kill();
                record::fault("server killed");
            }
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_killed_at_any_moment_loses_nothing() {
    each_round(async |random| {
        play(Plan::default(), random, async |site, random| {
            for _ in 0..times() {
                a_moment(random).await;
                site.redis().stop_hard();
                record::fault("Redis killed");
                a_moment(random).await;
                site.redis().start_again().await;
            }
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_killed_at_any_moment_loses_nothing() {
    let plan = Plan {
        on_mariadb: true,
        ..Plan::default()
    };
    each_round(async |random| {
        play(plan, random, async |site, random| {
            for _ in 0..times() {
                a_moment(random).await;
                site.mariadb().stop_hard();
                record::fault("MariaDB killed");
                a_moment(random).await;
                site.mariadb().start_again().await;
            }
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_killed_at_any_moment_loses_nothing() {
    let plan = Plan {
        by_rabbitmq: true,
        ..Plan::default()
    };
    each_round(async |random| {
        play(plan, random, async |site, random| {
            a_moment(random).await;
            site.rabbitmq().stop_hard();
            record::fault("RabbitMQ killed");
            a_moment(random).await;
            site.rabbitmq().start_again().await;
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_killed_at_once_loses_nothing() {
    let plan = Plan {
        on_mariadb: true,
        by_rabbitmq: true,
        ..Plan::default()
    };
    each_round(async |random| {
        play(plan, random, async |site, random| {
            a_moment(random).await;
            kill_everything(site);
            site.mariadb().start_again().await;
            site.redis().start_again().await;
            site.rabbitmq().start_again().await;
        })
        .await;
    })
    .await;
}

fn kill_everything(site: &Site) {
    for server in &site.servers {
        server.kill();
    }
    site.redis().stop_hard();
    site.mariadb().stop_hard();
    site.rabbitmq().stop_hard();
    record::fault("servers, Redis, MariaDB and RabbitMQ killed at once");
}
