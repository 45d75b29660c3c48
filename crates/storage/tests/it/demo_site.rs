//! The ground of demo data: ids kept free for it, and sales that begin anew.

use domain::{OrderId, Phone, ShopId, UserId, VoucherId};
use jiff::{SignedDuration, Timestamp};
use storage::bulk::{
    self, NewcomerRow, SeckillVoucherRow, SoldSale, UsedOrderRow, VoucherKind, VoucherRow,
    VoucherStatus,
};
use storage::demo_site::{self, LAST_RESERVED_ID, Renewal, SaleWindow};
use storage::users;

use crate::support::{TestDb, on_both, phone};

/// A moment of the stories below.
fn at(hours: i64) -> Timestamp {
    let noon: Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
    noon + SignedDuration::from_hours(hours)
}

const SALE: VoucherId = VoucherId::new(1);

async fn insert_sale(test: &TestDb, begin_at: Timestamp, end_at: Timestamp) {
    let voucher = VoucherRow {
        id: SALE,
        shop_id: ShopId::new(1),
        title: "秒杀".to_owned(),
        sub_title: None,
        rules: None,
        pay_value_cents: 900,
        actual_value_cents: 3000,
        kind: VoucherKind::Flash,
        status: VoucherStatus::On,
        created_at: at(-100),
    };
    let sale = SeckillVoucherRow {
        voucher_id: SALE,
        stock: 100,
        begin_at,
        end_at,
        limit_per_user: 1,
        created_at: at(-100),
    };
    bulk::insert_vouchers(&test.db, &[voucher]).await.unwrap();
    bulk::insert_seckill_vouchers(&test.db, &[sale])
        .await
        .unwrap();
}

/// Asks at `at(0)` for a sale that begins an hour later.
async fn renew_as_upcoming(test: &TestDb) -> bool {
    let window = SaleWindow {
        voucher_id: SALE,
        begin_at: at(1),
        end_at: at(5),
    };
    let renewed = demo_site::renew_window(&test.db, &window, Renewal::OutOfPhase, at(0)).await;
    renewed.unwrap()
}

/// The hours at which the sale begins and ends.
async fn window(test: &TestDb) -> (String, String) {
    let hour = |column: &str| format!("SELECT SUBSTR({column}, 12, 5) FROM tb_seckill_voucher");
    let begins = test.texts(&hour("begin_time")).await.remove(0);
    (begins, test.texts(&hour("end_time")).await.remove(0))
}

#[tokio::test]
async fn after_the_reservation_newcomers_get_ids_above_it() {
    on_both(async |test| {
        for _ in 0..2 {
            demo_site::reserve_ids(&test.db).await.unwrap();
        }
        let first = users::find_or_create(&test.db, &phone("13900000001"), "a")
            .await
            .unwrap();
        assert_eq!(first.id.get(), LAST_RESERVED_ID + 1);
        demo_site::reserve_ids(&test.db).await.unwrap();
        let second = users::find_or_create(&test.db, &phone("13900000002"), "b")
            .await
            .unwrap();
        assert_eq!(second.id.get(), LAST_RESERVED_ID + 2);
        assert!(!demo_site::is_occupied(&test.db).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_person_who_came_before_the_reservation_occupies_the_ground() {
    on_both(async |test| {
        users::find_or_create(&test.db, &phone("13900000001"), "a")
            .await
            .unwrap();
        demo_site::reserve_ids(&test.db).await.unwrap();
        assert!(demo_site::is_occupied(&test.db).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn numbers_are_counted_only_where_the_database_chose_the_id() {
    on_both(async |test| {
        users::find_or_create(&test.db, &phone("13800000001"), "demo")
            .await
            .unwrap();
        demo_site::reserve_ids(&test.db).await.unwrap();
        for number in ["13800000002", "13800000009", "13800000010"] {
            users::find_or_create(&test.db, &phone(number), "own")
                .await
                .unwrap();
        }
        let (first, last) = (Phone::parse("13800000001"), Phone::parse("13800000009"));
        let taken = demo_site::count_numbers_taken(&test.db, &first.unwrap(), &last.unwrap()).await;
        assert_eq!(taken.unwrap(), 2);
    })
    .await;
}

#[tokio::test]
async fn newcomers_are_inserted_once_and_listed_by_number() {
    on_both(async |test| {
        let numbers = || (1..=2_500).map(|n| Phone::parse(&format!("199{n:08}")).unwrap());
        let rows: Vec<NewcomerRow> = numbers()
            .map(|phone| NewcomerRow {
                phone,
                nick_name: "load".to_owned(),
                created_at: at(0),
            })
            .collect();
        assert_eq!(
            bulk::insert_newcomers(&test.db, &rows[..1_000])
                .await
                .unwrap(),
            1_000
        );
        assert_eq!(
            bulk::insert_newcomers(&test.db, &rows).await.unwrap(),
            1_500
        );
        let (first, last) = (&rows[10].phone, &rows[2_009].phone);
        let ids = bulk::list_ids_by_phone(&test.db, first, last)
            .await
            .unwrap();
        assert_eq!(ids.len(), 2_000);
        let tenth = users::get(&test.db, ids[0]).await.unwrap().unwrap();
        assert_eq!(tenth.phone.as_ref(), Some(first));
    })
    .await;
}

#[tokio::test]
async fn a_sale_that_time_has_passed_by_begins_anew_as_often_as_needed() {
    on_both(async |test| {
        insert_sale(&test, at(-9), at(9)).await;
        assert!(renew_as_upcoming(&test).await);
        assert_eq!(
            window(&test).await,
            ("13:00".to_owned(), "17:00".to_owned())
        );
        let later = SaleWindow {
            voucher_id: SALE,
            begin_at: at(3),
            end_at: at(5),
        };
        assert!(
            demo_site::renew_window(&test.db, &later, Renewal::OutOfPhase, at(2))
                .await
                .unwrap()
        );
        assert_eq!(
            window(&test).await,
            ("15:00".to_owned(), "17:00".to_owned())
        );
    })
    .await;
}

#[tokio::test]
async fn a_sale_that_stands_where_it_should_keeps_its_times() {
    on_both(async |test| {
        insert_sale(&test, at(2), at(9)).await;
        assert!(!renew_as_upcoming(&test).await);
        assert_eq!(
            window(&test).await,
            ("14:00".to_owned(), "21:00".to_owned())
        );
    })
    .await;
}

async fn insert_order(test: &TestDb, id: i64) {
    test.execute(&format!(
        "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, pay_deadline) \
         VALUES ({id}, 1, 1, 1, '2026-11-15 12:00:00')"
    ))
    .await;
}

#[tokio::test]
async fn a_sale_with_an_order_keeps_its_times() {
    on_both(async |test| {
        insert_sale(&test, at(-9), at(9)).await;
        insert_order(&test, LAST_RESERVED_ID + 1).await;
        assert!(!renew_as_upcoming(&test).await);
    })
    .await;
}

#[tokio::test]
async fn a_sale_with_orders_of_the_demo_data_only_begins_anew() {
    on_both(async |test| {
        insert_sale(&test, at(-9), at(9)).await;
        insert_order(&test, LAST_RESERVED_ID).await;
        assert!(renew_as_upcoming(&test).await);
    })
    .await;
}

#[tokio::test]
async fn a_sale_is_inserted_once_with_its_orders_and_adds_up() {
    on_both(async |test| {
        let sold = SoldSale {
            sale: SeckillVoucherRow {
                voucher_id: SALE,
                stock: 100,
                begin_at: at(-1),
                end_at: at(9),
                limit_per_user: 1,
                created_at: at(-100),
            },
            orders: (1..=60)
                .map(|id| UsedOrderRow {
                    id: OrderId::new(id),
                    user_id: UserId::new(id),
                    voucher_id: SALE,
                    shop_id: ShopId::new(1),
                    bought_at: at(-1),
                    used_at: at(0),
                })
                .collect(),
        };
        let sold = [sold];
        let inserted = bulk::insert_sold_sales(&test.db, &sold).await.unwrap();
        let again = bulk::insert_sold_sales(&test.db, &sold).await.unwrap();
        assert_eq!((inserted, again), (61, 0));
        let sums = "SELECT CONCAT_WS(' ', stock, initial_stock, \
            (SELECT COUNT(*) FROM tb_voucher_order WHERE slot = 1 AND status = 3)) \
            FROM tb_seckill_voucher";
        assert_eq!(test.texts(sums).await, ["40 100 60"]);
    })
    .await;
}

#[tokio::test]
async fn a_sale_that_begins_anew_is_announced_to_its_gate_once() {
    on_both(async |test| {
        insert_sale(&test, at(-9), at(9)).await;
        assert!(renew_as_upcoming(&test).await);
        assert!(!renew_as_upcoming(&test).await);
        let announced = "SELECT kind FROM tb_outbox";
        assert_eq!(test.texts(announced).await, ["sale_changed"]);
    })
    .await;
}

#[tokio::test]
async fn while_people_look_on_only_sales_that_are_over_begin_anew() {
    on_both(async |test| {
        let window = SaleWindow {
            voucher_id: SALE,
            begin_at: at(1),
            end_at: at(5),
        };
        let renew = async || demo_site::renew_window(&test.db, &window, Renewal::Over, at(0)).await;
        insert_sale(&test, at(-9), at(9)).await;
        assert!(!renew().await.unwrap());
        test.execute("UPDATE tb_seckill_voucher SET end_time = '2026-11-15 12:00:00', update_time = update_time")
            .await;
        assert!(renew().await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_sale_that_a_merchant_edited_keeps_its_times() {
    for table in ["tb_voucher", "tb_seckill_voucher"] {
        on_both(move |test: TestDb| async move {
            insert_sale(&test, at(-9), at(9)).await;
            test.execute(&format!(
                "UPDATE {table} SET update_time = '2026-11-15 11:00:00'"
            ))
            .await;
            assert!(!renew_as_upcoming(&test).await);
        })
        .await;
    }
}
