//! Check-in bitmaps: a month is known or not, and nothing that was set is lost.

use domain::{DaysOfMonth, Month, UserId};
use jiff::civil::{Date, date};
use kv::Kv;

use crate::both;

const ME: UserId = UserId::new(7);
const FIRST: Date = date(2026, 10, 1);
const LAST: Date = date(2026, 10, 31);

async fn october(kv: &Kv) -> Option<Vec<i8>> {
    let found = kv.get_check_ins(ME, &[Month::of(FIRST)]).await.unwrap();
    found[0].map(DaysOfMonth::list)
}

#[tokio::test]
async fn a_month_is_unknown_until_it_is_loaded_whatever_was_shown_before() {
    for kv in both().await {
        assert_eq!(october(&kv).await, None);
        kv.show_check_in(ME, LAST).await.unwrap();
        assert_eq!(october(&kv).await, None);
        let from_sql = [FIRST].into_iter().collect();
        kv.load_check_ins(ME, Month::of(FIRST), from_sql)
            .await
            .unwrap();
        assert_eq!(october(&kv).await, Some(vec![1, 31]));
        kv.show_check_in(ME, date(2026, 10, 8)).await.unwrap();
        assert_eq!(october(&kv).await, Some(vec![1, 8, 31]));
    }
}

#[tokio::test]
async fn an_empty_month_is_known_once_it_is_loaded() {
    for kv in both().await {
        kv.load_check_ins(ME, Month::of(FIRST), DaysOfMonth::default())
            .await
            .unwrap();
        assert_eq!(october(&kv).await, Some(vec![]));
    }
}

#[tokio::test]
async fn months_come_in_the_order_asked_and_belong_to_one_person() {
    for kv in both().await {
        let november = Month::of(date(2026, 11, 1));
        let days = [date(2026, 11, 5)].into_iter().collect();
        kv.load_check_ins(ME, november, days).await.unwrap();
        let months = [november, Month::of(FIRST)];
        assert_eq!(
            kv.get_check_ins(ME, &months).await.unwrap(),
            [Some(days), None]
        );
        let other = kv.get_check_ins(UserId::new(8), &months).await.unwrap();
        assert_eq!(other, [None, None]);
        kv.forget_check_ins(ME, &[november]).await.unwrap();
        assert_eq!(
            kv.get_check_ins(ME, &months).await.unwrap(),
            [None, None],
            "a forgotten month is loaded anew"
        );
    }
}
