//! Visits: folded as often as one likes, read by day and page.

use jiff::civil::{Date, date};
use storage::visits::{self, Visit};

use crate::support::on_both;

const FIRST: Date = date(2026, 11, 14);
const SECOND: Date = date(2026, 11, 15);

fn visit(day: Date, page: &str, uv: u64, pv: u64) -> Visit {
    let page = page.to_owned();
    Visit { day, page, uv, pv }
}

#[tokio::test]
async fn folding_again_sets_the_totals_and_never_lowers_them() {
    on_both(async |test| {
        let rows = [visit(FIRST, "home", 3, 9), visit(FIRST, "shop:1", 1, 1)];
        for _ in 0..3 {
            visits::fold(&test.db, &rows).await.unwrap();
        }
        let list = async || visits::list(&test.db, FIRST, FIRST, None).await.unwrap();
        assert_eq!(list().await, rows);

        let grown = [visit(FIRST, "home", 4, 12)];
        visits::fold(&test.db, &grown).await.unwrap();
        visits::fold(&test.db, &rows).await.unwrap();
        assert_eq!(list().await, [grown[0].clone(), rows[1].clone()]);
        visits::fold(&test.db, &[]).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn days_are_listed_from_first_to_last_and_a_page_by_its_exact_name() {
    on_both(async |test| {
        let rows = [
            visit(FIRST, "home", 1, 1),
            visit(SECOND, "Home", 2, 2),
            visit(SECOND, "home", 3, 3),
        ];
        visits::fold(&test.db, &rows).await.unwrap();
        let list = async |from, to, page| visits::list(&test.db, from, to, page).await.unwrap();
        assert_eq!(list(FIRST, SECOND, None).await, rows);
        assert_eq!(list(SECOND, SECOND, None).await, rows[1..]);
        assert_eq!(list(SECOND, SECOND, Some("home")).await, rows[2..]);
        assert!(list(SECOND, FIRST, None).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_day_of_thousands_of_pages_folds_and_lists_up_to_its_limit() {
    on_both(async |test| {
        let rows: Vec<Visit> = (0..12_000)
            .map(|n| visit(FIRST, &format!("shop:{n:05}"), n, u64::MAX))
            .collect();
        visits::fold(&test.db, &rows).await.unwrap();
        assert_eq!(test.count("tb_visit").await, 12_000);
        let listed = visits::list(&test.db, FIRST, FIRST, None).await.unwrap();
        assert_eq!(listed.len() as u64, visits::LIST_LIMIT);
    })
    .await;
}
