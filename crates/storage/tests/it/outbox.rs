//! The outbox: order per key, failures kept, nothing lost between two relays.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use storage::outbox::{self, DeadLetterReason, Lane, OutboxId, OutboxRow, Redrive, RetryState};

use crate::support::{TestDb, on_both};

async fn append(test: &TestDb, keys: &[&str]) {
    for key in keys {
        test.execute(&format!(
            "INSERT INTO tb_outbox (kind, `key`, payload) VALUES ('k', '{key}', '{{}}')"
        ))
        .await;
    }
}

async fn claim_at(test: &TestDb, now: Timestamp) -> Vec<OutboxRow> {
    outbox::list_due_all(&test.db, 100, now).await.unwrap()
}

/// A little ahead, because the rows above are stamped by the database's own clock.
fn soon() -> Timestamp {
    Timestamp::now() + SignedDuration::from_secs(60)
}

async fn claim(test: &TestDb) -> Vec<OutboxRow> {
    claim_at(test, soon()).await
}

fn keys(rows: &[OutboxRow]) -> Vec<&str> {
    rows.iter().map(|row| row.key.as_str()).collect()
}

fn ids(rows: &[OutboxRow]) -> Vec<OutboxId> {
    rows.iter().map(|row| row.id).collect()
}

#[tokio::test]
async fn rows_come_in_order_and_one_at_a_time_of_each_key() {
    on_both(async |test| {
        append(&test, &["a", "b", "a", "A", "b", "a"]).await;
        let first = claim(&test).await;
        assert_eq!(keys(&first), ["a", "b", "A"]);
        assert_eq!(claim(&test).await, first, "reading marks nothing");

        outbox::complete(&test.db, &ids(&first)[..1]).await.unwrap();
        let second = claim(&test).await;
        assert_eq!(keys(&second), ["b", "a", "A"]);
        assert!(second[1].id > first[1].id);
        outbox::complete(&test.db, &ids(&second)).await.unwrap();
        assert_eq!(keys(&claim(&test).await), ["b", "a"]);
    })
    .await;
}

#[tokio::test]
async fn a_batch_has_a_limit() {
    on_both(async |test| {
        append(&test, &["a", "b", "c"]).await;
        let rows = outbox::list_due_all(&test.db, 2, soon()).await.unwrap();
        assert_eq!(keys(&rows), ["a", "b"]);
    })
    .await;
}

#[tokio::test]
async fn a_failed_row_holds_back_its_own_key_alone_until_its_time() {
    on_both(async |test| {
        append(&test, &["a", "a", "b"]).await;
        let rows = claim(&test).await;
        let (now, later) = (soon(), soon() + SignedDuration::from_secs(30));
        let reason = "连不上".repeat(200);
        for _ in 0..2 {
            outbox::record_failure(&test.db, rows[0].id, later, &reason)
                .await
                .unwrap();
        }
        assert_eq!(keys(&claim_at(&test, now).await), ["b"]);

        let again = claim_at(&test, later).await;
        assert_eq!(keys(&again), ["a", "b"]);
        assert_eq!((again[0].id, again[0].attempts), (rows[0].id, 2));
        let kept = test
            .texts("SELECT last_error FROM tb_outbox WHERE attempts > 0")
            .await;
        assert_eq!(kept[0].chars().count(), 255);
        assert!(reason.starts_with(&kept[0]));
    })
    .await;
}

#[tokio::test]
async fn the_backlog_tells_how_many_and_how_old() {
    on_both(async |test| {
        let now = Timestamp::now();
        let empty = outbox::backlog(&test.db, now).await.unwrap();
        assert_eq!((empty.count, empty.oldest_age), (0, Duration::ZERO));

        append(&test, &["a", "b", "c"]).await;
        let first = claim(&test).await[0].clone();
        outbox::record_failure(&test.db, first.id, now, "x")
            .await
            .unwrap();
        let later = first.created_at + SignedDuration::from_secs(90);
        let backlog = outbox::backlog(&test.db, later).await.unwrap();
        assert_eq!((backlog.count, backlog.failing), (3, 1));
        assert_eq!(backlog.oldest_age, Duration::from_secs(90));

        let earlier = first.created_at - SignedDuration::from_secs(90);
        let backlog = outbox::backlog(&test.db, earlier).await.unwrap();
        assert_eq!(backlog.oldest_age, Duration::ZERO);
    })
    .await;
}

#[tokio::test]
async fn two_relays_at_once_leave_nothing_and_never_skip_ahead() {
    on_both(async |test| {
        append(&test, &["a", "b", "a", "c", "a", "b"]).await;
        let relays = [0, 1].map(|_| tokio::spawn(relay(test.db.clone())));
        for relay in relays {
            let relayed = relay.await.unwrap();
            for pair in relayed.windows(2) {
                assert!(
                    pair[0].1 != pair[1].1 || pair[0].0 <= pair[1].0,
                    "{relayed:?}"
                );
            }
        }
        assert_eq!(test.count("tb_outbox").await, 0);
    })
    .await;
}

/// Relays one row after the other until there are none, and tells which.
async fn relay(db: storage::Db) -> Vec<(OutboxId, String)> {
    let mut relayed = Vec::new();
    loop {
        let rows = outbox::list_due_all(&db, 1, soon()).await.unwrap();
        let Some(row) = rows.first() else {
            relayed.sort_by(|left: &(OutboxId, String), right| left.1.cmp(&right.1));
            return relayed;
        };
        relayed.push((row.id, row.key.clone()));
        outbox::complete(&db, &[row.id]).await.unwrap();
    }
}

#[tokio::test]
async fn clearing_many_and_clearing_again_is_fine() {
    on_both(async |test| {
        append(&test, &["a"]).await;
        let row = claim(&test).await[0].clone();
        let many: Vec<OutboxId> = (0..2_500)
            .map(|n| OutboxId::new(row.id.get() + n))
            .collect();
        outbox::complete(&test.db, &many).await.unwrap();
        outbox::complete(&test.db, &[row.id]).await.unwrap();
        outbox::complete(&test.db, &[]).await.unwrap();
        outbox::record_failure(&test.db, row.id, soon(), "gone")
            .await
            .unwrap();
        assert_eq!(test.count("tb_outbox").await, 0);
    })
    .await;
}

/// Rows of kinds that wait for different things, written past the crate.
async fn append_to(test: &TestDb, lane: Lane, keys: &[&str]) {
    for key in keys {
        test.execute(&format!(
            "INSERT INTO tb_outbox (kind, `key`, payload, lane) VALUES ('k', '{key}', '{{}}', {})",
            lane as i16
        ))
        .await;
    }
}

async fn claim_from(
    test: &TestDb,
    lane: Lane,
    retry_state: RetryState,
    now: Timestamp,
) -> Vec<OutboxRow> {
    outbox::list_due(&test.db, (lane, retry_state), 100, now)
        .await
        .unwrap()
}

#[tokio::test]
async fn lanes_do_not_see_each_other_and_keys_hold_across_them() {
    on_both(async |test| {
        append_to(&test, Lane::Providers, &["p", "shared"]).await;
        append_to(&test, Lane::Pieces, &["o", "shared"]).await;
        let next = outbox::list_next_due(&test.db).await.unwrap();
        let mut queues: Vec<_> = next.keys().copied().collect();
        queues.sort_unstable_by_key(|(lane, _)| lane.as_str());
        assert_eq!(
            queues,
            [
                (Lane::Pieces, RetryState::Fresh),
                (Lane::Providers, RetryState::Fresh)
            ]
        );
        assert!(next.values().all(|due_at| *due_at <= soon()), "{next:?}");
        let pieces = claim_from(&test, Lane::Pieces, RetryState::Fresh, soon()).await;
        assert_eq!(keys(&pieces), ["o"], "the older row of its key comes first");
        let asked = claim_from(&test, Lane::Providers, RetryState::Fresh, soon()).await;
        assert_eq!(keys(&asked), ["p", "shared"]);
        outbox::complete(&test.db, &ids(&asked)).await.unwrap();
        let pieces = claim_from(&test, Lane::Pieces, RetryState::Fresh, soon()).await;
        assert_eq!(keys(&pieces), ["o", "shared"]);
    })
    .await;
}

#[tokio::test]
async fn what_is_put_off_waits_apart_and_is_not_counted_against() {
    on_both(async |test| {
        let lane = Lane::Social;
        append_to(&test, lane, &["sick", "sick", "well"]).await;
        let rows = claim_from(&test, lane, RetryState::Fresh, soon()).await;
        let later = soon() + SignedDuration::from_secs(60);
        for _ in 0..3 {
            outbox::defer(&test.db, &ids(&rows[..1]), later, "away")
                .await
                .unwrap();
        }
        let fresh = claim_from(&test, lane, RetryState::Fresh, later).await;
        assert_eq!(
            keys(&fresh),
            ["well"],
            "its younger row waits for the sick one"
        );
        assert!(
            claim_from(&test, lane, RetryState::Deferred, soon())
                .await
                .is_empty()
        );
        let again = claim_from(&test, lane, RetryState::Deferred, later).await;
        assert_eq!((again[0].id, again[0].attempts), (rows[0].id, 0));
        let next = outbox::list_next_due(&test.db).await.unwrap();
        assert_eq!(next.len(), 2, "{next:?}");
        assert!(next[&(lane, RetryState::Fresh)] <= soon());
        let off_by = later.duration_since(next[&(lane, RetryState::Deferred)]);
        assert!(off_by.as_millis().abs() <= 1, "{next:?}");
    })
    .await;
}

#[tokio::test]
async fn a_dead_letter_frees_its_key_is_listed_and_comes_back_when_redriven() {
    on_both(async |test| {
        append(&test, &["a", "a", "b"]).await;
        let first = claim(&test).await[0].clone();
        outbox::dead_letter(&test.db, first.id, DeadLetterReason::Refused, "no")
            .await
            .unwrap();
        let rows = claim(&test).await;
        assert_eq!(keys(&rows), ["a", "b"]);
        assert!(rows[0].id > first.id, "the younger row of the key goes on");
        let backlog = outbox::backlog(&test.db, soon()).await.unwrap();
        assert_eq!((backlog.count, backlog.dead), (2, 1));

        let troubled = outbox::list_problems(&test.db, None, 10).await.unwrap();
        assert_eq!(troubled.len(), 1);
        assert!(troubled[0].is_dead && troubled[0].last_error == "no");
        assert_eq!(
            outbox::requeue_unreadable(&test.db).await.unwrap(),
            0,
            "what was refused waits for a person"
        );

        let redriven = outbox::redrive(&test.db, None, Redrive::One(first.id)).await;
        assert_eq!(redriven.unwrap(), 1);
        let rows = claim(&test).await;
        assert_eq!((rows[0].id, rows[0].attempts), (first.id, 0));
        assert_eq!(test.count("tb_audit").await, 1);
        let fresh = Redrive::One(rows[1].id);
        assert_eq!(outbox::redrive(&test.db, None, fresh).await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn what_could_not_be_read_is_tried_again_by_the_next_relay() {
    on_both(async |test| {
        append(&test, &["a", "b"]).await;
        let rows = claim(&test).await;
        for row in &rows {
            outbox::dead_letter(&test.db, row.id, DeadLetterReason::Unreadable, "new")
                .await
                .unwrap();
        }
        assert!(claim(&test).await.is_empty());
        assert_eq!(outbox::requeue_unreadable(&test.db).await.unwrap(), 2);
        assert_eq!(ids(&claim(&test).await), ids(&rows));
        let none = outbox::redrive(&test.db, None, Redrive::AllDead).await;
        assert_eq!(none.unwrap(), 0);
    })
    .await;
}
