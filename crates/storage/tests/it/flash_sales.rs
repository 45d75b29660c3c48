//! The ledger of flash sales: what is recorded, what is refused, and that pieces neither appear nor vanish.

use std::sync::Arc;
use std::time::Duration;

use domain::{OrderId, OrderStatus, UserId, VoucherId, VoucherStatus};
use jiff::{SignedDuration, Timestamp};
use storage::flash_sales::{
    self, DrainLease, Ended, Fenced, Holding, OrderDeadLettered, Refused, SaleOrder, StockUnit,
    WriteOutcome, WriteRefusal,
};
use storage::outbox;
use storage::shops::Principal;
use storage::{Backend, Db, id_marks, orders as order_reads, vouchers};
use tokio::sync::Barrier;

use crate::selling::{
    GRANTED_AT, LEASE, OWNER, PAY_WITHIN, assert_stock_conserved, create_sale, open_sale, order,
    orders, sale_draft, stock, try_write, write,
};
use crate::support::{create_shop, on_both};

async fn epoch(db: &Db, id: VoucherId) -> i64 {
    flash_sales::terms(db, id).await.unwrap().unwrap().epoch
}

async fn find_end(db: &Db, order: i64) -> Option<Ended> {
    flash_sales::find_end(db, OrderId::new(order))
        .await
        .unwrap()
}

async fn dead_lettered(db: &Db) -> Vec<OrderDeadLettered> {
    let rows = outbox::list_due_all(db, 100, Timestamp::now())
        .await
        .unwrap();
    let rows = rows
        .iter()
        .filter(|row| row.kind == OrderDeadLettered::KIND);
    let decode = |row: &outbox::OutboxRow| {
        let dead_lettered: OrderDeadLettered = serde_json::from_str(&row.payload).unwrap();
        assert_eq!(row.key, dead_lettered.key());
        dead_lettered
    };
    rows.map(decode).collect()
}

#[tokio::test]
async fn the_first_process_settles_the_number_of_partitions() {
    on_both(async |test| {
        let settle = |count: u16| {
            let db = test.db.clone();
            tokio::spawn(async move { flash_sales::settle_partitions(&db, count).await.unwrap() })
        };
        let settling: Vec<_> = (1..=8).map(settle).collect();
        let mut settled = Vec::new();
        for process in settling {
            settled.push(process.await.unwrap());
        }
        assert!(
            settled.iter().all(|count| *count == settled[0]),
            "{settled:?}"
        );
        assert_eq!(settle(64).await.unwrap(), settled[0]);
    })
    .await;
}

#[tokio::test]
async fn a_lower_fence_is_refused_and_records_nothing() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        let newer = DrainLease { fence: 5, ..LEASE };
        for _ in 0..2 {
            assert_eq!(
                flash_sales::take_drain_lease(db, newer).await.unwrap(),
                Ok(())
            );
        }
        assert_eq!(
            flash_sales::take_drain_lease(db, LEASE).await.unwrap(),
            Err(Fenced)
        );
        let refused = try_write(db, &orders(id, 1..3)).await;
        assert_eq!(refused, Err(WriteRefusal::Fenced(Fenced)));
        let order = order(1, id, 1);
        let refused = flash_sales::dead_letter(db, LEASE, &order, "poison", StockUnit::Held).await;
        assert_eq!(refused.unwrap(), Err(Fenced));
        assert_eq!(
            (stock(db, id).await, test.count("tb_voucher_order").await),
            (10, 0)
        );
        assert!(dead_lettered(db).await.is_empty());

        let written = flash_sales::write_orders(db, newer, &[order], PAY_WITHIN).await;
        assert_eq!(written.unwrap(), Ok(vec![WriteOutcome::New]));
        let elsewhere = DrainLease {
            partition: 1,
            ..LEASE
        };
        assert_eq!(
            flash_sales::take_drain_lease(db, elsewhere).await.unwrap(),
            Ok(())
        );
        let nowhere = DrainLease {
            partition: 99,
            ..LEASE
        };
        assert_eq!(
            flash_sales::take_drain_lease(db, nowhere).await.unwrap(),
            Err(Fenced)
        );
    })
    .await;
}

#[tokio::test]
async fn recorded_orders_are_unpaid_rows_and_reduce_the_stock() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        assert_eq!(write(db, &orders(id, 1..5)).await, [WriteOutcome::New; 4]);
        assert_eq!(stock(db, id).await, 6);
        assert_stock_conserved(&test).await;

        let owner = UserId::new(3);
        let order = order_reads::get(db, owner, OrderId::new(3))
            .await
            .unwrap()
            .unwrap();
        assert_eq!((order.status, order.voucher_id), (OrderStatus::Unpaid, id));
        let voucher = vouchers::get(db, id).await.unwrap().unwrap();
        assert_eq!(
            (order.shop_id, order.title),
            (voucher.shop_id, voucher.title)
        );
        assert_eq!(order.created_at, GRANTED_AT);
    })
    .await;
}

#[tokio::test]
async fn the_time_to_pay_counts_from_the_later_of_grant_and_record() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        let pay_within = SignedDuration::try_from(PAY_WITHIN).unwrap();
        let deadline_of = async |number: i64| {
            let (owner, id) = (UserId::new(number), OrderId::new(number));
            let found = order_reads::get(db, owner, id).await.unwrap();
            found.unwrap().pay_deadline.unwrap()
        };
        // Granted in an outage that lasted for much longer than there is to pay.
        let before = Timestamp::now();
        let granted_long_ago = SaleOrder {
            granted_at: before - SignedDuration::from_hours(1),
            ..order(1, id, 1)
        };
        write(db, &[granted_long_ago]).await;
        let after = Timestamp::now();
        let deadline = deadline_of(1).await;
        let cut = SignedDuration::from_millis(1);
        assert!(
            before + pay_within - cut <= deadline && deadline <= after + pay_within,
            "recorded at {before}, to be paid until {deadline}"
        );
        // Nobody's time runs before the grant, although clocks differ.
        write(db, &[order(2, id, 2)]).await;
        assert_eq!(deadline_of(2).await, GRANTED_AT + pay_within);
    })
    .await;
}

#[tokio::test]
async fn the_same_order_again_changes_nothing() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        write(db, &orders(id, 1..4)).await;
        let again = [order(2, id, 2), order(4, id, 4), order(4, id, 4)];
        let written = write(db, &again).await;
        assert_eq!(
            written,
            [
                WriteOutcome::AlreadyRecorded,
                WriteOutcome::New,
                WriteOutcome::AlreadyRecorded
            ]
        );
        assert_eq!(stock(db, id).await, 6);

        test.execute("UPDATE tb_voucher_order SET status = 4, slot = NULL WHERE id = 2")
            .await;
        test.execute("UPDATE tb_seckill_voucher SET stock = stock + 1")
            .await;
        let written = write(db, &[order(2, id, 2)]).await;
        assert_eq!(
            written,
            [WriteOutcome::AlreadyRecorded],
            "a cancelled order does not come back"
        );
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn the_name_of_a_claim_is_kept_and_known_for_a_while_after_its_order_ended() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        let named = |n: i64, key| SaleOrder {
            key: Some(key),
            slot: u8::try_from(n).unwrap(),
            ..order(n, id, 7)
        };
        // The largest hash does not fit into a signed number as it is.
        write(db, &[named(1, u64::MAX), named(2, 5), order(3, id, 8)]).await;
        let held = |n: i64, user, slot, key| Holding {
            order: OrderId::new(n),
            user_id: UserId::new(user),
            slot,
            key,
        };
        let list = async |named_after| {
            let listed = flash_sales::holdings(db, id, OrderId::new(0), 10, named_after);
            listed.await.unwrap()
        };
        let (first, third) = (held(1, 7, 1, Some(u64::MAX)), held(3, 8, 1, None));
        assert_eq!(
            list(GRANTED_AT).await,
            [first, held(2, 7, 2, Some(5)), third]
        );
        test.execute("UPDATE tb_voucher_order SET status = 4, slot = NULL WHERE id IN (2, 3)")
            .await;
        test.execute("UPDATE tb_seckill_voucher SET stock = stock + 2")
            .await;
        let ended = held(2, 7, 0, Some(5));
        let just_before = GRANTED_AT - SignedDuration::from_secs(1);
        assert_eq!(list(just_before).await, [first, ended]);
        assert_eq!(list(GRANTED_AT).await, [first]);
        let of = async |user| {
            let held = flash_sales::held_by(db, id, UserId::new(user)).await;
            held.unwrap()
        };
        assert_eq!(of(7).await, [first, ended]);
        assert_eq!(of(8).await, []);
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_place_is_taken_once_and_freed_when_given_back() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        write(db, &[order(1, id, 1)]).await;
        let taken = |holder| WriteOutcome::Refused(Refused::SlotTaken(OrderId::new(holder)));
        let second = SaleOrder {
            slot: 2,
            ..order(3, id, 1)
        };
        let batch = [
            order(2, id, 1),
            second,
            SaleOrder {
                slot: 2,
                ..order(4, id, 1)
            },
        ];
        assert_eq!(
            write(db, &batch).await,
            [taken(1), WriteOutcome::New, taken(3)]
        );
        assert_eq!(stock(db, id).await, 8);

        test.execute("UPDATE tb_voucher_order SET status = 4, slot = NULL WHERE id = 1")
            .await;
        test.execute("UPDATE tb_seckill_voucher SET stock = stock + 1")
            .await;
        assert_eq!(write(db, &[order(5, id, 1)]).await, [WriteOutcome::New]);
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn an_unknown_sale_is_refused_and_the_rest_of_the_batch_recorded() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        let no_sale = WriteOutcome::Refused(Refused::NoSuchSale);
        let batch = [order(1, VoucherId::new(99), 1), order(2, id, 2)];
        assert_eq!(write(db, &batch).await, [no_sale, WriteOutcome::New]);
        assert_eq!(write(db, &[]).await, []);
    })
    .await;
}

#[tokio::test]
async fn a_batch_that_wants_more_than_there_is_records_nothing() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 3).await;
        let shop = create_shop(db, "另一家").await;
        let other = create_sale(db, shop.id, 3).await.id;
        let mut batch = orders(id, 1..5);
        batch.push(order(10, other, 10));
        assert_eq!(try_write(db, &batch).await, Err(WriteRefusal::Short(id)));
        assert_eq!(test.count("tb_voucher_order").await, 0);
        assert_eq!((stock(db, id).await, stock(db, other).await), (3, 3));

        assert_eq!(write(db, &batch[1..]).await, [WriteOutcome::New; 4]);
        assert_eq!((stock(db, id).await, stock(db, other).await), (0, 2));
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn large_batches_over_many_sales_are_recorded_whole() {
    on_both(async |test| {
        let db = &test.db;
        let first = open_sale(db, 5_000).await;
        let shop = create_shop(db, "大店").await;
        let mut batch = orders(first, 1..4_501);
        for n in 0..150 {
            let id = create_sale(db, shop.id, 1).await.id;
            batch.push(order(10_000 + n, id, 10_000 + n));
        }
        assert_eq!(write(db, &batch).await, vec![WriteOutcome::New; 4_650]);
        assert_eq!(
            write(db, &batch).await,
            vec![WriteOutcome::AlreadyRecorded; 4_650]
        );
        assert_eq!(stock(db, first).await, 500);
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_dead_lettered_order_is_enqueued_once_and_never_recorded_after() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        let reason = "坏".repeat(300);
        for _ in 0..2 {
            let dead_letter =
                flash_sales::dead_letter(db, LEASE, &order(1, id, 8), &reason, StockUnit::Held)
                    .await;
            assert_eq!(dead_letter.unwrap(), Ok(()));
        }
        let dead_letter =
            flash_sales::dead_letter(db, LEASE, &order(2, id, 9), "short", StockUnit::None).await;
        assert_eq!(dead_letter.unwrap(), Ok(()));
        let told = |order, user, restock| OrderDeadLettered {
            order: OrderId::new(order),
            voucher: id,
            user: UserId::new(user),
            restock,
        };
        assert_eq!(
            dead_lettered(db).await,
            [told(1, 8, true), told(2, 9, false)]
        );
        assert_eq!(find_end(db, 1).await, Some(Ended::DeadLettered));
        assert_eq!(find_end(db, 3).await, None);
        assert_eq!(
            write(db, &[order(1, id, 8)]).await,
            [WriteOutcome::DeadLettered]
        );
        assert_eq!(
            stock(db, id).await,
            10,
            "it never took a piece of the ledger's"
        );
    })
    .await;
}

#[tokio::test]
async fn dead_lettered_orders_are_found_however_many_there_are() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 300).await;
        let batch = orders(id, 1..301);
        for order in batch.iter().step_by(2) {
            let dead_letter =
                flash_sales::dead_letter(db, LEASE, order, "poison", StockUnit::Held).await;
            assert_eq!(dead_letter.unwrap(), Ok(()));
        }
        let written = write(db, &batch).await;
        assert_eq!(
            written,
            [WriteOutcome::DeadLettered, WriteOutcome::New].repeat(150)
        );
        assert_eq!(stock(db, id).await, 150);
    })
    .await;
}

#[tokio::test]
async fn an_id_that_is_another_buyers_order_records_nothing() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        write(db, &[order(1, id, 1)]).await;
        let batch = [order(2, id, 2), order(1, id, 3)];
        let refused = flash_sales::write_orders(db, LEASE, &batch, PAY_WITHIN).await;
        assert!(refused.is_err());
        assert_eq!(
            (stock(db, id).await, test.count("tb_voucher_order").await),
            (9, 1)
        );
        assert_eq!(write(db, &batch[..1]).await, [WriteOutcome::New]);
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_recorded_order_cannot_be_dead_lettered() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        write(db, &[order(1, id, 1)]).await;
        let dead_letter =
            flash_sales::dead_letter(db, LEASE, &order(1, id, 1), "late", StockUnit::Held).await;
        assert_eq!(dead_letter.unwrap(), Ok(()));
        assert_eq!(find_end(db, 1).await, None);
        assert!(dead_lettered(db).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn loading_raises_the_epoch_and_pages_through_the_holders() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        let batch: Vec<SaleOrder> = (1..=5).map(|n| order(n * 10, id, 100 - n)).collect();
        write(db, &batch).await;
        test.execute("UPDATE tb_voucher_order SET status = 4, slot = NULL WHERE id = 30")
            .await;
        test.execute("UPDATE tb_seckill_voucher SET stock = stock + 1")
            .await;

        assert_eq!(find_end(db, 30).await, Some(Ended::Returned));
        assert_eq!(find_end(db, 40).await, None, "it is live");
        let terms = flash_sales::open_load(db, id).await.unwrap().unwrap();
        assert_eq!((terms.epoch, terms.initial, terms.stock), (1, 10, 6));
        assert_eq!(
            (terms.limit_per_user, terms.spread, terms.on_shelf),
            (2, 1, true)
        );
        assert_eq!(terms.begin_at, sale_draft(10).begin_at);
        assert_eq!(epoch(db, id).await, 1);

        let mut after = OrderId::new(0);
        let mut seen = Vec::new();
        loop {
            let page = flash_sales::holdings(db, id, after, 2, GRANTED_AT);
            let page = page.await.unwrap();
            assert!(page.len() <= 2);
            let Some(last) = page.last() else { break };
            after = last.order;
            seen.extend(page);
        }
        let holding = |n: i64| Holding {
            order: OrderId::new(n * 10),
            user_id: UserId::new(100 - n),
            slot: 1,
            key: None,
        };
        assert_eq!(seen, [1, 2, 4, 5].map(holding));
        let unknown = flash_sales::open_load(db, VoucherId::new(99))
            .await
            .unwrap();
        assert_eq!(unknown, None);

        let ids: Vec<OrderId> = (1..=9).map(|n| OrderId::new(n * 10)).collect();
        let mut live = order_reads::live_among(db, &ids).await.unwrap();
        live.sort();
        assert_eq!(live, [10, 20, 40, 50].map(OrderId::new));
    })
    .await;
}

#[tokio::test]
async fn an_audit_is_of_one_moment_while_orders_are_recorded() {
    on_both(async |test| {
        let db = test.db.clone();
        let id = open_sale(&db, 1_000).await;
        let writer = tokio::spawn({
            let db = db.clone();
            async move {
                for n in 0..50 {
                    write(&db, &orders(id, n * 20..(n + 1) * 20)).await;
                }
            }
        });
        let mut audits = 0_u32;
        while !writer.is_finished() {
            let audit = flash_sales::audit(&db, id).await.unwrap().unwrap();
            let terms = audit.terms;
            assert_eq!(
                u64::from(terms.initial),
                u64::from(terms.stock) + audit.live_orders
            );
            audits += 1;
        }
        writer.await.unwrap();
        assert!(audits > 0);
        let audit = flash_sales::audit(&db, id).await.unwrap().unwrap();
        assert_eq!((audit.terms.stock, audit.live_orders), (0, 1_000));
    })
    .await;
}

#[tokio::test]
async fn sales_are_current_until_their_end_and_off_the_shelf_too() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 1).await;
        let off = VoucherStatus::OffShelf;
        vouchers::set_status(db, Principal::Owner(OWNER), id, off)
            .await
            .unwrap()
            .unwrap();
        let end = sale_draft(1).end_at;
        let current =
            async |ended_after| flash_sales::current_sales(db, ended_after).await.unwrap();
        assert_eq!(current(end - SignedDuration::from_secs(1)).await, [id]);
        assert!(current(end).await.is_empty());
        assert!(!flash_sales::terms(db, id).await.unwrap().unwrap().on_shelf);
    })
    .await;
}

#[tokio::test]
async fn marks_never_fall_and_repairs_are_written_down() {
    on_both(async |test| {
        let db = &test.db;
        assert_eq!(id_marks::get(db, "order:2026:11:15").await.unwrap(), None);
        for to in [1_000, 3_000, 2_000] {
            id_marks::raise(db, "order:2026:11:15", to).await.unwrap();
        }
        let mark = id_marks::get(db, "order:2026:11:15").await.unwrap();
        assert_eq!(mark, Some(3_000));

        let id = VoucherId::new(2);
        flash_sales::record_repair(db, id, "buyer_added", "order 5 of user 6")
            .await
            .unwrap();
        let lines = test.texts("SELECT CONCAT(action, ' ', subject, ' ', detail) FROM tb_audit");
        let expected = "flash_repair voucher:2 buyer_added: order 5 of user 6";
        assert_eq!(lines.await, [expected]);
    })
    .await;
}

#[tokio::test]
async fn two_partitions_sell_one_sale_out_exactly() {
    on_both(async |test| {
        let id = open_sale(&test.db, 100).await;
        let drain = |partition: u16| {
            let db = test.db.clone();
            tokio::spawn(async move {
                let lease = DrainLease {
                    partition,
                    fence: 1,
                };
                flash_sales::take_drain_lease(&db, lease)
                    .await
                    .unwrap()
                    .unwrap();
                for n in 0..60 {
                    let order = i64::from(partition) * 1_000 + n;
                    let batch = orders(id, order..order + 1);
                    let write = flash_sales::write_orders(&db, lease, &batch, PAY_WITHIN).await;
                    match write.unwrap() {
                        Ok(written) => assert_eq!(written, [WriteOutcome::New]),
                        Err(refusal) => assert_eq!(refusal, WriteRefusal::Short(id)),
                    }
                }
            })
        };
        let drains = [drain(0), drain(1)];
        for drain in drains {
            drain.await.unwrap();
        }
        assert_eq!(
            (
                stock(&test.db, id).await,
                test.count("tb_voucher_order").await
            ),
            (0, 100)
        );
        assert_stock_conserved(&test).await;
    })
    .await;
}

/// Buyers whose orders two drainers bring at the same moment, and how often.
const SHARED_BUYERS: i64 = 4;
const ROUNDS: i64 = 25;

/// Drains the same buyers as another one, with ids of its own. A batch that the other was faster with fails as a whole or
/// in part, and what can be recorded is when it comes again.
async fn drain_beside(db: Db, id: VoucherId, partition: u16, together: Arc<Barrier>) {
    let lease = DrainLease {
        partition,
        fence: 1,
    };
    flash_sales::take_drain_lease(&db, lease)
        .await
        .unwrap()
        .unwrap();
    for round in 0..ROUNDS {
        let buyers = (1..=SHARED_BUYERS).map(|buyer| round * SHARED_BUYERS + buyer);
        let own_id = |buyer: i64| i64::from(partition) * 1_000_000 + buyer;
        let batch: Vec<SaleOrder> = buyers.map(|n| order(own_id(n), id, n)).collect();
        together.wait().await;
        let mut tries = 0;
        while let Err(error) = flash_sales::write_orders(&db, lease, &batch, PAY_WITHIN).await {
            tries += 1;
            assert!(tries < 100, "{error}");
        }
    }
}

#[tokio::test]
async fn two_drainers_with_orders_of_the_same_buyers_record_one_each() {
    on_both(async |test| {
        let id = open_sale(&test.db, 1_000).await;
        let together = Arc::new(Barrier::new(2));
        let drains = [0, 1].map(|partition| {
            let (db, together) = (test.db.clone(), together.clone());
            tokio::spawn(drain_beside(db, id, partition, together))
        });
        for drain in drains {
            drain.await.unwrap();
        }
        let people = SHARED_BUYERS * ROUNDS;
        assert_eq!(test.count("tb_voucher_order").await, people);
        assert_eq!(i64::from(stock(&test.db, id).await), 1_000 - people);
        assert_stock_conserved(&test).await;
    })
    .await;
}

/// More rows than one statement has, and some that do not fill another.
#[tokio::test]
async fn every_row_of_a_large_batch_holds_its_own_order() {
    on_both(async |test| {
        let sale = open_sale(&test.db, 1_000).await;
        let number = |n: i64| SaleOrder {
            slot: u8::try_from(1 + n % 2).unwrap(),
            granted_at: GRANTED_AT + Duration::from_millis(u64::try_from(n / 3).unwrap()),
            key: (n % 2 == 0).then_some(u64::MAX - n.unsigned_abs()),
            ..order(n, sale, 5_000 + n / 2)
        };
        let batch: Vec<SaleOrder> = (1..=600).map(number).collect();
        let written = write(&test.db, &batch).await;
        assert!(written.iter().all(|outcome| *outcome == WriteOutcome::New));
        let rows = test
            .texts(
                "SELECT CONCAT(id, ' ', user_id, ' ', voucher_id, ' ', slot, ' ', \
                 COALESCE(claim_key, 0), ' ', SUBSTR(create_time, 12, 12), ' ', \
                 SUBSTR(pay_deadline, 12, 12)) FROM tb_voucher_order ORDER BY id",
            )
            .await;
        let row = |order: &SaleOrder| {
            let clock = |at: Timestamp| {
                let text = at.strftime("%H:%M:%S.%3f").to_string();
                match test.db.backend() {
                    // It stores no fraction of a whole second.
                    Backend::Sqlite => text.trim_end_matches(".000").to_owned(),
                    Backend::MySql => text,
                }
            };
            format!(
                "{} {} {sale} {} {} {} {}",
                order.id,
                order.user_id,
                order.slot,
                order.key.map_or(0, u64::cast_signed),
                clock(order.granted_at),
                clock(order.granted_at + PAY_WITHIN)
            )
        };
        assert_eq!(rows, batch.iter().map(row).collect::<Vec<_>>());
        assert_eq!(stock(&test.db, sale).await, 400);
    })
    .await;
}
