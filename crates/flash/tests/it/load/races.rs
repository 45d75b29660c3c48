//! What may happen while a sale is being loaded: at each step everything may be lost, units may come back, terms may
//! change, another loader may come.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use flash::{ClaimOutcome, Flash, FlashOptions, Order, SaleId, StockReturn, StockUnit};
use futures_util::future::{BoxFuture, join_all};
use link::Link;
use lock::Locks;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use testkit::{Redis, wait_for, wait_until};
use tokio::sync::Semaphore;

use super::watched::{Hook, Watched};
use crate::gate_keys::{ask, assert_in_balance, key};
use crate::memory_ledger::{MemoryLedger, open_sale};
use crate::site::{Engine, PATIENCE, Site, wish};

/// Before and after each question of a load without holders to page through, and of one more page.
const STEPS: usize = 12;

/// Interleavings of returns to try; `make chaos` tries more.
fn seeds() -> u64 {
    let seeds = std::env::var("FLASH_RACE_SEEDS").ok();
    seeds.and_then(|seeds| seeds.parse().ok()).unwrap_or(60)
}

/// A process whose ledger is watched.
pub(super) async fn watched(site: &Site, hook: Hook) -> Flash<Watched> {
    let target = link::Target::parse(&site.url).unwrap();
    let connect = async || Link::connect(&target, link::Options::default()).await.ok();
    let link = wait_for("a link", PATIENCE, connect).await;
    let options = lock::Options {
        prefix: format!("{}lock:", site.prefix),
        ..lock::Options::default()
    };
    let locks = Locks::with_options(link.clone(), options);
    let ledger = Watched {
        book: site.book.clone(),
        hook,
    };
    let options = FlashOptions {
        prefix: site.prefix.clone(),
        ..FlashOptions::default()
    };
    Flash::new(link, locks, ledger, options)
}

/// A hook that does something at one step only.
pub(super) fn at_step(
    step: usize,
    action: impl Fn() -> BoxFuture<'static, ()> + Send + Sync + 'static,
) -> Hook {
    let passed = AtomicUsize::new(0);
    Arc::new(
        move |_| match passed.fetch_add(1, Ordering::SeqCst) == step {
            true => action(),
            false => Box::pin(async {}),
        },
    )
}

/// A sale of twelve units, eight of them sold, and whose gate is gone.
async fn half_sold(site: &Site, engine: &Engine, sale: i64, spread: u16) -> (SaleId, Vec<Order>) {
    let mut terms = open_sale(12);
    terms.spread = spread;
    let sale = site.publish(sale, terms);
    join_all((1..=8).map(|buyer| engine.order(sale, buyer))).await;
    engine.wait_until_drained(PATIENCE).await.unwrap();
    lose_gate(site, engine, sale, spread).await;
    (sale, site.book.live_orders(sale))
}

async fn lose_gate(site: &Site, engine: &Engine, sale: SaleId, spread: u16) {
    let mut connection = redis::Client::open(site.url.clone())
        .unwrap()
        .get_multiplexed_async_connection()
        .await
        .unwrap();
    for bucket in 0..spread {
        for what in ["sale", "buyers", "moved", "received"] {
            let key = key(site, engine.partitions(), sale, bucket, what);
            let () = ask(&mut connection, &["DEL", &key]).await;
        }
    }
}

/// Lets a crowd buy what is left; in the end the ledger has sold every unit, and nobody has two.
async fn sell_out(flash: &Flash<MemoryLedger>, book: &MemoryLedger, sale: SaleId) {
    let claims = (1_000..1_030).map(|buyer| decided(flash, sale, buyer));
    join_all(claims).await;
    flash.wait_until_drained(PATIENCE).await.unwrap();
    let terms = book.terms(sale).unwrap();
    assert_eq!(
        (terms.stock, book.dead_letters()),
        (0, Vec::new()),
        "sale {sale}"
    );
    assert_in_balance(flash, sale).await;
}

/// Asks until there is an answer.
async fn decided(flash: &Flash<MemoryLedger>, sale: SaleId, buyer: i64) -> ClaimOutcome {
    let ask = async || flash.claim(wish(sale, buyer)).await.ok();
    wait_for("a decision", PATIENCE, ask).await
}

async fn give_back(flash: &Flash<MemoryLedger>, order: &Order) {
    let given = StockReturn {
        sale: order.sale,
        buyer: order.buyer,
        order: order.id,
        unit: StockUnit::Held,
    };
    flash.return_unit(given).await.unwrap();
}

#[tokio::test]
async fn a_flush_at_any_step_of_a_load_costs_nothing_but_time() {
    let redis = Redis::start().await;
    for step in 0..STEPS {
        let site = Site::at(redis.url());
        let engine = site.engine().await;
        let (sale, _) = half_sold(&site, &engine, 1, 1).await;
        let url = site.url.clone();
        let flush = at_step(step, move || {
            let url = url.clone();
            Box::pin(async move {
                let client = redis::Client::open(url).unwrap();
                let mut connection = client.get_multiplexed_async_connection().await.unwrap();
                let () = ask(&mut connection, &["FLUSHALL"]).await;
            })
        });
        let loader = watched(&site, flush).await;
        wait_until("a load", PATIENCE, async || {
            loader.ensure_loaded(sale).await.is_ok()
        })
        .await;
        sell_out(&engine, &site.book, sale).await;
    }
}

#[tokio::test]
async fn a_loader_that_was_overtaken_while_paused_changes_nothing() {
    let redis = Redis::start().await;
    for step in 0..STEPS {
        let site = Site::at(redis.url());
        let engine = site.engine().await;
        let (sale, sold) = half_sold(&site, &engine, 1, 1).await;
        let (reached, go_on) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
        let pause = at_step(step, {
            let (reached, go_on) = (reached.clone(), go_on.clone());
            move || {
                let (reached, go_on) = (reached.clone(), go_on.clone());
                Box::pin(async move {
                    reached.add_permits(1);
                    go_on.acquire().await.unwrap().forget();
                })
            }
        });
        let loader = watched(&site, pause).await;
        let paused = tokio::spawn(async move { loader.ensure_loaded(sale).await });
        tokio::select! {
            reached = reached.acquire() => reached.unwrap().forget(),
            // This load had fewer steps.
            _ = wait_until("the end", PATIENCE, async || paused.is_finished()) => {}
        }
        // Its lock goes as well.
        let () = ask(&mut redis.connection().await, &["FLUSHALL"]).await;
        for buyer in 20..22 {
            decided(&engine, sale, buyer).await;
        }
        assert!(site.book.return_unit(sold[0].id));
        give_back(&engine, &sold[0]).await;
        go_on.add_permits(1);
        // Any outcome will do, but there must be one.
        let _ = paused.await.unwrap();
        sell_out(&engine, &site.book, sale).await;
    }
}

#[tokio::test]
async fn returns_may_come_at_any_step_of_a_load() {
    let site = Site::new().await;
    let engine = site.engine().await;
    for seed in 0..seeds() {
        let spread = if seed % 2 == 0 { 1 } else { 3 };
        let number = i64::try_from(seed).unwrap() + 1;
        let (sale, held) = half_sold(&site, &engine, number, spread).await;
        let race = Arc::new(Mutex::new(Race {
            dice: StdRng::seed_from_u64(seed),
            held,
            late: Vec::new(),
        }));
        let returns: Hook = {
            let (race, book, flash) = (race.clone(), site.book.clone(), Flash::clone(&engine));
            Arc::new(move |_| {
                let due = race.lock().unwrap().some_return(&book);
                let flash = flash.clone();
                Box::pin(async move {
                    for order in due {
                        give_back(&flash, &order).await;
                    }
                })
            })
        };
        let loader = watched(&site, returns).await;
        loader.ensure_loaded(sale).await.unwrap();
        let late = std::mem::take(&mut race.lock().unwrap().late);
        for order in late {
            give_back(&engine, &order).await;
        }
        println!("seed {seed}");
        sell_out(&engine, &site.book, sale).await;
    }
}

struct Race {
    dice: StdRng,
    held: Vec<Order>,
    /// Returned in the ledger; the gate gets the unit when the load is over.
    late: Vec<Order>,
}

impl Race {
    /// Returns an order now and then, and returns those whose unit the gate must get at once.
    fn some_return(&mut self, book: &MemoryLedger) -> Vec<Order> {
        if self.held.is_empty() || !self.dice.random_bool(0.5) {
            return Vec::new();
        }
        let chosen = self.dice.random_range(0..self.held.len());
        let order = self.held.swap_remove(chosen);
        assert!(book.return_unit(order.id));
        match self.dice.random_bool(0.5) {
            true => vec![order],
            false => {
                self.late.push(order);
                Vec::new()
            }
        }
    }
}

#[tokio::test]
async fn terms_may_change_at_any_step_of_a_load() {
    let site = Site::new().await;
    let engine = site.engine().await;
    for step in 0..STEPS {
        let number = i64::try_from(step).unwrap() + 1;
        let (sale, _) = half_sold(&site, &engine, number, 3).await;
        let (book, flash) = (site.book.clone(), Flash::clone(&engine));
        let change = at_step(step, move || {
            let (book, flash) = (book.clone(), flash.clone());
            Box::pin(async move {
                book.change_initial(sale, 5);
                book.change(sale, |terms| terms.limit_per_buyer = 2);
                flash.amend(sale).await.unwrap();
            })
        });
        let loader = watched(&site, change).await;
        loader.ensure_loaded(sale).await.unwrap();
        assert_in_balance(&engine, sale).await;
        sell_out(&engine, &site.book, sale).await;
    }
}
