//! Counted ids while everything works: many processes, and days that end.

use flash::{IdError, OrderId};
use futures_util::FutureExt as _;
use testkit::wait_for;

use super::{PATIENCE, Site, assert_distinct, count_of, link, take, time_of};

#[tokio::test]
async fn an_id_is_the_second_and_the_days_count() {
    let site = Site::open().await;
    let ids = take(&site.process().await, 3).await.unwrap();
    assert_eq!(time_of(ids[0]), "2026-11-15T12:00:00Z");
    assert_eq!(
        ids.iter().map(|id| count_of(*id)).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    let ttl_secs: i64 = site.ask(&["TTL", &site.counter_key()]).await;
    assert!((172_000..=172_800).contains(&ttl_secs));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_that_begin_a_day_together_get_distinct_ids() {
    let site = Site::open().await;
    let mut crowd = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let process = site.process().await;
        for _ in 0..4 {
            let process = process.clone();
            crowd.spawn(async move {
                let mut ids = Vec::new();
                for n in 1..=250 {
                    process.take_many(n, &mut ids).await.unwrap();
                }
                ids
            });
        }
    }
    let ids: Vec<OrderId> = crowd.join_all().await.concat();
    assert_eq!(ids.len(), 32 * 250 * 251 / 2);
    assert_distinct(ids);
}

#[tokio::test]
async fn a_process_that_starts_again_does_not_repeat_the_ids_before() {
    let site = Site::open().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.extend(take(&site.process().await, 100).await.unwrap());
    }
    assert_distinct(ids);
}

#[tokio::test]
async fn the_usual_call_waits_for_nothing_and_calls_no_service() {
    let site = Site::open().await;
    let link = link(&site.redis.url()).await;
    let process = site.process_with(link.clone(), flash::IdChoice::Counted);
    take(&process, 1).await.unwrap();
    let before = link.round_trips();
    let mut ids = Vec::new();
    for _ in 0..8_000 {
        process
            .take_many(1, &mut ids)
            .now_or_never()
            .unwrap()
            .unwrap();
    }
    assert_eq!(link.round_trips(), before);
}

#[tokio::test]
async fn the_next_block_is_fetched_before_the_last_id_is_used() {
    let site = Site::open().await;
    let process = site.process().await;
    let first = take(&process, 16_000).await.unwrap();
    wait_for("the counter to have moved on", PATIENCE, async || {
        let counter = site.counter().await?;
        counter.starts_with("32768:").then_some(())
    })
    .await;
    tokio::task::yield_now().await;
    let rest = wait_for("the block to be in memory", PATIENCE, async || {
        let mut rest = Vec::new();
        let taken = process.take_many(1_000, &mut rest).now_or_never();
        taken.map(|taken| taken.map(|()| rest))
    })
    .await;
    assert_distinct([first, rest.unwrap()].concat());
}

#[tokio::test]
async fn a_million_ids_cost_two_raises_of_the_mark() {
    let site = Site::open().await;
    let process = site.process().await;
    for _ in 0..64 {
        take(&process, 16_384).await.unwrap();
    }
    let mark = flash::Ledger::mark(&*site.book, "order:2026:11:15").await;
    let mark = mark.unwrap().unwrap();
    assert!(
        ((1 << 20)..=(1 << 21) + (1 << 15)).contains(&mark),
        "{mark}"
    );
}

#[tokio::test]
async fn after_midnight_counting_begins_anew_and_nothing_is_repeated() {
    let site = Site::open().await;
    let process = site.process().await;
    site.set_clock("2026-11-15T23:59:59.999Z");
    let mut ids = take(&process, 10).await.unwrap();
    site.set_clock("2026-11-16T00:00:00Z");
    let next_day = take(&process, 10).await.unwrap();
    assert_eq!(time_of(next_day[0]), "2026-11-16T00:00:00Z");
    assert_eq!(count_of(next_day[0]), 1);
    ids.extend(next_day);
    assert_distinct(ids);
}

#[tokio::test]
async fn the_first_block_of_a_day_is_fetched_before_midnight() {
    let site = Site::open().await;
    let process = site.process().await;
    site.set_clock("2026-11-15T23:59:45Z");
    take(&process, 1).await.unwrap();
    let key = format!("{}ids:order:2026:11:16", site.prefix);
    wait_for("tomorrow's counter", PATIENCE, async || {
        // The block of today may be on its way, and then tomorrow's is left to a later call.
        take(&process, 1).await.unwrap();
        site.ask::<Option<String>>(&["GET", &key]).await
    })
    .await;
}

#[tokio::test]
async fn a_clock_set_back_across_midnight_neither_repeats_nor_goes_back() {
    let site = Site::open().await;
    let (one, other) = (site.process().await, site.process().await);
    site.set_clock("2026-11-16T00:00:20Z");
    let mut ids = take(&one, 100).await.unwrap();
    site.set_clock("2026-11-15T23:59:40Z");
    let later = take(&one, 100).await.unwrap();
    assert_eq!(time_of(later[0]), "2026-11-16T00:00:20Z");
    ids.extend(later);
    ids.extend(take(&other, 100).await.unwrap());
    site.set_clock("2026-11-16T00:00:20Z");
    ids.extend(take(&other, 100).await.unwrap());
    ids.extend(take(&one, 100).await.unwrap());
    assert_distinct(ids);
}

#[tokio::test]
async fn a_clock_set_back_by_more_than_a_minute_is_refused_until_it_caught_up() {
    let site = Site::open().await;
    let process = site.process().await;
    let before = take(&process, 1).await.unwrap();
    site.move_clock(-61_000);
    let refused = take(&process, 1).await;
    assert!(matches!(refused, Err(IdError::ClockBack { by_ms: 61_000 })));
    site.move_clock(1_000);
    assert_distinct([before, take(&process, 1).await.unwrap()].concat());
}

#[tokio::test]
async fn a_day_that_is_full_refuses_and_the_next_one_gives() {
    let site = Site::open().await;
    let nearly_full = ((1_u64 << 32) - 20_000).to_string();
    let _: () = site.ask(&["SET", &site.counter_key(), &nearly_full]).await;
    let process = site.process().await;
    let last = take(&process, 16_384).await.unwrap();
    assert!(last.iter().all(|id| time_of(*id) == "2026-11-15T12:00:00Z"));
    assert!(matches!(take(&process, 1).await, Err(IdError::DayIsFull)));
    site.set_clock("2026-11-16T00:00:00Z");
    take(&process, 1).await.unwrap();
}

#[tokio::test]
async fn a_counter_left_by_another_program_is_continued() {
    let site = Site::open().await;
    let _: () = site.ask(&["SET", &site.counter_key(), "500"]).await;
    let ids = take(&site.process().await, 1).await.unwrap();
    assert_eq!(count_of(ids[0]), 501);
}
