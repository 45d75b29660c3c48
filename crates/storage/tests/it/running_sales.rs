//! The flash sales that are on: which, in which order, and how many rows that costs.

use domain::{SaleDraft, ShopId, VoucherId, VoucherStatus};
use jiff::{SignedDuration, Timestamp};
use storage::shops::Principal;
use storage::vouchers::{self, Voucher};
use storage::{Db, DbOptions};
use testkit::MariaDb;

use crate::selling::{OWNER, draft, sale_draft};
use crate::support::{create_shop, on_both, rows_read};

const NOW: Timestamp = Timestamp::constant(1_795_000_000, 0);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// A sale that begins and ends so many minutes from now.
async fn sell(db: &Db, shop: ShopId, begin_mins: i64, end_mins: i64) -> VoucherId {
    let sale = SaleDraft {
        begin_at: NOW + SignedDuration::from_mins(begin_mins),
        end_at: NOW + SignedDuration::from_mins(end_mins),
        ..sale_draft(10)
    };
    let created = vouchers::create_sale(db, Principal::Owner(OWNER), shop, &draft(), &sale).await;
    created.unwrap().unwrap().id
}

async fn running(db: &Db, limit: u64) -> Vec<VoucherId> {
    let listed = vouchers::list_running(db, NOW, DAY, limit).await.unwrap();
    listed.iter().map(|voucher: &Voucher| voucher.id).collect()
}

#[tokio::test]
async fn open_sales_come_by_their_end_and_then_those_of_the_next_day_by_their_beginning() {
    on_both(async |test| {
        let db = &test.db;
        let shop = create_shop(db, "103茶餐厅").await.id;
        let ended = sell(db, shop, -90, 0).await;
        let open_for_long = sell(db, shop, -60, 600).await;
        let coming_late = sell(db, shop, 24 * 60, 3_000).await;
        let beyond = sell(db, shop, 24 * 60 + 1, 3_000).await;
        let open_for_a_minute = sell(db, shop, 0, 1).await;
        let coming_soon = sell(db, shop, 1, 9_000).await;
        let as_soon = sell(db, shop, 1, 2).await;
        let off_shelf = sell(db, shop, -60, 60).await;
        let principal = Principal::Owner(OWNER);
        vouchers::set_status(db, principal, off_shelf, VoucherStatus::OffShelf)
            .await
            .unwrap()
            .unwrap();
        vouchers::create(db, principal, shop, &draft())
            .await
            .unwrap()
            .unwrap();

        let expected = [
            open_for_a_minute,
            open_for_long,
            coming_soon,
            as_soon,
            coming_late,
        ];
        assert_eq!(running(db, 100).await, expected);
        for limit in 0..=5 {
            let first = &expected[..usize::try_from(limit).unwrap()];
            assert_eq!(running(db, limit).await, first);
        }
        for absent in [ended, beyond, off_shelf] {
            assert!(!expected.contains(&absent));
        }
        let listed = vouchers::list_running(db, NOW, DAY, 1).await.unwrap();
        let read = vouchers::get(db, open_for_a_minute).await.unwrap();
        assert_eq!(listed.into_iter().next(), read, "with all it says");
    })
    .await;
}

#[tokio::test]
async fn sales_that_are_over_or_far_away_cost_nothing() {
    let server = MariaDb::start().await;
    let database = server.create_database().await;
    let db = Db::connect(&DbOptions::new(database.url())).await.unwrap();
    db.migrate().await.unwrap();
    let shop = create_shop(&db, "103茶餐厅").await.id;
    let open = sell(&db, shop, -60, 60).await;
    let coming = sell(&db, shop, 60, 120).await;
    let many = "INSERT INTO tb_voucher (id, shop_id, title, pay_value, actual_value, type, status) \
        SELECT 1000 + seq, 1, 'over', 1, 1, 1, 1 FROM seq_1_to_20000";
    database.execute(many).await;
    let many = "INSERT INTO tb_seckill_voucher \
        (voucher_id, stock, initial_stock, begin_time, end_time) SELECT 1000 + seq, 1, 1, \
        '2024-01-01' + INTERVAL seq MINUTE, '2024-01-02' + INTERVAL seq MINUTE FROM seq_1_to_20000";
    database.execute(many).await;
    database
        .execute("ANALYZE TABLE tb_voucher, tb_seckill_voucher")
        .await;
    let before = rows_read(&server).await;
    assert_eq!(running(&db, 100).await, [open, coming]);
    let read = rows_read(&server).await - before;
    // Asking for the counters reads some rows, too.
    assert!(read < 2_000, "{read} rows for two sales");
}
