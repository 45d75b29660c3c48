//! What others do to the stream: entries nobody can read, entries that are gone, a group that is gone.

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};

use super::*;

/// A place for the figures of this test alone: all its tasks are on one thread.
fn figures() -> PrometheusRecorder {
    PrometheusBuilder::new().build_recorder()
}

fn assert_counted(figures: &PrometheusRecorder, counts: &[&str]) {
    let page = figures.handle().render();
    for count in counts {
        assert!(page.lines().any(|line| line == *count), "{count} in {page}");
    }
}

#[tokio::test]
async fn entries_that_cannot_be_decoded_are_dead_lettered_and_block_no_other() {
    let figures = figures();
    let _in_force = metrics::set_default_local_recorder(&figures);
    let yard = Yard::new().await;
    let stream = yard.key(0, "orders");
    yard.grant(&[order(1)]).await;
    let strange: [&[&str]; 3] = [
        &["v", "two", "whatever", "it is", "n", "3"],
        &["v", "1", "s", "7", "t", "1", "n", "2", "o", "1:2:1"],
        &["nothing", "of ours"],
    ];
    for fields in strange {
        let _: String = yard.ask(&[&["XADD", &stream, "*"], fields].concat()).await;
    }
    let mut cmd = redis::cmd("XADD");
    cmd.arg(&stream).arg("*").arg(b"\xff\xfe").arg(b"\xfd");
    let _: String = yard.link.run(&cmd).await.unwrap();
    let _: i64 = yard.ask(&["INCRBY", &yard.key(0, "backlog"), "5"]).await;
    yard.grant(&[order(2)]).await;
    let drain_worker = yard.drain().await;
    yard.recorded(2).await;
    wait_until("they are out of the way", PATIENCE, async || {
        yard.entries_left().await == 0
    })
    .await;
    assert_eq!(
        yard.backlog().await,
        0,
        "what they said they hold is believed"
    );
    drain_worker.finish().await;
    type Dead = Vec<(String, Vec<Vec<u8>>)>;
    let dead: Dead = yard.ask(&["XRANGE", &yard.key(0, "dead"), "-", "+"]).await;
    let whys: Vec<&[u8]> = dead
        .iter()
        .map(|(_, fields)| fields[3].as_slice())
        .collect();
    let version: &[u8] = b"field v is missing or not what it should be";
    let count: &[u8] = b"it holds another number of orders than it says";
    assert_eq!(whys, [version, count, version, version]);
    assert_eq!(dead[3].1[4..], [b"\xff\xfe".to_vec(), b"\xfd".to_vec()]);
    assert_counted(&figures, &["flash_dead_total{reason=\"undecodable\"} 4"]);
}

#[tokio::test]
async fn entries_of_another_version_stay_pending_for_a_process_that_knows_it() {
    let figures = figures();
    let _in_force = metrics::set_default_local_recorder(&figures);
    let yard = Yard::new().await;
    let stream = yard.key(0, "orders");
    yard.grant(&[order(1)]).await;
    let newer = [
        "XADD", &stream, "*", "v", "2", "whatever", "it is", "n", "3",
    ];
    let id: String = yard.ask(&newer).await;
    let _: i64 = yard.ask(&["INCRBY", &yard.key(0, "backlog"), "3"]).await;
    for number in 2..5 {
        // The next drain worker finds it as well, and continues with the others.
        yard.grant(&[order(number)]).await;
        let drain_worker = yard.drain().await;
        yard.recorded(usize::try_from(number).unwrap()).await;
        wait_until("the others to be settled", PATIENCE, async || {
            yard.entries_left().await == 1 && yard.backlog().await == 3
        })
        .await;
        drain_worker.finish().await;
    }
    let pending: Vec<(String, String, u64, u64)> = yard
        .ask(&["XPENDING", &stream, "drain", "-", "+", "10"])
        .await;
    let pending: Vec<&str> = pending.iter().map(|(id, ..)| id.as_str()).collect();
    assert_eq!(pending, [id.as_str()]);
    let dead: u64 = yard.ask(&["XLEN", &yard.key(0, "dead")]).await;
    assert_eq!(dead, 0);
    assert_counted(&figures, &["flash_unknown_version_entries_total 3"]);
}

#[tokio::test]
async fn a_group_that_is_gone_is_made_anew_and_nothing_is_skipped() {
    let figures = figures();
    let _in_force = metrics::set_default_local_recorder(&figures);
    let yard = Yard::new().await;
    let stream = yard.key(0, "orders");
    let drain_worker = yard.drain().await;
    yard.grant(&[order(1)]).await;
    yard.recorded(1).await;
    yard.settled().await;
    let _: i64 = yard.ask(&["XGROUP", "DESTROY", &stream, "drain"]).await;
    yard.grant(&orders(2..10)).await;
    yard.recorded(9).await;
    yard.settled().await;
    // The whole stream at once, as a flush would.
    let _: i64 = yard.ask(&["DEL", &stream]).await;
    yard.grant(&orders(10..20)).await;
    yard.recorded(19).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), orders(1..20));
    assert_counted(&figures, &["flash_group_gone_total 2"]);
}

#[tokio::test]
async fn deleted_entries_leave_no_backlog() {
    let figures = figures();
    let _in_force = metrics::set_default_local_recorder(&figures);
    let yard = Yard::new().await;
    let stream = yard.key(0, "orders");
    yard.grant(&orders(1..4)).await;
    yard.book.switch().stop_at(Stop::BeforeCommit);
    let drain_worker = yard.drain().await;
    yard.stands_still(1).await;
    drain_worker.kill().await;
    yard.grant(&orders(4..9)).await;
    // One entry that was delivered, and one that was not.
    let _: i64 = yard.ask(&["XTRIM", &stream, "MAXLEN", "0"]).await;
    yard.grant(&[order(9)]).await;
    yard.book.switch().go_on();
    let drain_worker = yard.drain().await;
    yard.recorded(1).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), [order(9)]);
    assert_counted(
        &figures,
        &["flash_lost_entries_total 1", "flash_lost_orders_total 8"],
    );
}
