//! Every version under every attack that applies to it. A schedule decides, not luck: these tests have one outcome.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lab::{Attack, AttackFinding, Lab, Services, find};
use tokio::sync::OnceCell;

/// The services of this test process, for all experiments.
pub(crate) async fn lab() -> &'static Lab {
    static LAB: OnceCell<Lab> = OnceCell::const_new();
    let start =
        || async { Lab::new(Services::start(PathBuf::from(env!("CARGO_BIN_EXE_lab"))).await) };
    LAB.get_or_init(start).await
}

/// Leads all attacks and compares those that did harm with the claim of the catalogue.
async fn is_caught_as_claimed(id: &str) {
    let entry = find(id).expect("the version is in the catalogue");
    let findings = Box::pin(lab().await.attack(entry, |_| ())).await;
    let findings = findings.expect("an experiment comes to its end");
    let harmful = findings
        .iter()
        .filter(|finding| !finding.verdict.is_right());
    let caught_by: Vec<Attack> = harmful.map(|finding| finding.attack).collect();
    assert_eq!(caught_by, entry.caught_by, "{id}: {findings:#?}");
    for finding in &findings {
        is_recorded(id, finding);
    }
}

/// Every schedule can be played: each step of a process has its line, and each harm of the verdict its step.
fn is_recorded(id: &str, finding: &AttackFinding) {
    let AttackFinding {
        attack,
        verdict,
        moments,
        begin,
        ..
    } = finding;
    assert!(
        begin.contains_key("sql stock"),
        "{id} {attack:?}: {begin:?}"
    );
    let marked: BTreeSet<&str> = moments
        .iter()
        .flat_map(|event| event.harm.iter().map(String::as_str))
        .collect();
    let harms = [
        ("oversold", verdict.oversold),
        ("duplicates", verdict.duplicates),
        ("lost", verdict.lost),
        ("stranded", verdict.stranded),
    ];
    let done = harms.into_iter().filter(|(_, count)| *count > 0);
    let done: BTreeSet<&str> = done.map(|(harm, _)| harm).collect();
    assert_eq!(marked, done, "{id} {attack:?}: {moments:#?}");
    assert_eq!(moments.last().map(|last| last.what.as_str()), Some("close"));
    for event in moments {
        let Some(place) = &event.at else { continue };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let code = std::fs::read_to_string(path.join(&place.file));
        let code = code.unwrap_or_else(|error| panic!("{}: {error}", place.file));
        let line = code
            .lines()
            .nth(place.line as usize - 1)
            .unwrap_or_default();
        let marker = match event.what.as_str() {
            "waits" => "steps.waits()",
            step => step,
        };
        assert!(line.contains(marker), "{id} {attack:?}: {event:?}: {line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_shows_what_each_buyer_read_and_what_sql_holds_after_each_step() {
    let entry = find("no-lock").expect("the version is in the catalogue");
    let findings = Box::pin(lab().await.attack(entry, |_| ())).await.unwrap();
    let race = findings
        .iter()
        .find(|it| it.attack == Attack::Race)
        .unwrap();
    let mut stock = race.begin["sql stock"].clone();
    let mut told = Vec::new();
    for event in &race.moments {
        stock = event.changes.get("sql stock").cloned().unwrap_or(stock);
        let saw = event.saw.get("SELECT stock").cloned().unwrap_or_default();
        let harm = event.harm.join(",");
        told.push(format!(
            "{} {} saw:{saw} stock:{stock} {harm}",
            event.who, event.what
        ));
    }
    assert_eq!(
        told,
        [
            "A stock is read saw:1 stock:1 ",
            "B stock is read saw:1 stock:1 ",
            "A ordered saw: stock:0 ",
            "B ordered saw: stock:-1 oversold",
            "latecomer close saw: stock:-1 ",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_lock_the_last_piece_is_sold_twice() {
    is_caught_as_claimed("no-lock").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_number_stops_overselling_but_not_a_second_click() {
    is_caught_as_claimed("optimistic-version").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_condition_that_holds_at_zero_oversells() {
    is_caught_as_claimed("stock-ge-zero").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_condition_on_the_stock_stops_overselling_but_not_a_second_click() {
    is_caught_as_claimed("optimistic-stock").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn asking_first_does_not_make_it_one_per_person() {
    is_caught_as_claimed("one-per-person").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_row_stands_everything() {
    is_caught_as_claimed("pessimistic-lock").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mutex_is_right_in_one_process_and_wrong_in_two() {
    is_caught_as_claimed("process-mutex").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_lock_falls_to_pauses_and_failovers() {
    is_caught_as_claimed("set-nx").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_check_in_two_commands_still_deletes_the_lock_of_another() {
    is_caught_as_claimed("owner-check").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_in_one_step_deletes_no_lock_of_another() {
    is_caught_as_claimed("lua-release").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fenced_lock_stands_everything() {
    is_caught_as_claimed("fenced-lock").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_of_three_masters_survive_a_failover_and_fall_to_a_pause() {
    is_caught_as_claimed("multi-lock").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_majority_survives_a_failover_and_falls_to_a_pause() {
    is_caught_as_claimed("majority-lock").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_that_are_atomic_one_by_one_are_not_together() {
    is_caught_as_claimed("redis-check-then-act").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_in_memory_dies_with_its_process() {
    is_caught_as_claimed("memory-queue").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_popped_off_a_list_dies_with_its_worker() {
    is_caught_as_claimed("redis-list").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_published_is_heard_or_lost() {
    is_caught_as_claimed("pub-sub").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_forgets_its_place_passes_over_orders() {
    is_caught_as_claimed("stream-reader").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_consumer_group_loses_nothing_but_what_redis_loses() {
    is_caught_as_claimed("stream-group").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn between_gate_and_broker_a_piece_is_stranded() {
    is_caught_as_claimed("rabbitmq").await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn an_idempotent_consumer_does_not_close_the_gap_before_the_broker() {
    is_caught_as_claimed("kafka").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_of_this_site_stands_everything() {
    is_caught_as_claimed("flash-gate").await;
}

/// By one, however many buyers there are: that is what tells this mistake from no condition at all.
#[tokio::test(flavor = "multi_thread")]
async fn a_condition_that_holds_at_zero_oversells_a_crowd_by_one_at_most() {
    let entry = find("stock-ge-zero").expect("the version is in the catalogue");
    let crowd = lab().await.measure(entry).await;
    let crowd = crowd.expect("a crowd is served").verdict;
    assert!(crowd.oversold <= 1, "{crowd:?}");
}
