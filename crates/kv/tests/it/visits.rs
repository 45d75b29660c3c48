//! Visits: exact views, visitors within the error of a sketch, days that stay open until SQL has them.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use jiff::civil::{Date, date};
use kv::{Kv, PageVisits, VISITS_KEPT, VisitTotals};
use testkit::Redis;

use crate::{at, both};

const DAY: Date = date(2026, 11, 15);
const NEXT_DAY: Date = date(2026, 11, 16);

/// Views of a page, one by each of these visitors.
fn views_by(page: &str, visitors: std::ops::Range<u64>) -> PageVisits {
    PageVisits {
        page: page.to_owned(),
        views: visitors.end - visitors.start,
        visitors: visitors.map(visitor).collect(),
    }
}

fn visitor(number: u64) -> [u8; 16] {
    u128::from(number).to_be_bytes()
}

async fn totals(kv: &Kv, day: Date, page: &str) -> VisitTotals {
    kv.get_visits(&[(day, page)]).await.unwrap()[0]
}

async fn all_pages(kv: &Kv, day: Date) -> Vec<String> {
    let mut pages = Vec::new();
    let mut cursor = Some(0);
    while let Some(from) = cursor {
        let some = kv.scan_visited_pages(day, from).await.unwrap();
        pages.extend(some.pages);
        cursor = some.next;
    }
    pages.sort();
    pages.dedup();
    pages
}

#[tokio::test]
async fn views_counted_at_the_same_time_all_count() {
    for kv in both().await {
        let batches: Vec<_> = (0..50)
            .map(|_| [views_by("site", 0..7), views_by("shop:5", 0..3)])
            .collect();
        let counted = join_all(batches.iter().map(|batch| kv.count_visits(DAY, batch))).await;
        assert!(counted.into_iter().all(|counted| counted.is_ok()));
        assert_eq!(
            totals(&kv, DAY, "site").await,
            VisitTotals { uv: 7, pv: 350 }
        );
        assert_eq!(
            totals(&kv, DAY, "shop:5").await,
            VisitTotals { uv: 3, pv: 150 }
        );
    }
}

#[tokio::test]
async fn ten_thousand_visitors_are_counted_to_within_two_percent_and_once_each() {
    for kv in both().await {
        let everybody = [views_by("site", 0..10_000)];
        kv.count_visits(DAY, &everybody).await.unwrap();
        let first = totals(&kv, DAY, "site").await;
        assert!((9_800..=10_200).contains(&first.uv), "{first:?}");
        kv.count_visits(DAY, &everybody).await.unwrap();
        let again = totals(&kv, DAY, "site").await;
        assert_eq!((again.uv, again.pv), (first.uv, 20_000));
    }
}

#[tokio::test]
async fn days_and_pages_are_counted_apart() {
    for kv in both().await {
        kv.count_visits(DAY, &[views_by("home", 0..2)])
            .await
            .unwrap();
        kv.count_visits(NEXT_DAY, &[views_by("site", 0..1)])
            .await
            .unwrap();
        assert_eq!(totals(&kv, DAY, "home").await, VisitTotals { uv: 2, pv: 2 });
        assert_eq!(totals(&kv, DAY, "site").await, VisitTotals::default());
        assert_eq!(all_pages(&kv, DAY).await, ["home"]);
        assert_eq!(all_pages(&kv, NEXT_DAY).await, ["site"]);
    }
}

#[tokio::test]
async fn asking_for_nothing_is_answered_with_nothing() {
    for kv in both().await {
        assert_eq!(kv.get_visits(&[]).await.unwrap(), []);
        assert_eq!(kv.find_users(&[]).await.unwrap(), []);
    }
}

#[tokio::test]
async fn every_page_of_a_day_is_named_however_many_there_are() {
    for kv in both().await {
        let batch: Vec<_> = (0..2_000)
            .map(|shop| views_by(&format!("shop:{shop}"), 0..1))
            .collect();
        kv.count_visits(DAY, &batch).await.unwrap();
        assert_eq!(all_pages(&kv, DAY).await.len(), 2_000);
    }
}

#[tokio::test]
async fn a_day_is_closed_only_if_nothing_was_counted_since_it_was_read() {
    for kv in both().await {
        let batch = [views_by("site", 0..1)];
        kv.count_visits(DAY, &batch).await.unwrap();
        let read = kv.list_open_visit_days().await.unwrap();
        kv.count_visits(DAY, &batch).await.unwrap();
        assert!(!kv.close_visit_day(DAY, &read[&DAY]).await.unwrap());

        let read = kv.list_open_visit_days().await.unwrap();
        assert!(kv.close_visit_day(DAY, &read[&DAY]).await.unwrap());
        assert_eq!(kv.list_open_visit_days().await.unwrap(), BTreeMap::new());

        kv.count_visits(DAY, &batch).await.unwrap();
        let opened_again = kv.list_open_visit_days().await.unwrap();
        assert!(opened_again.contains_key(&DAY), "a late batch is not lost");
    }
}

#[tokio::test]
async fn all_processes_use_the_salt_that_was_offered_first() {
    for kv in both().await {
        assert_eq!(kv.visit_salt(DAY, "one").await.unwrap(), "one");
        assert_eq!(kv.visit_salt(DAY, "two").await.unwrap(), "one");
        assert_eq!(kv.visit_salt(NEXT_DAY, "two").await.unwrap(), "two");
    }
}

#[tokio::test]
async fn nothing_but_the_list_of_open_days_is_kept_for_ever() {
    let redis = Redis::start().await;
    let kv = at(&redis.url()).await;
    kv.visit_salt(DAY, "salt").await.unwrap();
    kv.count_visits(DAY, &[views_by("site", 0..1)])
        .await
        .unwrap();
    let mut connection = redis.connection().await;
    let mut keys = redis::cmd("KEYS");
    let keys: Vec<String> = keys.arg("*").query_async(&mut connection).await.unwrap();
    assert_eq!(keys.len(), 5, "{keys:?}");
    for key in keys.iter().filter(|key| !key.ends_with("visits:days")) {
        let mut ttl = redis::cmd("TTL");
        let ttl_secs: i64 = ttl.arg(key).query_async(&mut connection).await.unwrap();
        let most = i64::try_from(VISITS_KEPT.as_secs()).unwrap();
        assert!((1..=most).contains(&ttl_secs), "{key}: {ttl_secs}");
    }
}
