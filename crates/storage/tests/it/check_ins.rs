//! Check-ins: one row per person and day, however often and from however many sides.

use domain::UserId;
use jiff::Timestamp;
use jiff::civil::{Date, date};
use storage::check_ins::{self, CheckedIn};
use storage::outbox;
use tokio::task::JoinSet;

use crate::support::on_both;

const ME: UserId = UserId::new(7);
const TODAY: Date = date(2026, 11, 15);

#[tokio::test]
async fn checking_in_twice_is_once_and_announced_once() {
    on_both(async |test| {
        assert!(check_ins::check_in(&test.db, ME, TODAY).await.unwrap());
        assert!(!check_ins::check_in(&test.db, ME, TODAY).await.unwrap());
        assert_eq!(test.count("tb_sign").await, 1);
        let rows = outbox::list_due_all(&test.db, 10, Timestamp::now())
            .await
            .unwrap();
        assert_eq!(rows.len(), 1);
        let told: CheckedIn = serde_json::from_str(&rows[0].payload).unwrap();
        assert_eq!((told.user, told.date), (ME, TODAY));
    })
    .await;
}

#[tokio::test]
async fn many_clicks_at_once_are_one_check_in() {
    on_both(async |test| {
        let mut clicks = JoinSet::new();
        for _ in 0..20 {
            let db = test.db.clone();
            clicks.spawn(async move { check_ins::check_in(&db, ME, TODAY).await.unwrap() });
        }
        let firsts = clicks.join_all().await;
        assert_eq!(firsts.into_iter().filter(|first| *first).count(), 1);
        assert_eq!(test.count("tb_sign").await, 1);
    })
    .await;
}

#[tokio::test]
async fn days_are_a_users_own_and_within_the_requested_bounds() {
    on_both(async |test| {
        let days = [date(2026, 10, 31), date(2026, 11, 1), TODAY];
        for day in days.into_iter().rev() {
            check_ins::check_in(&test.db, ME, day).await.unwrap();
        }
        check_ins::check_in(&test.db, UserId::new(8), date(2026, 11, 2))
            .await
            .unwrap();
        let list = async |from, to| check_ins::list_days(&test.db, ME, from, to).await.unwrap();
        assert_eq!(list(days[0], TODAY).await, days);
        assert_eq!(list(days[1], TODAY).await, days[1..]);
        assert_eq!(list(days[1], days[1]).await, days[1..2]);
        assert!(list(date(2026, 11, 2), date(2026, 11, 14)).await.is_empty());
    })
    .await;
}
