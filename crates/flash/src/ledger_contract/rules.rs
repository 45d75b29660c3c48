//! The rules, one function each. Each has a sale, a partition and order ids of its own.

use std::fmt::Debug;

use super::{Subject, Violation};
use crate::gate::bucket::now_ms;
use crate::{
    BuyerId, DrainLease, Ended, Holding, KeyHash, Ledger as _, LedgerError, Order, OrderId,
    Partition, Refused, SaleId, StockUnit, Terms, WriteOutcome,
};

/// 2001-09-09, and 2286: a window that is open.
const BEGIN_MS: i64 = 1_000_000_000_000;
const END_MS: i64 = 9_999_999_999_000;

/// The id of a sale and of an order that nobody puts up.
const UNKNOWN_SALE: SaleId = SaleId(4_611_686_018_427_387_903);
const UNKNOWN_ORDER: OrderId = OrderId(4_611_686_018_427_387_903);

/// Partitions of the deployment: two for each rule. They are settled before any of them is used, as the engine does.
const PARTITIONS: u16 = 64;

/// The fencing token of the worker that records.
const FENCE: i64 = 10;

type Checked = Result<(), String>;

/// What each rule has for itself.
struct Place<'a, S: Subject> {
    subject: &'a S,
    ledger: &'a S::Ledger,
    number: i64,
    lease: DrainLease,
}

macro_rules! rules {
    ($subject:ident: $($rule:ident),* $(,)?) => {{
        let mut violations = Vec::new();
        let mut number = 0;
        $(
            number += 1;
            let place = Place::new($subject, number).await;
            let checked = match place {
                Ok(place) => $rule(&place).await,
                Err(found) => Err(found),
            };
            if let Err(found) = checked {
                let rule = stringify!($rule);
                violations.push(Violation { rule, found });
            }
        )*
        violations
    }};
}

pub(super) async fn check_all<S: Subject>(subject: &S) -> Vec<Violation> {
    rules!(subject:
        the_first_number_of_partitions_stays,
        what_is_unknown_is_reported_as_unknown,
        a_sale_is_read_as_it_was_put_up,
        a_load_raises_the_epoch,
        recorded_orders_take_units_and_are_found,
        the_same_order_again_changes_nothing,
        an_order_twice_in_a_batch_is_recorded_once,
        a_slot_is_taken_once,
        a_slot_is_taken_once_within_a_batch,
        an_unknown_sale_is_refused_alone,
        a_batch_beyond_the_stock_records_nothing,
        a_lower_fence_changes_nothing,
        a_fence_is_of_one_partition,
        a_returned_order_frees_its_unit_and_its_slot,
        a_returned_order_is_never_recorded_again,
        an_ended_order_with_a_key_is_still_found,
        a_dead_lettered_order_is_final,
        a_recorded_order_is_not_dead_lettered,
        holdings_are_paged_by_id,
        sales_are_current_until_their_end,
        marks_never_fall,
        repairs_are_accepted,
        writers_beside_each_other_never_oversell,
        of_two_writers_of_a_slot_one_is_recorded,
    )
}

impl<'a, S: Subject> Place<'a, S> {
    async fn new(subject: &'a S, number: i64) -> Result<Self, String> {
        let partition = Partition(u16::try_from(number).expect("there are few rules"));
        let place = Self {
            subject,
            ledger: subject.ledger(),
            number,
            lease: DrainLease {
                partition,
                fence: FENCE,
            },
        };
        did(place.ledger.settle_partitions(PARTITIONS).await)?;
        did(place.ledger.take_drain_lease(place.lease).await)?;
        Ok(place)
    }

    /// Takes the lease of the rule's other partition.
    async fn other_lease(&self, fence: i64) -> Result<DrainLease, String> {
        let partition = Partition(self.lease.partition.0 + PARTITIONS / 2);
        let lease = DrainLease { partition, fence };
        did(self.ledger.take_drain_lease(lease).await)?;
        Ok(lease)
    }

    async fn sale(&self, initial: u32) -> SaleId {
        self.second_sale(initial, 0).await
    }

    async fn second_sale(&self, initial: u32, nth: i64) -> SaleId {
        self.sale_until(initial, nth, END_MS).await
    }

    async fn sale_until(&self, initial: u32, nth: i64, end_ms: i64) -> SaleId {
        let terms = Terms {
            initial,
            stock: initial,
            begin_ms: BEGIN_MS,
            end_ms,
            limit_per_buyer: 2,
            spread: 1,
            on_shelf: true,
            epoch: 1,
        };
        let number = self.number * 10 + nth;
        self.subject.publish(number, terms).await
    }

    /// The nth order of this rule, for its nth buyer.
    async fn order(&self, nth: i64, sale: SaleId) -> Order {
        let number = self.number * 1_000 + nth;
        Order {
            id: OrderId(number),
            sale,
            buyer: self.subject.buyer(number).await,
            slot: 1,
            // A ledger may forget the keys of old orders.
            granted_at_ms: now_ms(),
            key: None,
        }
    }

    async fn orders(&self, count: i64, sale: SaleId) -> Vec<Order> {
        let mut orders = Vec::new();
        for nth in 1..=count {
            orders.push(self.order(nth, sale).await);
        }
        orders
    }

    async fn write(&self, orders: &[Order]) -> Result<Vec<WriteOutcome>, String> {
        did(self.ledger.write_orders(self.lease, orders).await)
    }

    async fn expect_stock(&self, sale: SaleId, stock: u32, live: u64) -> Checked {
        let audit = did(self.ledger.audit(sale).await)?.ok_or("the sale is gone")?;
        same("stock", audit.terms.stock, stock)?;
        same("live orders", audit.live_orders, live)
    }
}

async fn the_first_number_of_partitions_stays<S: Subject>(place: &Place<'_, S>) -> Checked {
    let first = did(place.ledger.settle_partitions(PARTITIONS).await)?;
    same("the number of a new deployment", first, PARTITIONS)?;
    let again = did(place.ledger.settle_partitions(8).await)?;
    same("the number after that", again, PARTITIONS)
}

async fn what_is_unknown_is_reported_as_unknown<S: Subject>(place: &Place<'_, S>) -> Checked {
    let ledger = place.ledger;
    same("terms", did(ledger.sale(UNKNOWN_SALE).await)?, None)?;
    same("a load", did(ledger.open_load(UNKNOWN_SALE).await)?, None)?;
    same("an audit", did(ledger.audit(UNKNOWN_SALE).await)?, None)?;
    let held = did(ledger.held_by(UNKNOWN_SALE, BuyerId(1)).await)?;
    same("orders of a buyer", held, vec![])?;
    let all = ledger.holdings(UNKNOWN_SALE, OrderId(i64::MIN), 10).await;
    same("holdings", did(all)?, vec![])?;
    let live = did(ledger.live_among(&[UNKNOWN_ORDER]).await)?;
    same("live orders", live, vec![])?;
    same(
        "none of no orders",
        did(ledger.live_among(&[]).await)?,
        vec![],
    )?;
    same("an end", did(ledger.find_end(UNKNOWN_ORDER).await)?, None)?;
    let mark = did(ledger.mark("contract: never raised").await)?;
    same("a mark", mark, None)
}

async fn a_sale_is_read_as_it_was_put_up<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(7).await;
    let terms = did(place.ledger.sale(sale).await)?.ok_or("no terms")?;
    same("initial and stock", (terms.initial, terms.stock), (7, 7))?;
    let window = (terms.begin_ms, terms.end_ms);
    same("the window", window, (BEGIN_MS, END_MS))?;
    same("the limit", terms.limit_per_buyer, 2)?;
    same("the shelf", terms.on_shelf, true)?;
    place.expect_stock(sale, 7, 0).await
}

async fn a_load_raises_the_epoch<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(1).await;
    let before = did(place.ledger.sale(sale).await)?.ok_or("no terms")?;
    let first = did(place.ledger.open_load(sale).await)?.ok_or("no load")?;
    let second = did(place.ledger.open_load(sale).await)?.ok_or("no load")?;
    let after = did(place.ledger.sale(sale).await)?.ok_or("no terms")?;
    if before.epoch < first.epoch && first.epoch < second.epoch {
        return same("the epoch that is kept", after.epoch, second.epoch);
    }
    let epochs = [before.epoch, first.epoch, second.epoch];
    Err(format!("epochs {epochs:?} do not rise"))
}

async fn recorded_orders_take_units_and_are_found<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    let mut orders = place.orders(2, sale).await;
    orders[1].key = Some(KeyHash(u64::MAX));
    let written = place.write(&orders).await?;
    same("outcomes", written, vec![WriteOutcome::New; 2])?;
    place.expect_stock(sale, 3, 2).await?;
    let held = place.ledger.held_by(sale, orders[1].buyer).await;
    same("orders of the buyer", did(held)?, vec![holding(&orders[1])])?;
    let all = place.ledger.holdings(sale, OrderId(i64::MIN), 10).await;
    same("holdings", did(all)?, orders.iter().map(holding).collect())?;
    let ids = [orders[0].id, UNKNOWN_ORDER, orders[1].id];
    let mut live = did(place.ledger.live_among(&ids).await)?;
    live.sort_unstable();
    same("live orders", live, vec![ids[0], ids[2]])?;
    same("an end", did(place.ledger.find_end(ids[0]).await)?, None)
}

async fn the_same_order_again_changes_nothing<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    let orders = place.orders(3, sale).await;
    place.write(&orders[..2]).await?;
    let again = place.write(&orders).await?;
    let known = WriteOutcome::AlreadyRecorded;
    same("outcomes", again, vec![known, known, WriteOutcome::New])?;
    place.expect_stock(sale, 2, 3).await
}

async fn an_order_twice_in_a_batch_is_recorded_once<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    let order = place.order(1, sale).await;
    let written = place.write(&[order, order]).await?;
    let expected = vec![WriteOutcome::New, WriteOutcome::AlreadyRecorded];
    same("outcomes", written, expected)?;
    place.expect_stock(sale, 4, 1).await
}

async fn a_slot_is_taken_once<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    let orders = place.orders(3, sale).await;
    let buyer = orders[0].buyer;
    let same_slot = Order { buyer, ..orders[1] };
    let other_slot = Order {
        buyer,
        slot: 2,
        ..orders[2]
    };
    place.write(&orders[..1]).await?;
    let written = place.write(&[same_slot, other_slot]).await?;
    let taken = WriteOutcome::Refused(Refused::SlotTaken(orders[0].id));
    same("outcomes", written, vec![taken, WriteOutcome::New])?;
    place.expect_stock(sale, 3, 2).await
}

async fn a_slot_is_taken_once_within_a_batch<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    let orders = place.orders(2, sale).await;
    let buyer = orders[0].buyer;
    let written = place
        .write(&[orders[0], Order { buyer, ..orders[1] }])
        .await?;
    let taken = WriteOutcome::Refused(Refused::SlotTaken(orders[0].id));
    same("outcomes", written, vec![WriteOutcome::New, taken])?;
    place.expect_stock(sale, 4, 1).await
}

async fn an_unknown_sale_is_refused_alone<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    let mut orders = place.orders(2, sale).await;
    orders[0].sale = UNKNOWN_SALE;
    let written = place.write(&orders).await?;
    let refused = WriteOutcome::Refused(Refused::NoSuchSale);
    same("outcomes", written, vec![refused, WriteOutcome::New])?;
    place.expect_stock(sale, 4, 1).await
}

async fn a_batch_beyond_the_stock_records_nothing<S: Subject>(place: &Place<'_, S>) -> Checked {
    let (plenty, scarce) = (place.sale(9).await, place.second_sale(1, 1).await);
    let mut orders = place.orders(3, plenty).await;
    orders[1].sale = scarce;
    orders[2].sale = scarce;
    match place.ledger.write_orders(place.lease, &orders).await {
        Err(LedgerError::OutOfStock(sale)) if sale == scarce => {}
        other => return Err(format!("{other:?} instead of OutOfStock({scarce})")),
    }
    place.expect_stock(plenty, 9, 0).await?;
    place.expect_stock(scarce, 1, 0).await?;
    same(
        "outcomes of fewer",
        place.write(&orders[..2]).await?,
        vec![WriteOutcome::New; 2],
    )?;
    place.expect_stock(scarce, 0, 1).await
}

async fn a_lower_fence_changes_nothing<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    let orders = place.orders(2, sale).await;
    let newer = DrainLease {
        fence: FENCE + 1,
        ..place.lease
    };
    did(place.ledger.take_drain_lease(newer).await)?;
    fenced(
        "a write",
        place.ledger.write_orders(place.lease, &orders).await,
    )?;
    fenced("a lease", place.ledger.take_drain_lease(place.lease).await)?;
    let kept = place
        .ledger
        .dead_letter(place.lease, &orders[1], "contract", StockUnit::Held);
    fenced("a dead letter", kept.await)?;
    place.expect_stock(sale, 5, 0).await?;
    let end = did(place.ledger.find_end(orders[1].id).await)?;
    same(
        "the end of an order that a former worker dead-letters",
        end,
        None,
    )?;
    did(place.ledger.take_drain_lease(newer).await)?;
    let written = did(place.ledger.write_orders(newer, &orders).await)?;
    same(
        "outcomes of the newer worker",
        written,
        vec![WriteOutcome::New; 2],
    )
}

async fn a_fence_is_of_one_partition<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    place.other_lease(FENCE + 5).await?;
    let written = place.write(&place.orders(1, sale).await).await?;
    same("outcomes", written, vec![WriteOutcome::New])
}

async fn a_returned_order_frees_its_unit_and_its_slot<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(1).await;
    let orders = place.orders(2, sale).await;
    place.write(&orders[..1]).await?;
    let before = did(place.ledger.sale(sale).await)?.ok_or("no terms")?;
    place.subject.return_unit(orders[0].id).await;
    let after = did(place.ledger.sale(sale).await)?.ok_or("no terms")?;
    if after.epoch <= before.epoch {
        return Err(format!("epoch {} after {}", after.epoch, before.epoch));
    }
    place.expect_stock(sale, 1, 0).await?;
    let end = did(place.ledger.find_end(orders[0].id).await)?;
    same("its end", end, Some(Ended::Returned))?;
    let live = did(place.ledger.live_among(&[orders[0].id]).await)?;
    same("live orders", live, vec![])?;
    let all = place.ledger.holdings(sale, OrderId(i64::MIN), 10).await;
    same("holdings", did(all)?, vec![])?;
    let buyer = orders[0].buyer;
    let written = place.write(&[Order { buyer, ..orders[1] }]).await?;
    same(
        "the next order of the slot",
        written,
        vec![WriteOutcome::New],
    )?;
    place.expect_stock(sale, 0, 1).await
}

async fn a_returned_order_is_never_recorded_again<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(1).await;
    let orders = place.orders(1, sale).await;
    place.write(&orders).await?;
    place.subject.return_unit(orders[0].id).await;
    let again = place.write(&orders).await?;
    same("outcomes", again, vec![WriteOutcome::AlreadyRecorded])?;
    place.expect_stock(sale, 1, 0).await
}

async fn an_ended_order_with_a_key_is_still_found<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(2).await;
    let mut order = place.order(1, sale).await;
    order.key = Some(KeyHash(7));
    place.write(&[order]).await?;
    place.subject.return_unit(order.id).await;
    let ended = Holding {
        slot: 0,
        ..holding(&order)
    };
    let all = place.ledger.holdings(sale, OrderId(i64::MIN), 10).await;
    same("holdings", did(all)?, vec![ended])?;
    let held = place.ledger.held_by(sale, order.buyer).await;
    same("orders of the buyer", did(held)?, vec![ended])
}

async fn a_dead_lettered_order_is_final<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    let order = place.order(1, sale).await;
    for unit in [StockUnit::Held, StockUnit::None] {
        let kept = place
            .ledger
            .dead_letter(place.lease, &order, "contract", unit);
        did(kept.await)?;
    }
    let end = did(place.ledger.find_end(order.id).await)?;
    same("its end", end, Some(Ended::DeadLettered))?;
    let written = place.write(&[order]).await?;
    same(
        "a write after that",
        written,
        vec![WriteOutcome::AlreadyRecorded],
    )?;
    // It was never recorded, so the ledger's stock never had its unit less.
    place.expect_stock(sale, 5, 0).await
}

async fn a_recorded_order_is_not_dead_lettered<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    let order = place.order(1, sale).await;
    place.write(&[order]).await?;
    let kept = place
        .ledger
        .dead_letter(place.lease, &order, "late", StockUnit::Held);
    did(kept.await)?;
    let end = did(place.ledger.find_end(order.id).await)?;
    same("its end", end, None)?;
    place.expect_stock(sale, 4, 1).await
}

async fn holdings_are_paged_by_id<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(5).await;
    let mut orders = place.orders(5, sale).await;
    orders.reverse();
    place.write(&orders).await?;
    orders.reverse();
    let mut after = OrderId(i64::MIN);
    for page in orders.chunks(2) {
        let found = did(place.ledger.holdings(sale, after, 2).await)?;
        same("a page", found, page.iter().map(holding).collect())?;
        after = page[page.len() - 1].id;
    }
    let beyond = did(place.ledger.holdings(sale, after, 2).await)?;
    same("the page after the last", beyond, vec![])
}

async fn sales_are_current_until_their_end<S: Subject>(place: &Place<'_, S>) -> Checked {
    let open = place.sale(1).await;
    let past = place.sale_until(1, 1, BEGIN_MS + 10_000).await;
    let current = did(place.ledger.current_sales(BEGIN_MS + 20_000).await)?;
    same("an open sale", current.contains(&open), true)?;
    same("a sale that ended before", current.contains(&past), false)?;
    let current = did(place.ledger.current_sales(BEGIN_MS + 5_000).await)?;
    same("a sale that ended after", current.contains(&past), true)
}

async fn marks_never_fall<S: Subject>(place: &Place<'_, S>) -> Checked {
    for (to, expected) in [(5, 5), (3, 5), (8, 8)] {
        did(place.ledger.raise_mark("contract", to).await)?;
        let mark = did(place.ledger.mark("contract").await)?;
        same("the mark", mark, Some(expected))?;
    }
    let other = did(place.ledger.mark("contract: another").await)?;
    same("another mark", other, None)
}

async fn repairs_are_accepted<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(1).await;
    did(place.ledger.record_repair(sale, "contract", "").await)
}

/// Two partitions of one sale want twice what there is, an order at a time.
async fn writers_beside_each_other_never_oversell<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(10).await;
    let orders = place.orders(20, sale).await;
    let other = place.other_lease(FENCE).await?;
    let (one, two) = futures_util::join!(
        write_each(place.ledger, place.lease, &orders[..10]),
        write_each(place.ledger, other, &orders[10..]),
    );
    same("orders recorded", one? + two?, 10)?;
    place.expect_stock(sale, 0, 10).await
}

async fn of_two_writers_of_a_slot_one_is_recorded<S: Subject>(place: &Place<'_, S>) -> Checked {
    let sale = place.sale(20).await;
    let orders = place.orders(20, sale).await;
    let (mine, mut theirs) = (orders[..10].to_vec(), orders[10..].to_vec());
    for (order, rival) in theirs.iter_mut().zip(&mine) {
        order.buyer = rival.buyer;
    }
    let other = place.other_lease(FENCE).await?;
    let (one, two) = futures_util::join!(
        write_each(place.ledger, place.lease, &mine),
        write_each(place.ledger, other, &theirs),
    );
    same("orders recorded", one? + two?, 10)?;
    place.expect_stock(sale, 10, 10).await
}

/// Writes orders one by one until each has an outcome, and counts the new ones. A database may refuse one of two transactions
/// for the sake of the other, as it may in production: that is worth a retry.
async fn write_each(
    ledger: &impl crate::Ledger,
    lease: DrainLease,
    orders: &[Order],
) -> Result<usize, String> {
    const MAX_ATTEMPTS: usize = 50;
    let mut new = 0;
    for order in orders {
        let mut attempts = 0;
        loop {
            attempts += 1;
            match ledger.write_orders(lease, &[*order]).await {
                Ok(written) => new += usize::from(written == [WriteOutcome::New]),
                Err(LedgerError::OutOfStock(_)) => {}
                Err(LedgerError::Unavailable(_)) if attempts < MAX_ATTEMPTS => continue,
                Err(error) => return Err(format!("{error:?}")),
            }
            break;
        }
    }
    Ok(new)
}

fn holding(order: &Order) -> Holding {
    Holding {
        order: order.id,
        buyer: order.buyer,
        slot: order.slot,
        key: order.key,
    }
}

fn did<T>(result: Result<T, LedgerError>) -> Result<T, String> {
    result.map_err(|error| format!("{error:?}"))
}

fn fenced<T: Debug>(what: &str, result: Result<T, LedgerError>) -> Checked {
    match result {
        Err(LedgerError::Fenced) => Ok(()),
        other => Err(format!("{what}: {other:?} instead of Fenced")),
    }
}

fn same<T: Debug + PartialEq>(what: &str, found: T, expected: T) -> Checked {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: {found:?} instead of {expected:?}"))
}
