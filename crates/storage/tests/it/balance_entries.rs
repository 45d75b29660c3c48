//! The statement of a balance: every booking once, newest first, with the balance after it, whatever is booked, refunded or
//! archived meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};

use domain::{OrderId, PayType, UserId, VoucherId};
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use storage::accounts::{self, BalanceEntry, BalanceEntryKind};
use storage::archive::{self, Archived};
use storage::orders::{self, BuyTerms, NewOrder};
use storage::{Db, payments};

use crate::order_life::ordinary;
use crate::selling::{
    GRANTED_AT, PAY_WITHIN, PRICE, assert_money_conserved, begin, confirm, fresh_code,
};
use crate::support::on_both;

const ANN: UserId = UserId::new(1);
const BOB: UserId = UserId::new(2);
const CREDIT: i64 = 100_000;

async fn top_up(db: &Db, user: UserId, provider: &str, reference: &str) {
    let by = PayType::Balance;
    let topped = payments::top_up(db, user, CREDIT, by, provider, reference).await;
    topped.unwrap();
}

/// An unpaid order.
async fn buy(db: &Db, owner: UserId, voucher_id: VoucherId, id: i64) -> OrderId {
    let id = OrderId::new(id);
    let order = NewOrder {
        id,
        owner,
        voucher_id,
    };
    let terms = BuyTerms {
        pay_within: PAY_WITHIN,
        max_unpaid: 1_000,
    };
    let bought = orders::create(db, order, GRANTED_AT, terms).await;
    bought.unwrap().unwrap();
    id
}

async fn pay(db: &Db, owner: UserId, order: OrderId) {
    let paid = payments::pay_with_balance(db, owner, order, &fresh_code()).await;
    paid.unwrap().unwrap();
}

async fn refund(db: &Db, owner: UserId, order: OrderId) {
    let payment = payments::begin_refund(db, owner, order).await.unwrap();
    payments::finish_refund(db, payment.unwrap()).await.unwrap();
}

async fn balance(db: &Db, user: UserId) -> i64 {
    accounts::balance_cents(db, user).await.unwrap()
}

async fn page(db: &Db, user: UserId, before: Option<i64>, limit: u32) -> Vec<BalanceEntry> {
    let page = accounts::list_entries(db, user, before, limit).await;
    page.unwrap()
}

/// The whole statement, page after page.
async fn statement(db: &Db, user: UserId, limit: u32) -> Vec<BalanceEntry> {
    let mut all: Vec<BalanceEntry> = Vec::new();
    loop {
        let before = all.last().map(|entry| entry.cursor);
        let more = page(db, user, before, limit).await;
        let is_last = more.len() < limit as usize;
        all.extend(more);
        if is_last {
            return all;
        }
    }
}

/// Each balance is the one before it and the amount; the first begins with nothing.
#[track_caller]
fn assert_adds_up(entries: &[BalanceEntry]) {
    let mut cents = 0;
    for entry in entries.iter().rev() {
        cents += entry.amount_cents;
        assert_eq!(entry.balance_cents, cents, "{entry:?} among {entries:#?}");
    }
    assert!(entries.is_sorted_by(|one, other| one.cursor > other.cursor));
}

#[tokio::test]
async fn each_entry_shows_the_balance_after_it_and_the_newest_shows_the_balance() {
    on_both(async |test| {
        let db = &test.db;
        assert_eq!(page(db, ANN, None, 20).await, []);
        let voucher = ordinary(db).await;
        top_up(db, ANN, "operator", "one").await;
        top_up(db, ANN, "operator", "one").await;
        top_up(db, BOB, "demo", "two").await;
        let (first, second) = (
            buy(db, ANN, voucher, 1).await,
            buy(db, ANN, voucher, 2).await,
        );
        pay(db, ANN, first).await;
        pay(db, ANN, second).await;
        refund(db, ANN, first).await;
        let of_bob = buy(db, BOB, voucher, 3).await;
        pay(db, BOB, of_bob).await;

        let entries = page(db, ANN, None, 20).await;
        let told: Vec<_> = entries
            .iter()
            .map(|it| (it.kind.clone(), it.amount_cents, it.balance_cents, it.order))
            .collect();
        let (paid, provider) = (BalanceEntryKind::Payment, "operator".to_owned());
        let expected = [
            (BalanceEntryKind::Refund, PRICE, CREDIT - PRICE, Some(first)),
            (paid.clone(), -PRICE, CREDIT - 2 * PRICE, Some(second)),
            (paid, -PRICE, CREDIT - PRICE, Some(first)),
            (BalanceEntryKind::TopUp { provider }, CREDIT, CREDIT, None),
        ];
        assert_eq!(told, expected);
        assert_eq!(entries[0].balance_cents, balance(db, ANN).await);
        let of_bob = page(db, BOB, None, 20).await;
        assert_eq!(of_bob.len(), 2);
        assert_eq!(of_bob[0].balance_cents, balance(db, BOB).await);
        assert_eq!(page(db, UserId::new(12), None, 20).await, []);
    })
    .await;
}

/// Late money goes back where it came from.
#[tokio::test]
async fn what_a_provider_was_paid_is_not_on_the_balance() {
    on_both(async |test| {
        let db = &test.db;
        let voucher = ordinary(db).await;
        let (paid, late) = (
            buy(db, ANN, voucher, 1).await,
            buy(db, ANN, voucher, 2).await,
        );
        let payment = begin(db, ANN, paid).await;
        confirm(db, payment.id, "trade-1").await.unwrap();
        refund(db, ANN, paid).await;
        let payment = begin(db, ANN, late).await;
        orders::cancel(db, ANN, late).await.unwrap().unwrap();
        confirm(db, payment.id, "trade-2").await.unwrap();
        payments::finish_refund(db, payment.id).await.unwrap();
        assert_eq!(page(db, ANN, None, 20).await, []);
        assert_eq!(balance(db, ANN).await, 0);
        assert_money_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn pages_go_on_after_the_cursor_while_entries_are_added() {
    on_both(async |test| {
        let db = &test.db;
        for number in 0..5 {
            top_up(db, ANN, "operator", &format!("old-{number}")).await;
        }
        let whole = page(db, ANN, None, 20).await;
        let first = page(db, ANN, None, 2).await;
        top_up(db, ANN, "operator", "new").await;
        let second = page(db, ANN, first.last().map(|it| it.cursor), 2).await;
        top_up(db, ANN, "operator", "newer").await;
        let third = page(db, ANN, second.last().map(|it| it.cursor), 2).await;
        assert_eq!([first, second, third].concat(), whole);
        let past = page(db, ANN, whole.last().map(|it| it.cursor), 2).await;
        assert_eq!(past, []);
        assert_eq!(page(db, ANN, Some(i64::MIN), 2).await, []);
        let longest = page(db, ANN, None, u32::MAX).await;
        assert_eq!(longest.len(), 7);
    })
    .await;
}

#[tokio::test]
async fn the_statement_adds_up_at_any_moment_while_orders_are_paid_and_refunded() {
    const WORKERS: i64 = 4;
    const LIVES: i64 = 12;
    on_both(async |test| {
        let db = &test.db;
        let voucher = ordinary(db).await;
        for user in [ANN, BOB] {
            top_up(db, user, "operator", &format!("first-{user}")).await;
        }
        let is_done = AtomicBool::new(false);
        let workers = (0..WORKERS).map(async |worker| {
            for life in 0..LIVES {
                let owner = UserId::new(rand::random_range(1..=2));
                let number = worker * LIVES + life + 1;
                match rand::random_range(0..4) {
                    0 => top_up(db, owner, "operator", &format!("more-{number}")).await,
                    chance => {
                        let order = buy(db, owner, voucher, number).await;
                        pay(db, owner, order).await;
                        if chance > 1 {
                            refund(db, owner, order).await;
                        }
                    }
                }
            }
        });
        let workers = async {
            join_all(workers).await;
            is_done.store(true, Ordering::Relaxed);
        };
        let reader = async {
            while !is_done.load(Ordering::Relaxed) {
                for user in [ANN, BOB] {
                    assert_adds_up(&statement(db, user, 7).await);
                }
            }
        };
        tokio::join!(workers, reader);
        for user in [ANN, BOB] {
            let entries = statement(db, user, 50).await;
            assert_adds_up(&entries);
            assert_eq!(entries[0].balance_cents, balance(db, user).await);
        }
        assert_money_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn archived_entries_stay_on_the_statement_and_are_on_it_once_while_they_move() {
    on_both(async |test| {
        let db = &test.db;
        let voucher = ordinary(db).await;
        for number in 1..=10 {
            top_up(db, ANN, "operator", &number.to_string()).await;
            let order = buy(db, ANN, voucher, number).await;
            pay(db, ANN, order).await;
            // The others can still be used, and stay.
            if number % 2 == 0 {
                refund(db, ANN, order).await;
            }
        }
        let before = statement(db, ANN, 50).await;
        assert_adds_up(&before);
        let later = GRANTED_AT + SignedDuration::from_hours(24 * 365);
        while accounts::fold_entries(db, later, 100).await.unwrap() > 0 {}
        let is_done = AtomicBool::new(false);
        let archiver = async {
            loop {
                let orders = archive::archive_orders(db, later, 1).await.unwrap();
                let top_ups = archive::archive_top_ups(db, later, 1).await.unwrap();
                if orders.and(top_ups) == Archived::default() {
                    is_done.store(true, Ordering::Relaxed);
                    return;
                }
            }
        };
        let reader = async {
            while !is_done.load(Ordering::Relaxed) {
                assert_eq!(statement(db, ANN, 7).await, before);
            }
        };
        tokio::join!(archiver, reader);
        let archived = test.count("tb_ledger_entry_archive").await;
        let hot = test.count("tb_ledger_entry").await;
        assert!(archived > 0 && hot > 0, "{archived} and {hot}");
        assert_eq!(statement(db, ANN, 7).await, before);
        assert!(before.iter().all(|it| it.booked_at <= Timestamp::now()));
    })
    .await;
}
