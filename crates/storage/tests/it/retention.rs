//! Old rows are deleted, the archive keeps what money is about, and a year of days leaves every table within its bound.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::{OrderId, OrderStatus, UserId, VoucherId};
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use sea_orm::{ConnectionTrait, DatabaseConnection};
use storage::accounts::{self, TrialBalance, trial_balance};
use storage::archive::{self, Archived};
use storage::retention::{GrowthBound, RetentionTarget, TABLES, days_before, delete_old};
use storage::{Backend, audit, flash_sales, orders, payments};

use crate::support::{TestDb, create_shop, on_both};

const ZEROES: TrialBalance = TrialBalance {
    total_cents: 0,
    wrong_balances: 0,
    escrow_excess_cents: 0,
};

#[tokio::test]
async fn every_table_of_the_schema_names_what_empties_it() {
    on_both(async |test| {
        let sql = match test.db.backend() {
            Backend::Sqlite => {
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            }
            Backend::MySql => {
                "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"
            }
        };
        let there: BTreeSet<String> = test.texts(sql).await.into_iter().collect();
        let listed = TABLES.iter().map(|(name, _)| (*name).to_owned());
        let listed: BTreeSet<String> = listed.collect();
        assert_eq!(there, listed, "storage::retention::TABLES and the schema");
    })
    .await;
}

#[tokio::test]
async fn audit_lines_that_are_needed_later_stay() {
    on_both(async |test| {
        let db = &test.db;
        let actions = [audit::PAYMENT_DISPUTED, audit::SEED, "role_granted"];
        for action in actions {
            audit::record(db, None, action, "x", "").await.unwrap();
        }
        let later = Timestamp::now() + SignedDuration::from_hours(24 * 3_650);
        assert_eq!(
            delete_old(db, RetentionTarget::Audit, later, 100)
                .await
                .unwrap(),
            1
        );
        let mut left = Vec::new();
        for action in actions {
            left.push(audit::is_recorded(db, action, "x").await.unwrap());
        }
        assert_eq!(left, [true, true, false]);
    })
    .await;
}

/// A moment so many days after the first day of these tests.
fn day(number: i64) -> Timestamp {
    let first: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
    first + SignedDuration::from_hours(24 * number)
}

fn text(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

fn id_of(number: i64, of_day: i64) -> i64 {
    1_000_000 + number * 100 + of_day
}

/// One day on the site, past the crate: people are told things, pages are seen, operators act, orders end in each way.
async fn live_a_day(connection: &DatabaseConnection, number: i64) {
    let at = text(day(number));
    let date = &at[..10];
    let order = |nth: i64, status: i64, slot: &str, voucher: i64| {
        let id = id_of(number, nth);
        format!("({id}, {nth}, {voucher}, 1, 1, {status}, {slot}, '{at}', '{at}', '{at}')")
    };
    let payment = |nth: i64, state: i64| {
        let id = id_of(number, nth);
        format!("({id}, {id}, {nth}, 'balance', 1, 100, {state}, '{at}', '{at}')")
    };
    let entry = |nth: i64, kind: &str, account: &str, cents: i64| {
        let id = id_of(number, nth);
        format!("({id}, '{kind}', '{account}', {cents}, {id}, '{at}')")
    };
    // Used in a sale of that day, cancelled, refunded, and one that waits to be used.
    let sale = 10_000 + number;
    let statements = [
        format!(
            "INSERT INTO tb_notice (user_id, kind, subject, payload, create_time) \
             VALUES (1, 'order_paid', 'order:{number}', '{{}}', '{at}')"
        ),
        format!("INSERT INTO tb_visit (day, page, uv, pv) VALUES ('{date}', '/', 1, 2)"),
        format!(
            "INSERT INTO tb_audit (action, subject, detail, create_time) \
             VALUES ('x', 'y', 'z', '{at}')"
        ),
        format!(
            "INSERT INTO tb_sign (user_id, year, month, date, is_backup, create_time) \
             VALUES (1, 2026, 1, '{date}', 0, '{at}')"
        ),
        format!(
            "INSERT INTO tb_dead_order \
             (order_id, voucher_id, user_id, reason, payload, state, create_time, update_time) \
             VALUES ({}, 1, 1, 'r', '{{}}', {}, '{at}', '{at}')",
            id_of(number, 9),
            i64::from(number != 0)
        ),
        format!(
            "INSERT INTO tb_id_mark (name, mark) VALUES ('order:{0}', 1), ('order:{0}:generation', 1)",
            date.replace('-', ":")
        ),
        format!(
            "INSERT INTO tb_voucher (id, shop_id, title, pay_value, actual_value, type) \
             VALUES ({sale}, 1, 't', 100, 200, 1)"
        ),
        format!(
            "INSERT INTO tb_seckill_voucher \
             (voucher_id, stock, initial_stock, begin_time, end_time) \
             VALUES ({sale}, 4, 5, '{at}', '{at}')"
        ),
        format!(
            "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, pay_type, status, \
             slot, pay_deadline, create_time, update_time) VALUES {}, {}, {}, {}",
            order(1, 3, "0", sale),
            order(2, 4, "NULL", 1),
            order(3, 6, "NULL", 1),
            order(4, if number == 0 { 2 } else { 3 }, "NULL", 1),
        ),
        format!(
            "INSERT INTO tb_payment (id, order_id, user_id, provider, pay_type, amount_cents, \
             state, create_time, update_time) VALUES {}, {}, {}",
            payment(1, 1),
            payment(3, 4),
            payment(4, 1)
        ),
        format!(
            "INSERT INTO tb_ledger_entry \
             (payment_id, kind, account, amount_cents, order_id, create_time) VALUES \
             {}, {}, {}, {}, {}, {}, {}, {}, {}, {}",
            entry(1, "pay", "provider:x", -100),
            entry(1, "pay", "escrow", 100),
            entry(1, "redeem", "escrow", -100),
            entry(1, "redeem", "shop:1", 100),
            entry(3, "pay", "provider:x", -100),
            entry(3, "pay", "escrow", 100),
            entry(3, "refund", "escrow", -100),
            entry(3, "refund", "provider:x", 100),
            entry(4, "pay", "provider:x", -100),
            entry(4, "pay", "escrow", 100),
        ),
    ];
    let mut statements = statements.to_vec();
    if number != 0 {
        let sql = format!(
            "INSERT INTO tb_ledger_entry \
             (payment_id, kind, account, amount_cents, order_id, create_time) VALUES {}, {}",
            entry(4, "redeem", "escrow", -100),
            entry(4, "redeem", "shop:1", 100)
        );
        statements.push(sql);
    }
    // One round trip and one commit: a year has many days.
    let day = format!("BEGIN; {}; COMMIT", statements.join("; "));
    connection.execute_unprepared(&day).await.unwrap();
}

const KEPT_DAYS: u32 = 40;
const BATCH: u32 = 37;

/// What the runner does, at a moment of the test's choice.
async fn pass(test: &TestDb, now: Timestamp) {
    let db = &test.db;
    while accounts::fold_entries(db, now, BATCH).await.unwrap() > 0 {}
    let before = days_before(now, KEPT_DAYS);
    while archive::archive_orders(db, before, BATCH).await.unwrap() != Archived::default() {}
    while archive::archive_top_ups(db, before, BATCH).await.unwrap() != Archived::default() {}
    for what in RetentionTarget::ALL {
        while delete_old(db, what, before, BATCH).await.unwrap() > 0 {}
    }
}

#[tokio::test]
async fn a_year_of_days_keeps_every_table_within_its_bound() {
    on_both(async |test| {
        let connection = test.raw_connection().await;
        let days = 365;
        for number in 0..days {
            live_a_day(&connection, number).await;
            if number % 28 == 27 {
                pass(&test, day(number)).await;
                let books = trial_balance(&test.db).await.unwrap();
                assert_eq!(books, ZEROES, "day {number}");
            }
        }
        connection.close().await.unwrap();
        pass(&test, day(days)).await;
        let kept = i64::from(KEPT_DAYS) + 1;
        for (table, bound) in TABLES {
            let rows = test.count(table).await;
            let most = match bound {
                // Two marks a day, ten entries, four orders; and what waits for a person.
                GrowthBound::Removed(_) => kept * 2 + 2,
                GrowthBound::Archived(_) => kept * 12 + 12,
                GrowthBound::Fixed | GrowthBound::Emptied(_) => 100,
                GrowthBound::Content | GrowthBound::Archive => continue,
            };
            assert!(rows <= most, "{table} has {rows} rows, at most {most}");
        }
        let all =
            test.count("tb_voucher_order").await + test.count("tb_voucher_order_archive").await;
        assert_eq!(all, days * 4, "no order is lost");
        assert_eq!(accounts::check_running_sums(&test.db).await.unwrap(), 0);
        let waiting = "tb_dead_order WHERE state = 0";
        assert_eq!(test.count(waiting).await, 1, "nobody has dealt with it");
        let unused = OrderId::new(id_of(0, 4));
        let order = orders::get(&test.db, UserId::new(4), unused).await.unwrap();
        assert_eq!(
            order.unwrap().status,
            OrderStatus::Paid,
            "it can still be used"
        );
        assert_eq!(
            test.count(&format!("tb_voucher_order WHERE id = {unused}"))
                .await,
            1
        );
    })
    .await;
}

/// Forty days, and all that is older than twenty archived.
async fn with_archive(test: &TestDb) {
    let connection = test.raw_connection().await;
    for number in 0..3 {
        live_a_day(&connection, number).await;
    }
    connection.close().await.unwrap();
    pass(test, day(60)).await;
}

#[tokio::test]
async fn an_archived_order_is_found_by_its_owner_and_by_nobody_else() {
    on_both(async |test| {
        with_archive(&test).await;
        let (owner, id) = (UserId::new(1), OrderId::new(id_of(1, 1)));
        assert_eq!(
            test.count(&format!("tb_voucher_order WHERE id = {id}"))
                .await,
            0
        );
        let order = orders::get(&test.db, owner, id).await.unwrap().unwrap();
        assert_eq!((order.id, order.status), (id, OrderStatus::Used));
        assert_eq!(order.title, "t");
        let stranger = orders::get(&test.db, UserId::new(2), id).await.unwrap();
        assert_eq!(stranger, None);

        let listed = orders::list_of_user(&test.db, owner, None, None, 2)
            .await
            .unwrap();
        let ids: Vec<i64> = listed.iter().map(|order| order.id.get()).collect();
        assert_eq!(ids, [id_of(2, 1), id_of(1, 1)]);
        let rest = orders::list_of_user(&test.db, owner, None, Some(id), 2)
            .await
            .unwrap();
        assert_eq!(rest.len(), 1);
        let cancel = orders::cancel(&test.db, owner, id).await.unwrap();
        assert_eq!(
            cancel,
            Err(orders::OrderRefusal::WrongStatus(OrderStatus::Used))
        );
        let paid = payments::list_of_order(&test.db, owner, id).await.unwrap();
        assert_eq!(paid.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn orders_are_listed_by_id_out_of_both_tables_and_for_their_owner_alone() {
    on_both(async |test| {
        with_archive(&test).await;
        let connection = test.raw_connection().await;
        live_a_day(&connection, 59).await;
        connection.close().await.unwrap();
        let (owner, archived, hot) = (UserId::new(1), id_of(1, 1), id_of(59, 1));
        let of_another = id_of(59, 2);
        let list = async |ids: &[i64]| {
            let ids: Vec<_> = ids.iter().copied().map(OrderId::new).collect();
            let listed = orders::list_by_ids(&test.db, owner, &ids).await.unwrap();
            let mut listed: Vec<i64> = listed.iter().map(|order| order.id.get()).collect();
            listed.sort_unstable();
            listed
        };
        assert_eq!(list(&[hot]).await, [hot]);
        assert_eq!(list(&[archived]).await, [archived]);
        let asked = [hot, of_another, archived, id_of(1, 2), i64::MAX];
        assert_eq!(list(&asked).await, [archived, hot]);
        assert_eq!(list(&[]).await, [0_i64; 0]);
    })
    .await;
}

#[tokio::test]
async fn archivers_at_once_move_every_row_once_and_owners_find_their_orders_meanwhile() {
    on_both(async |test| {
        let connection = test.raw_connection().await;
        let days = 30;
        for number in 1..=days {
            live_a_day(&connection, number).await;
            let top_up = format!(
                "INSERT INTO tb_payment (id, user_id, provider, pay_type, amount_cents, state, \
                 create_time, update_time) VALUES ({0}, 1, 'x', 2, 5, 1, '{1}', '{1}')",
                id_of(number, 50),
                text(day(number))
            );
            connection.execute_unprepared(&top_up).await.unwrap();
        }
        connection.close().await.unwrap();
        let (db, now) = (&test.db, day(days + 60));
        while accounts::fold_entries(db, now, BATCH).await.unwrap() > 0 {}
        let before = days_before(now, KEPT_DAYS);
        let is_done = AtomicBool::new(false);
        let archivers = (0..4).map(async |_| {
            let mut all = Archived::default();
            loop {
                let orders = archive::archive_orders(db, before, 7).await.unwrap();
                let top_ups = archive::archive_top_ups(db, before, 7).await.unwrap();
                if orders.and(top_ups) == Archived::default() {
                    return all;
                }
                all = all.and(orders).and(top_ups);
            }
        });
        let archivers = async {
            let moved = join_all(archivers).await;
            is_done.store(true, Ordering::Relaxed);
            moved.into_iter().fold(Archived::default(), Archived::and)
        };
        let owner = UserId::new(1);
        let reader = async {
            while !is_done.load(Ordering::Relaxed) {
                let listed = orders::list_of_user(db, owner, None, None, 50).await;
                assert_eq!(listed.unwrap().len(), 30);
                let some = OrderId::new(id_of(rand::random_range(1..=days), 1));
                let found = orders::get(db, owner, some).await.unwrap();
                assert!(found.is_some(), "{some}");
            }
        };
        let (moved, ()) = tokio::join!(archivers, reader);
        assert_eq!(
            moved,
            Archived {
                orders: 4 * 30,
                payments: 4 * 30,
                entries: 12 * 30
            }
        );
        assert_eq!(test.count("tb_ledger_entry_archive").await, 12 * 30);
        assert_eq!(test.count("tb_payment_archive").await, 4 * 30);
        assert_eq!(test.count("tb_voucher_order_archive").await, 4 * 30);
        assert_eq!(accounts::check_running_sums(db).await.unwrap(), 0);
        assert_eq!(trial_balance(db).await.unwrap(), ZEROES);
    })
    .await;
}

#[tokio::test]
async fn the_equation_of_an_archived_sale_still_holds_and_it_stays_closed() {
    on_both(async |test| {
        with_archive(&test).await;
        let sale = VoucherId::new(10_001);
        let audit = flash_sales::audit(&test.db, sale).await.unwrap().unwrap();
        assert_eq!(
            (audit.terms.initial, audit.terms.stock, audit.live_orders),
            (5, 4, 1)
        );
        let holdings =
            flash_sales::holdings(&test.db, sale, OrderId::new(0), 10, Timestamp::now()).await;
        assert_eq!(holdings.unwrap().len(), 1);
        let shop = create_shop(&test.db, "s").await;
        assert_eq!(shop.id.get(), 1, "the shop of the vouchers above");
        let longer = storage::vouchers::SaleChange {
            end_at: Some(Timestamp::now() + SignedDuration::from_hours(1)),
            ..Default::default()
        };
        let changed = storage::vouchers::change_sale(
            &test.db,
            storage::shops::Principal::Admin,
            sale,
            &longer,
        )
        .await;
        assert_eq!(
            changed.unwrap(),
            Err(storage::vouchers::VoucherRefusal::Archived)
        );
    })
    .await;
}

/// Those of an adopted database, and of the original's stream.
#[tokio::test]
async fn orders_that_had_no_deadline_are_archived_once_they_ended() {
    on_both(async |test| {
        let (db, owner, id) = (&test.db, UserId::new(1), OrderId::new(7));
        let at = text(day(0));
        let insert = format!(
            "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, status, slot, pay_deadline, \
             create_time, update_time) VALUES (7, 1, 5, 1, 1, 1, '9999-01-01 00:00:00', '{at}', '{at}')"
        );
        test.execute(&insert).await;
        let cancelled = orders::cancel(db, owner, id).await.unwrap();
        assert_eq!(cancelled, Ok(()));
        let later = Timestamp::now() + SignedDuration::from_hours(24);
        let moved = archive::archive_orders(db, later, BATCH).await.unwrap();
        assert_eq!(moved.orders, 1);
    })
    .await;
}

#[tokio::test]
async fn orders_of_a_sale_that_is_not_over_and_money_on_its_way_stay() {
    on_both(async |test| {
        let connection = test.raw_connection().await;
        live_a_day(&connection, 0).await;
        live_a_day(&connection, 1).await;
        let open = text(day(100));
        for sql in [
            format!("UPDATE tb_seckill_voucher SET end_time = '{open}' WHERE voucher_id = 10001"),
            format!("UPDATE tb_payment SET state = 5 WHERE id = {}", id_of(1, 3)),
        ] {
            connection.execute_unprepared(&sql).await.unwrap();
        }
        connection.close().await.unwrap();
        let before = days_before(day(90), KEPT_DAYS);
        assert_eq!(archive::count_ended(&test.db, before).await.unwrap(), 7);
        // Entries that are not part of the running sums keep their orders here.
        let early = archive::archive_orders(&test.db, before, 100)
            .await
            .unwrap();
        assert_eq!(
            (early.orders, early.payments),
            (2, 0),
            "the cancelled ones have no money"
        );
        pass(&test, day(90)).await;
        let left = test
            .texts("SELECT CAST(id AS CHAR) FROM tb_voucher_order ORDER BY id")
            .await;
        let expected = [id_of(0, 4), id_of(1, 1), id_of(1, 3)].map(|id| id.to_string());
        assert_eq!(left, expected);
        assert_eq!(archive::count_ended(&test.db, before).await.unwrap(), 2);
    })
    .await;
}

/// Each of these alone keeps an order of the second day, or its money, out of the archive.
#[tokio::test]
async fn every_reason_to_keep_an_order_keeps_it_out_of_the_archive() {
    on_both(async |test| {
        let (used, cancelled, refunded) = (id_of(1, 1), id_of(1, 2), id_of(1, 3));
        let recent = text(day(80));
        let payment = format!(
            "INSERT INTO tb_payment (id, order_id, user_id, provider, pay_type, amount_cents, state, \
             create_time, update_time) VALUES (7, {cancelled}, 2, 'x', 2, 5, 0, '{0}', '{0}')",
            text(day(1))
        );
        let outside = format!(
            "INSERT INTO tb_outside_refund \
             (payment_id, order_id, refunded_cents, state, create_time, update_time) \
             VALUES ({used}, {used}, 1, 2, '{0}', '{0}')",
            text(day(1))
        );
        let update = |table: &str, change: &str, id: i64| {
            format!("UPDATE {table} SET {change} WHERE id = {id}")
        };
        let reasons = [
            ("a payment was begun", cancelled, payment),
            ("its refund is due", refunded, update("tb_payment", "state = 3", refunded)),
            ("a late payment is due", refunded, update("tb_payment", "state = 5", refunded)),
            ("its money was refunded elsewhere", used, outside),
            (
                "its payment changed recently",
                used,
                update("tb_payment", &format!("update_time = '{recent}'"), used),
            ),
            (
                "it changed recently",
                cancelled,
                update("tb_voucher_order", &format!("update_time = '{recent}'"), cancelled),
            ),
            (
                "its deadline was recent",
                cancelled,
                update("tb_voucher_order", &format!("pay_deadline = '{recent}'"), cancelled),
            ),
            (
                "it is being refunded",
                refunded,
                update("tb_voucher_order", "status = 5", refunded),
            ),
        ];
        for (reason, kept, sql) in reasons {
            let connection = test.raw_connection().await;
            live_a_day(&connection, 1).await;
            connection.execute_unprepared(&sql).await.unwrap();
            connection.close().await.unwrap();
            pass(&test, day(90)).await;
            let left = test
                .texts("SELECT CAST(id AS CHAR) FROM tb_voucher_order")
                .await;
            assert_eq!(left, [kept.to_string()], "{reason}");
            for table in [
                "tb_voucher_order",
                "tb_voucher_order_archive",
                "tb_payment",
                "tb_payment_archive",
                "tb_ledger_entry",
                "tb_ledger_entry_archive",
                "tb_outside_refund",
                "tb_voucher",
                "tb_seckill_voucher",
            ] {
                test.execute(&format!("DELETE FROM {table}")).await;
            }
        }
    })
    .await;
}

/// A top-up is archived on its own: it belongs to no order.
#[tokio::test]
async fn a_top_up_stays_while_it_is_recent_unpaid_or_not_in_the_running_sums() {
    on_both(async |test| {
        let (old, recent) = (text(day(1)), text(day(80)));
        let top_up = |id: i64, state: i64, at: &str| {
            format!("({id}, 1, 'x', 2, 5, {state}, '{at}', '{at}')")
        };
        test.execute(&format!(
            "INSERT INTO tb_payment (id, user_id, provider, pay_type, amount_cents, state, \
             create_time, update_time) VALUES {}, {}, {}, {}",
            top_up(1, 1, &old),
            top_up(2, 1, &recent),
            top_up(3, 0, &old),
            top_up(4, 1, &old),
        ))
        .await;
        test.execute(&format!(
            "INSERT INTO tb_ledger_entry (payment_id, kind, account, amount_cents, create_time) \
             VALUES (4, 'top_up', 'provider:x', -5, '{old}'), (4, 'top_up', 'user:1', 5, '{old}')"
        ))
        .await;
        let before = days_before(day(90), KEPT_DAYS);
        let left = async || {
            while archive::archive_top_ups(&test.db, before, BATCH)
                .await
                .unwrap()
                != Archived::default()
            {}
            test.texts("SELECT CAST(id AS CHAR) FROM tb_payment ORDER BY id")
                .await
        };
        assert_eq!(left().await, ["2", "3", "4"]);
        while accounts::fold_entries(&test.db, day(90), BATCH)
            .await
            .unwrap()
            > 0
        {}
        assert_eq!(left().await, ["2", "3"]);
    })
    .await;
}

#[tokio::test]
async fn rows_stay_for_as_many_days_as_they_are_kept_and_no_longer() {
    on_both(async |test| {
        let connection = test.raw_connection().await;
        for number in 1..=9 {
            live_a_day(&connection, number).await;
        }
        connection.close().await.unwrap();
        // Noon of the fifth day: dates of that day are not before it, nor are times of that moment.
        let before = days_before(day(5 + i64::from(KEPT_DAYS)), KEPT_DAYS);
        for what in RetentionTarget::ALL {
            let of_a_day = if what == RetentionTarget::IdMarks {
                2
            } else {
                1
            };
            let removed = delete_old(&test.db, what, before, 3).await.unwrap();
            assert_eq!(removed, 3, "{what:?}: no more than the limit");
            while delete_old(&test.db, what, before, BATCH).await.unwrap() > 0 {}
            let left = test.count(what.table()).await;
            assert_eq!(left, 5 * of_a_day, "{what:?}: the fifth to the ninth day");
        }
    })
    .await;
}

#[tokio::test]
async fn a_month_of_the_archive_can_be_read_with_its_money() {
    on_both(async |test| {
        with_archive(&test).await;
        let months = archive::months(&test.db).await.unwrap();
        assert_eq!(months.len(), 1);
        assert_eq!((months[0].month, months[0].orders), (202_601, 11));
        let orders = archive::list_month(&test.db, 202_601, OrderId::new(0))
            .await
            .unwrap();
        assert_eq!(orders.len(), 11);
        let used = orders.iter().find(|order| order.id == id_of(1, 1)).unwrap();
        assert_eq!(used.payments[0].entries.len(), 4);
        let cents: i64 = used.payments[0]
            .entries
            .iter()
            .map(|entry| entry.amount_cents)
            .sum();
        assert_eq!(cents, 0);
    })
    .await;
}

#[tokio::test]
async fn a_wrong_running_sum_is_found() {
    on_both(async |test| {
        with_archive(&test).await;
        assert_eq!(accounts::check_running_sums(&test.db).await.unwrap(), 0);
        test.execute(
            "UPDATE tb_ledger_sum SET amount_cents = amount_cents + 1 WHERE account = 'escrow'",
        )
        .await;
        assert_eq!(accounts::check_running_sums(&test.db).await.unwrap(), 1);
        let books = trial_balance(&test.db).await.unwrap();
        assert_eq!((books.total_cents, books.escrow_excess_cents), (1, 1));
    })
    .await;
}
