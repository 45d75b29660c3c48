//! A Redis that forgets: emptied, replaced by its copy, or losing a part of itself.

use std::os::unix::process::ExitStatusExt as _;
use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use testkit::wait_until;
use tokio::time::sleep;

use super::services::{Shape, Store};
use super::site::{Plan, Site};
use super::{DEATH_LIMIT, Promise, each_round, play, record};

async fn a_moment(random: &mut StdRng) {
    sleep(Duration::from_millis(random.random_range(300..2_500))).await;
}

/// Throws away the gate of the sale, as an eviction would.
async fn lose_gate(site: &Site) {
    record::fault("gate of the sale deleted");
    for what in ["sale", "buyers"] {
        let pattern = format!("seckill:*:{what}:{}", site.voucher());
        for key in site.keys(&pattern).await {
            let _: i64 = site.ask(&[b"DEL", key.as_bytes()]).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_is_emptied_oversells_nothing_and_forgets_nobody_in_sql() {
    let plan = Plan {
        promise: Promise::WhatWasRecorded,
        ..Plan::default()
    };
    each_round(async |random| {
        play(plan, random, async |site, random| {
            a_moment(random).await;
            let () = site.ask(&[b"FLUSHALL"]).await;
            record::fault("Redis flushed");
            site.sign_everybody_in().await;
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_that_is_lost_is_loaded_again_and_loses_nothing() {
    each_round(async |random| {
        play(Plan::default(), random, async |site, random| {
            for _ in 0..3 {
                a_moment(random).await;
                lose_gate(site).await;
            }
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_while_it_loads_a_gate_leaves_it_to_the_next() {
    // One process: whoever loads is the one that dies.
    let plan = Plan {
        roles: &["all"],
        fail_point: Some("in_the_middle_of_a_load"),
        ..Plan::default()
    };
    each_round(async |random| {
        play(plan, random, async |site, random| {
            a_moment(random).await;
            lose_gate(site).await;
            wait_until("the loader to die", DEATH_LIMIT, async || {
                site.ends().iter().any(|end| end.signal().is_some())
            })
            .await;
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_takes_over_has_every_order_that_was_answered() {
    let plan = Plan {
        redis: Shape::Sentinel,
        replicas: 1,
        ..Plan::default()
    };
    each_round(async |random| {
        play(plan, random, async |site, random| {
            let Store::Sentinel(sentinel) = &site.store else {
                panic!("this site has sentinels");
            };
            a_moment(random).await;
            sentinel.kill_master().await;
            record::fault("master killed, replica promoted");
            sentinel.await_failover().await;
            sentinel.start_again().await;
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_node_of_a_cluster_takes_no_order_along() {
    let plan = Plan {
        redis: Shape::Cluster,
        replicas: 1,
        spread: 3,
        ..Plan::default()
    };
    each_round(async |random| {
        play(plan, random, async |site, random| {
            let Store::Cluster(cluster) = &site.store else {
                panic!("this site has a cluster");
            };
            let victim = random.random_range(0..3);
            a_moment(random).await;
            cluster.stop_hard(victim);
            record::fault("cluster node killed");
            sleep(Duration::from_secs(2)).await;
            cluster.start_again(victim).await;
            cluster.wait_until_ok().await;
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_while_it_moves_units_loses_none() {
    // One piece less than people: some bucket has fewer claimants than pieces, so pieces must be moved, however the
    // claims come in.
    let plan = Plan {
        roles: &["all"],
        spread: 4,
        stock: Plan::default().people - 1,
        fail_point: Some("in_the_middle_of_a_transfer"),
        ..Plan::default()
    };
    each_round(async |random| {
        play(plan, random, async |site, _| {
            wait_until("the mover to die", DEATH_LIMIT, async || {
                site.ends().iter().any(|end| end.signal().is_some())
            })
            .await;
        })
        .await;
    })
    .await;
}
