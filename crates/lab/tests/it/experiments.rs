//! The smaller experiments: the exact outcome of each variant in each trial.

use lab::{EXPERIMENTS, TrialOutcome};

use crate::versions::lab;

type Ways = Vec<(&'static str, Vec<TrialOutcome>)>;

async fn run(id: &str) -> Ways {
    let experiment = EXPERIMENTS.iter().find(|it| it.id == id);
    let experiment = experiment.expect("there is such an experiment");
    let services = lab().await.services();
    experiment.run(services).await.expect("it comes to its end")
}

fn counts(ways: &Ways, way: &str) -> Vec<usize> {
    outcomes(ways, way).iter().map(|it| it.count).collect()
}

/// The trials that show a way to be wrong.
fn wrong(ways: &Ways, way: &str) -> Vec<String> {
    let wrong = outcomes(ways, way).iter();
    let wrong = wrong.filter(|it| it.is_right == Some(false));
    wrong.map(|it| it.trial.clone()).collect()
}

fn outcomes<'a>(ways: &'a Ways, way: &str) -> &'a [TrialOutcome] {
    let found = ways.iter().find(|(id, _)| *id == way);
    &found.expect("there is such a way").1
}

#[tokio::test(flavor = "multi_thread")]
async fn every_cache_asks_the_database_as_often_as_it_must() {
    let ways = run("caches").await;
    // A hundred readers of one entry; a hundred absent ids, twice; fifty entries with four readers each; four of a new one.
    assert_eq!(counts(&ways, "no-cache"), [100, 200, 200, 4]);
    assert_eq!(counts(&ways, "null-values"), [100, 100, 200, 4]);
    assert_eq!(counts(&ways, "mutex"), [1, 100, 50, 4]);
    assert_eq!(counts(&ways, "logical-expiry"), [1, 0, 50, 0]);
    // One absent id in a thousand passes the filter, and is then loaded once.
    let ours = counts(&ways, "two-levels");
    assert_eq!((ours[0], ours[2], ours[3]), (1, 50, 4));
    assert!(ours[1] <= 2, "{ours:?}");
    assert!(wrong(&ways, "two-levels").is_empty(), "{ways:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_known_everywhere_or_ended_everywhere_but_not_both_by_copies() {
    let ways = run("sessions").await;
    let of_memory = ["other-process", "restart", "sign-out", "cut-off"];
    assert_eq!(wrong(&ways, "process-memory"), of_memory);
    assert_eq!(wrong(&ways, "signed-token"), ["sign-out", "cut-off"]);
    assert!(wrong(&ways, "redis-session").is_empty(), "{ways:?}");
    assert_eq!(wrong(&ways, "redis-and-memory"), ["sign-out", "cut-off"]);
    assert!(wrong(&ways, "tracked").is_empty(), "{ways:?}");
    let price = |way| counts(&ways, way)[4];
    assert_eq!((price("process-memory"), price("redis-session")), (0, 100));
    // The invalidation of the sign-in itself may arrive after the first copy was made, and drop it.
    assert!(price("tracked") <= 2, "{ways:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_is_kept_by_the_one_that_counts_in_one_place_in_one_step() {
    let ways = run("limits").await;
    // Two processes; around the end of a window; two for the last slot; after a kill.
    assert_eq!(counts(&ways, "process-counter"), [20, 19, 11, 10]);
    assert_eq!(counts(&ways, "incr-expire"), [10, 19, 10, 0]);
    assert_eq!(counts(&ways, "sliding-log"), [10, 10, 11, 10]);
    assert_eq!(counts(&ways, "gcra"), [10, 10, 10, 10]);
    assert!(wrong(&ways, "gcra").is_empty(), "{ways:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_value_survives_every_double_write_without_a_lease() {
    let ways = run("double-writes").await;
    // Schedules with a stale survivor: empty cache, cached value; deaths that leave one; seconds.
    assert_eq!(counts(&ways, "delete-then-write"), [6, 2, 0, 1_800]);
    assert_eq!(counts(&ways, "write-then-delete"), [1, 0, 1, 1_800]);
    assert_eq!(counts(&ways, "delayed-double-delete"), [3, 1, 0, 1_800]);
    assert_eq!(counts(&ways, "leased-fill"), [0, 0, 0, 0]);
    let schedules = |way: &str| outcomes(&ways, way)[0].of;
    assert_eq!(schedules("write-then-delete"), 10);
    assert_eq!(schedules("delayed-double-delete"), 20);
    assert_eq!(schedules("leased-fill"), 10, "{ways:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schedule_that_leaves_a_stale_value_is_shown() {
    let ways = run("double-writes").await;
    let moments = &outcomes(&ways, "write-then-delete")[0].moments;
    let told: Vec<_> = moments.iter().map(|it| (&*it.who, &*it.what)).collect();
    let expected = [
        ("reader", "entry is missed"),
        ("reader", "row is read"),
        ("writer", "row is changed"),
        ("writer", "entry is deleted"),
        ("reader", "entry is stored"),
    ];
    assert_eq!(told, expected);
    assert!(outcomes(&ways, "leased-fill")[0].moments.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn jitter_spreads_what_ends_together_and_does_not_replace_redis() {
    let ways = run("avalanche").await;
    // The worst ten seconds of two hundred rows; queries of 2400 reads without Redis.
    assert_eq!(counts(&ways, "same-ttl")[..2], [200, 2_400]);
    let without_redis = ["redis-down", "in-flight"];
    assert_eq!(wrong(&ways, "same-ttl")[1..], without_redis);
    assert_eq!(wrong(&ways, "jittered"), without_redis);
    assert_eq!(counts(&ways, "jittered")[1], 2_400);
    assert!(wrong(&ways, "two-levels").is_empty(), "{ways:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lagging_replica_hides_a_write_from_its_own_writer() {
    let ways = run("replicas").await;
    // Stale reads of three; stale after it caught up; acknowledged of three; of a hundred reads at the master.
    assert_eq!(counts(&ways, "replica-reads"), [3, 0, 3, 0]);
    assert_eq!(counts(&ways, "cached-replica"), [3, 3, 3, 0]);
    assert_eq!(counts(&ways, "waits-for-replica"), [0, 0, 0, 0]);
    assert_eq!(counts(&ways, "master-only"), [0, 0, 3, 100]);
    assert_eq!(counts(&ways, "versioned"), [0, 0, 3, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn locks_on_several_masters_trade_safety_for_availability_and_a_fence_does_not() {
    let ways = run("locks").await;
    // Entered again; sold of ten; sold of one after one and after two masters forgot; sold of three with one down.
    assert_eq!(counts(&ways, "one-try"), [0, 1, 2, 2, 0]);
    assert_eq!(counts(&ways, "polling"), [0, 10, 2, 2, 0]);
    assert_eq!(counts(&ways, "reentrant-hash"), [1, 10, 2, 2, 0]);
    assert_eq!(counts(&ways, "all-masters"), [1, 10, 1, 1, 0]);
    assert_eq!(counts(&ways, "majority"), [1, 10, 1, 2, 3]);
    assert_eq!(counts(&ways, "fenced"), [1, 10, 1, 1, 0]);
    assert!(wrong(&ways, "fenced").is_empty(), "{ways:?}");
}
