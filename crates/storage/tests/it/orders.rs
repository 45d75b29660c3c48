//! Orders as their owners see them.

use domain::{OrderId, OrderStatus, UserId};
use storage::Db;
use storage::{MAX_PAGE_ROWS, orders};

use crate::selling::{open_sale, order, write};
use crate::support::on_both;

async fn ids_of(
    db: &Db,
    owner: i64,
    status: Option<OrderStatus>,
    before: Option<i64>,
    limit: u32,
) -> Vec<i64> {
    let before = before.map(OrderId::new);
    let orders = orders::list_of_user(db, UserId::new(owner), status, before, limit).await;
    orders.unwrap().iter().map(|order| order.id.get()).collect()
}

#[tokio::test]
async fn nobody_reads_the_order_of_another() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        write(db, &[order(1, id, 5)]).await;
        let read = async |user| {
            orders::get(db, UserId::new(user), OrderId::new(1))
                .await
                .unwrap()
        };
        assert!(read(5).await.is_some());
        assert!(read(6).await.is_none());
        assert!(ids_of(db, 6, None, None, 10).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn my_orders_come_newest_first_page_by_page_and_by_status() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 100).await;
        for n in 1..=60 {
            write(db, &[order(n, id, 5)]).await;
            if n < 60 {
                let sql =
                    format!("UPDATE tb_voucher_order SET status = 4, slot = NULL WHERE id = {n}");
                test.execute(&sql).await;
                test.execute("UPDATE tb_seckill_voucher SET stock = stock + 1")
                    .await;
            }
        }
        assert_eq!(ids_of(db, 5, None, None, 3).await, [60, 59, 58]);
        assert_eq!(ids_of(db, 5, None, Some(58), 2).await, [57, 56]);
        assert_eq!(
            ids_of(db, 5, Some(OrderStatus::Unpaid), None, 10).await,
            [60]
        );
        let cancelled = ids_of(db, 5, Some(OrderStatus::Cancelled), None, 2).await;
        assert_eq!(cancelled, [59, 58]);
        let most = ids_of(db, 5, None, None, 1_000).await;
        assert_eq!(most.len(), usize::try_from(MAX_PAGE_ROWS).unwrap());
        assert!(ids_of(db, 5, None, Some(1), 10).await.is_empty());
    })
    .await;
}
