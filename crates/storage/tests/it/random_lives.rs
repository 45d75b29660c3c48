//! Many orders live at once, in every order of events that chance brings: after each event pieces add up, and at the end
//! money does too. The seed is in the message of a failure.

use domain::{OrderId, RedeemCode, UserId, VoucherId};
use jiff::{SignedDuration, Timestamp};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use storage::flash_sales::{self, SaleOrder, StockUnit, WriteRefusal};
use storage::payments::{self, PaymentId};
use storage::shops::Principal;
use storage::vouchers::{self, SaleChange};
use storage::{Db, orders};

use crate::races::rounds;
use crate::selling::{
    LEASE, PAY_WITHIN, assert_money_conserved, assert_stock_conserved, fresh_code, open_sale,
    order, top_up,
};
use crate::support::on_both;

const BUYERS: i64 = 8;
const WORKERS: u64 = 4;

/// One of those who act at the same time, each on orders of its own buyers and of the others.
struct Worker {
    db: Db,
    sale: VoucherId,
    chance: StdRng,
    number: i64,
    orders: Vec<SaleOrder>,
}

impl Worker {
    async fn act(&mut self) {
        match self.chance.random_range(0..10) {
            0..4 => self.record().await,
            4 => self.change_terms().await,
            5 => self.load().await,
            6 => self.expire().await,
            _ => self.live().await,
        }
        let audit = flash_sales::audit(&self.db, self.sale)
            .await
            .unwrap()
            .unwrap();
        let pieces = u64::from(audit.terms.stock) + audit.live_orders;
        assert_eq!(u64::from(audit.terms.initial), pieces);
    }

    /// New orders and repeated ones, or a burial.
    async fn record(&mut self) {
        let mut batch = Vec::new();
        for _ in 0..self.chance.random_range(1..6) {
            let repeated = self.chance.random_bool(0.3) && !self.orders.is_empty();
            batch.push(if repeated {
                self.orders[self.chance.random_range(0..self.orders.len())]
            } else {
                self.new_order()
            });
        }
        if self.chance.random_bool(0.1) {
            let dead_letter =
                flash_sales::dead_letter(&self.db, LEASE, &batch[0], "chance", StockUnit::Held)
                    .await;
            dead_letter.unwrap().unwrap();
        }
        let written = flash_sales::write_orders(&self.db, LEASE, &batch, PAY_WITHIN).await;
        match written.unwrap() {
            Ok(written) => assert_eq!(written.len(), batch.len()),
            Err(refusal) => assert_eq!(refusal, WriteRefusal::Short(self.sale)),
        }
        self.orders.extend(batch);
    }

    fn new_order(&mut self) -> SaleOrder {
        self.number += 1;
        SaleOrder {
            slot: self.chance.random_range(1..=2),
            ..order(self.number, self.sale, self.chance.random_range(1..=BUYERS))
        }
    }

    async fn change_terms(&mut self) {
        let change = SaleChange {
            initial_stock: Some(self.chance.random_range(1..40)),
            ..Default::default()
        };
        let changed = vouchers::change_sale(&self.db, Principal::Admin, self.sale, &change).await;
        let _ = changed.unwrap();
    }

    async fn load(&self) {
        let terms = flash_sales::open_load(&self.db, self.sale).await.unwrap();
        assert!(terms.is_some());
    }

    /// For a clock that is far ahead everything is out of time.
    async fn expire(&mut self) {
        if self.chance.random_bool(0.3) {
            let late = Timestamp::now() + SignedDuration::from_hours(24 * 365);
            orders::expire_due(&self.db, late, 3).await.unwrap();
        }
    }

    /// Something happens to an order: whatever its status allows, or a refusal.
    async fn live(&mut self) {
        if self.orders.is_empty() {
            return;
        }
        let order = self.orders[self.chance.random_range(0..self.orders.len())];
        let (db, owner, id) = (&self.db, order.user_id, order.id);
        match self.chance.random_range(0..5) {
            0 => {
                let _ = orders::cancel(db, owner, id).await.unwrap();
            }
            1 | 2 => {
                let paid = payments::pay_with_balance(db, owner, id, &fresh_code()).await;
                let _ = paid.unwrap();
            }
            3 => refund(db, owner, id).await,
            _ => redeem(db, owner, id).await,
        }
    }
}

async fn refund(db: &Db, owner: UserId, id: OrderId) {
    let begun: Option<PaymentId> = payments::begin_refund(db, owner, id).await.unwrap().ok();
    if let Some(payment) = begun {
        payments::finish_refund(db, payment).await.unwrap();
    }
}

async fn redeem(db: &Db, owner: UserId, id: OrderId) {
    let order = orders::get(db, owner, id).await.unwrap();
    let code: Option<RedeemCode> = order.and_then(|order| order.redeem_code);
    if let Some(code) = code {
        let _ = orders::redeem(db, Principal::Admin, &code).await.unwrap();
    }
}

#[tokio::test]
async fn stock_and_money_are_conserved_whatever_happens() {
    on_both(async |test| {
        let seed: u64 = rand::random();
        let sale = open_sale(&test.db, 20).await;
        for buyer in 1..=BUYERS {
            top_up(&test.db, UserId::new(buyer)).await;
        }
        let work = |worker: u64| {
            let mut worker = Worker {
                db: test.db.clone(),
                sale,
                chance: StdRng::seed_from_u64(seed.wrapping_add(worker)),
                number: i64::try_from(worker).unwrap() * 1_000_000,
                orders: Vec::new(),
            };
            tokio::spawn(async move {
                for _ in 0..rounds() * 4 {
                    worker.act().await;
                }
            })
        };
        for worker in (0..WORKERS).map(work).collect::<Vec<_>>() {
            assert!(worker.await.is_ok(), "seed {seed}");
        }
        assert_stock_conserved(&test).await;
        assert_money_conserved(&test).await;
    })
    .await;
}
